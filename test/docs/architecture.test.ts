import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, textOf } from './pages.ts';

const rooms = ['schemas', 'machines', 'src'].flatMap((house) =>
  readdirSync(join(root, house), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${house}/${name}/`),
);

describe('the architecture page', () => {
  const text = textOf('docs/architecture.md');

  it.each(rooms)('says what %s is for', (room) => {
    const isTold = text.includes(`[${room}](../${room.slice(0, -1)})`);
    expect(isTold, `a row of docs/architecture.md for ${room}`).toBe(true);
  });

  it('names each effect that the machine hands out', () => {
    for (const effect of ['record', 'refuse', 'moved', 'ended']) expect(text).toContain(`| \`${effect}\` |`);
  });
});
