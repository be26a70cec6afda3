import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { createLab, type Lab } from '../../apps/lab.ts';
import { type Bench, garden, openBench } from './bench.ts';

/** A bench with the notes and the lab; both go when the test ends. */
export const openLabBench = (): { bench: Bench; lab: Lab } => {
  const directory = mkdtempSync(join(tmpdir(), 'telic-lab-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const lab = createLab(directory);
  return { lab, bench: openBench({ apps: [notes, lab.lab], pages: garden }) };
};
