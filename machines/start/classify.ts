import type { RunTopology } from '../../schemas/vocabulary.ts';
import { type Classified, type ForensicSignal, fixGateMisses, reportGateMisses, signalsOf } from './signals.ts';

export type RationaleCode =
  | 'MICRO_SHORT_FIX_ONLY'
  | 'MICRO_SHORT_REPORT_ONLY'
  | 'OVERRIDE_STANDARD'
  | 'OVERRIDE_FORENSIC'
  | 'INVESTIGATIVE_MODE'
  | 'PLAN_ONLY'
  | 'FIX_ONLY'
  | 'DEFAULT_STANDARD'
  | ForensicSignal;

/** How thorough a run will be, and the word that says why. */
export interface Classification {
  readonly ok: true;
  readonly topology: RunTopology;
  readonly rationaleCode: RationaleCode;
  /** Sorted. */
  readonly signals: readonly string[];
}

/** An override that asks for less than the request needs. */
export interface Misfit {
  readonly ok: false;
  readonly topology: 'micro' | 'standard';
  readonly signals: readonly ForensicSignal[];
  /** What keeps the micro gate shut, as phrases; empty for standard. */
  readonly misses: readonly string[];
}

const as = (
  topology: RunTopology,
  rationaleCode: RationaleCode,
  signals: readonly string[] = [rationaleCode],
): Classification => ({ ok: true, topology, rationaleCode, signals });

const overridden = (
  override: RunTopology,
  start: Classified,
  signals: readonly ForensicSignal[],
): Classification | Misfit => {
  if (override === 'forensic') return as('forensic', 'OVERRIDE_FORENSIC', ['OVERRIDE_FORENSIC', ...signals].sort());
  if (override === 'standard')
    return signals.length === 0
      ? as('standard', 'OVERRIDE_STANDARD')
      : { ok: false, topology: 'standard', signals, misses: [] };
  const fix = fixGateMisses(start);
  const report = reportGateMisses(start);
  // The write grant that the fix gate demands is no reason against it (D8).
  const against = fix.length === 0 ? signals.filter((signal) => signal !== 'ELEVATED_CAPABILITY') : signals;
  if (against.length === 0 && fix.length === 0) return as('micro', 'MICRO_SHORT_FIX_ONLY');
  if (against.length === 0 && report.length === 0) return as('micro', 'MICRO_SHORT_REPORT_ONLY');
  return { ok: false, topology: 'micro', signals: against, misses: start.mode === 'fix_only' ? fix : report };
};

/**
 * The topology of a new run: the first row of the precedence table that holds, or a misfit when an override asks for
 * too little. Consequences: `analyze_and_fix` is always forensic, a `fix_only` run that may write is micro or forensic,
 * `plan_only` and `analyze_only` are never micro. Rule: run-machine section 6.1 with D5 and D8.
 */
export const classify = (start: Classified, override?: RunTopology): Classification | Misfit => {
  const signals = signalsOf(start);
  if (override !== undefined) return overridden(override, start, signals);
  if (fixGateMisses(start).length === 0) return as('micro', 'MICRO_SHORT_FIX_ONLY');
  const [first] = signals;
  if (first !== undefined) return as('forensic', first, signals);
  const inspects = start.granted.some(
    (capability) =>
      capability === 'runtime.inspect' || capability === 'browser.inspect' || capability === 'shell.inspect',
  );
  if (start.mode === 'analyze_only' && inspects) return as('standard', 'INVESTIGATIVE_MODE');
  if (start.mode === 'plan_only') return as('standard', 'PLAN_ONLY');
  if (start.mode === 'fix_only') return as('standard', 'FIX_ONLY');
  if (reportGateMisses(start).length === 0) return as('micro', 'MICRO_SHORT_REPORT_ONLY');
  return as('standard', 'DEFAULT_STANDARD');
};
