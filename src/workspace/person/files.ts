import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A static file of the page, in memory. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Its entity tag: changes with its bytes. */
  readonly tag: string;
}

const types: Readonly<Record<string, string>> = {
  'page.html': 'text/html; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** Reads the files of the page once. The script is missing where the page was not built. */
export const readPageFiles = (directory: string): ReadonlyMap<string, PageFile> =>
  new Map(
    Object.entries(types).flatMap(([name, type]) => {
      const path = join(directory, name);
      if (!existsSync(path)) return [];
      const bytes = readFileSync(path);
      const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      return [[name, { type, bytes, tag }] as const];
    }),
  );
