import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { Alternative, Brief, type Variant } from '../../schemas/brief.ts';
import { byRule } from '../../src/sdk/brief/byRule.ts';
import { type Fillable, fillDraft } from '../../src/sdk/brief/fillDraft.ts';
import { isObject } from '../../src/sdk/brief/json.ts';
import type { World } from '../everyRun/world.ts';
import { bundlePath } from '../support/bundle.ts';

/**
 * A host that has never seen Telic: it knows the tools by the names that answers give them, the form of a brief, and
 * nothing of modes, phases or types of artifacts. It reads the text of each answer, fetches what was left out when it
 * needs it, and fills blanks by one rule.
 */

type Parts = Readonly<Record<string, unknown>>;

/** One answer as the host saw it. */
export interface Seen {
  readonly tool: string;
  readonly arguments: Parts;
  readonly characters: number;
  readonly ok: boolean;
  readonly text: string;
}

export interface Session {
  call(tool: string, args: Parts): Promise<Parts>;
  readonly seen: readonly Seen[];
}

const Result = z.looseObject({ content: z.tuple([z.looseObject({ text: z.string() })], z.unknown()) });
const Structure = z.record(z.string(), z.unknown());

/** A server process whose host shows so many characters of an answer. */
export const openSession = async ({ root, state }: World, budget: number): Promise<Session> => {
  const client = new Client({ name: 'blanks-only', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bundlePath, 'mcp'],
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        TELIC_STATE_DIR: state,
        TELIC_REPOSITORY_ROOT: root,
        TELIC_ANSWER_BUDGET: String(budget),
      },
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  const seen: Seen[] = [];
  return {
    seen,
    call: async (tool, args) => {
      const { content } = Result.parse(await client.callTool({ name: tool, arguments: { ...args } }));
      const [{ text }] = content;
      const answer = Structure.parse(JSON.parse(text));
      seen.push({ tool, arguments: args, characters: text.length, ok: answer.ok === true, text });
      return answer;
    },
  };
};

const Omitted = z.array(
  z.looseObject({
    part: z.string(),
    fetch: z.looseObject({ tool: z.string(), arguments: Structure }).nullable(),
  }),
);

const partAt = (answer: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), answer);

/** The answer with another value at a path. */
const withPart = (answer: Parts, [key = '', ...rest]: readonly string[], value: unknown): Parts => ({
  ...answer,
  [key]: rest.length === 0 ? value : withPart(Structure.parse(answer[key] ?? {}), rest, value),
});

const omittedOf = (answer: Parts): z.infer<typeof Omitted> => Omitted.parse(answer.omitted ?? []);

/** The answer with some of its parts fetched, as far as they were left out. */
const complete = async (session: Session, answer: Parts, wanted: readonly string[]): Promise<Parts> => {
  const [missing] = omittedOf(answer)
    .filter(({ part, fetch }) => fetch !== null && wanted.includes(part))
    .sort((one, other) => one.part.length - other.part.length);
  if (!missing?.fetch) return answer;
  const fetched = await session.call(missing.fetch.tool, missing.fetch.arguments);
  const others = omittedOf(answer).filter(({ part }) => part !== missing.part);
  const inside = omittedOf(fetched).filter(({ part }) => part.startsWith(`${missing.part}.`));
  const next = withPart(answer, missing.part.split('.'), partAt(fetched, missing.part));
  return complete(session, { ...next, omitted: [...others, ...inside] }, wanted);
};

const at = (part: string): string => (part === '' ? 'nextAction.brief' : `nextAction.brief.${part}`);

/** The token stands in the line that says what to do now. */
const tokenIn = (next: string): Parts => {
  const word = (name: string): string => new RegExp(`${name} ([^\\s,]+?)[.,]?(?:\\s|$)`).exec(next)?.[1] ?? '';
  return {
    run_id: word('run_id'),
    action_id: word('action_id'),
    expected_run_version: Number(word('expected_run_version')),
  };
};

const toolIn = (next: string): string => /telic_[a-z_]+/.exec(next)?.[0] ?? '';

const fill = (from: Fillable, variant: Variant | undefined, sources: Brief['sources']): Parts =>
  fillDraft(from, { variant, sources: sources.map(({ ref }) => ref), answers: byRule(String(from.draft.id)) });

/** What one host does beside filling blanks: takes this variant, or hands in this other type, when it is first offered. */
export interface Wishes {
  readonly variants?: readonly string[];
  readonly ask?: string;
}

export interface Ended {
  readonly status: unknown;
  readonly report: Parts | null;
  /** Names of the variants that were taken, in order. */
  readonly taken: readonly string[];
}

const Action = z.looseObject({
  kind: z.string(),
  status: z.string().optional(),
  requiredOutputType: z.string().optional(),
});
/** What is in an answer, whichever of its parts were left out. */
const Shown = Brief.partial().extend({
  alternatives: z.array(Alternative.partial({ draft: true, blanks: true })).optional(),
});

/** Brings one run from its start to its end. */
export const host = async (session: Session, start: Parts, wishes: Wishes = {}): Promise<Ended> => {
  const { call } = session;
  const open = { variants: [...(wishes.variants ?? [])], ask: wishes.ask };
  const taken: string[] = [];
  let answer = await call('telic_start_run', start);

  const submit = async (type: unknown, body: Parts, refs: readonly string[]): Promise<Parts> =>
    call('telic_submit_artifact', {
      ...tokenIn(String(answer.next)),
      artifact_type: type,
      body,
      ...(refs.length > 0 && { source_refs: refs }),
    });

  const alternative = async (type: string, sources: Brief['sources']): Promise<Parts> => {
    answer = await complete(session, answer, [at('alternatives')]);
    const one = z
      .array(Alternative)
      .parse(partAt(answer, at('alternatives')))
      .find((other) => other.type === type);
    if (!one) throw new Error(`There is no ${type} to fill.`);
    const variant = one.variants?.[0];
    if (variant) taken.push(variant.name);
    return submit(type, fill(one, variant, sources), []);
  };

  const act = async (): Promise<Parts> => {
    answer = await complete(session, answer, [at('')]);
    const shown = Shown.parse(partAt(answer, at('')));
    if (open.variants.length > 0 || shown.variants === undefined)
      answer = await complete(session, answer, [at('variants')]);
    const {
      draft,
      blanks = [],
      variants = [],
      sourceRefs = [],
      sources = [],
      alternatives = [],
    } = Shown.parse(partAt(answer, at('')));
    const asks = alternatives.find(({ type }) => type === open.ask);
    if (asks) {
      open.ask = undefined;
      return alternative(asks.type, sources);
    }
    const first = alternatives.find(({ opens }) => opens !== undefined);
    if (first) return alternative(first.type, sources);
    if (!draft) return call(toolIn(String(answer.next)), tokenIn(String(answer.next)));
    const wished = variants.find(({ name }) => name === open.variants[0]);
    if (wished) open.variants.shift();
    const variant = wished ?? variants[0];
    if (variant) taken.push(variant.name);
    return submit(
      Action.parse(answer.nextAction).requiredOutputType,
      fill({ draft, blanks }, variant, sources),
      sourceRefs,
    );
  };

  /** The question in the line says where it stands; the first of its choices is taken. */
  const reply = async (): Promise<Parts> => {
    const next = String(answer.next);
    const artifact_id = /artifact_id ([^\s)]+)/.exec(next)?.[1];
    const token = tokenIn(next.slice(next.lastIndexOf('run_id')));
    const question = await call('telic_get_artifact', { run_id: token.run_id, artifact_id });
    const [choice] = z
      .array(z.looseObject({ id: z.string() }))
      .parse(partAt(question, 'artifact.body.responseChoices'));
    return call('telic_submit_artifact', { ...token, clarification_response: choice?.id });
  };

  for (let steps = 0; steps < 200; steps += 1) {
    if (answer.ok !== true) throw new Error(JSON.stringify(answer));
    const action = Action.parse(answer.nextAction);
    if (action.kind === 'terminal') {
      const [, run_id, artifact_id] = /run_id ([^\s,)]+), artifact_id ([^\s)]+)/.exec(String(answer.next)) ?? [];
      const stored = artifact_id === undefined ? null : await call('telic_get_artifact', { run_id, artifact_id });
      return { status: action.status, report: stored, taken };
    }
    answer = action.kind === 'clarification' ? await reply() : await act();
  }
  throw new Error('The run does not end.');
};
