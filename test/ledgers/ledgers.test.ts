import { readdirSync, readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineVersion } from '../../machines/step.ts';
import type { Controller } from '../../src/controller/api.ts';
import { createController } from '../../src/controller/controller.ts';
import { TelicError } from '../../src/controller/telicError.ts';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { migrations } from '../../src/ledger/sqlite/format.ts';
import { openLedgerReadOnly } from '../../src/ledger/sqlite/sqliteLedger.ts';
import type { StateDirectory } from '../../src/ledger/stateDirectory.ts';
import { playerOf } from '../law/player.ts';
import { newLedger, newState } from '../ledger/fixtures.ts';
import { recordedLedgers, unpack } from './recorded.ts';

/** Every row of the tables that all formats have, but the hidden row ids. */
const rowsOf = (state: StateDirectory): object => {
  const db = new Sqlite(state.database);
  try {
    return Object.fromEntries(
      ['runs', 'events', 'artifacts', 'trace', 'bodies'].map((table) => [
        table,
        db.prepare(`SELECT * FROM ${table}`).all(),
      ]),
    );
  } finally {
    db.close();
  }
};

const formatIn = (state: StateDirectory): unknown => {
  const db = new Sqlite(state.database);
  try {
    return db.pragma('user_version', { simple: true });
  } finally {
    db.close();
  }
};

/** A controller for the repository of a recorded ledger, with a ledger of its own. */
const servedBy = (state: StateDirectory): Readonly<{ controller: Controller; ledger: Ledger }> => {
  const ledger = newLedger(state);
  let id = 0;
  const controller = createController({
    ledger: () => ledger,
    clock: { now: () => '2026-06-01T12:00:00.000Z' },
    ids: { uuid: () => `00000000-0000-4000-9000-${String(++id).padStart(12, '0')}` },
    repositoryRoot: state.repositoryRoot,
    excludedRoots: [],
    brokerScope: 'envelope',
    close: () => ledger.close(),
  });
  return { controller, ledger };
};

const codeOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    await call();
    return 'taken';
  } catch (error) {
    if (error instanceof TelicError) return error.failure.code;
    throw error;
  }
};

it('there is a recorded ledger of every format, and of this machine', () => {
  const formats = recordedLedgers.map(({ format }) => format);
  expect([...new Set(formats)].toSorted()).toEqual(migrations.map((_, index) => index + 1));
  expect(recordedLedgers.some((one) => one.format === migrations.length && one.machine === machineVersion)).toBe(true);
});

describe.each(recordedLedgers.map((one) => [one.name, one] as const))('the recorded ledger %s', (_, recorded) => {
  const unpacked = (): StateDirectory => unpack(recorded, newState());

  it('is brought to the newest format with every row as it was', () => {
    const state = unpacked();
    const before = rowsOf(state);
    expect(formatIn(state)).toBe(recorded.format);
    newLedger(state).run(recorded.run('fix'));
    expect(formatIn(state)).toBe(migrations.length);
    expect(rowsOf(state)).toEqual(before);
  });

  it('is read without changing a byte on disk', () => {
    const state = unpacked();
    const before = readFileSync(state.database);
    const ledger = openLedgerReadOnly(state);
    onTestFinished(() => ledger.close());
    expect(ledger.runs(100).map(({ context }) => context.runId)).toEqual(expect.arrayContaining([...recorded.runs]));
    expect(ledger.tombstone(recorded.run('fix'))).toBe(null);
    expect(readFileSync(state.database).equals(before)).toBe(true);
    expect(readdirSync(state.path)).toEqual(['ledger.sqlite3']);
  });

  it('holds what its page says', () => {
    const ledger = newLedger(unpacked());
    const statusOf = (name: string) => ledger.run(recorded.run(name))?.context.status;
    expect(['fix', 'paused', 'cancelled', 'micro', 'refused', 'linked'].map(statusOf)).toEqual([
      'completed',
      'awaiting_clarification',
      'cancelled',
      'completed',
      'running',
      'running',
    ]);
    expect(ledger.run(recorded.run('fix'))?.context).toMatchObject({
      mode: 'analyze_and_fix',
      budgets: { remediations: 0 },
    });
    expect(ledger.run(recorded.run('micro'))?.context.topology).toBe('micro');
    expect(ledger.run(recorded.run('linked'))?.context.priorRunId).toBe(recorded.run('fix'));
    const events = ledger.trace(recorded.run('refused'), 0, 10_000);
    expect(events.some(({ event }) => event === 'transition_denied')).toBe(true);
    for (const decision of ['allow', 'deny'])
      expect(events.some((row) => row.event === 'broker_decision' && row.decision?.decision === decision)).toBe(true);
    expect(ledger.deniedChecks(recorded.run('refused'))).toHaveLength(1);
  });

  if (recorded.machine === machineVersion) {
    it('comes out again when every event is executed once more', () => {
      const ledger = newLedger(unpacked());
      for (const runId of recorded.runs)
        expect(verifyRun(ledger, runId)).toMatchObject({ runId, differences: [], notJudged: [] });
    });

    it('takes the answer that its paused run waits for, and whole runs stay whole', async () => {
      const { controller, ledger } = servedBy(unpacked());
      const player = playerOf(controller, ledger, recorded.run('paused'));
      for (const label of ['ANSWER resume', 'TaskContract v1', 'PromptReview pass', 'WorkPlan'])
        expect([label, await player.play(label)]).toEqual([label, { ok: true }]);
      expect(verifyRun(ledger, player.runId)).toMatchObject({ differences: [], notJudged: [] });
    });
  }

  describe('as another version of the machine sees it', () => {
    /** The ledger, with one run written by a machine that is not known here. */
    const foreign = (sql = 'SELECT 1') => {
      const state = unpacked();
      newLedger(state).head('');
      const db = new Sqlite(state.database);
      db.prepare(`UPDATE runs SET machine_version = '99' WHERE run_id = ?`).run(recorded.run('refused'));
      db.exec(sql);
      db.close();
      return { ...servedBy(state), state, runId: recorded.run('refused') };
    };

    it('shows the run, its artifacts, trace and digests, and says why there is no next action', async () => {
      const { controller, runId } = foreign();
      const page = await controller.run(runId, { limit: 3 });
      expect(page).toMatchObject({
        run: { runId, status: 'running' },
        nextAfterIndex: 3,
        incompatible: {
          error: expect.stringContaining('machine version 99'),
          next_steps: expect.arrayContaining([expect.stringContaining('version of Telic that wrote it')]),
        },
      });
      expect(page).not.toHaveProperty('nextAction');
      const rest = await controller.run(runId, { after: 3 });
      expect(page.artifacts.length + rest.artifacts.length).toBe(page.artifactCount);
      expect(rest.nextAfterIndex).toBe(null);
      for (const { id } of rest.artifacts) expect((await controller.artifact(runId, id)).artifact.id).toBe(id);
      expect((await controller.trace(runId, 0, 500)).events.length).toBeGreaterThan(10);
      expect((await controller.replay(runId)).report.steps.every(({ digestStatus }) => digestStatus === 'ok')).toBe(
        true,
      );
      expect((await controller.listRuns(100)).runs.map((row) => row.runId)).toContain(runId);
    });

    it('takes no event for it, leaves it as it is, and moves the others', async () => {
      const { controller, ledger, runId, state } = foreign();
      const before = rowsOf(state);
      const { version } = (await controller.run(runId)).run;
      const token = { runId, actionId: `action:${runId}:${version}`, expectedVersion: version };
      for (const call of [
        () => controller.nextAction(runId),
        () => controller.cancel(token),
        () => controller.answer({ ...token, answer: 'yes', via: 'host' }),
        () => controller.ground(token),
        () => controller.check({ ...token, capability: 'repository.read', target: 'README.md' }),
        () => controller.submit({ ...token, artifactType: 'ProblemFrame', body: {}, sourceRefs: [] }),
        () => controller.requireToken(token),
      ])
        expect(await codeOf(call)).toBe('incompatible');
      expect(rowsOf(state)).toEqual(before);
      if (recorded.machine === machineVersion)
        expect(await playerOf(controller, ledger, recorded.run('paused')).play('CANCEL')).toEqual({ ok: true });
    });

    it('tells a run in unknown words apart from a damaged one, and lists the others', async () => {
      const { controller, ledger, runId } = foreign(
        `UPDATE runs SET context = json_set(context, '$.phase', 'agent_9_unheard_of') WHERE machine_version = '99'`,
      );
      expect(() => ledger.run(runId)).toThrow(expect.objectContaining({ code: 'incompatible' }));
      const listed = (await controller.listRuns(100)).runs.map((row) => row.runId);
      expect(listed.toSorted()).toEqual(recorded.runs.filter((id) => id !== runId).toSorted());
    });
  });
});
