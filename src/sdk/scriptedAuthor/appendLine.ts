import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Look, MakeChange } from './look.ts';
import { oneLine } from './wording.ts';

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;

/** The unified diff of one line added at the end of a text that ends with a newline, or is empty. */
const addition = (path: string, before: string, line: string): string => {
  const lines = before.split('\n').length - 1;
  return `--- a/${path}\n+++ b/${path}\n@@ -${lines},0 +${lines + 1} @@\n+${line}\n`;
};

/**
 * A change that any text file can take: one line more at its end. Really writes.
 *
 * @param path relative to the root; an existing file whose last line is ended
 */
export const appendLine =
  (root: string, path: string, line: string): MakeChange =>
  async () => {
    const file = join(root, path);
    const before = await readFile(file, 'utf8');
    if (before !== '' && !before.endsWith('\n')) throw new Error(`${path} does not end with a newline.`);
    await writeFile(file, `${before}${line}\n`);
    const after = await readFile(file, 'utf8');
    const look = (over: Pick<Look, 'capability' | 'kind' | 'contentType' | 'content' | 'finding'>): Look => ({
      target: path,
      sourceRefs: [],
      at: new Date().toISOString(),
      ...over,
    });
    return {
      change: { path, changeType: 'modified', beforeHash: digestOf(before), afterHash: digestOf(after) },
      written: look({
        capability: 'repository.write',
        kind: 'diff',
        contentType: 'text/x-diff',
        content: addition(path, before, line),
        finding: `${oneLine(path)} was changed: one line was added at its end.`,
      }),
      readBack: look({
        capability: 'repository.read',
        kind: 'repository',
        contentType: 'text/plain',
        content: after.slice(-4000),
        finding: `${oneLine(path)} now ends with “${oneLine(after.trimEnd().split('\n').at(-1) ?? '', 80)}”.`,
      }),
    };
  };
