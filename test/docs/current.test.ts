import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles, generatedPlaces } from './generated.ts';

const root = join(import.meta.dirname, '..', '..');

const standing = (place: string): readonly string[] => {
  const path = join(root, place);
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [place];
  return readdirSync(path).flatMap((name) => standing(`${place}/${name}`));
};

const files = await generatedFiles();

describe('the generated documentation', () => {
  it.each([...files.keys()])('%s says what the code says (npm run docs)', (path) => {
    expect(existsSync(join(root, path)), `${path} is missing: npm run docs`).toBe(true);
    // Compared as a truth, since a difference of two drawings would fill the screen.
    expect(readFileSync(join(root, path), 'utf8') === files.get(path), `${path} is stale: npm run docs`).toBe(true);
  });

  it('stands alone in its places', () => {
    expect(generatedPlaces.flatMap(standing).toSorted()).toEqual([...files.keys()].toSorted());
  });

  it('comes out the same a second time', async () => {
    expect([...(await generatedFiles())]).toEqual([...files]);
  });
});
