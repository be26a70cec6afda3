import { describe, expect, it } from 'vitest';
import { killMany } from './killed.ts';

describe('a server that is killed at a random moment', () => {
  it('has lost nothing that it acknowledged, holds nothing half, and its ledger verifies', async () => {
    const { runs } = await killMany(15, 20_261_130);
    expect(runs.size).toBeGreaterThan(3);
  });
});
