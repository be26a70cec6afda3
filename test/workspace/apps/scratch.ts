import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory for the test that runs; removed when it ends. */
export const scratch = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'workspace-apps-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};
