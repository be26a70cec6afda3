import { z } from 'zod';
import type { RunContext } from '../../machines/context.ts';
import { freeze, type RunSnapshot } from '../../machines/step.ts';
import { canonicalJson } from '../../schemas/canonical.ts';
import type { Difference, DifferenceKind } from '../../schemas/verification.ts';
import type { HistoryRun } from '../ledger/history.ts';

/** Compares the row of a run with the snapshot that its events lead to, field by field. */

const longest = 200;

/** A value in short, for a difference: never more than a line of it. */
export const told = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

const Fields = z.record(z.string(), z.unknown());

const textOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value));

/** The fields of two objects that are not equal; a value that is no object counts as one without fields. */
export const differingFields = (
  expected: unknown,
  found: unknown,
): readonly Readonly<{ field: string; expected: string; found: string }>[] => {
  const [one, two] = [Fields.safeParse(expected).data ?? {}, Fields.safeParse(found).data ?? {}];
  return [...new Set([...Object.keys(one), ...Object.keys(two)])]
    .filter((field) => textOf(one[field]) !== textOf(two[field]))
    .map((field) => ({ field, expected: `${field}: ${told(one[field])}`, found: `${field}: ${told(two[field])}` }));
};

const kinds: Readonly<Partial<Record<keyof RunContext, DifferenceKind>>> = {
  version: 'version',
  topology: 'topology',
  escalations: 'topology',
  budgets: 'budgets',
  status: 'state',
  phase: 'state',
  resumePhase: 'state',
};
const kindOf = (field: string): DifferenceKind =>
  Object.entries(kinds).find(([name]) => name === field)?.[1] ?? 'snapshot';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Told as a difference: nothing equals it.
    return 'not JSON';
  }
};

/**
 * What the row of the run says of its last state, against that state.
 *
 * @param snapshot what the events lead to
 */
export const rowDifferences = (run: HistoryRun, snapshot: RunSnapshot): readonly Difference[] => {
  const stored = Fields.safeParse(parsed(run.snapshot)).data ?? {};
  const { context, ...machine } = Fields.parse(JSON.parse(freeze(snapshot)));
  const { context: storedContext, ...storedMachine } = stored;
  const inContext = [...differingFields(context, parsed(run.context)), ...differingFields(context, storedContext)].map(
    (one): Difference => ({ sequence: 0, kind: kindOf(one.field), expected: one.expected, found: one.found }),
  );
  const inMachine = differingFields(machine, storedMachine).map(
    (one): Difference => ({ sequence: 0, kind: 'state', expected: one.expected, found: one.found }),
  );
  const seen = new Set<string>();
  return [...inContext, ...inMachine].filter((one) => {
    const key = canonicalJson(one);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
};
