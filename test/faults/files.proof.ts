import { describe, it } from 'vitest';
import { cutLogs, tearLogs } from './killedLog.ts';

describe('the log of a killed server', () => {
  it('that is cut at any of 60 places gives the ledger as it was after one of its commits, and the server goes on', () =>
    cutLogs(60, 7));

  it('with a page torn at any of 60 places gives the ledger as it was before it', () => tearLogs(60, 11));
});
