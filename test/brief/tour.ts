import fc, { type GeneratorValue } from 'fast-check';
import { expect } from 'vitest';
import { briefOf, drafts } from '../../machines/brief/brief.ts';
import type { Draft } from '../../machines/brief/draft.ts';
import { sourcesOf } from '../../machines/brief/sources.ts';
import { forbidsContract } from '../../machines/brief/taskContract.ts';
import { viewOf } from '../../machines/context.ts';
import { stringsIn } from '../../machines/rules/bodyReferences.ts';
import { pendingNode } from '../../machines/rules/derived.ts';
import { kindsFor } from '../../machines/rules/evidenceKinds.ts';
import { TaskContract } from '../../schemas/artifacts/intent.ts';
import { WorkPlan } from '../../schemas/artifacts/plan.ts';
import type { Variant } from '../../schemas/brief.ts';
import { checkBody } from '../../schemas/issues.ts';
import { executes, phaseTable, type SubmittedType, verificationCapabilities } from '../../schemas/vocabulary.ts';
import { type Move, write } from '../../src/sdk/scriptedAuthor/move.ts';
import { anyBody, bodyByRule, unfilled } from './fill.ts';
import { handIn, handInDraft } from './handIn.ts';
import { accepted, answer, ground, type Outcome, standOf, type Walk } from './walk.ts';

/** Walks of a run by its drafts, filled arbitrarily, with now and then something of the host's own. */

export const draftAt = (walk: Walk, type: SubmittedType): Draft => {
  const draft = drafts[type](standOf(walk));
  if (!draft) throw new Error(`The run has no draft of a ${type} in ${walk.snapshot.context.phase}.`);
  return draft;
};

/** Every blank that must be filled is refused by the schema where it stands. */
const refusesUnfilled = (type: SubmittedType, draft: Draft, variant: Variant | undefined): void => {
  for (const { path, body } of unfilled(draft, variant)) {
    const checked = checkBody(type, body);
    expect(checked.ok ? [] : checked.issues.map((issue) => issue.path), `${type} without ${path}`).toContain(path);
  }
};

/** The phases that runs came to, and the variants that were handed in: `WorkResult partial`. */
export type Trail = Set<string>;

/** Texts of the record that a revision must not repeat. */
const textsOf = ({ record }: Walk): ReadonlySet<string> =>
  new Set([...stringsIn(record.latest('TaskContract')?.body ?? null)].map(({ text }) => text));

/** How one run is walked: a steady one mostly takes the strongest variant, so that it comes far. */
export interface Tour {
  readonly g: GeneratorValue;
  readonly trail: Trail;
  readonly steady: boolean;
  /** The scripted author writes frame, contract and some plans: it knows more criteria and checks than a draft begins with. */
  readonly own: boolean;
}

/** Says what was wrong, where a draft that was filled as told is refused. */
const taken = (walk: Walk, type: SubmittedType, body: unknown, outcome: Outcome): Walk => {
  if (outcome.ok) return outcome.walk;
  const { mode, topology, phase } = walk.snapshot.context;
  const said = outcome.findings.map(({ code, path, message }) => `${code} ${path}: ${message}`).join('\n');
  throw new Error(`${type} in ${mode} ${topology} ${phase}:\n${said}\n${JSON.stringify(body, null, 1)}`);
};

/** Fills the draft of a type arbitrarily and hands it in. */
const go = ({ g, trail, steady }: Tour, walk: Walk, type: SubmittedType): Walk => {
  const draft = draftAt(walk, type);
  const [strongest, ...others] = draft.variants;
  const strays = strongest && others.length > 0 && g(() => fc.integer({ min: 0, max: 9 })) > (steady ? 8 : 4);
  const variant = strays ? g(() => fc.constantFrom(...others)) : strongest;
  trail.add(walk.snapshot.context.phase);
  refusesUnfilled(type, draft, variant);
  // Not a word of the vocabulary that would need more than the record holds.
  expect(JSON.stringify([draft.blanks, draft.variants])).not.toMatch(/"(?:denied|user_reported)"/);
  const sources = sourcesOf(walk.record).map(({ ref }) => ref);
  const body = anyBody(g, draft, { variant, avoid: textsOf(walk), sources });
  if (variant) trail.add(`${type} ${variant.name}`);
  return taken(walk, type, body, handInDraft(walk, type, draft, body));
};

const byRule = (walk: Walk, type: SubmittedType, chosen?: string): Walk => {
  const draft = draftAt(walk, type);
  const body = bodyByRule(draft, draft.variants.find(({ name }) => name === chosen) ?? draft.variants[0]);
  return taken(walk, type, body, handInDraft(walk, type, draft, body));
};

const authorOf = ({ snapshot, record }: Walk) => ({ run: viewOf(snapshot.context), record });

const scripted = (walk: Walk, move: Move): Outcome => {
  const { type, body, sourceRefs } = write(authorOf(walk), move);
  return handIn(walk, type, body, sourceRefs);
};

/** What a host may write beside a draft: more checks, and narrower permissions; the draft where the rules refuse it. */
const ownContract = ({ g }: Tour, walk: Walk): Walk => {
  const draft = draftAt(walk, 'TaskContract');
  const plain = bodyByRule(draft);
  const contract = TaskContract.parse(plain);
  const staged = contract.intentMode === 'analyze_and_fix';
  const check = fc.record({
    stage: fc.constantFrom(...(staged ? (['diagnosis', 'completion'] as const) : (['completion'] as const))),
    capability: fc.constantFrom(...verificationCapabilities),
    required: fc.boolean(),
  });
  const checks = g(() => fc.array(check, { maxLength: 3 })).map((one, index) => ({
    ...one,
    id: `check-${index + 1}`,
    description: 'Look again.',
    fallback: null,
  }));
  const { read, write: written } = contract.permissions.repository;
  const narrow = g(() => fc.boolean());
  const repository = {
    ...contract.permissions.repository,
    read: narrow && read.length > 0 ? ['src/**', 'README.md', '*.md'] : read,
    write: narrow && written.length > 0 ? ['src/app.ts', 'docs/**'] : written,
  };
  const body = {
    ...contract,
    permissions: { ...contract.permissions, repository },
    verificationRequirements: [...contract.verificationRequirements, ...checks],
  };
  const outcome = handInDraft(walk, 'TaskContract', draft, body);
  return outcome.ok
    ? outcome.walk
    : taken(walk, 'TaskContract', plain, handInDraft(walk, 'TaskContract', draft, plain));
};

/** The plan of the draft over several nodes; the last owns all, and shows it after the others. */
const split = (plan: WorkPlan, count: number): WorkPlan => {
  const [only] = plan.nodes;
  const each = only ? Math.floor(only.budgets.maximumToolCalls / count) : 0;
  if (!only || each < only.requiredCapabilities.length) return plan;
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...only,
    id: `node-${index + 1}`,
    dependsOn: index === 0 ? [] : [`node-${index}`],
    acceptanceCriteria:
      index === count - 1 ? only.acceptanceCriteria : only.acceptanceCriteria.filter((_id, at) => at % count === index),
    budgets: { ...only.budgets, maximumToolCalls: each },
  }));
  return { ...plan, nodes };
};

const plan = (tour: Tour, walk: Walk): Walk => {
  const { g, own } = tour;
  const draft = draftAt(walk, 'WorkPlan');
  // As it stands, without a blank filled.
  accepted(handInDraft(walk, 'WorkPlan', draft, draft.body));
  const way = g(() => fc.constantFrom('draft', 'split', 'split', 'scripted'));
  const count = g(() => fc.integer({ min: 2, max: 4 }));
  if (way === 'scripted' && own) {
    const outcome = scripted(walk, { type: 'WorkPlan', nodes: count });
    if (outcome.ok) return outcome.walk;
  }
  if (way === 'split' && executes(walk.snapshot.context.mode)) {
    const body = split(WorkPlan.parse(draft.body), count);
    return taken(walk, 'WorkPlan', body, handInDraft(walk, 'WorkPlan', draft, body));
  }
  return go(tour, walk, 'WorkPlan');
};

/** Captures what the node needs, or something. */
const capture = ({ g, steady }: Tour, from: Walk): Walk => {
  let walk = from;
  const thorough = steady || g(() => fc.boolean());
  const required = pendingNode(walk.record)?.requiredCapabilities ?? [];
  const rounds = thorough ? required.length : g(() => fc.integer({ min: 0, max: 2 }));
  for (let round = 0; round < rounds; round += 1) {
    const draft = draftAt(walk, 'Evidence');
    const kinds = thorough ? kindsFor(required[round]) : undefined;
    const blanks = draft.blanks.map((blank) =>
      blank.path === 'kind' && kinds ? { ...blank, choices: [g(() => fc.constantFrom(...kinds))] } : blank,
    );
    refusesUnfilled('Evidence', draft, undefined);
    const body = anyBody(g, { ...draft, blanks });
    walk = taken(walk, 'Evidence', body, handInDraft(walk, 'Evidence', draft, body));
  }
  return walk;
};

/** Every decision that the scripted author may take here is offered by the draft. */
const offersScripted = (walk: Walk, type: SubmittedType, moves: readonly (readonly [string, Move])[]): void => {
  const offered = draftAt(walk, type).variants.map(({ name }) => name);
  for (const [name, move] of moves)
    if (scripted(walk, move).ok) expect(offered, `${type} in ${walk.snapshot.context.phase}`).toContain(name);
};

const decisions = ['pass', 'proceed_to_fix', 'remediate', 'partial', 'block'] as const;
const audits = ['release', 'remediate', 'partial', 'block'] as const;

const offersAll = (walk: Walk, type: SubmittedType): void => {
  if (type === 'QualityReview')
    offersScripted(
      walk,
      type,
      decisions.map((decision) => [decision, { type, decision }]),
    );
  if (type === 'ReleaseAudit')
    offersScripted(
      walk,
      type,
      audits.map((decision) => [decision, { type, decision }]),
    );
};

const perhapsAsk = (tour: Tour, walk: Walk): Walk => {
  const { phase, questions } = walk.snapshot.context;
  if (!phaseTable[phase].accepts.includes('ClarificationRequest')) return walk;
  if (tour.g(() => fc.integer({ min: 0, max: questions > 0 ? 20 : 12 })) > 0) return walk;
  const asked = go(tour, walk, 'ClarificationRequest');
  return asked.snapshot.context.status === 'awaiting_clarification' ? answer(asked, 'answer-01') : asked;
};

/** The draft of the contract, or one beside it; where none is possible, the question that the brief says first. */
const contract = (tour: Tour, from: Walk): Walk | null => {
  const { g, trail } = tour;
  if (from.snapshot.context.phase === 'agent_2_revise') return go(tour, from, 'TaskContract');
  if (!forbidsContract(standOf(from))) {
    const retold = drafts.ScenarioSpec(standOf(from)) !== null && g(() => fc.integer({ min: 0, max: 4 })) === 0;
    const walk = retold ? go(tour, from, 'ScenarioSpec') : from;
    return g(() => fc.boolean()) ? go(tour, walk, 'TaskContract') : ownContract(tour, walk);
  }
  const { draft, alternatives } = briefOf(standOf(from));
  expect(draft).toBeNull();
  const [first] = alternatives;
  expect(first).toMatchObject({ type: 'ClarificationRequest', variants: [{ name: 'permission_expanding' }, {}] });
  trail.add('no draft');
  if (!first || from.snapshot.context.questions > 0) return null;
  const body = anyBody(g, first, { variant: first.variants?.[0] });
  const asked = taken(from, 'ClarificationRequest', body, handIn(from, 'ClarificationRequest', body));
  return answer(
    asked,
    g(() => fc.constantFrom('answer-01', 'answer-02')),
  );
};

/** One step of a run, from wherever it stands. */
const next = (tour: Tour, from: Walk): Walk | null => {
  const { g, own } = tour;
  const walk = perhapsAsk(tour, from);
  switch (walk.snapshot.context.phase) {
    case 'context_grounding':
      return ground(walk, [{ path: 'src/a.ts' }, { path: 'AGENTS.md', instruction: g(() => fc.boolean()) }]);
    case 'agent_1_frame':
      return own ? accepted(scripted(walk, { type: 'ProblemFrame' })) : go(tour, walk, 'ProblemFrame');
    case 'agent_2_compile':
    case 'agent_2_revise':
      if (own) return accepted(scripted(walk, { type: 'TaskContract' }));
      return contract(tour, walk);
    case 'agent_1_review':
      if (!own) return go(tour, walk, 'PromptReview');
      return byRule(walk, 'PromptReview', g(() => fc.integer({ min: 0, max: 19 })) > 0 ? 'pass' : 'block');
    case 'agent_3_plan':
      return plan(tour, walk);
    case 'agent_4_execute':
      return go(tour, capture(tour, walk), 'WorkResult');
    case 'agent_3_review':
    case 'agent_3_evidence_reverify':
      offersAll(walk, 'QualityReview');
      return go(tour, walk, 'QualityReview');
    case 'agent_5_audit':
      offersAll(walk, 'ReleaseAudit');
      return go(tour, walk, 'ReleaseAudit');
    case 'agent_5_report':
      return go(tour, walk, 'UserReport');
  }
};

/** The one state without a draft is the one that guidance section 3 names; a grounding takes no artifact of a host. */
const expectDraft = (walk: Walk): void => {
  const { phase } = walk.snapshot.context;
  const stand = standOf(walk);
  const none = phase === 'context_grounding' || (phase === 'agent_2_compile' && forbidsContract(stand));
  expect(briefOf(stand).draft === null, phase).toBe(none);
};

/** The run to its end. */
export const walked = (tour: Tour, from: Walk): void => {
  let walk: Walk | null = from;
  for (let steps = 0; walk && walk.snapshot.context.status === 'running'; steps += 1) {
    // Each budget of a run is bounded, so its length is, too.
    if (steps > 100) throw new Error(`The run does not end; it stands in ${walk.snapshot.context.phase}.`);
    expectDraft(walk);
    walk = next(tour, walk);
  }
};
