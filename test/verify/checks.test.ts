import { describe, expect, it } from 'vitest';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { startOf } from '../everyRun/starts.ts';
import { begin, playerOf } from '../law/player.ts';
import { bed, open, play, rechain, tamper } from './bed.ts';

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

describe('the checks of a run', () => {
  it('come out again, also those whose target was not kept', async () => {
    const world = bed();
    const session = world.open();
    const { controller, ledger } = session;
    const player = await play(session, open);
    for (const [capability, target] of [
      ['repository.read', 'README.md'],
      ['repository.read', `src/${secret}`],
      ['repository.read', '../outside'],
      ['repository.write', 'README.md'],
      ['shell.inspect', 'git.status'],
      ['network.read', `https://example.org/?token=${secret}`],
      [secret, 'README.md'],
      ['no.such.thing', undefined],
    ] as const)
      await controller.check({ ...player.token(), capability, target });
    expect(JSON.stringify(ledger.history(player.runId))).not.toContain(secret);
    expect(verifyRun(ledger, player.runId)).toMatchObject({ differences: [], notJudged: [], events: 14 });
  });

  it('of sub-agents are counted in another process as in the one that made them', async () => {
    const world = bed();
    const { controller, ledger } = world.open();
    const start = startOf(['analyze_only', 'forensic']);
    const player = await begin(controller, ledger, {
      ...start,
      nativeSubagents: 'available',
      hostCapabilities: [...(start.hostCapabilities ?? []), 'subagent.spawn'],
      authorizationGranted: ['repository.read', 'shell.inspect', 'subagent.spawn'],
    });
    const ask = async (by: typeof controller): Promise<boolean> =>
      (await by.check({ ...player.token(), capability: 'subagent.spawn', target: 'reader' })).decision.allowed;
    const answers: boolean[] = [];
    for (let count = 0; count < 20; count += 1)
      answers.push(await ask(count % 2 === 0 ? controller : world.open().controller));
    const allowed = answers.filter((answer) => answer).length;
    expect(allowed).toBeGreaterThan(0);
    expect(answers).toEqual([...Array(allowed).fill(true), ...Array(20 - allowed).fill(false)]);
    expect(verifyRun(ledger, player.runId)).toMatchObject({ differences: [], notJudged: [] });
    await player.play('GROUND');
    await player.play('ProblemFrame');
    expect(await ask(controller)).toBe(true);
    expect(verifyRun(world.open().ledger, player.runId)).toMatchObject({ differences: [], notJudged: [] });
  });

  it('that say another decision than the machine are named', async () => {
    const world = bed();
    const session = world.open();
    const player = await play(session, open);
    await session.controller.check({ ...player.token(), capability: 'repository.write', target: 'README.md' });
    session.controller.close();
    tamper(world, (db) => {
      db.prepare(
        `UPDATE trace SET entry = json_set(entry, '$.decision.decision', 'allow') WHERE entry ->> 'event' = 'broker_decision'`,
      ).run();
      rechain(db, player.runId);
    });
    const { ledger } = world.open();
    expect(verifyRun(ledger, player.runId).differences).toEqual([
      expect.objectContaining({ sequence: 7, kind: 'trace', expected: expect.stringContaining('deny') }),
    ]);
  });
});

describe('a recorded refusal', () => {
  it('comes out again, and one that moved the run or is none is named', async () => {
    const world = bed();
    const session = world.open();
    const { controller, ledger } = session;
    const player = await play(session, ['GROUND']);
    for (let count = 0; count < 10; count += 1)
      expect(await player.send('ProblemFrame', { body: { count } })).toMatchObject({ ok: false });
    expect(verifyRun(ledger, player.runId)).toMatchObject({ differences: [], events: 10 });
    controller.close();
    tamper(world, (db) => {
      db.prepare(
        `UPDATE trace SET entry = replace(entry, 'transition_denied', 'phase_submitted') WHERE event_sequence = 5`,
      ).run();
      db.prepare('UPDATE runs SET denials = 7').run();
      rechain(db, player.runId);
    });
    const reopened = world.open();
    expect(verifyRun(reopened.ledger, player.runId).differences.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [5, 'unreadable'],
    ]);
    expect(playerOf(reopened.controller, reopened.ledger, player.runId).stored().denials).toBe(7);
  });
});
