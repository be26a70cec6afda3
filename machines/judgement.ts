import type { Finding } from '../schemas/failure.ts';
import type { RunContext } from './context.ts';
import type { SubmitEvent } from './events.ts';
import type { BookEntry, Query } from './rules/book.ts';
import { entriesFor, isRuled } from './rules/index.ts';
import { inReferenceOrder } from './rules/references.ts';

/** What schema and rules say of one submission at one state of the run, in the parts that the machine asks for. */
export interface Verdict {
  readonly shape: readonly Finding[];
  readonly common: readonly Finding[];
  /** The rules of the type, then the quotas. */
  readonly own: readonly Finding[];
}

const clean: Verdict = { shape: [], common: [], own: [] };

/** The artifact type that an event names. */
export const typeOf = (event: SubmitEvent): string => event.type.slice('submit.'.length);

const readQuery = (run: RunContext, event: SubmitEvent): Query | null => {
  const type = typeOf(event);
  if (!isRuled(type)) return null;
  const { dossier, facts } = event.case;
  if (!dossier?.artifact || dossier.artifact.type !== type) return null;
  const { record, submission, artifact } = dossier;
  const { body, sourceRefs } = artifact;
  return { type, body, run, facts, record, submission, sourceRefs } as Query;
};

const queries = new WeakMap<SubmitEvent, Readonly<{ run: RunContext; query: Query | null }>>();

/**
 * The query of a submission, for its rules and for what is written beside it; null in the enumeration. One object an
 * event and context, since what rules work out together is kept by it (`perQuery`).
 */
export const queryFor = (run: RunContext, event: SubmitEvent): Query | null => {
  const known = queries.get(event);
  if (known?.run === run) return known.query;
  const query = readQuery(run, event);
  queries.set(event, { run, query });
  return query;
};

/** The findings of one entry: its control part first, for that is what the guards stand on. */
const findingsOf = (entry: BookEntry, run: RunContext, event: SubmitEvent, query: Query | null): Finding[] => {
  const { control } = entry;
  const said = control && !control.holds(run, event.case.facts) ? [control.says(run, event.case.facts, query)] : [];
  const found = query ? entry.judge(query) : [];
  return [...said, ...found].map((fault) => ({ ...fault, code: fault.code ?? entry.code }));
};

const evaluate = (
  parts: readonly BookEntry['part'][],
  run: RunContext,
  event: SubmitEvent,
): { findings: Finding[]; ended: boolean } => {
  const type = typeOf(event);
  const findings: Finding[] = [];
  if (!isRuled(type)) return { findings, ended: false };
  const query = queryFor(run, event);
  for (const entry of entriesFor(type)) {
    if (!parts.includes(entry.part)) continue;
    const found = findingsOf(entry, run, event, query);
    findings.push(...found);
    if (entry.ends && found.length > 0) return { findings, ended: true };
  }
  return { findings, ended: false };
};

const judgeAfresh = (run: RunContext, event: SubmitEvent): Verdict => {
  const { shape } = event.case;
  if (shape.length > 0) return { ...clean, shape };
  const judged = evaluate(['common'], run, event);
  const query = queryFor(run, event);
  const common = query ? { ...judged, findings: inReferenceOrder(query, judged.findings) } : judged;
  if (common.ended) return { ...clean, common: common.findings };
  return { ...clean, common: common.findings, own: evaluate(['own', 'ledger'], run, event).findings };
};

const verdicts = new WeakMap<SubmitEvent, { run: RunContext; verdict: Verdict }>();

/**
 * The verdict on a submission, computed once per event and context: the guard and the refusal that follows from it read
 * the same findings.
 * @param run the context before the event
 */
export const verdictOn = (run: RunContext, event: SubmitEvent): Verdict => {
  const known = verdicts.get(event);
  if (known?.run === run) return known.verdict;
  const verdict = judgeAfresh(run, event);
  verdicts.set(event, { run, verdict });
  return verdict;
};
