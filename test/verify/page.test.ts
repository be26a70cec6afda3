import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differenceMeanings } from '../../schemas/verification.ts';
import { linkText, metaText } from '../../src/ledger/chain.ts';
import { bed, play } from './bed.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'ledger.md'), 'utf8');

describe('the page of the ledger', () => {
  it('tells every kind of difference', () => {
    const told = [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, kind, text]) => [kind, text]);
    for (const row of Object.entries(differenceMeanings)) expect(told).toContainEqual(row);
  });

  it('shows the object that is hashed, key by key', async () => {
    const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '{}');
    const session = bed().open();
    const { runId } = await play(session, ['GROUND', 'ProblemFrame']);
    const event = session.ledger.history(runId)?.events.at(-1);
    if (!event) throw new Error('no event');
    const hashed = JSON.parse(
      linkText({
        ...event,
        runId,
        artifacts: event.artifacts.map(({ meta }) => metaText(meta)),
        trace: event.trace.map(({ entry }) => entry),
      }),
    );
    expect(Object.keys(shown)).toEqual(Object.keys(hashed));
    expect(Object.keys(shown.artifacts[0])).toEqual(Object.keys(hashed.artifacts[0]));
    expect(Object.keys(shown.payload)).toEqual(Object.keys(hashed.payload));
    expect(Object.keys(shown.payload.after)).toEqual(Object.keys(hashed.payload.after));
    expect(hashed.artifacts[0].producer).toBe(shown.artifacts[0].producer);
  });
});
