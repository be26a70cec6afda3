import type { WorkRole } from '../../schemas/vocabulary.ts';

/**
 * The colours of the drawings: pale fills under near-black text (contrast above 7 to 1), and never a colour alone: the
 * role stands in its box, the end is named.
 */
export const ink = {
  text: '#1b1f24',
  quiet: '#47515c',
  /** What a row does. */
  effect: '#7a3300',
  /** What is refused. */
  refused: '#8c1127',
  line: '#59636e',
  paper: '#ffffff',
  group: '#f6f8fa',
  border: '#b6bec8',
} as const;

export const roleFill: Readonly<Record<WorkRole, string>> = {
  controller: '#e6e9ed',
  scenario_author: '#d8e9fb',
  task_compiler: '#e5defa',
  quality_controller: '#d6f0df',
  executor: '#fde8c8',
  release_auditor: '#fadde3',
};

const endFills: ReadonlyMap<string, string> = new Map([
  ['completed', '#c4ead0'],
  ['partial', '#fbe6b0'],
  ['blocked', '#f7cccc'],
  ['cancelled', '#dfe3e8'],
]);

/** The fill of an end, by the status that it closes the run with; an exit of a phase closes nothing. */
export const endFill = (status: string | null): string => endFills.get(status ?? '') ?? '#eceff3';
