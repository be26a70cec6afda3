import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunContext } from '../../machines/context.ts';
import { tokenOf } from '../../machines/graph/labels.ts';
import { type Pair, pairs } from '../../machines/graph/runGraph.ts';
import { effectivePermissions } from '../../machines/permissions/modes.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { subset } from '../../machines/permissions/subset.ts';
import { eligibleTypes } from '../../machines/projection/inputs.ts';
import { type AnyArtifact, type Artifact, parseArtifactUri, uriOf } from '../../machines/record.ts';
import { bodyReferences } from '../../machines/rules/bodyReferences.ts';
import { step } from '../../machines/step.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { NextAction, type PhaseAction } from '../../schemas/artifacts/nextAction.ts';
import { artifactTypes, limits, type StoredType } from '../../schemas/vocabulary.ts';
import type { TraceRow } from '../../src/ledger/ledger.ts';
import { pathInvariants } from '../machines/pathInvariants.ts';
import { titlesBelow } from '../requirements/titles.ts';

import { type Frame, type Journal, type Shot, stateOf, type Table, walk } from './journal.ts';
import { foldOf, heldOf } from './replayed.ts';
import { newWorld } from './world.ts';

/**
 * The invariants of run-machine section 16 marked P and L, on random walks of the real controller over a real ledger. Those
 * marked G are proved on every path of the machine in test/machines.
 */

/** The long way through diagnosis and fix is walked more often. */
const walksOf = ([mode]: Pair): number => (mode === 'analyze_and_fix' ? 8 : 3);
const walkCount = pairs.reduce((sum, pair) => sum + walksOf(pair), 0);

const world = newWorld('git');
const table: Table = { world, one: world.open(), two: world.open() };
const { ledger } = table.one;
const journals: Journal[] = [];

beforeAll(async () => {
  for (const [at, pair] of pairs.entries())
    for (let number = 0; number < walksOf(pair); number += 1)
      journals.push(await walk(table, pair, 1000 * at + number));
}, 300_000);
afterAll(() => world.close());

/** Holds a rule against every walk; it says what is wrong, or null. */
const everywhere = (broken: (journal: Journal) => string | null): void => {
  expect(journals.length).toBe(walkCount);
  const faults = journals.flatMap((journal) => {
    const fault = broken(journal);
    return fault === null ? [] : [`${fault} in ${journal.name}`];
  });
  expect(faults.slice(0, 3)).toEqual([]);
};

/** The same for every frame that matches; at least one must, or the test shows nothing. */
const everyFrame = (is: (frame: Frame) => boolean, broken: (frame: Frame) => string | null | false): void => {
  let seen = 0;
  everywhere(({ frames }) => {
    for (const frame of frames.filter(is)) {
      seen += 1;
      const fault = broken(frame);
      if (fault) return `${fault} at ${frame.kind} ${frame.label} of version ${frame.before.context.version}`;
    }
    return null;
  });
  expect(seen).toBeGreaterThan(0);
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const isUnstored = ({ outcome }: Frame): boolean => !outcome.ok && outcome.code === 'run_escalated';
const isRefused = (frame: Frame): boolean => !frame.outcome.ok && !isUnstored(frame);
const moves = ({ before, after }: Frame): boolean => after.context.version !== before.context.version;
const isOver = ({ status }: RunContext): boolean => status !== 'running' && status !== 'awaiting_clarification';
const controlOf = ({ version, status, phase, resumePhase, budgets, hint, topology, updatedAt }: RunContext) => ({
  version,
  status,
  phase,
  resumePhase,
  budgets,
  hint,
  topology,
  updatedAt,
});
const rowsOf = ({ image }: Shot) => ({ ...image, elsewhere: null });

const last = (journal: Journal): Shot => {
  const frame = journal.frames.at(-1);
  if (!frame) throw new Error('A walk has at least one step.');
  return frame.after;
};
const firstShot = (journal: Journal): Shot => {
  const [frame] = journal.frames;
  if (!frame) throw new Error('A walk has at least one step.');
  return frame.before;
};
const shotsOf = (journal: Journal): readonly Shot[] => [
  firstShot(journal),
  ...journal.frames.map(({ after }) => after),
];

const kept = new Map<string, readonly AnyArtifact[]>();
const artifactsOf = ({ runId }: Journal): readonly AnyArtifact[] => {
  const known = kept.get(runId) ?? ledger.artifacts(runId, 0);
  kept.set(runId, known);
  return known;
};
const isOf = <T extends StoredType>(artifact: AnyArtifact, type: T): artifact is AnyArtifact & Artifact<T> =>
  artifact.type === type;
const allOf = <T extends StoredType>(journal: Journal, type: T): readonly Artifact<T>[] =>
  artifactsOf(journal).flatMap((artifact) => (isOf(artifact, type) ? [artifact] : []));
const traceOf = ({ runId }: Journal): readonly TraceRow[] => ledger.trace(runId, 0, limits.traceEvents);

const envelopeOf = (journal: Journal): BodyOf<'RunEnvelope'> => {
  const [envelope] = allOf(journal, 'RunEnvelope');
  if (!envelope) throw new Error('A run has an envelope.');
  return envelope.body;
};
const effectiveOf = (journal: Journal) => {
  const { authorization, requestedMode } = envelopeOf(journal);
  if (requestedMode === null) throw new Error('A run has a mode.');
  return effectivePermissions(requestedMode, authorization.granted, authorization.denied);
};
const actionOf = ({ next }: Shot): PhaseAction | null => {
  const action = NextAction.parse(JSON.parse(next));
  return action.kind === 'phase' ? action : null;
};
const isAttempted = ({ status }: { status: string }): boolean => status === 'completed' || status === 'failed';

/** The wire codes of a type that the state does not take. */
const untaken: readonly string[] = ['wrong_phase', 'controller_owned', 'clarification_invalid'];
const mainEvents = [
  'phase_submitted',
  'clarification_requested',
  'clarification_answered',
  'budget_consumed',
  'run_cancelled',
];
const recordedDenials = ['ADM-RESULT-03', 'ADM-RESULT-05', 'ADM-RESULT-06', 'ADM-RESULT-08', 'ADM-RESULT-12'];
/** The trace entries that a frame adds. */
const added = (journal: Journal, { before, after }: Frame): readonly TraceRow[] =>
  traceOf(journal).slice(before.image.trace.length, after.image.trace.length);

describe('the walks', () => {
  it('reach every kind of end, and try every kind of event', () => {
    const ends = new Set(journals.map((journal) => last(journal).context.status));
    expect([...ends].toSorted()).toEqual(['blocked', 'cancelled', 'completed', 'partial']);
    const kinds = new Set(journals.flatMap(({ frames }) => frames.map(({ kind }) => kind)));
    expect([...kinds].toSorted()).toEqual([
      'astray',
      'check',
      'denied',
      'deniedAgain',
      'legal',
      'mutant',
      'race',
      'read',
      'repeat',
      'stale',
      'support',
      'uncited',
    ]);
  });

  it('name each of the 38 invariants here or on the machine', () => {
    const titles = titlesBelow(`${import.meta.dirname}/..`).map(({ path }) => path.at(-1) ?? '');
    const named = new Set(
      titles.flatMap((title) => [...title.matchAll(/\bI(\d+)\b/g)].map(([, number]) => Number(number))),
    );
    // The ones of every path are titled from a list of their own.
    for (const id of Object.keys(pathInvariants)) named.add(Number(id.slice(1)));
    expect([...named].filter((number) => number >= 1 && number <= 38).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 38 }, (_, at) => at + 1),
    );
  });
});

describe('versions and tokens', () => {
  it('I1 every accepted versioned event raises the version by one, and nothing else raises it', () => {
    everyFrame(
      () => true,
      ({ before, after, kind, outcome }) => {
        const rise = after.context.version - before.context.version;
        if (rise < 0 || rise > 1) return `rises by ${rise}`;
        const escalated = !outcome.ok && outcome.code === 'run_escalated';
        if (rise === 1) return kind === 'race' || outcome.ok || escalated ? null : 'a refusal moved the run';
        return escalated ? 'an escalation did not move the run' : null;
      },
    );
    everywhere(({ runId }) => {
      const versions = [...new Set(ledger.chain(runId, 0, 10_000).map(({ version }) => version))];
      return same(
        versions,
        Array.from(versions, (_, at) => at + 1),
      )
        ? null
        : versions.join(', ');
    });
  });

  it('I6 an action id belongs to one version, and any other token is refused and leaves nothing', () => {
    everywhere((journal) => {
      const ids = new Map(
        shotsOf(journal).map((shot) => [NextAction.parse(JSON.parse(shot.next)).id, shot.context.version]),
      );
      return new Set(ids.values()).size === ids.size ? null : 'two ids for one version';
    });
    everyFrame(
      ({ kind }) => kind === 'stale' || kind === 'repeat',
      ({ before, after, outcome, kind }) => {
        if (outcome.ok || outcome.kind !== 'stale') return 'is not stale';
        if (kind === 'repeat' && !outcome.already_accepted) return 'is not told that it was accepted';
        return same(before.image, after.image) ? null : 'left something';
      },
    );
  });

  it('I7 of two events with one token at most one is taken', () => {
    everyFrame(
      ({ kind }) => kind === 'race',
      ({ before, after, outcome, other }) => {
        const taken = [outcome, other].filter((one) => one?.ok || (!one?.ok && one?.code === 'run_escalated'));
        if (taken.length > 1) return 'both were taken';
        const rise = after.context.version - before.context.version;
        return rise === taken.length ? null : `${taken.length} taken, ${rise} versions`;
      },
    );
  });

  it('I13 an ended run takes no artifact, answer or grounding, and a cancel of it writes nothing', () => {
    everyFrame(
      ({ before, kind }) => isOver(before.context) && kind !== 'check',
      (frame) => {
        const isCancel = frame.label === 'CANCEL' && frame.kind === 'legal';
        if (frame.kind !== 'read' && frame.outcome.ok !== isCancel) return `outcome ${JSON.stringify(frame.outcome)}`;
        return same(frame.before.image, frame.after.image) ? null : 'wrote something';
      },
    );
  });

  it('I14 a cancel ends a run from wherever it stands', () => {
    everyFrame(
      ({ label, kind, before }) => label === 'CANCEL' && kind === 'legal' && !isOver(before.context),
      ({ after }) =>
        after.context.status === 'cancelled' && after.context.resumePhase === null ? null : 'not cancelled',
    );
  });
});

describe('what a refusal and a read leave', () => {
  it('I2 a refused event leaves everything as it was, but for one entry of the trace, at most eight a version', () => {
    everywhere((journal) => {
      const denials = new Map<number, number>();
      for (const frame of journal.frames.filter(isRefused)) {
        const { before, after, outcome } = frame;
        if (outcome.ok || frame.kind === 'race') continue;
        const where = `${frame.kind} ${frame.label}`;
        if (before.snapshot !== after.snapshot && stateOf(before) !== stateOf(after))
          return `the state moved at ${where}`;
        if (!same(before.context, after.context)) return `the run changed at ${where}`;
        if (!same(before.image.artifacts, after.image.artifacts)) return `artifacts changed at ${where}`;
        if (!same(before.image.elsewhere, after.image.elsewhere)) return `something else changed at ${where}`;
        if (!same(before.image.trace, after.image.trace.slice(0, before.image.trace.length)))
          return `the trace was rewritten at ${where}`;
        const entries = added(journal, frame);
        const silent = outcome.kind === 'stale' || outcome.code === 'run_terminal';
        if (silent && !same(before.image, after.image)) return `something was left at ${where}`;
        if (entries.length > 1) return `${entries.length} entries at ${where}`;
        const codes = outcome.issues.map(({ code }) => code);
        const isDenial = codes.some((code) => recordedDenials.includes(code));
        for (const { event, decision } of entries) {
          if (
            isDenial ? event !== 'permission_checked' || decision?.decision !== 'deny' : event !== 'transition_denied'
          )
            return `${event} at ${where}`;
          if (event === 'transition_denied')
            denials.set(after.context.version, (denials.get(after.context.version) ?? 0) + 1);
        }
      }
      const most = Math.max(0, ...denials.values());
      return most > limits.deniedTraceEventsPerVersion ? `${most} denials of one version` : null;
    });
  });

  it('I3 a permission that is refused twice is recorded once', () => {
    everyFrame(
      ({ kind }) => kind === 'denied',
      ({ outcome }) =>
        !outcome.ok && outcome.issues.some(({ code }) => recordedDenials.includes(code)) ? null : 'is no denial',
    );
    everyFrame(
      ({ kind }) => kind === 'deniedAgain',
      ({ before, after }) => (same(before.image, after.image) ? null : 'left something'),
    );
  });

  it('I4 supporting artifacts, checks and reads change nothing of what the run is', () => {
    everyFrame(
      ({ kind }) => kind === 'support' || kind === 'check' || kind === 'read',
      ({ before, after, kind }) => {
        if (!same(controlOf(before.context), controlOf(after.context))) return 'changed the run';
        return kind === 'read' && !same(before.image, after.image) ? 'wrote something' : null;
      },
    );
  });

  it('I5 the next action of a version is the same text at each read, by either process, Evidence stored in between or not', () => {
    everywhere((journal) => {
      const texts = new Map<number, string>();
      for (const { context, next } of shotsOf(journal)) {
        const known = texts.get(context.version) ?? next;
        texts.set(context.version, known);
        if (known !== next) return `two actions at version ${context.version}`;
      }
      return null;
    });
  });

  it('I38 a run never touches another one of its ledger', () => {
    everywhere(({ onlooker: [before, after] }) =>
      same({ ...before, elsewhere: null }, { ...after, elsewhere: null }) ? null : 'another run changed',
    );
    everywhere((journal) =>
      same(rowsOf(last(journal)), { ...world.imageOf(journal.runId), elsewhere: null })
        ? null
        : 'a later run changed it',
    );
  });
});

describe('questions', () => {
  it('I8 a run shows one question at most', () => {
    everywhere((journal) => {
      const versions = new Set(
        shotsOf(journal).flatMap(({ next, context }) =>
          NextAction.parse(JSON.parse(next)).kind === 'clarification' ? [context.version] : [],
        ),
      );
      return versions.size > 1 ? `${versions.size} questions` : null;
    });
  });

  it('I9 a resumed run stands where it paused, with its budgets, hint and topology', () => {
    let seen = 0;
    everywhere(({ frames }) => {
      const asked = frames.find(
        ({ after, before }) => after.context.status === 'awaiting_clarification' && before.context.status === 'running',
      );
      const resumed = frames.find(({ label, outcome }) => label === 'ANSWER resume' && outcome.ok);
      if (!asked || !resumed) return null;
      seen += 1;
      const of = ({ context, snapshot }: Shot) => [
        snapshot.value,
        context.budgets,
        context.hint,
        context.topology,
        context.phase,
      ];
      return same(of(asked.before), of(resumed.after)) ? null : 'stands elsewhere';
    });
    expect(seen).toBeGreaterThan(0);
  });

  it('I11 audit, report, clarification and terminal take no question', () => {
    everyFrame(
      ({ label, before, kind }) =>
        kind === 'astray' &&
        label.startsWith('ClarificationRequest') &&
        (isOver(before.context) ||
          before.context.status === 'awaiting_clarification' ||
          before.context.phase.startsWith('agent_5')),
      ({ outcome }) => (outcome.ok ? 'was taken' : null),
    );
  });

  it('I12 after an answer nothing is taken before an artifact cites question and answer', () => {
    everyFrame(
      ({ kind }) => kind === 'uncited',
      ({ outcome, label }) => {
        if (label.startsWith('ClarificationRequest')) return null;
        return !outcome.ok && outcome.issues.some(({ code }) => code === 'ADM-CLR-05')
          ? null
          : `outcome ${JSON.stringify(outcome)}`;
      },
    );
  });
});

describe('how a run may end', () => {
  it('I16 budgets are never negative and never grow; one revision and one remediation at most', () => {
    everyFrame(
      () => true,
      ({ before, after }) =>
        (['revisions', 'remediations'] as const).some(
          (budget) =>
            after.context.budgets[budget] < 0 || after.context.budgets[budget] > before.context.budgets[budget],
        ) && 'a budget grew or fell below nothing',
    );
    everywhere((journal) => {
      const revised = allOf(journal, 'TaskContract').filter(({ body }) => body.version === 2).length;
      const plans = journal.frames.filter(
        ({ before, after }) => before.context.budgets.remediations > after.context.budgets.remediations,
      );
      return revised > 1 || plans.length > 1 ? 'a budget was spent twice' : null;
    });
  });

  it('I17 a run escalates at most twice, each time with its entry, and its topology never falls', () => {
    const order = ['micro', 'standard', 'forensic'];
    everywhere((journal) => {
      const { escalations } = last(journal).context;
      const events = traceOf(journal).filter(({ event }) => event === 'topology_escalated').length;
      return escalations > 2 || escalations !== events ? `${escalations} escalations, ${events} entries` : null;
    });
    everyFrame(
      () => true,
      ({ before, after }) =>
        order.indexOf(after.context.topology) < order.indexOf(before.context.topology) && 'the topology fell',
    );
  });

  it('I18 a run is completed over a passing review and its release, or in micro over its verified receipt', () => {
    let seen = 0;
    everywhere((journal) => {
      const { context } = last(journal);
      if (context.status !== 'completed') return null;
      seen += 1;
      const review = allOf(journal, 'QualityReview').at(-1);
      if (review?.body.decision !== 'pass') return 'without a passing review';
      if (context.topology === 'micro') {
        const receipt = allOf(journal, 'ReceiptAudit').at(-1)?.body;
        return receipt?.digestStatus === 'verified' && receipt.controllingReviewRef === uriOf(review)
          ? null
          : 'without its receipt';
      }
      const audit = allOf(journal, 'ReleaseAudit').at(-1)?.body;
      return audit?.decision === 'release' && audit.qualityReviewRef === uriOf(review) ? null : 'without its release';
    });
    expect(seen).toBeGreaterThan(0);
  });

  it('I20 a report under the hint partial or blocked never completes a run', () => {
    everyFrame(
      ({ before }) => before.context.hint === 'partial' || before.context.hint === 'blocked',
      ({ after }) => after.context.status === 'completed' && 'completed',
    );
  });

  it('I35 a run ends by one report, one cancel or one answer; a cancelled run holds no report', () => {
    everywhere((journal) => {
      const { status } = last(journal).context;
      const reports = allOf(journal, 'UserReport').length;
      const cancels = traceOf(journal).filter(({ event }) => event === 'run_cancelled').length;
      const ends = traceOf(journal).filter(({ event }) => event === 'run_ended').length;
      if (reports !== (status === 'cancelled' ? 0 : 1)) return `${reports} reports of a ${status} run`;
      return cancels + ends === 1 ? null : `${cancels} cancels and ${ends} other ends`;
    });
  });

  it('I36 a run holds no more of each type than its paths allow', () => {
    const most: Readonly<Partial<Record<StoredType, number>>> = {
      ProblemFrame: 1,
      TaskContract: 2,
      PromptReview: 2,
      WorkPlan: 3,
      QualityReview: 5,
      ReleaseAudit: 2,
      ClarificationRequest: 2,
      ReceiptAudit: 1,
    };
    everywhere((journal) => {
      for (const [type, count] of Object.entries(most)) {
        const held = artifactsOf(journal).filter((artifact) => artifact.type === type).length;
        if (held > count) return `${held} of ${type}`;
      }
      return null;
    });
  });
});

describe('authority', () => {
  it('I21 nothing is executed in report_only and plan_only, and nothing changed in analyze_only', () => {
    everywhere((journal) => {
      const [mode] = journal.pair;
      if (mode === 'fix_only' || mode === 'analyze_and_fix') return null;
      const executing = shotsOf(journal).some(({ context }) => context.phase === 'agent_4_execute');
      if (executing && mode !== 'analyze_only') return 'executes';
      const changed = allOf(journal, 'WorkResult').some(
        ({ body }) =>
          body.filesChanged.length > 0 || body.actions.some((action) => action.mutating && isAttempted(action)),
      );
      return changed ? 'changed something' : null;
    });
  });

  it('I22 analyze_and_fix changes nothing before a proceed_to_fix review and a plan that cites it, and audits a pass only then', () => {
    let seen = 0;
    everywhere((journal) => {
      if (journal.pair[0] !== 'analyze_and_fix') return null;
      const gates = allOf(journal, 'QualityReview').filter(({ body }) => body.decision === 'proceed_to_fix');
      if (gates.length > 1) return 'proceeds twice';
      let unlocked = false;
      for (const artifact of artifactsOf(journal)) {
        if (isOf(artifact, 'WorkPlan') && gates[0])
          unlocked ||= artifact.body.nodes.every(({ inputRefs }) =>
            gates.some((gate) => inputRefs.includes(uriOf(gate))),
          );
        if (!isOf(artifact, 'WorkResult')) continue;
        const changes = artifact.body.actions.some((action) => action.mutating && isAttempted(action));
        if (changes) seen += 1;
        if (changes && !unlocked) return 'changed something too early';
      }
      const audited = shotsOf(journal).some(
        ({ context }) => context.phase === 'agent_5_audit' && context.quality === 'pass',
      );
      return audited && !unlocked ? 'audits a pass without a fix' : null;
    });
    expect(seen).toBeGreaterThan(0);
  });

  it('I25 contracts stay inside what the run may do, and nodes inside their contract', () => {
    everywhere((journal) => {
      const effective = effectiveOf(journal);
      let contract = emptyPermissions();
      for (const artifact of artifactsOf(journal)) {
        if (isOf(artifact, 'TaskContract')) {
          contract = artifact.body.permissions;
          if (!subset(contract, effective)) return `${artifact.id} exceeds the run`;
        }
        if (
          isOf(artifact, 'WorkPlan') &&
          !artifact.body.nodes.every(({ permissions }) => subset(permissions, contract))
        )
          return `${artifact.id} exceeds its contract`;
      }
      return null;
    });
  });

  it('I26 a host may do nothing outside grounding and execution, and never more than the run', () => {
    everywhere((journal) => {
      const effective = effectiveOf(journal);
      for (const shot of shotsOf(journal)) {
        const granted = actionOf(shot)?.effectivePermissions;
        if (!granted) continue;
        if (!subset(granted, effective)) return 'an action exceeds the run';
        const acts = shot.context.phase === 'context_grounding' || shot.context.phase === 'agent_4_execute';
        if (!acts && !same(granted, emptyPermissions())) return `permissions in ${shot.context.phase}`;
      }
      return null;
    });
  });
});

describe('what a run holds', () => {
  it('I27 the quotas hold: calls of plans, Evidence of a plan, presentations of a frame, artifacts and events', () => {
    everywhere((journal) => {
      let calls = 0;
      let evidence = 0;
      for (const artifact of artifactsOf(journal)) {
        if (isOf(artifact, 'WorkPlan')) {
          calls += artifact.body.nodes.reduce((sum, { budgets }) => sum + budgets.maximumToolCalls, 0);
          evidence = 0;
        }
        if (artifact.type === 'Evidence') evidence += 1;
        if (evidence > limits.evidencePerPlan || calls > limits.planToolCalls) return `at ${artifact.id}`;
      }
      const specs = allOf(journal, 'ScenarioSpec').map(({ body }) => body.problemFrameRef);
      if (new Set(specs).size !== specs.length) return 'two presentations of a frame';
      return artifactsOf(journal).length > limits.artifacts || traceOf(journal).length > limits.traceEvents
        ? 'too much'
        : null;
    });
  });

  it('I28 each node of a plan has one result at most, after those that it depends on, and none follows a failure', () => {
    everywhere((journal) => {
      for (const plan of allOf(journal, 'WorkPlan')) {
        const results = allOf(journal, 'WorkResult').filter(({ body }) => body.workPlanRef === uriOf(plan));
        const completed = new Set<string>();
        for (const [at, { body }] of results.entries()) {
          const node = plan.body.nodes.find(({ id }) => id === body.nodeId);
          if (!node || completed.has(node.id)) return `${body.nodeId} twice, or unknown`;
          if (!node.dependsOn.every((id) => completed.has(id))) return `${node.id} too early`;
          if (body.status === 'completed') completed.add(node.id);
          else if (at < results.length - 1) return 'a result after a failure';
        }
      }
      return null;
    });
  });

  it('I29 the reading list is bounded, of eligible types, closed, with the request, and keeps the newest Evidence', () => {
    everywhere((journal) => {
      const all = artifactsOf(journal);
      const request = envelopeOf(journal).originalRequestRef;
      for (const shot of shotsOf(journal)) {
        const action = actionOf(shot);
        if (!action) continue;
        const held = all.slice(0, shot.image.artifacts.length);
        const types = eligibleTypes[shot.context.phase];
        const { inputRefs } = action;
        const listed = held.filter((artifact) => inputRefs.includes(uriOf(artifact)));
        if (new Set(inputRefs).size !== inputRefs.length || inputRefs.length > limits.references)
          return 'too long, or repeated';
        if (listed.length !== inputRefs.length || listed.some(({ type }) => !types.includes(type)))
          return 'not eligible';
        if (!inputRefs.includes(request)) return 'without the request';
        const eligible = held.filter(({ type }) => types.includes(type));
        const missing = listed
          .flatMap((artifact) => [...bodyReferences(artifact.body).map(({ ref }) => ref), ...artifact.sourceRefs])
          .find(
            (ref) => eligible.some((one) => one.type !== 'Evidence' && uriOf(one) === ref) && !inputRefs.includes(ref),
          );
        if (missing !== undefined) return `not closed: ${missing}`;
        const evidence = eligible.filter(({ type }) => type === 'Evidence').map(uriOf);
        const shown = evidence.filter((ref) => inputRefs.includes(ref));
        if (!same(shown, evidence.slice(evidence.length - shown.length))) return 'older Evidence in place of newer';
      }
      return null;
    });
  });

  it('I30 an action names the types that its state takes, and no other', () => {
    everywhere((journal) => {
      for (const shot of shotsOf(journal)) {
        const action = actionOf(shot);
        if (!action) continue;
        const named = new Set<string>([action.requiredOutputType, ...Object.keys(action.additionalOutputSchemas)]);
        for (const type of artifactTypes) {
          const event = {
            type: `submit.${type}`,
            token: tokenOf(shot.snapshot),
            at: '',
            case: { facts: {}, shape: [], dossier: null },
          } as const;
          const taken = step(shot.snapshot, event);
          const astray = taken.outcome === 'refused' && untaken.includes(taken.refusal.code);
          if (astray === named.has(type)) return `${type} at ${action.phase}`;
        }
      }
      return null;
    });
  });

  it('I31 the trace has no gap, and each versioned event writes one main entry', () => {
    everywhere((journal) => {
      const gap = traceOf(journal).findIndex(({ sequence }, at) => sequence !== at + 1);
      return gap < 0 ? null : `gap at ${gap}`;
    });
    everywhere((journal) => {
      for (const frame of journal.frames) {
        if (!moves(frame)) continue;
        const mains = added(journal, frame).filter(({ event }) => mainEvents.includes(event)).length;
        const escalated = added(journal, frame).some(({ event }) => event === 'topology_escalated');
        const unstored =
          isUnstored(frame) ||
          (frame.kind === 'race' && frame.other !== undefined && isUnstored({ ...frame, outcome: frame.other }));
        if (unstored ? mains !== 0 || !escalated : mains !== 1) return `${mains} main entries at ${frame.label}`;
      }
      return null;
    });
  });

  it('I32 a run is the fold of its events: fed again, they give its state, its artifacts and its trace', () => {
    everywhere(({ runId }) => (same(foldOf(ledger, runId), heldOf(ledger, runId)) ? null : 'another run comes out'));
  });

  it('I33 a stored artifact never changes, and every digest holds', () => {
    everyFrame(
      () => true,
      ({ before, after }) => {
        const { artifacts } = before.image;
        return same(artifacts, after.image.artifacts.slice(0, artifacts.length)) ? null : 'an artifact changed';
      },
    );
    everywhere(({ runId }) => ledger.verify(runId)[0]?.message ?? null);
  });

  it('I34 every reference of a stored artifact names one stored before, beside it, or the reserved report', () => {
    everywhere((journal) => {
      const all = artifactsOf(journal);
      const eventOf = new Map(
        ledger
          .chain(journal.runId, 0, 10_000)
          .flatMap(({ sequence, artifacts }) => artifacts.map(({ id }) => [id, sequence] as const)),
      );
      for (const artifact of all) {
        const refs = [...bodyReferences(artifact.body).map(({ ref }) => ref), ...artifact.sourceRefs];
        for (const ref of refs) {
          const at = parseArtifactUri(ref);
          if (!at || at.runId === 'system') continue;
          const target = eventOf.get(at.id);
          const reserved = isOf(artifact, 'ReleaseAudit') && artifact.body.userReportRef === ref;
          if (
            !reserved &&
            (at.runId !== journal.runId || target === undefined || target > (eventOf.get(artifact.id) ?? 0))
          )
            return `${artifact.id} cites ${ref}`;
        }
      }
      return null;
    });
  });
});
