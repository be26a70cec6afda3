import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { provable, repositoryOfPrograms, settingsOfTrap } from '../grounding/namedPrograms.ts';
import { temporary } from '../grounding/repository.ts';
import { startServer, tokenOf } from '../mcp/rawServer.ts';
import { bundlePath } from '../support/bundle.ts';

const run = promisify(execFile);
const request = 'Where is a exported in a.ts?';
const Listed = z.object({ tools: z.array(z.object({ name: z.string() })) });
const Artifacts = z.looseObject({ artifacts: z.array(z.looseObject({ id: z.string() })).min(1) });

describe('a repository whose configuration names a program in each of six settings', () => {
  it('never runs it: not in a whole run over the tools, in doctor or in an explanation', async () => {
    const { root, ran, runPlainly } = repositoryOfPrograms(settingsOfTrap);
    const env = { ...process.env, TELIC_STATE_DIR: join(temporary('marker-'), 'state') };
    const telic = (...words: readonly string[]) =>
      run(process.execPath, [bundlePath, '--repo', root, ...words], { env, cwd: root });
    const { stdout } = await telic('tour', '--request', request);
    expect(stdout).toContain('completed');
    await telic('doctor');
    await telic('ground', '--explain', request);
    expect(ran()).toEqual([]);

    // The same settings do run theirs where nothing keeps them from it.
    for (const setting of provable(settingsOfTrap)) {
      runPlainly(setting);
      expect(ran()).toContain(setting);
    }
  });

  it('never runs it on any tool that is listed', async () => {
    const { root, ran, runPlainly } = repositoryOfPrograms(settingsOfTrap);
    const server = startServer({ root });
    await server.initialize();
    const answered = new Map<string, unknown>();
    const call = async (name: string, args: object): Promise<Record<string, unknown>> => {
      const answer = await server.call(name, args);
      answered.set(name, answer.ok);
      return answer;
    };
    const started = tokenOf(await call('telic_start_run', { original_request: request, mode: 'plan_only' }));
    const { run_id } = started;
    const grounded = await call('telic_ground_context', { ...started, active_paths: ['a.ts'] });
    const token = tokenOf(grounded);
    await call('telic_get_next_action', { run_id });
    const [first] = Artifacts.parse(await call('telic_get_run', { run_id })).artifacts;
    await call('telic_get_artifact', { run_id, artifact_id: first?.id });
    await call('telic_get_trace', { run_id });
    await call('telic_check_tool_action', { ...token, capability: 'repository.read', target: 'a.ts' });
    await call('telic_replay_run', { run_id });
    await call('telic_list_runs', {});
    await call('telic_submit_artifact', { ...token, artifact_type: 'ProblemFrame', body: {} });
    await call('telic_cancel_run', token);

    const { tools } = Listed.parse((await server.request('tools/list')).result);
    expect([...answered.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
    // An empty body is refused by the rules of its type, after the run was found and read.
    expect([...answered].filter(([, ok]) => ok !== true)).toEqual([['telic_submit_artifact', false]]);
    expect(grounded).toMatchObject({ manifest: { inventorySource: 'git' } });
    expect(ran()).toEqual([]);
    runPlainly('core.fsmonitor');
    expect(ran()).toContain('core.fsmonitor');
  });
});
