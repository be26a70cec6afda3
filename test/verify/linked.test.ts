import { describe, expect, it } from 'vitest';
import { bundleOf, verifyBundle } from '../../src/controller/verifyBundle.ts';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { writeBundle } from '../../src/ledger/bundle.ts';
import { startOf } from '../everyRun/starts.ts';
import { playerOf } from '../law/player.ts';
import { bed, inWorld, play, tamper, whole } from './bed.ts';

/** A run that cites Evidence of the run before it. */
const followUp = async () => {
  const world = bed();
  const session = world.open();
  const { controller, ledger } = session;
  const prior = await play(session, whole);
  const evidence = ledger.artifacts(prior.runId, 0).find(({ type }) => type === 'Evidence');
  const ref = `artifact://${prior.runId}/${evidence?.id}`;
  const { run } = await controller.start({
    ...startOf(['analyze_only', 'standard']),
    priorRunId: prior.runId,
  });
  const player = playerOf(controller, ledger, run.runId);
  expect(await player.play('GROUND')).toEqual({ ok: true });
  const frame = await player.product('ProblemFrame');
  if (!frame) throw new Error('no frame');
  expect(await player.submit({ ...frame, sourceRefs: [...(frame.sourceRefs ?? []), ref] })).toEqual({ ok: true });
  expect(ledger.artifacts(run.runId, 0).findLast(({ type }) => type === 'ProblemFrame')?.sourceRefs).toContain(ref);
  return { world, session, prior: prior.runId, runId: run.runId, evidenceId: evidence?.id ?? '' };
};

describe('a run that cites the run before it', () => {
  it('comes out again', async () => {
    const { session, runId } = await followUp();
    expect(verifyRun(session.ledger, runId)).toMatchObject({ differences: [], notJudged: [] });
  });

  it('takes what it cites along in its bundle', async () => {
    const { session, runId, prior, evidenceId } = await followUp();
    const { ledger } = session;
    const history = ledger.history(runId);
    if (!history) throw new Error('no run');
    const bundle = bundleOf(ledger, history, prior);
    expect(bundle.linked?.artifacts.map(({ meta }) => meta.id)).toEqual([evidenceId]);
    expect(verifyBundle(writeBundle(bundle))).toMatchObject({ differences: [], notJudged: [] });
    const without = verifyBundle(writeBundle({ history, linked: null }));
    expect(without).toMatchObject({ differences: [], notJudged: [{ sequence: 3 }] });
  });

  it('is not judged beyond the citation when the run before it was deleted, and nothing is held against it', async () => {
    const { world, session, runId, prior } = await followUp();
    session.controller.close();
    expect(await inWorld(world, 'delete', prior, '--yes')).toMatchObject({ exit: 0 });
    const said = await inWorld(world, 'verify', runId);
    expect(said.exit).toBe(0);
    expect(JSON.parse(said.out)).toMatchObject({
      ok: true,
      differences: [],
      notJudged: [{ runId, sequence: 3, why: expect.stringContaining(prior) }],
    });
    const { controller } = world.open();
    expect((await controller.replay(runId)).report).toMatchObject({
      consistent: false,
      differences: [{ sequence: 3, kind: 'not_judged' }],
    });
  });

  it('is not judged beyond the citation when what it cites is damaged, and the damage is named where it is', async () => {
    const { world, session, runId, prior, evidenceId } = await followUp();
    session.controller.close();
    tamper(world, (db) => {
      db.prepare(
        `UPDATE bodies SET body = '{}' WHERE sha256 = (SELECT sha256 FROM artifacts WHERE run_id = ? AND id = ?)`,
      ).run(prior, evidenceId);
    });
    const { ledger } = world.open();
    expect(verifyRun(ledger, runId)).toMatchObject({ differences: [], notJudged: [{ sequence: 3 }] });
    expect(verifyRun(ledger, prior).differences).toContainEqual(
      expect.objectContaining({ kind: 'body', artifactId: evidenceId }),
    );
  });
});
