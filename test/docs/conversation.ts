import { textOf } from './pages.ts';

/** The examples of a page: what is called, what comes back, in the order of the page. */
export type Example =
  | Readonly<{ kind: 'call'; tool: string; json: unknown; line: number }>
  /** Part of the answer to the call before it. */
  | Readonly<{ kind: 'answer'; json: unknown; line: number }>
  /** What has happened meanwhile, by name. */
  | Readonly<{ kind: 'meanwhile'; name: string; line: number }>;

const marker = /^<!-- (call|answer|meanwhile)(?:: (\S+))? -->$/;

/**
 * Reads the examples of a page. Each block of JSON stands under a marker that says what it is.
 * @throws SyntaxError for a block that is not JSON, or that no marker stands over
 */
export const examplesOf = (page: string): readonly Example[] => {
  const lines = textOf(page).split('\n');
  const examples: Example[] = [];
  lines.forEach((text, at) => {
    const line = at + 1;
    const [, kind, name = ''] = marker.exec(text) ?? [];
    if (kind === 'meanwhile') examples.push({ kind, name, line });
    if (text === '```json' && !marker.test(lines[at - 1] ?? ''))
      throw new SyntaxError(`${page}:${line} no marker says what this block is`);
    if (kind !== 'call' && kind !== 'answer') return;
    const end = lines.indexOf('```', at);
    if (lines[at + 1] !== '```json' || end < 0) throw new SyntaxError(`${page}:${line} no block follows the marker`);
    const json: unknown = JSON.parse(lines.slice(at + 2, end).join('\n'));
    examples.push(kind === 'call' ? { kind, tool: name, json, line } : { kind, json, line });
  });
  return examples;
};
