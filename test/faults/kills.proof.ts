import { describe, expect, it } from 'vitest';
import { killMany } from './killed.ts';

describe('300 servers that are killed at random moments, over one ledger', () => {
  it('have lost nothing that was acknowledged, left nothing half, and the ledger verifies', async () => {
    const { runs, struck } = await killMany(300, 1);
    const hits = Object.fromEntries(struck);
    process.stdout.write(`killed during: ${JSON.stringify(hits)}; ${runs.size} runs\n`);
    expect(Object.keys(hits)).toEqual(
      expect.arrayContaining(['telic_start_run', 'telic_ground_context', 'telic_submit_artifact', 'telic_cancel_run']),
    );
  });
});
