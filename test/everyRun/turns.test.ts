import { describe, expect, it } from 'vitest';
import type { Pair } from '../../machines/graph/runGraph.ts';
import { uriOf } from '../../machines/record.ts';
import { followRun, type Script, type StartRequest, scriptedAuthor, traceOf } from '../../src/sdk/index.ts';
import { type Host, handsIn } from './host.ts';
import { drive, submitted } from './runs.ts';
import { startOf } from './starts.ts';
import { newWorld, serve } from './world.ts';

const hostOf = async (): Promise<Host> => {
  const world = newWorld();
  const { call } = await serve(world);
  return { ...handsIn(world), call };
};

const analysis = startOf(['analyze_only', 'standard']);
const fix = startOf(['fix_only', 'forensic']);

describe('a turn of a run over STDIO', () => {
  it('revises the contract once, as its review asked', async () => {
    const followed = await drive(await hostOf(), analysis, { review: ['revise'] });
    expect(followed.terminal.status).toBe('completed');
    const contracts = (await followed.reader.record()).all('TaskContract');
    expect(contracts.map(({ body }) => body.version)).toEqual([1, 2]);
    const added = contracts[1]?.body.stopConditions.filter((one) => !contracts[0]?.body.stopConditions.includes(one));
    expect(added).toHaveLength(1);
    expect(followed.run.budgets.promptRevisionsRemaining).toBe(0);
  });

  it.each([
    ['the review', { quality: ['remediate'] }],
    ['the audit', { audit: ['remediate'] }],
  ] as const satisfies readonly (readonly [string, Script])[])(
    'remediates once when %s asks for it',
    async (_, script) => {
      const followed = await drive(await hostOf(), fix, script);
      expect(followed.terminal.status).toBe('completed');
      expect(followed.run.budgets.postExecutionRemediationsRemaining).toBe(0);
      const record = await followed.reader.record();
      expect(record.all('WorkPlan')).toHaveLength(2);
      // Both changes are told: the first one was made, too.
      expect(followed.report?.changeRefs).toHaveLength(2);
    },
  );

  it.each([
    ['go-on', 'completed'],
    ['stop', 'cancelled'],
    ['start-over', 'cancelled'],
  ] as const)('does with the question what the answer says: %s', async (choice, end) => {
    const question = { phase: 'context_grounding', reason: 'permission_expanding' } as const;
    const followed = await drive(await hostOf(), analysis, { question }, choice);
    expect(followed.terminal.status).toBe(end);
    const { topology, phase, resumePhase } = followed.run;
    expect({ topology, resumePhase }).toEqual({ topology: 'standard', resumePhase: null });
    expect(phase).toBe(end === 'completed' ? 'agent_5_report' : 'context_grounding');
  });

  it.each([
    ['before anything was judged', { furtherQuestion: { phase: 'agent_1_review', reason: 'permission_expanding' } }],
    [
      'after an audit that asked for more',
      { audit: ['remediate'], furtherQuestion: { phase: 'agent_3_review', reason: 'permission_expanding' } },
    ],
  ] as const satisfies readonly (readonly [string, Script])[])(
    'ends blocked, unasked, when a second question comes up %s',
    async (_, script) => {
      const question = { phase: 'agent_2_compile', reason: 'user_owned_materially_divergent' } as const;
      const followed = await drive(await hostOf(), analysis, { question, ...script });
      expect(followed.terminal.status).toBe('blocked');
      expect(followed.steps.filter(({ kind }) => kind === 'answered')).toHaveLength(1);
      const asked = (await followed.reader.record()).all('ClarificationRequest');
      expect(asked).toHaveLength(2);
      expect(followed.report?.findingRefs).toContain(asked[1] && uriOf(asked[1]));
    },
  );

  it.each([
    [['report_only', 'micro'], 'forensic', 2],
    [['fix_only', 'micro'], 'forensic', 2],
    [['analyze_only', 'standard'], 'forensic', 1],
  ] as const satisfies readonly (readonly [Pair, string, number])[])(
    'moves up for each claim on the word of the user, and reports it as such: %s',
    async (pair, topology, escalations) => {
      const { call, ...hands } = await hostOf();
      const followed = await drive({ call, ...hands }, startOf(pair), { userReported: true });
      expect(followed.terminal.status).toBe('completed');
      expect(followed.run).toMatchObject({ topology, escalationCount: escalations });
      expect(followed.steps.filter(({ kind }) => kind === 'refreshed')).toHaveLength(escalations);
      const reasons = (await traceOf(call, followed.runId)).filter(
        ({ eventType }) => eventType === 'topology_escalated',
      );
      expect(reasons.map(({ rationaleSummary }) => rationaleSummary)).toEqual(
        ['MICRO_USER_REPORTED', 'STANDARD_USER_REPORTED_CLAIMS'].slice(-escalations),
      );
      expect(followed.report?.completionClaims.map(({ status }) => status)).toContain('user_reported');
    },
  );

  it('links a run to an ended one, whose Evidence it then may cite', async () => {
    const host = await hostOf();
    const first = await drive(host, analysis);
    const [seen] = (await first.reader.record()).all('Evidence');
    if (!seen) throw new Error('The first run has seen nothing.');
    const author = scriptedAuthor(host.inspect);
    const start: StartRequest = { ...analysis, priorRunId: first.runId };
    const second = await followRun({
      call: host.call,
      start,
      author: {
        ...author,
        ProblemFrame: async (work) => {
          const frame = await author.ProblemFrame?.(work);
          if (!frame || !('knownFacts' in frame.body) || !Array.isArray(frame.body.knownFacts))
            throw new Error('The author wrote no frame.');
          const known = {
            id: 'F-earlier',
            claim: 'Seen in the run before.',
            provenance: 'tool',
            sourceRef: uriOf(seen),
          };
          return { ...frame, body: { ...frame.body, knownFacts: [...frame.body.knownFacts, known] } };
        },
      },
    });
    expect(second.terminal.status).toBe('completed');
    expect(second.run.priorRunId).toBe(first.runId);
    const contract = (await second.reader.record()).latest('TaskContract');
    expect(contract?.body.contextRefs).toContain(uriOf(seen));
    const linked = (await traceOf(host.call, second.runId)).filter(({ eventType }) => eventType === 'lineage_linked');
    expect(linked).toHaveLength(1);
    expect(submitted(second)).toEqual(submitted(first));
  });
});
