import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { caseOf } from '../../machines/case.ts';
import { microPack } from '../../machines/companions/microPack.ts';
import type { RunContext } from '../../machines/context.ts';
import { exploreRun, type Pair } from '../../machines/graph/runGraph.ts';
import { inputRefsOf } from '../../machines/projection/inputs.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import { ProjectionError } from '../../machines/projection/projectionError.ts';
import { emptyRecord } from '../../machines/record.ts';
import type { RuledType } from '../../machines/rules/book.ts';
import { entriesFor } from '../../machines/rules/index.ts';
import { canonicalJson, digestOfText } from '../../schemas/canonical.ts';
import type { Failure } from '../../schemas/failure.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';
import { LedgerError } from '../../src/ledger/errors.ts';
import { checkStateDirectory, locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { startOf } from '../everyRun/starts.ts';
import { artifact, begun, runId, sample, uri, withArtifacts } from '../projection/records.ts';
import { begin, type Outcome, outcomeOf, type Player } from './player.ts';
import { newWorld, type World } from './world.ts';

/** Rules that no entry of the rule book keeps: those of the controller, the machine, the projection and the ledger. */

const bench = () => {
  const world = newWorld();
  onTestFinished(() => world.close());
  return { world, ...world.open() };
};

const refused = (outcome: Outcome): Failure => {
  if (outcome.ok) throw new Error('The call was taken.');
  return outcome;
};

const run = async (pair: Pair, labels: readonly string[]): Promise<ReturnType<typeof bench> & { player: Player }> => {
  const of = bench();
  const player = await begin(of.controller, of.ledger, startOf(pair));
  for (const label of labels) expect(await player.play(label), label).toEqual({ ok: true });
  return { ...of, player };
};

const standard: Pair = ['report_only', 'standard'];
const toAudit = ['GROUND', 'ProblemFrame', 'TaskContract v1', 'PromptReview pass', 'WorkPlan', 'QualityReview pass'];

describe('what the controller keeps', () => {
  it('ADM-TR-01 refuses a run that the ledger does not hold', async () => {
    const { controller } = bench();
    expect(refused(await outcomeOf(controller.nextAction('gone')))).toMatchObject({
      code: 'run_not_found',
      rule: 'ADM-TR-01',
    });
  });
  it('ADM-TR-01 accepts one that it holds', async () => {
    const { controller, player } = await run(standard, []);
    expect(await outcomeOf(controller.nextAction(player.runId))).toEqual({ ok: true });
  });
  it('ADM-TR-15 refuses an artifact that the run does not hold', async () => {
    const { controller, player } = await run(standard, []);
    expect(refused(await outcomeOf(controller.artifact(player.runId, 'frame-01')))).toMatchObject({
      code: 'artifact_not_found',
      rule: 'ADM-TR-15',
    });
  });
  it('ADM-TR-15 accepts one that it holds', async () => {
    const { controller, player } = await run(standard, []);
    expect(await outcomeOf(controller.artifact(player.runId, player.runId))).toEqual({ ok: true });
  });
  it('ADM-COM-03 refuses a body that breaks its schema, with every finding', async () => {
    const { player } = await run(standard, ['GROUND']);
    const product = await player.product('ProblemFrame');
    if (!product) throw new Error('A frame can be written.');
    const failure = refused(await player.submit({ ...product, body: { ...product.body, goal: 7, scope: 'all' } }));
    expect(failure.code).toBe('invalid_body');
    expect(failure.issues.map(({ path }) => path).toSorted()).toEqual(['goal', 'scope']);
    expect(failure.issues.every(({ code }) => code.startsWith('SCH-'))).toBe(true);
  });
  it('ADM-COM-03 accepts one that satisfies it', async () => {
    const { player } = await run(standard, ['GROUND']);
    expect(await player.play('ProblemFrame')).toEqual({ ok: true });
  });
  it('ADM-COM-14 refuses the second of two writers at one version, and nothing of it is stored', async () => {
    const { world, player, ledger } = await run(standard, ['GROUND']);
    const before = ledger.run(player.runId);
    const other = world.open();
    // What another process commits between our reading and our writing.
    await outcomeOf(other.controller.cancel(player.token()));
    if (!before) throw new Error('The run is stored.');
    const late = {
      runId: player.runId,
      expectedHead: before.head,
      event: { type: 'user.cancel', at: before.context.updatedAt, payload: null },
      run: { context: before.context, snapshot: before.snapshot, machineVersion: before.machineVersion },
      artifacts: [],
      trace: [],
    };
    const image = world.imageOf(player.runId);
    expect(ledger.commit(late)).toBe(false);
    expect(world.imageOf(player.runId)).toEqual(image);
  });
  it('ADM-COM-14 accepts one of two that are sent at once, and tells the other that its token is stale', async () => {
    const { world, controller, player } = await run(standard, ['GROUND']);
    const token = player.token();
    const both = await Promise.all([
      outcomeOf(controller.cancel(token)),
      outcomeOf(world.open().controller.ground(token)),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.flatMap((one) => (one.ok ? [] : [one.kind]))).toEqual(['stale']);
  });
  it('ADM-ESC-04 refuses to store an audit that rests on the word of the user, and moves the run', async () => {
    const { player } = await run(standard, toAudit);
    const before = player.stored();
    const failure = refused(await player.play('ReleaseAudit user-reported'));
    const { context, artifactCount } = player.stored();
    expect(failure).toMatchObject({
      code: 'run_escalated',
      kind: 'moved',
      rule: 'ADM-ESC-04',
      current: { version: before.context.version + 1 },
    });
    expect([context.topology, context.phase, artifactCount]).toEqual([
      'forensic',
      'agent_5_audit',
      before.artifactCount,
    ]);
  });
  it('ADM-ESC-04 accepts the audit of a forensic run, whose ladder ends there', async () => {
    const { player } = await run(standard, toAudit);
    const product = await player.product('ReleaseAudit user-reported');
    if (!product) throw new Error('An audit can be written.');
    refused(await player.submit(product));
    expect(await player.submit(product)).toEqual({ ok: true });
    expect(player.stored().context.phase).toBe('agent_5_report');
  });
});

describe('the ladder of topologies, on the edges of the machine', () => {
  const climbing: readonly Pair[] = [
    ['report_only', 'micro'],
    ['fix_only', 'micro'],
    ['report_only', 'standard'],
    ['analyze_and_fix', 'forensic'],
  ];
  type Edge = Readonly<{ from: RunContext; to: RunContext }>;
  let inner: readonly Edge[] = [];
  beforeAll(() => {
    const edges = climbing
      .map(exploreRun)
      .flatMap((graph) =>
        [...graph.edges.entries()].flatMap(([from, list]) =>
          list.map(({ to }) => ({ from: graph.states.get(from)?.context, to: graph.states.get(to)?.context })),
        ),
      );
    // A terminal state stands for every way to it, so that nothing can be compared there.
    inner = edges.flatMap(({ from, to }) => (from && to && to.status === 'running' ? [{ from, to }] : []));
  });

  it('ADM-ESC-01 leads to another topology with each escalation, and changes none without one', () => {
    const lifted = inner.filter(({ from, to }) => to.escalations !== from.escalations);
    expect(lifted.length).toBeGreaterThan(0);
    expect(lifted.filter(({ from, to }) => from.topology === to.topology)).toEqual([]);
    expect(
      inner.filter(({ from, to }) => from.escalations === to.escalations && from.topology !== to.topology),
    ).toEqual([]);
  });
  it('ADM-ESC-02 never leaves forensic', () => {
    expect(inner.filter(({ from, to }) => from.topology === 'forensic' && to.topology !== 'forensic')).toEqual([]);
  });
  it('ADM-ESC-03 goes up twice at most', () => {
    expect(Math.max(...inner.map(({ to }) => to.escalations))).toBe(2);
  });
});

describe('companions', () => {
  const reviewed = async (pair: Pair) => {
    const { player } = await run(
      pair,
      pair[1] === 'micro' ? ['GROUND', 'ProblemFrame', 'QualityReview pass'] : toAudit,
    );
    return player.record().all('ReceiptAudit');
  };

  it.each(['micro', 'standard'] as const)(
    'ADM-RECEIPT-01 comes with the first passing review in %s',
    async (topology) => {
      expect(await reviewed(['report_only', topology])).toHaveLength(1);
    },
  );
  it('ADM-RECEIPT-01 never comes in forensic', async () => {
    expect(await reviewed(['report_only', 'forensic'])).toEqual([]);
  });
  it('ADM-RECEIPT-02 gives each criterion a claim of its own', async () => {
    const [receipt] = await reviewed(['report_only', 'micro']);
    const claims = receipt?.body.claimEvidenceMatrix.map(({ claimId, criterionIds }) => [claimId, criterionIds]);
    expect(claims).toEqual([['claim-AC-answer', ['AC-answer']]]);
  });
  it('ADM-RECEIPT-03 is verified, since the digests of what the review cites hold', async () => {
    const [receipt] = await reviewed(['report_only', 'micro']);
    expect(receipt?.body.digestStatus).toBe('verified');
  });
  it('ADM-PACK-03 takes the next free ids beside artifacts that took the first', () => {
    const { run: context, record } = begun({ mode: 'report_only', originalRequest: 'Say hello.' });
    const taken = withArtifacts(record, artifact('Evidence', 'contract-01'), artifact('Evidence', 'plan-01'));
    const { contract, plan } = microPack(context, taken, artifact('ProblemFrame', 'contract-02'), context.updatedAt);
    expect([contract.id, plan.id]).toEqual(['contract-03', 'plan-02']);
  });
});

describe('metadata', () => {
  const read = (type: 'ScenarioSpec' | 'Evidence') => {
    const { run: context, record } = begun({ mode: 'plan_only' });
    const body = sample(type);
    const submission = { type, from: 'host' as const, body, sourceRefs: [], targets: {} };
    return { body, stored: caseOf(context, record, submission, context.updatedAt).dossier?.artifact };
  };

  it('ADM-SCEN-02 derives the metadata of a presentation from its body', () => {
    const { body, stored } = read('ScenarioSpec');
    expect(stored).toMatchObject({ producer: 'scenario_author', id: body.id, runId: body.runId });
  });
  it('ADM-EVID-02 derives the metadata of Evidence from its body', () => {
    const { body, stored } = read('Evidence');
    expect(stored).toMatchObject({ producer: 'executor', id: body.id, runId: body.runId });
  });
  it('ADM-COM-17 leaves every artifact without a redaction of its own', () => {
    expect(read('Evidence').stored?.redaction).toBe('none');
  });
});

describe('the kinds of Evidence', () => {
  it.each<RuledType>(['WorkResult', 'QualityReview', 'ReleaseAudit', 'UserReport'])(
    'are judged for a %s, after the rules of its type',
    (type) => {
      const own = entriesFor(type).filter(({ part }) => part === 'own');
      const kinds = own.slice(-8).map(({ code }) => code);
      expect(kinds.filter((code) => code.startsWith('ADM-KIND-'))).toEqual(kinds);
      expect(kinds.length).toBeGreaterThan(0);
    },
  );
});

describe('what the next action is told from', () => {
  const told = (call: () => unknown): ProjectionError => {
    try {
      call();
    } catch (error) {
      if (error instanceof ProjectionError) return error;
      throw error;
    }
    throw new Error('An action was told.');
  };
  const analysis = begun({ mode: 'analyze_only', denied: ['repository.read'] });

  it('ADM-INT-02 refuses to tell it without the envelope', () => {
    const failure = told(() => projectNextAction(analysis.run, emptyRecord(runId)));
    expect([failure.code, failure.refusal]).toEqual(['ADM-INT-02', 'integrity_failed']);
  });
  it('ADM-INT-05 refuses a reading list of more than 256', () => {
    const results = Array.from({ length: 256 }, (_, at) => artifact('WorkResult', `result-${at}`));
    const record = withArtifacts(analysis.record, artifact('WorkPlan', 'plan-01'), ...results);
    const failure = told(() => inputRefsOf(record, 'agent_3_review'));
    expect([failure.code, failure.refusal]).toEqual(['ADM-INT-05', 'quota_exceeded']);
  });
  it('ADM-INT-06 refuses a node that may do more than the run', () => {
    const plan = sample('WorkPlan');
    const [node] = plan.nodes;
    if (!node) throw new Error('A plan has a node.');
    const permissions: PermissionSet = { ...node.permissions, repository: { read: ['**'], write: ['**'], delete: [] } };
    const record = withArtifacts(
      analysis.record,
      artifact('WorkPlan', 'plan-01', { nodes: [{ ...node, dependsOn: [], permissions }] }),
    );
    const failure = told(() => projectNextAction({ ...analysis.run, phase: 'agent_4_execute' }, record));
    expect([failure.code, failure.refusal]).toEqual(['ADM-INT-06', 'integrity_failed']);
  });
  it('ADM-INT-07 refuses to tell a question that is lost', () => {
    const failure = told(() =>
      projectNextAction({ ...analysis.run, status: 'awaiting_clarification' }, analysis.record),
    );
    expect([failure.code, failure.refusal]).toEqual(['ADM-INT-07', 'integrity_failed']);
  });
  it('names a question that is there', () => {
    const record = withArtifacts(analysis.record, artifact('ClarificationRequest', 'question-01'));
    expect(projectNextAction({ ...analysis.run, status: 'awaiting_clarification' }, record)).toMatchObject({
      clarificationRequestRef: uri('question-01'),
    });
  });
});

describe('what the ledger keeps', () => {
  /** Changes a ledger behind its back. */
  const tamper = (world: World, change: (db: Sqlite.Database) => void): void => {
    const db = new Sqlite(world.state.database);
    db.pragma('foreign_keys = OFF');
    for (const trigger of db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).pluck().all())
      db.exec(`DROP TRIGGER ${String(trigger)}`);
    change(db);
    db.close();
  };

  /** A framed run whose stored body of one artifact was replaced by another one, digest and all. */
  const replaced = async (id: (player: Player) => string, change: (body: Record<string, unknown>) => unknown) => {
    const { world, player } = await run(standard, ['GROUND', 'ProblemFrame', 'TaskContract v1']);
    const stored = player.record().get(id(player));
    const text = canonicalJson(change({ ...stored?.body }));
    tamper(world, (db) => {
      db.prepare('INSERT OR IGNORE INTO bodies VALUES (?, ?)').run(digestOfText(text), text);
      db.prepare('UPDATE artifacts SET sha256 = ? WHERE id = ?').run(digestOfText(text), id(player));
    });
    return { world, player, call: () => world.open().controller.nextAction(player.runId) };
  };
  const refusal = async (call: () => Promise<unknown>): Promise<string> => {
    try {
      await call();
    } catch (error) {
      if (error instanceof LedgerError) return error.code;
      throw error;
    }
    return 'taken';
  };
  const contractOf = (player: Player): string => player.record().latest('TaskContract')?.id ?? '';

  it('reads a run that nobody changed', async () => {
    const { call } = await replaced(contractOf, (body) => body);
    expect(await refusal(call)).toBe('taken');
  });
  it('ADM-INT-01 refuses a run whose envelope names no request', async () => {
    const { call } = await replaced(
      ({ runId: id }) => id,
      ({ originalRequestRef: _, ...rest }) => rest,
    );
    expect(await refusal(call)).toBe('incompatible');
  });
  it('ADM-INT-03 refuses a run with a body that is no object', async () => {
    const { call } = await replaced(contractOf, () => ['no object']);
    expect(await refusal(call)).toBe('incompatible');
  });
  it('ADM-INT-04 refuses a run with a permission set that is none', async () => {
    const { call } = await replaced(contractOf, (body) => ({ ...body, permissions: 'everything' }));
    expect(await refusal(call)).toBe('incompatible');
  });
  it('ADM-INT-08 refuses a run with a body that does not have its digest, and leaves it as it is', async () => {
    const { world, player } = await run(standard, ['GROUND', 'ProblemFrame']);
    const { sha256 = '' } = player.record().latest('ProblemFrame') ?? {};
    tamper(world, (db) => db.prepare(`UPDATE bodies SET body = '{}' WHERE sha256 = ?`).run(sha256));
    const image = world.imageOf(player.runId);
    const other = world.open();
    expect(await refusal(() => other.controller.nextAction(player.runId))).toBe('integrity_failed');
    expect(await refusal(() => other.controller.cancel(player.token()))).toBe('integrity_failed');
    expect(world.imageOf(player.runId)).toEqual(image);
  });
  it('ADM-INT-09 refuses a run of another schema version', async () => {
    const { world, player } = await run(standard, []);
    tamper(world, (db) => db.prepare(`UPDATE runs SET schema_version = '0.9'`).run());
    expect(await refusal(() => world.open().controller.nextAction(player.runId))).toBe('incompatible');
  });

  const breach = (place: (world: World) => string): string => {
    const { world } = bench();
    try {
      checkStateDirectory(locateStateDirectory({ TELIC_STATE_DIR: place(world) }, world.root));
    } catch (error) {
      if (error instanceof LedgerError) return error.code;
      throw error;
    }
    return 'taken';
  };
  it('ADM-COM-18 refuses a state directory inside the repository, around it, or behind a link', () => {
    expect(breach(({ root }) => join(root, 'state'))).toBe('invalid_arguments');
    expect(breach(({ root }) => dirname(root))).toBe('invalid_arguments');
    const linked = breach(({ root }) => {
      mkdirSync(join(dirname(root), 'elsewhere'));
      symlinkSync(join(dirname(root), 'elsewhere'), join(dirname(root), 'link'));
      return join(dirname(root), 'link');
    });
    expect(linked).toBe('invalid_arguments');
  });
  it('ADM-COM-18 accepts one beside it', () => {
    expect(breach(({ root }) => join(dirname(root), 'beside'))).toBe('taken');
  });
});
