import type { FailureCode } from '../schemas/failure.ts';
import { argumentRules } from '../schemas/tools/rules.ts';
import { ruleBook } from './rules/index.ts';
import { startRules } from './start/rules.ts';

/**
 * The whole law of admission in one list: the rule book of submissions, the rules of the start and of the arguments, and
 * those that machine, projection, ledger and controller keep by themselves. `docs/rules.md` is made from it, and a gate
 * holds the tests against it. Every row of the admission page is an entry here or one of `noRules`.
 */

/** What the tests of a rule must show. */
export type Proof =
  /** A caller can break it: one test that it refuses, one that it accepts. */
  | 'both'
  /** Only a damaged record, or a part called by itself, can break it: one test of the rule. */
  | 'guard'
  /** It refuses nothing; it says what is done: one test. */
  | 'done';

export interface LawEntry {
  readonly code: `ADM-${string}`;
  /** What must hold. */
  readonly text: string;
  /** What it reads beside what is sent. */
  readonly reads: readonly string[];
  /** The wire code of a refusal; null for what refuses nothing. */
  readonly refusal: FailureCode | null;
  readonly proof: Proof;
  /** Who keeps it. */
  readonly keeper: 'rule book' | 'start' | 'arguments' | 'schema' | 'machine' | 'projection' | 'controller' | 'ledger';
}

type Kept = Omit<LawEntry, 'code' | 'keeper' | 'proof'> & Readonly<{ proof?: Proof }>;

const kept = (keeper: LawEntry['keeper'], entries: Readonly<Record<`ADM-${string}`, Kept>>): readonly LawEntry[] =>
  Object.entries(entries).map(([code, entry]) => ({
    ...entry,
    // The keys of the record are codes by its type; Object.entries forgets it.
    code: `ADM-${code.slice('ADM-'.length)}`,
    keeper,
    proof: entry.proof ?? 'both',
  }));

const integrity = (text: string, reads: readonly string[] = []): Kept => ({
  text,
  reads,
  refusal: 'integrity_failed',
  proof: 'guard',
});

const unknown = (text: string, reads: readonly string[]): Kept => ({
  text,
  reads,
  refusal: 'incompatible',
  proof: 'guard',
});

/** Rules of admission that no entry of another book holds, by who keeps them (admission sections 2, 13 and 17). */
const standing: readonly LawEntry[] = [
  ...kept('schema', {
    'ADM-COM-03': {
      text: 'A body satisfies the schema of its type; its findings carry their SCH codes.',
      reads: [],
      refusal: 'invalid_body',
    },
  }),
  ...kept('controller', {
    'ADM-TR-01': { text: 'The run is in this ledger.', reads: ['runs'], refusal: 'run_not_found' },
    'ADM-TR-15': { text: 'The artifact is in its run.', reads: ['artifacts'], refusal: 'artifact_not_found' },
    'ADM-COM-14': {
      text: 'Of two events with one token at most one is taken; the other is judged again on what the first left.',
      reads: ['runs'],
      refusal: 'stale_version',
    },
    'ADM-ESC-04': {
      text: 'A report or an audit whose claims rest on the word of the user alone is not stored: it moves the run to the next topology.',
      reads: ['run.topology', 'run.blockedBy'],
      refusal: 'run_escalated',
    },
  }),
  ...kept('machine', {
    'ADM-RECEIPT-01': {
      text: 'The first passing review of a micro or standard run gets a receipt; a forensic run never has one.',
      reads: ['run.topology', 'ReceiptAudit'],
      refusal: null,
      proof: 'done',
    },
    'ADM-RECEIPT-02': {
      text: 'The claims of a receipt have ids of their own, by number where a criterion has too long an id.',
      reads: ['QualityReview'],
      refusal: null,
      proof: 'done',
    },
    'ADM-RECEIPT-03': {
      text: 'A receipt is verified when the digest of everything that the review cites holds; otherwise it has failed.',
      reads: ['artifacts', 'prior run'],
      refusal: null,
      proof: 'done',
    },
    'ADM-PACK-03': {
      text: 'What the controller writes beside an artifact takes the next free id of its series.',
      reads: ['artifacts'],
      refusal: null,
      proof: 'done',
    },
    'ADM-ESC-01': {
      text: 'An escalation leads to another topology.',
      reads: ['run.topology'],
      refusal: null,
      proof: 'guard',
    },
    'ADM-ESC-02': { text: 'A forensic run stays forensic.', reads: ['run.topology'], refusal: null, proof: 'guard' },
    'ADM-ESC-03': {
      text: 'A run escalates at most twice.',
      reads: ['run.escalations'],
      refusal: null,
      proof: 'guard',
    },
  }),
  ...kept('projection', {
    'ADM-INT-02': integrity('What the next action is told from is stored.', ['RunEnvelope']),
    'ADM-INT-05': {
      text: 'The next action names at most 256 artifacts that have to be read.',
      reads: ['artifacts'],
      refusal: 'quota_exceeded',
      proof: 'guard',
    },
    'ADM-INT-06': integrity('The pending node stays inside what the run was authorized for.', [
      'WorkPlan',
      'RunEnvelope',
    ]),
    'ADM-INT-07': integrity('A run that waits for an answer holds its question.', ['ClarificationRequest']),
  }),
  ...kept('ledger', {
    'ADM-COM-18': {
      text: 'The state directory neither is inside the repository nor contains it, and is no link.',
      reads: ['file system'],
      refusal: 'invalid_arguments',
    },
    'ADM-INT-01': unknown('The stored envelope of a run names its request.', ['RunEnvelope']),
    'ADM-INT-03': unknown('A stored body is one of its type, as this version knows it.', ['artifacts']),
    'ADM-INT-04': unknown('A stored permission set is an object with every part.', ['artifacts']),
    'ADM-INT-08': integrity('A stored body is there and has its digest; the state is private and holds no link.', [
      'artifacts',
      'file system',
    ]),
    'ADM-INT-09': unknown('A run is read by the schema version that wrote it.', ['runs']),
  }),
];

/** Entries of the rule book that no caller can break: metadata that the server derives, or a second look after the schema. */
const guards: ReadonlySet<string> = new Set(['ADM-COM-17', 'ADM-SCEN-02', 'ADM-EVID-02']);

/** Entries of the books that refuse nothing. */
const done: ReadonlySet<string> = new Set(['ADM-COM-16', 'ADM-KIND-08', 'ADM-PLAN-27', 'ADM-START-12']);

const proofOf = (code: string): Proof => (guards.has(code) ? 'guard' : done.has(code) ? 'done' : 'both');

const entry = (
  keeper: LawEntry['keeper'],
  { code, text, refusal, reads = [] }: Pick<LawEntry, 'code' | 'text' | 'refusal'> & Partial<Pick<LawEntry, 'reads'>>,
): LawEntry => ({ code, text, reads, keeper, proof: proofOf(code), refusal: done.has(code) ? null : refusal });

/** Every rule once, book after book. */
export const law: readonly LawEntry[] = [
  ...argumentRules.map((rule) => entry('arguments', rule)),
  ...startRules.map((rule) => entry('start', rule)),
  ...ruleBook.map((rule) => entry('rule book', rule)),
  ...standing,
];

/** Rows of the admission page that are no rule of their own, and why. */
export const noRules: Readonly<Record<`ADM-${string}`, string>> = {
  'ADM-RESULT-23': 'Says that KIND-01 to -07 hold for results.',
  'ADM-QUALITY-18': 'Says that KIND-01 to -07 hold for reviews.',
  'ADM-AUDIT-12': 'Says that KIND-01 to -07 hold for audits.',
  'ADM-REPORT-18': 'Says that KIND-01 to -07 hold for reports.',
  'ADM-PACK-02': 'FRAME-01 says the same of the frame, before its pack is written.',
  'ADM-INT-10':
    'The quotas are constants here: EVID-07 and SCEN-04 hold them, and ask for the plan or frame that they count from.',
};
