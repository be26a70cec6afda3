import fc, { type GeneratorValue } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftOfClarificationRequest } from '../../machines/brief/clarificationRequest.ts';
import type { Draft, Stand } from '../../machines/brief/draft.ts';
import { draftOfProblemFrame } from '../../machines/brief/problemFrame.ts';
import { draftOfPromptReview } from '../../machines/brief/promptReview.ts';
import { draftOfScenarioSpec } from '../../machines/brief/scenarioSpec.ts';
import { sourcesOf } from '../../machines/brief/sources.ts';
import { draftOfTaskContract, forbidsContract } from '../../machines/brief/taskContract.ts';
import { viewOf } from '../../machines/context.ts';
import { stringsIn } from '../../machines/rules/bodyReferences.ts';
import { Variant } from '../../schemas/brief.ts';
import { checkBody } from '../../schemas/issues.ts';
import {
  type ActionCapability,
  actionCapabilities,
  executes,
  type IntentMode,
  intentModes,
  type RunTopology,
  type SubmittedType,
} from '../../schemas/vocabulary.ts';
import { write } from '../../src/sdk/scriptedAuthor/move.ts';
import { anyBody, bodyByRule, unfilled } from './fill.ts';
import { linkedRun } from './linkedRun.ts';
import { accepted, answer, begun, ground, standOf, submit, submitDraft, type Walk } from './walk.ts';

const drafts = {
  ProblemFrame: draftOfProblemFrame,
  TaskContract: draftOfTaskContract,
  PromptReview: draftOfPromptReview,
  ScenarioSpec: draftOfScenarioSpec,
  ClarificationRequest: (stand: Stand): Draft => draftOfClarificationRequest(stand),
} as const satisfies Partial<Record<SubmittedType, (stand: Stand) => Draft | null>>;
type Drafted = keyof typeof drafts;

const draftAt = (walk: Walk, type: Drafted): Draft => {
  const draft = drafts[type](standOf(walk));
  if (!draft) throw new Error(`The run has no draft of a ${type} in ${walk.snapshot.context.phase}.`);
  return draft;
};

/** Texts of the record that a revision must not repeat. */
const textsOf = ({ record }: Walk): ReadonlySet<string> =>
  new Set([...stringsIn(record.latest('TaskContract')?.body ?? null)].map(({ text }) => text));

/** Every blank that must be filled is refused by the schema where it stands. */
const refusesUnfilled = (type: Drafted, draft: Draft, variant: Variant | undefined): void => {
  for (const { path, body } of unfilled(draft, variant)) {
    const checked = checkBody(type, body);
    expect(checked.ok ? [] : checked.issues.map((issue) => issue.path), `${type} without ${path}`).toContain(path);
  }
};

const files = fc.array(
  fc.record({ path: fc.stringMatching(/^[a-z]{1,8}\/[a-z]{1,8}\.ts$/), instruction: fc.boolean() }),
  { maxLength: 16 },
);
const capabilities = fc.subarray<ActionCapability>([...actionCapabilities]);

/** A start of any mode and topology that its rules take. */
const starts = fc
  .record({
    mode: fc.constantFrom<IntentMode>(...intentModes),
    topology: fc.constantFrom<RunTopology | null>(null, 'forensic'),
    micro: fc.boolean(),
    granted: fc.oneof(capabilities, fc.constant<ActionCapability[]>([...actionCapabilities])),
    denied: fc.oneof(
      { arbitrary: fc.constant<ActionCapability[]>([]), weight: 3 },
      { arbitrary: capabilities, weight: 1 },
    ),
    linked: fc.boolean(),
    children: fc.boolean(),
  })
  .map(({ mode, topology, micro, granted, denied, linked, children }) => {
    const small = micro && (mode === 'report_only' || mode === 'fix_only');
    const own: readonly ActionCapability[] = !small
      ? granted
      : mode === 'report_only'
        ? ['repository.read']
        : ['repository.read', 'repository.write'];
    return {
      mode,
      originalRequest: 'Fix the typo in README.md.',
      // A run that may change something cannot be made smaller than it is.
      // Left to itself, a start without a forensic signal is standard, and a small one micro.
      ...(topology === 'forensic' && { topologyOverride: topology }),
      granted: own,
      denied: small ? [] : denied,
      commands: own.includes('shell.execute') ? ['npm test'] : [],
      hosts: own.includes('network.read') ? ['example.org'] : [],
      nativeSubagents: children ? ('available' as const) : ('unavailable' as const),
      prior: linked ? linkedRun() : null,
    };
  });

const pick = (g: GeneratorValue, draft: Draft): Variant | undefined =>
  draft.variants.length === 0 ? undefined : g(() => fc.constantFrom(...draft.variants));

/** Fills the draft of a type arbitrarily and hands it in. */
const go = (g: GeneratorValue, walk: Walk, type: Drafted, variant?: string): Walk => {
  const draft = draftAt(walk, type);
  const chosen = variant === undefined ? pick(g, draft) : draft.variants.find(({ name }) => name === variant);
  refusesUnfilled(type, draft, chosen);
  const sources = sourcesOf(walk.record).map(({ ref }) => ref);
  const body = anyBody(g, draft, { variant: chosen, avoid: textsOf(walk), sources });
  return accepted(submitDraft(walk, type, draft, body));
};

/** Asks the one question, perhaps, and goes on. */
const perhapsAsk = (g: GeneratorValue, walk: Walk): Walk => {
  if (walk.snapshot.context.questions > 0 || g(() => fc.integer({ min: 0, max: 3 })) > 0) return walk;
  const asked = go(g, walk, 'ClarificationRequest');
  return answer(asked, 'answer-01');
};

const throughContract = (g: GeneratorValue, from: Walk): Walk | null => {
  let walk = perhapsAsk(g, from);
  if (g(() => fc.boolean())) walk = go(g, walk, 'ScenarioSpec');
  if (forbidsContract(standOf(walk))) {
    expect(draftOfTaskContract(standOf(walk))).toBeNull();
    return null;
  }
  return go(g, walk, 'TaskContract');
};

const throughReview = (g: GeneratorValue, from: Walk): Walk => {
  let walk = go(g, perhapsAsk(g, from), 'PromptReview');
  if (walk.snapshot.context.phase === 'agent_2_revise') {
    walk = go(g, perhapsAsk(g, walk), 'TaskContract');
    expect(draftAt(walk, 'PromptReview').variants.map(({ name }) => name)).toEqual(['pass', 'block']);
    walk = go(g, perhapsAsk(g, walk), 'PromptReview');
  }
  return walk;
};

/** A micro run whose spot review lifts it into the standard procedure. */
const lifted = (g: GeneratorValue, walk: Walk): Walk | null => {
  if (executes(walk.snapshot.context.mode)) return null;
  const author = { run: viewOf(walk.snapshot.context), record: walk.record };
  const decision = g(() => fc.constantFrom('partial' as const, 'remediate' as const));
  const { type, body, sourceRefs } = write(author, { type: 'QualityReview', decision });
  return accepted(submit(walk, type, body, sourceRefs));
};

const reachable = ['agent_2_compile', 'agent_3_plan', 'agent_4_execute', 'agent_5_report'];

describe('drafts from the request to the reviewed contract', () => {
  it('are admitted with any variant however the blanks are filled, and are refused where one is not', () => {
    const ends: string[] = [];
    fc.assert(
      fc.property(starts, files, fc.gen(), (start, found, g) => {
        let walk = perhapsAsk(g, begun(start));
        walk = perhapsAsk(
          g,
          ground(
            walk,
            found.filter(({ path }, at) => found.findIndex((one) => one.path === path) === at),
          ),
        );
        walk = go(g, walk, 'ProblemFrame');
        const micro = walk.snapshot.context.topology === 'micro';
        const reviewable = micro ? lifted(g, walk) : throughContract(g, walk);
        if (reviewable) walk = throughReview(g, reviewable);
        ends.push(walk.snapshot.context.phase);
      }),
      { numRuns: 60, endOnFailure: true },
    );
    // The walks really go on: through reviews, or as far as the phases of the other drafts.
    expect(ends).toContain('agent_3_plan');
    expect(ends).toContain('agent_5_report');
    expect(ends.filter((phase) => !reachable.includes(phase))).toEqual([]);
  });

  it('has every choice of a field to correct lead to a contract that can be revised', () => {
    for (const mode of intentModes) {
      let walk = ground(begun({ mode, topologyOverride: 'forensic' }), [{ path: 'src/a.ts' }]);
      for (const type of ['ProblemFrame', 'TaskContract'] as const)
        walk = accepted(submitDraft(walk, type, draftAt(walk, type), bodyByRule(draftAt(walk, type))));
      const review = draftAt(walk, 'PromptReview');
      const revise = Variant.parse(review.variants.find(({ name }) => name === 'revise'));
      const fields = revise.blanks.find(({ path }) => path === 'findings[0].correctionFields[0]')?.choices ?? [];
      expect(fields.length).toBe(8);
      for (const field of fields) {
        const blanks = revise.blanks.flatMap((blank) => {
          if (blank.path === 'findings[0].correctionFields') return [];
          return [blank.path.endsWith('[0]') ? { ...blank, choices: [field] } : blank];
        });
        const revising = accepted(submitDraft(walk, 'PromptReview', review, bodyByRule(review, { ...revise, blanks })));
        const draft = draftAt(revising, 'TaskContract');
        const again = accepted(submitDraft(revising, 'TaskContract', draft, bodyByRule(draft)));
        expect(again.snapshot.context.phase).toBe('agent_1_review');
      }
    }
  });
});
