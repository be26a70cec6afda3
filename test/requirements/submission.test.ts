import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Author, CallTool, Product } from '../../src/sdk/index.ts';
import { analysisArguments, authorFor, drive, driveUpTo, must, sample, serve, tokenOf } from './bed.ts';

/** telic_submit_artifact over a server process. */

/** Drives a run to a phase, and hands out the product with which its author would go on. */
const nearly = async (call: CallTool, author: Author, type: 'ProblemFrame' | 'TaskContract') => {
  let product: Product | null = null;
  const write = author[type];
  if (!write) throw new Error(`The author writes no ${type}.`);
  const stop = new Error('enough');
  const run = drive(call, {
    ...author,
    [type]: async (work: Parameters<typeof write>[0]) => {
      product = await write(work);
      throw stop;
    },
  });
  await expect(run).rejects.toBe(stop);
  const [row] = z
    .object({ runs: z.array(z.looseObject({ runId: z.string() })) })
    .parse(await must(call, 'telic_list_runs', {})).runs;
  const token = tokenOf(await must(call, 'telic_get_run', { run_id: row?.runId }));
  const { body } = z.object({ body: z.record(z.string(), z.unknown()) }).parse(product);
  return { token, body };
};

const producersOf = async (call: CallTool, run_id: string) =>
  z
    .object({ artifacts: z.array(z.object({ type: z.string(), producer: z.string(), sha256: z.string() })) })
    .parse(await must(call, 'telic_get_run', { run_id, limit: 500 })).artifacts;

describe('a submission', () => {
  it('through body_json is the same artifact, judged by the same strict schema [API-113] [API-114] [API-134]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { token, body } = await nearly(call, authorFor(world), 'ProblemFrame');
    const frame = { ...token, artifact_type: 'ProblemFrame' };
    for (const wrong of [
      { ...body, extra: 1 },
      { ...body, goal: undefined },
    ]) {
      const asText = await call('telic_submit_artifact', { ...frame, body_json: JSON.stringify(wrong) });
      const asObject = await call('telic_submit_artifact', { ...frame, body: wrong });
      expect(asText).toMatchObject({ ok: false, code: 'invalid_body' });
      expect(asText.issues).toEqual(asObject.issues);
    }
    const both = await call('telic_submit_artifact', { ...frame, body, body_json: JSON.stringify(body) });
    expect(both).toMatchObject({ ok: false, kind: 'bad_input' });
    await must(call, 'telic_submit_artifact', { ...frame, body_json: JSON.stringify(body, null, 2) });
    const stored = await must(call, 'telic_get_artifact', { run_id: token.run_id, artifact_id: body.id });
    expect(stored).toMatchObject({ artifact: { type: 'ProblemFrame', body } });
  });

  it('through body_json widens nothing: permission lists stay, and stay as empty as they must [API-135]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { token, body } = await nearly(call, authorFor(world), 'TaskContract');
    const contract = { ...token, artifact_type: 'TaskContract' };
    const permissions = z.record(z.string(), z.record(z.string(), z.unknown())).parse(body.permissions);
    expect(permissions).toMatchObject({ repository: { write: [] } });
    const { write: _, ...rest } = permissions.repository ?? {};
    const refused = async (repository: unknown): Promise<void> => {
      const wrong = { ...body, permissions: { ...permissions, repository } };
      const answer = await call('telic_submit_artifact', { ...contract, body_json: JSON.stringify(wrong) });
      expect(answer).toMatchObject({ ok: false });
    };
    await refused(rest);
    await refused({ ...permissions.repository, write: ['**'] });
    await must(call, 'telic_submit_artifact', { ...contract, body_json: JSON.stringify(body) });
  });

  it('names no producer: the server derives it from the phase [API-118]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { token, body } = await nearly(call, authorFor(world), 'ProblemFrame');
    const frame = { ...token, artifact_type: 'ProblemFrame' };
    const inBody = await call('telic_submit_artifact', { ...frame, body: { ...body, producer: 'release_auditor' } });
    expect(inBody).toMatchObject({ ok: false, code: 'invalid_body' });
    for (const name of ['producer', 'role', 'logical_role'])
      expect(await call('telic_submit_artifact', { ...frame, body, [name]: 'executor' })).toMatchObject({
        ok: false,
        code: 'invalid_arguments',
      });
  });

  it('is one artifact or one answer, never both and never neither [API-110] [API-117]', async () => {
    const { call } = await serve(sample());
    const token = tokenOf(await must(call, 'telic_start_run', analysisArguments));
    const body = { schemaVersion: '1.0', id: 'frame-01', runId: token.run_id };
    for (const artifact of [{ artifact_type: 'ProblemFrame' }, { body }, { body_json: JSON.stringify(body) }])
      expect(
        await call('telic_submit_artifact', { ...token, ...artifact, clarification_response: 'go-on' }),
      ).toMatchObject({ ok: false, code: 'invalid_arguments', rule: 'ADM-TR-04' });
    expect(await call('telic_submit_artifact', token)).toMatchObject({ ok: false, code: 'invalid_arguments' });
    expect(tokenOf(await must(call, 'telic_get_run', { run_id: token.run_id }))).toEqual(token);
  });

  it('of a whole run leaves each family with its own producer [API-118]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const { runId } = await drive(call, authorFor(world, { scenario: true }));
    const producers = new Set((await producersOf(call, runId)).map(({ type, producer }) => `${type} ${producer}`));
    expect([...producers].sort()).toEqual([
      'ContextDocument controller',
      'ContextManifest controller',
      'Evidence executor',
      'ProblemFrame scenario_author',
      'PromptReview scenario_author',
      'QualityReview quality_controller',
      'ReceiptAudit controller',
      'ReleaseAudit release_auditor',
      'RunEnvelope controller',
      'ScenarioSpec scenario_author',
      'TaskContract task_compiler',
      'UserMessage user',
      'UserReport release_auditor',
      'WorkPlan quality_controller',
      'WorkResult executor',
    ]);
  });

  it('of a body that the controller writes is refused, and nothing is stored [API-119] [API-082]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const run_id = await driveUpTo(call, authorFor(world), 'ProblemFrame');
    const token = tokenOf(await must(call, 'telic_get_run', { run_id }));
    const before = await producersOf(call, run_id);
    for (const artifact_type of ['RunEnvelope', 'ContextManifest', 'NextAction', 'TraceEvent']) {
      const body = { schemaVersion: '1.0', id: `own-${artifact_type}`, runId: run_id };
      const answer = await call('telic_submit_artifact', { ...token, artifact_type, body });
      expect(answer).toMatchObject({ ok: false, code: 'controller_owned' });
    }
    expect(await producersOf(call, run_id)).toEqual(before);
  });

  it('that is refused moves nothing, and no partial body is completed [API-021]', async () => {
    const { call } = await serve(sample());
    const started = tokenOf(await must(call, 'telic_start_run', analysisArguments));
    const grounded = await must(call, 'telic_ground_context', started);
    const token = tokenOf(grounded);
    const body = { schemaVersion: '1.0', id: 'frame-01', runId: token.run_id, goal: 'A goal.' };
    const answer = await call('telic_submit_artifact', { ...token, artifact_type: 'ProblemFrame', body });
    expect(answer).toMatchObject({ ok: false, code: 'invalid_body' });
    const after = await must(call, 'telic_get_run', { run_id: token.run_id });
    expect(tokenOf(after)).toEqual(token);
    expect(after.nextAction).toEqual(grounded.nextAction);
  });

  it('of the manifest is the work of grounding, which stores it in camelCase [API-014]', async () => {
    const { call } = await serve(sample());
    const started = tokenOf(await must(call, 'telic_start_run', analysisArguments));
    const { manifest } = z
      .object({ manifest: z.looseObject({ id: z.string() }) })
      .parse(await must(call, 'telic_ground_context', started));
    const stored = await must(call, 'telic_get_artifact', { run_id: started.run_id, artifact_id: manifest.id });
    expect(stored).toMatchObject({ artifact: { body: manifest } });
    expect(JSON.stringify(manifest)).not.toMatch(/"[a-z]+_[a-z_]+":/);
  });
});
