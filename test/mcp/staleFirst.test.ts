import { expect, test } from 'vitest';
import { repository, request, startServer, tokenOf } from './rawServer.ts';

/** Admission section 1: argument schema, token, then the paths and heads of a submission. */
test('a submission behind the run is told so before anything else that is wrong with it', async () => {
  const server = startServer({ root: repository() });
  await server.initialize();
  const token = tokenOf(await server.call('telic_start_run', request));
  const behind = { ...token, expected_run_version: 7, action_id: `action:${token.run_id}:7` };
  const body = { id: 'frame-01', runId: token.run_id };
  const wrong = [
    { artifact_type: 'ProblemFrame', body, body_json: '{}' },
    { body },
    { artifact_type: 'ProblemFrame' },
    { artifact_type: 'ProblemFrame', body_json: '[]' },
    { artifact_type: 'ProblemFrame', body: { ...body, runId: 'another-run' } },
    { artifact_type: 'ProblemFrame', clarification_response: 'go-on' },
  ];
  for (const args of wrong) {
    const current = { version: token.expected_run_version, actionId: token.action_id };
    expect(await server.call('telic_submit_artifact', { ...behind, ...args })).toMatchObject({
      code: 'stale_version',
      rule: 'ADM-TR-02',
      current,
    });
    expect(await server.call('telic_submit_artifact', { ...token, ...args })).toMatchObject({ kind: 'bad_input' });
    const foreign = { ...token, action_id: `action:${token.run_id}:2` };
    expect(await server.call('telic_submit_artifact', { ...foreign, ...args })).toMatchObject({ rule: 'ADM-TR-03' });
    const unknown = { ...token, run_id: 'no-such-run' };
    expect(await server.call('telic_submit_artifact', { ...unknown, ...args })).toMatchObject({ rule: 'ADM-TR-01' });
  }
});
