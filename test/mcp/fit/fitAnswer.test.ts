import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../machines/context.ts';
import { projectNextAction } from '../../../machines/projection/nextAction.ts';
import { Brief } from '../../../schemas/brief.ts';
import { type ActionPart, type AnswerMeasure, fullAnswerBudget } from '../../../schemas/vocabulary.ts';
import { leastBudget } from '../../../src/mcp/fit/budget.ts';
import { fitAnswer } from '../../../src/mcp/fit/fitAnswer.ts';
import { type Answer, present, presentFailure } from '../../../src/mcp/present.ts';
import { begun, ground, type Walk } from '../../brief/walk.ts';

const size = (answer: Answer): number => JSON.stringify(answer).length;
const host = (most: number, known = true, measure: AnswerMeasure = 'characters') => ({ most, measure, known });

/** A run that waits for its frame, with so many selected sources. */
const framing = (sources: number): Walk =>
  ground(
    begun({ mode: 'analyze_and_fix', topologyOverride: 'forensic' }),
    Array.from({ length: sources }, (_, index) => ({ path: `src/part${index}.ts` })),
  );

const answerOf = ({ snapshot, record }: Walk, parts?: readonly ActionPart[]): Answer => {
  const { context } = snapshot;
  const nextAction = parts ? projectNextAction(context, record, parts) : projectNextAction(context, record);
  return present(parts ? { nextAction } : { run: viewOf(context), nextAction });
};

const submit = { tool: 'telic_submit_artifact', arguments: {} };
const next = (parts: readonly ActionPart[]) => ({ tool: 'telic_get_next_action', arguments: { run_id: 'r', parts } });

const partsOf = ({ omitted }: Answer): unknown =>
  Array.isArray(omitted) ? omitted.map(({ part }: { part: string }) => part) : [];

describe('an answer that is fitted to its host', () => {
  it('is left alone where there is room, and keeps every part of an action from the full budget on', () => {
    const answer = answerOf(framing(16));
    expect(fitAnswer(answer, submit, host(100_000))).toEqual(answer);
    expect(fitAnswer(answer, submit, host(fullAnswerBudget))).toEqual(answer);
  });

  it('leaves parts out in one order, the longer the less room there is', () => {
    const answer = answerOf(framing(16));
    const said = [30_000, 25_000, 11_500, 8600, 6000].map((budget) => partsOf(fitAnswer(answer, submit, host(budget))));
    const repeated = [
      'nextAction.brief.alternatives',
      'nextAction.additionalOutputSchemas',
      'nextAction.requiredOutputSchema',
    ];
    const little = [...repeated, 'nextAction.brief.sources'];
    expect(said).toEqual([repeated, repeated, repeated, little, [...repeated, 'nextAction.brief']]);
  });

  it('has what it left out named before the action, with the call that brings it', () => {
    const walk = framing(16);
    const fitted = fitAnswer(answerOf(walk), submit, host(8600));
    expect(Object.keys(fitted)).toEqual(['ok', 'next', 'run', 'omitted', 'nextAction']);
    const { runId } = walk.snapshot.context;
    expect(fitted.omitted).toContainEqual({
      part: 'nextAction.brief.sources',
      fetch: { tool: 'telic_get_next_action', arguments: { run_id: runId, parts: ['sources'] } },
    });
  });

  it('keeps what was asked for by name, whatever the budget', () => {
    const walk = framing(60);
    for (const part of ['brief', 'schemas', 'alternatives', 'variants', 'sources'] as const) {
      const answer = answerOf(walk, [part]);
      const fitted = fitAnswer(answer, next([part]), host(leastBudget));
      expect(partsOf(fitted)).not.toContain(`nextAction.${part === 'schemas' ? 'requiredOutputSchema' : 'brief'}`);
      const given = (of: Answer): Partial<Record<string, unknown>> => Object(of.nextAction);
      if (part === 'schemas') expect(given(fitted).requiredOutputSchema).toEqual(given(answer).requiredOutputSchema);
      else if (part === 'variants' || part === 'alternatives') expect(given(fitted).brief).toEqual(given(answer).brief);
    }
  });

  it('shows of many sources those that fit, and names the manifest for the rest', () => {
    const walk = framing(60);
    const answer = answerOf(walk, ['sources']);
    const fitted = fitAnswer(answer, next(['sources']), host(7500));
    expect(size(fitted)).toBeLessThanOrEqual(7500);
    const { sources } = Brief.pick({ sources: true }).parse(Object(fitted.nextAction).brief);
    expect(sources.length).toBeGreaterThan(20);
    expect(fitted.omitted).toContainEqual({
      part: `nextAction.brief.sources[${sources.length}..]`,
      fetch: {
        tool: 'telic_get_artifact',
        arguments: expect.objectContaining({ artifact_id: expect.stringMatching(/^context-/) }),
      },
    });
  });

  it.each(['bytes', 'quoted'] as const)('is measured in %s where the host counts so', (measure) => {
    const text = (of: Answer): string => JSON.stringify(of);
    const lengthOf = (of: Answer): number =>
      measure === 'bytes' ? Buffer.byteLength(text(of)) : JSON.stringify(text(of)).length;
    const trace: Answer = {
      ok: true,
      events: Array.from({ length: 40 }, (_, sequence) => ({ sequence, text: '第"58行'.repeat(20) })),
      hasMore: false,
    };
    const fitted = fitAnswer(trace, { tool: 'telic_get_trace', arguments: {} }, host(7500, true, measure));
    expect(lengthOf(fitted)).toBeLessThanOrEqual(7500);
    expect(lengthOf(trace)).toBeGreaterThan(7500);
  });

  it('says to fetch the brief first where there was no room for it', () => {
    const fitted = fitAnswer(answerOf(framing(60)), submit, host(leastBudget));
    expect(partsOf(fitted)).toContain('nextAction.brief');
    expect(fitted.next).toMatch(/^Fetch the brief first/);
  });

  it('leaves out what every answer of the version repeats rather than be longer than the budget', () => {
    const walk = framing(16);
    const { runId } = walk.snapshot.context;
    const fitted = fitAnswer(answerOf(walk, ['alternatives']), next(['alternatives']), host(4200));
    expect(size(fitted)).toBeLessThanOrEqual(4200);
    expect(partsOf(fitted)).toEqual(['nextAction.additionalOutputSchemas', 'nextAction.stopConditions']);
    const less = fitAnswer(answerOf(walk, ['alternatives']), next(['alternatives']), host(3700));
    expect(less.omitted).toContainEqual({
      part: 'nextAction.inputRefs',
      fetch: { tool: 'telic_get_next_action', arguments: { run_id: runId, parts: [] } },
    });
  });

  it('is never longer than the budget while a part is left that nobody asked for; the same budget gives the same bytes', () => {
    const states = [0, 1, 16, 60].map(framing);
    fc.assert(
      fc.property(fc.constantFrom(...states), fc.integer({ min: leastBudget, max: 60_000 }), (walk, budget) => {
        const answer = answerOf(walk);
        const fitted = fitAnswer(answer, submit, host(budget));
        expect(size(fitted)).toBeLessThanOrEqual(budget);
        expect(JSON.stringify(fitAnswer(answer, submit, host(budget)))).toBe(JSON.stringify(fitted));
        // What remains is what was there: a draft is whole or not there at all.
        expect(answer.nextAction).toMatchObject(
          JSON.parse(JSON.stringify({ ...Object(fitted.nextAction), brief: {} })),
        );
      }),
    );
  });
});

const rows = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ sequence: from + index, rationaleSummary: 'x'.repeat(300) }));

describe('a page that is fitted to its host', () => {
  const trace: Answer = { ok: true, events: rows(100), hasMore: false, nextAfterSequence: null };
  const asked = (more: object = {}) => ({ tool: 'telic_get_trace', arguments: { run_id: 'r', ...more } });

  it('holds as many rows as fit, and says where the next page begins', () => {
    const fitted = fitAnswer(trace, asked(), host(7500));
    const { events } = fitted;
    expect(size(fitted)).toBeLessThanOrEqual(7500);
    const length = Array.isArray(events) ? events.length : 0;
    expect(length).toBeGreaterThan(15);
    expect(fitted).toEqual({ ok: true, events: rows(length), hasMore: true, nextAfterSequence: length });
  });

  it('goes on after the page before it', () => {
    const page: Answer = { ok: true, artifacts: rows(100), artifactCount: 300, nextAfterIndex: 200 };
    const call = { tool: 'telic_get_run', arguments: { run_id: 'r', after_index: 100 } };
    const { artifacts, nextAfterIndex } = fitAnswer(page, call, host(11_500));
    expect(nextAfterIndex).toBe(100 + (Array.isArray(artifacts) ? artifacts.length : 0));
  });

  it('names the call for the rest of a list of runs, whose cursor would skip the rows that went', () => {
    const list: Answer = { ok: true, runs: rows(20), nextCursor: 'runs-9' };
    const { omitted, runs, nextCursor } = fitAnswer(list, { tool: 'telic_list_runs', arguments: {} }, host(4000));
    expect(runs).not.toHaveLength(20);
    expect(nextCursor).toBeUndefined();
    expect(omitted).toEqual([{ part: 'runs', fetch: { tool: 'telic_list_runs', arguments: { limit: 20 } } }]);
    const further = { tool: 'telic_list_runs', arguments: { cursor: 'runs-30' } };
    expect(fitAnswer(list, further, host(4000)).omitted).toEqual([
      { part: 'runs', fetch: { tool: 'telic_list_runs', arguments: { cursor: 'runs-30', limit: 20 } } },
    ]);
  });

  it('is as long as the caller said, whatever the budget; and for a host that nobody knows', () => {
    expect(fitAnswer(trace, asked({ limit: 100 }), host(7500))).toEqual(trace);
    expect(fitAnswer(trace, asked(), host(7500, false))).toEqual(trace);
  });

  it('of a replay goes as far as steps and highlights fit together', () => {
    const report = { runId: 'r', steps: rows(60), traceHighlights: rows(20), consistent: true };
    const call = { tool: 'telic_replay_run', arguments: { run_id: 'r', after_index: 100 } };
    const fitted = fitAnswer({ ok: true, report }, call, host(7500));
    const { steps, nextAfterIndex } = Object(fitted.report);
    expect(size(fitted)).toBeLessThanOrEqual(7500);
    expect(steps.length).toBeGreaterThan(5);
    expect(nextAfterIndex).toBe(100 + steps.length);
    expect(fitted.report).toMatchObject({ stepCount: 160, highlightCount: 120, consistent: true });
  });

  it('always holds one row, so that a reader gets on', () => {
    const wide: Answer = { ok: true, events: [{ sequence: 7, text: 'x'.repeat(9000) }, ...rows(3, 8)], hasMore: false };
    expect(fitAnswer(wide, asked(), host(7500))).toMatchObject({ events: [{ sequence: 7 }], nextAfterSequence: 7 });
  });
});

describe('a body that is too long for the host', () => {
  const artifact = { id: 'plan-01', runId: 'run-1', type: 'WorkPlan', sha256: 'sha256:0' };
  const body = { text: '"\n'.repeat(5000) };
  const answer: Answer = { ok: true, artifact: { ...artifact, body } };

  it('is left out whole, with the call that reads it in pieces that fit', () => {
    const fitted = fitAnswer(answer, { tool: 'telic_get_artifact', arguments: {} }, host(7500));
    expect(fitted.artifact).toEqual({ ...artifact, total: JSON.stringify(body).length });
    const { omitted } = fitted;
    const [{ fetch }] = Array.isArray(omitted) ? omitted : [];
    expect(fetch).toMatchObject({
      tool: 'telic_get_artifact',
      arguments: { run_id: 'run-1', artifact_id: 'plan-01', offset: 0 },
    });
    const text = JSON.stringify(body).slice(0, fetch.arguments.limit);
    expect(size({ ok: true, artifact: { ...artifact, text, offset: 0, total: 20_000 } })).toBeLessThanOrEqual(7500);
  });

  it('is the manifest of a grounding, which stands in the ledger', () => {
    const stored = { id: 'context-1', runId: 'run-1', selected: rows(40) };
    const grounded: Answer = { ok: true, next: 'x', manifest: stored, nextAction: { runId: 'run-1' } };
    const fitted = fitAnswer(grounded, { tool: 'telic_ground_context', arguments: {} }, host(7500));
    expect(fitted).toEqual({
      ok: true,
      next: 'x',
      omitted: [
        {
          part: 'manifest',
          fetch: { tool: 'telic_get_artifact', arguments: { run_id: 'run-1', artifact_id: 'context-1' } },
        },
      ],
      manifest: { id: 'context-1' },
      nextAction: { runId: 'run-1' },
    });
  });
});

describe('a refusal that is too long for the host', () => {
  const issue = (index: number) => ({ path: `a.${index}`, code: 'SCH-KEY-02', message: 'x'.repeat(390) });
  const failure = presentFailure({
    ok: false,
    error: 'It has 32 issues.',
    code: 'invalid_body',
    kind: 'bad_input',
    issues: Array.from({ length: 32 }, (_, index) => issue(index)),
    next_steps: ['Mend them.'],
  });

  it('lists the first findings and says how many there were', () => {
    const fitted = fitAnswer(failure, submit, host(7500));
    const { issues } = fitted;
    const kept = Array.isArray(issues) ? issues.length : 0;
    expect(size(fitted)).toBeLessThanOrEqual(7500);
    expect(kept).toBeGreaterThan(10);
    expect(fitted).toMatchObject({ ok: false, issueCount: 32, omitted: [{ part: `issues[${kept}..]`, fetch: null }] });
    expect(issues).toEqual(Array.from({ length: kept }, (_, index) => issue(index)));
  });
});
