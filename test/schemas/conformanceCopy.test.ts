import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const copy = new URL('../conformance/', import.meta.url);
const original = new URL('../../../shared/conformance/', import.meta.url);

const filesIn = (folder: URL): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.pathname.length).replace(/^\//, ''))
    .sort();

describe('the copy of the conformance data', () => {
  it('has files', () => {
    expect(filesIn(copy).length).toBeGreaterThan(250);
  });

  it.skipIf(!existsSync(original))('equals the shared folder byte for byte, with no file more or less', () => {
    expect(filesIn(copy)).toEqual(filesIn(original));
    const different = filesIn(original).filter(
      (file) => !readFileSync(new URL(file, copy)).equals(readFileSync(new URL(file, original))),
    );
    expect(different).toEqual([]);
  });
});
