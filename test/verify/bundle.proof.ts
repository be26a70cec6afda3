import { describe, it } from 'vitest';
import { bed, bundleIn, play, whole } from './bed.ts';
import { changeBytes } from './changedBytes.ts';

describe('a byte of a bundle', () => {
  it('that is another at any of a thousand places is named', async () => {
    const session = bed().open();
    const { runId } = await play(session, whole);
    changeBytes(bundleIn(session.ledger, runId), 1000);
  });
});
