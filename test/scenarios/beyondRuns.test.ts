import { describe, expect, it } from 'vitest';
import {
  audit,
  contract,
  frame,
  fresh,
  type Live,
  quality,
  report,
  step,
  walkTo,
} from '../conformance/scenarios/lib/build.mjs';
import type { Answer } from '../conformance/scenarios/lib/client.mjs';
import { accepted, at, eventsOf, payloadOf, runOf, sharedWorld, verdictOf } from './bench.ts';

/** Runs that change their course, beyond the black-box scenarios. */

const world = sharedWorld();
type Args = Readonly<Record<string, unknown>>;
const call = (tool: string, args: Args): Promise<Answer> => world.client.call(`telic_${tool}`, args);
const inPhase = (profile: Parameters<typeof fresh>[1], phase?: string): Promise<Live> =>
  fresh(world.client, profile, phase);

/** Takes valid steps to the end; the phases on the way. */
const finish = async (run: Live): Promise<readonly string[]> => {
  const phases: string[] = [];
  while (run.action.kind === 'phase') {
    phases.push(run.phase);
    accepted(await step(run));
  }
  return phases;
};
const typesOf = async (run: Live): Promise<readonly string[]> =>
  (await eventsOf(run)).map(({ eventType }) => eventType);
/** On the word of the user alone. */
const reported = (run: Live) => ({ basis: 'user_reported', evidenceRefs: [run.requestRef] }) as const;

describe('an escalation', () => {
  it.each([
    ['report_micro', 'partial'],
    ['report_micro', 'remediate'],
    ['fix_micro', 'partial'],
    ['fix_micro', 'remediate'],
  ])('of %s by a review that says %s spends no remediation and ends well', async (profile, decision) => {
    const run = await inPhase(profile, 'agent_3_quality_review');
    accepted(await run.submit('QualityReview', quality(run, {}, { decision, fail: ['AC-1'] })));
    expect((await typesOf(run)).slice(-2)).toEqual(['phase_submitted', 'topology_escalated']);
    const left = { postExecutionRemediationsRemaining: 1 };
    expect(await runOf(run)).toMatchObject({
      topology: 'standard',
      escalationCount: 1,
      outcomeHint: null,
      budgets: left,
    });
    const phases = await finish(run);
    expect(phases[0]).toBe('agent_1_review');
    expect(phases).not.toContain('agent_3_evidence_reverify');
    expect(run.action.status).toBe('completed');
  });

  it('by the word of the user clears the block of a micro review', async () => {
    const run = await inPhase('report_micro', 'agent_3_quality_review');
    accepted(await run.submit('QualityReview', quality(run, {}, { decision: 'block', fail: ['AC-1'] })));
    const evidenceRefs = [run.requestRef];
    const claim = { id: 'c', text: 't', status: 'user_reported', evidenceRefs, confidence: 0.5 } as const;
    const body = report(run, { completionClaims: [claim] }, { status: 'blocked' });
    expect(payloadOf(await run.rawSubmit({ artifact_type: 'UserReport', body }))).toMatchObject({
      code: 'run_escalated',
      kind: 'moved',
      current: { version: run.version + 1, actionId: `action:${run.runId}:${run.version + 1}` },
    });
    await run.refresh();
    expect(await runOf(run)).toMatchObject({ phase: 'agent_1_review', topology: 'standard', outcomeHint: null });
    await finish(run);
    expect(run.action.status).toBe('completed');
  });

  it('of an audit stores nothing, is decided before the rules of its type and happens in its phase alone', async () => {
    const run = await inPhase('analyze', 'agent_5_release_audit');
    const body = audit(run, { remainingRemediations: 0 });
    Object.assign(at(body.claimEvidenceMatrix), reported(run));
    const astray = await inPhase('analyze', 'agent_3_quality_review');
    const elsewhere = { artifact_type: 'ReleaseAudit', body: { ...body, runId: astray.runId } };
    expect(verdictOf(await astray.rawSubmit(elsewhere))).toBe('ADM-COM-09');
    const lost = { ...body, taskContractRef: run.uri('none') };
    expect(verdictOf(await run.rawSubmit({ artifact_type: 'ReleaseAudit', body: lost }))).toBe('ADM-REF-16');
    expect(verdictOf(await run.rawSubmit({ artifact_type: 'ReleaseAudit', body }))).toBe('ADM-ESC-04');
    await run.refresh();
    expect(run).toMatchObject({ topology: 'forensic', phase: 'agent_5_release_audit' });
    expect(at(await eventsOf(run), -1)).toMatchObject({
      eventType: 'topology_escalated',
      actor: 'controller',
      inputRefs: [run.uri(body.id)],
      outputRefs: [],
    });
    // The id is still free; only a remediation now brings the run through a reverification.
    accepted(await run.submit('ReleaseAudit', { ...audit(run, {}, { decision: 'remediate' }), id: body.id }));
    run.reportId = null;
    expect(await finish(run)).toContain('agent_3_evidence_reverify');
    expect(run.action.status).toBe('completed');
  });

  it('happens twice at most: micro, standard, forensic, and then the word of the user may do', async () => {
    const run = await inPhase('report_micro', 'agent_3_quality_review');
    accepted(await run.submit('QualityReview', quality(run, {}, { decision: 'partial', fail: ['AC-1'] })));
    await walkTo(run, 'agent_5_release_audit');
    const body = audit(run);
    for (const claim of body.claimEvidenceMatrix) Object.assign(claim, reported(run));
    expect(verdictOf(await run.rawSubmit({ artifact_type: 'ReleaseAudit', body }))).toBe('ADM-ESC-04');
    await run.refresh();
    expect(await runOf(run)).toMatchObject({ escalationCount: 2, topology: 'forensic' });
    accepted(await run.submit('ReleaseAudit', body));
    await finish(run);
    expect(run.action.status).toBe('completed');
  });
});

describe('two verdicts of a forensic run', () => {
  const judged = async (first: string, second: string): Promise<Live> => {
    const run = await inPhase('fix', 'agent_3_quality_review');
    for (const decision of [first, second]) accepted(await run.submit('QualityReview', quality(run, {}, { decision })));
    return run;
  };
  const decide = async (run: Live, decision: string): Promise<string> =>
    verdictOf(await run.rawSubmit({ artifact_type: 'ReleaseAudit', body: audit(run, {}, { decision }) }));

  it('release only when both pass, and block when the last one blocks', async () => {
    expect(await decide(await judged('partial', 'pass'), 'release')).toBe('ADM-AUDIT-06');
    expect(await decide(await judged('block', 'pass'), 'release')).toBe('ADM-AUDIT-06');
    const run = await judged('pass', 'block');
    expect(await decide(run, 'partial')).toBe('ADM-AUDIT-05');
    expect(await decide(run, 'remediate')).toBe('ADM-AUDIT-05');
    expect(await decide(run, 'block')).toBe('accepted');
  });

  it('may end as failed verification when the second one saw it fail', async () => {
    const run = await inPhase('fix', 'agent_3_evidence_reverify');
    const body = quality(run, {}, { decision: 'partial' });
    at(body.verificationResults).status = 'fail';
    accepted(await run.submit('QualityReview', body));
    accepted(await run.submit('ReleaseAudit', audit(run, {}, { decision: 'partial' })));
    accepted(await run.submit('UserReport', report(run, {}, { status: 'failed_verification' })));
    expect(run.action).toMatchObject({ phase: 'partial', status: 'failed_verification' });
    expect(await runOf(run)).toMatchObject({ status: 'partial' });
  });
});

describe('a linked run', () => {
  it('cites Evidence of its prior run and nothing else of it', async () => {
    const prior = await inPhase('analyze', 'terminal');
    const other = await inPhase('analyze', 'terminal');
    const start = { prior_run_id: prior.runId };
    const run = await fresh(world.client, 'analyze', 'agent_1_frame', {}, { start });
    const cite = async (ref: string): Promise<string> => {
      const body = frame(run);
      at(body.inferences).sourceRefs = [ref];
      return verdictOf(await run.rawSubmit({ artifact_type: 'ProblemFrame', body }));
    };
    expect(await cite(other.last('Evidence').ref)).toBe('ADM-LIN-06');
    expect(await cite(prior.uri('none'))).toBe('ADM-LIN-09');
    expect(await cite(prior.requestRef)).toBe('ADM-LIN-10');
    expect(await cite(prior.last('TaskContract').ref)).toBe('ADM-LIN-10');
    const seen = at(prior.all('Evidence').filter(({ body }) => body.kind === 'tool_output'));
    const body = frame(run);
    Object.assign(at(body.knownFacts), { provenance: 'browser', sourceRef: seen.ref });
    expect(verdictOf(await run.rawSubmit({ artifact_type: 'ProblemFrame', body }))).toBe('ADM-FRAME-08');
    at(body.knownFacts).provenance = 'tool';
    accepted(await run.submit('ProblemFrame', body));
    expect(contract(run).contextRefs).toContain(seen.ref);
    await finish(run);
    expect(run.action.status).toBe('completed');
  });

  it('needs a prior run that has ended', async () => {
    const open = await inPhase('plan');
    const request = { original_request: 'Go on.', mode: 'plan_only', prior_run_id: open.runId };
    expect(verdictOf(await call('start_run', request))).toBe('ADM-LIN-03');
    accepted(await call('cancel_run', open.tok()));
    const { lineage } = accepted(await call('start_run', request));
    expect(lineage).toBeDefined();
    expect(verdictOf(await call('start_run', { ...request, prior_run_id: 'x' }))).not.toBe('accepted');
  });
});
