import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { telic } from '../cli/console.ts';
import type { World } from '../sdk/world.ts';
import { driveTo, gateWorld, serverOf, sessionText, stateOf } from './bed.ts';
import { type GateRow, rows } from './rows.ts';

const files = { 'src/app.ts': 'export const a = 1;\n', 'README.md': '# Demo\n', '.cursor/hooks.json': '{}\n' };

const rootMark = '$' + '{ROOT}';

/** The world that a row calls by the name of its session; the id of its run, if there is one. */
const worldOf = async (session: GateRow['session']): Promise<Readonly<{ world: World; runId: string | null }>> => {
  const world = gateWorld(files, 'commit');
  if (session === 'none') return { world, runId: null };
  const server = serverOf(world);
  const { runId, run, nextAction } = await driveTo(world, server, 'WorkResult');
  expect(nextAction.phase).toBe('agent_4_execute');
  const state = stateOf(world);
  const text = sessionText(world);
  const write = (changed: string): void => writeFileSync(state.session, changed);
  switch (session) {
    case 'version_mismatch':
      write(text.replace(`"runVersion":${run.version}`, `"runVersion":${run.version - 1}`));
      break;
    case 'other_repository': {
      const other = `${world.root}-other`;
      mkdirSync(other);
      write(text.replace(JSON.stringify(world.root), JSON.stringify(other)));
      break;
    }
    case 'malformed_file':
      write('{"schemaVersion":"1.0","runId"');
      break;
    case 'run_finished':
      await server.cancel({ runId, actionId: nextAction.id, expectedVersion: run.version });
      write(text);
      break;
    case 'no_ledger':
      server.close();
      for (const end of ['', '-wal', '-shm']) rmSync(`${state.database}${end}`, { force: true });
      break;
    default:
  }
  return { world, runId };
};

const Answer = z.object({ permission: z.enum(['allow', 'deny', 'ask']) });
const Claude = z.object({ hookSpecificOutput: z.object({ permissionDecision: z.enum(['deny', 'ask']) }).optional() });
const Cline = z.object({ cancel: z.boolean() });

/** What a host would make of an answer, whichever form it has. */
const decisionOf = (out: string): string => {
  const answer: unknown = JSON.parse(out);
  const plain = Answer.safeParse(answer).data;
  if (plain) return plain.permission;
  const cline = Cline.safeParse(answer).data;
  if (cline) return cline.cancel ? 'deny' : 'allow';
  return Claude.parse(answer).hookSpecificOutput?.permissionDecision ?? 'allow';
};

describe('telic broker-gate', () => {
  it.each(rows.gate.map((row) => [row.id, row] as const))('decides row %s', async (_id, row) => {
    const { world, runId } = await worldOf(row.session);
    const written = typeof row.input === 'string' ? row.input : JSON.stringify(row.input);
    const said = await telic(['broker-gate', '--repo', world.root], {
      env: {
        ...world.env,
        ...(row.strict && { TELIC_BROKER_STRICT: '1' }),
        ...(row.permissive && { TELIC_BROKER_PERMISSIVE: '1' }),
      },
      input: written.replaceAll(rootMark, world.root),
    });
    expect(said.out).toMatch(/^\{.*\}\n$/);
    const decision = decisionOf(said.out);
    expect(row.expect.decision.split('_or_')).toContain(decision);
    // A form without a refusal of its own is refused by the exit code.
    expect([0, ...(decision === 'allow' ? [] : [2])]).toContain(said.exit);
    if (row.after && runId !== null) {
      const { events } = await serverOf(world).trace(runId, 0, 500);
      const scope = events.at(-1)?.permissionDecision?.scope ?? '';
      expect(scope.length).toBe(2048);
    }
  });
});
