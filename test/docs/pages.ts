import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages that people read: README.md and every Markdown file under docs/. */

export const root = join(import.meta.dirname, '..', '..');

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });

/** Paths from the root of the project. */
export const pages: readonly string[] = [
  ...(existsSync(join(root, 'README.md')) ? ['README.md'] : []),
  ...markdownIn('docs'),
];

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** What a page holds between its code blocks. */
export const proseOf = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors that its headings get. */
export const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
