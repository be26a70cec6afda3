import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { WireTool } from '../../schemas/wire/vocabulary.ts';

const folder = new URL('../conformance/wire/', import.meta.url);

const Asked = z.object({
  request: z.object({ params: z.object({ name: WireTool }) }),
  response: z.object({
    result: z.object({
      content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
      structuredContent: z.looseObject({}),
      isError: z.literal(true).optional(),
    }),
  }),
  text: z.string(),
});

const Session = z.object({
  programs: z.array(z.object({ structuredContent: z.looseObject({}), text: z.string() })).min(1),
});

/** One answer of the conformance files, typed and as text. */
export interface WireCase {
  readonly name: string;
  readonly tool: WireTool;
  readonly typed: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** What the typed mode puts into `content` and `isError`; absent for the programs of a session. */
  readonly sent?: Readonly<{ text: string; isError: boolean }>;
}

/** Every answer of `conformance/wire`; the fixture and the malformed call have none. */
export const wireCases = (): readonly WireCase[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file): readonly WireCase[] => {
      const parsed: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      const session = Session.safeParse(parsed);
      if (session.success)
        return session.data.programs.map(({ structuredContent, text }, index) => ({
          name: `${file} program ${index + 1}`,
          tool: 'tilo',
          typed: structuredContent,
          text,
        }));
      if (file === 'fixture.json' || file === 'malformed.call.json') return [];
      const { request, response, text } = Asked.parse(parsed);
      const { content, structuredContent, isError } = response.result;
      const sent = { text: content[0].text, isError: isError === true };
      return [{ name: file, tool: request.params.name, typed: structuredContent, text, sent }];
    });
