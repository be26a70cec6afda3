import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { uriOf } from '../../machines/record.ts';
import type { Product, StartRequest } from '../../src/sdk/index.ts';
import { write } from '../../src/sdk/scriptedAuthor/move.ts';
import { begin, type Player } from './player.ts';
import { newWorld } from './world.ts';

/** Runs that can show nothing still come to an end that says so (guidance section 3, REF-19). */

const started = async (start: StartRequest): Promise<Player> => {
  const world = newWorld();
  onTestFinished(() => world.close());
  const { controller, ledger } = world.open();
  return begin(controller, ledger, start);
};

const analysis: StartRequest = {
  mode: 'analyze_only',
  originalRequest: 'What does the parser do?',
  hostCapabilities: ['repository.read', 'shell.inspect'],
};

const playAll = async (player: Player, labels: readonly string[]): Promise<void> => {
  for (const label of labels) expect(await player.play(label), label).toEqual({ ok: true });
};

describe('a run whose only result stopped before any Evidence was captured', () => {
  const planned = ['GROUND', 'ProblemFrame', 'TaskContract v1', 'PromptReview pass', 'WorkPlan'];

  it.each([
    ['block', 'block', 'blocked'],
    ['partial', 'partial', 'partial'],
    ['partial', 'partial', 'failed_verification'],
  ] as const)('still reaches a report: review %s, audit %s, report %s', async (review, audit, status) => {
    const player = await started(analysis);
    await playAll(player, planned);
    const stopped = write(player.stand(), { type: 'WorkResult', status: 'blocked', captured: [] });
    expect(await player.submit(stopped)).toEqual({ ok: true });
    expect(player.record().all('Evidence')).toEqual([]);
    await playAll(player, [`QualityReview ${review}`, `ReleaseAudit ${audit}`, `UserReport ${status}`]);
    expect(player.stored().context.status).toBe(status === 'failed_verification' ? 'partial' : status);
    // The gate of the review rests on the result itself, and fails.
    const [result] = player.record().all('WorkResult');
    const gates = player.record().latest('QualityReview')?.body.hardGates;
    expect(gates?.map(({ passed, evidenceRefs }) => [passed, evidenceRefs])).toEqual([
      [false, result ? [uriOf(result)] : []],
    ]);
  });

  it('takes the result for no gate that passed', async () => {
    const player = await started(analysis);
    await playAll(player, planned);
    await player.submit(write(player.stand(), { type: 'WorkResult', status: 'blocked', captured: [] }));
    const honest = write(player.stand(), { type: 'QualityReview', decision: 'partial' });
    const gates = JSON.parse(JSON.stringify(honest.body)).hardGates.map((gate: object) => ({ ...gate, passed: true }));
    const bold: Product = { ...honest, body: { ...honest.body, hardGates: gates } };
    expect(await player.submit(bold)).toMatchObject({ ok: false, rule: 'ADM-REF-19' });
    expect(await player.submit(honest)).toEqual({ ok: true });
  });
});

describe('a start with an empty grant in a mode that executes', () => {
  /** The artifact that the author writes in a twin run with a grant, moved into the run without one. */
  const moved = (twin: Player, player: Player, type: 'ProblemFrame' | 'TaskContract'): Product => {
    const made = write(twin.stand(), { type });
    const [own, other] = [player, twin].map((one) => one.record().latest('UserMessage')?.id ?? '');
    const text = JSON.stringify(made.body)
      .replaceAll(other ?? '', own ?? '')
      .replaceAll(twin.runId, player.runId);
    return { type, body: JSON.parse(text) };
  };

  const framed = async (): Promise<Readonly<{ player: Player; twin: Player }>> => {
    const world = newWorld();
    onTestFinished(() => world.close());
    const { controller, ledger } = world.open();
    const twin = await begin(controller, ledger, analysis);
    const player = await begin(controller, ledger, { ...analysis, authorizationGranted: [] });
    await playAll(player, ['GROUND']);
    await playAll(twin, ['GROUND']);
    expect(await player.submit(moved(twin, player, 'ProblemFrame'))).toEqual({ ok: true });
    await playAll(twin, ['ProblemFrame']);
    return { player, twin };
  };

  it('can have no contract, and is told so with the way out', async () => {
    const { player, twin } = await framed();
    const contract = moved(twin, player, 'TaskContract');
    const modest = {
      ...contract.body,
      contextRefs: ['repo://README.md', 'repo://src/parser.ts'],
      permissions: emptyPermissions(),
    };
    const outcome = await player.submit({ ...contract, body: modest });
    expect(outcome).toMatchObject({ ok: false, rule: 'ADM-CONTRACT-09' });
    const issues = outcome.ok ? [] : outcome.issues;
    expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['ADM-CONTRACT-09']));
    for (const { fix } of issues) expect(fix).toContain('ClarificationRequest of reason permission_expanding');
    // Authority that the run does not have is no way out.
    const bold = { ...modest, permissions: twin.record().latest('RunEnvelope')?.body.authorization.granted };
    expect(await player.submit({ ...contract, body: bold })).toMatchObject({ ok: false, rule: 'ADM-CONTRACT-11' });
    expect(player.stored().context.phase).toBe('agent_2_compile');
  });

  it('ends cancelled when the user starts over with more authority', async () => {
    const { player } = await framed();
    await playAll(player, ['ClarificationRequest first', 'ANSWER new_run']);
    expect(player.stored().context.status).toBe('cancelled');
  });

  it('ends cancelled when the user stops it', async () => {
    const { player } = await framed();
    await playAll(player, ['ClarificationRequest first', 'ANSWER cancel']);
    expect(player.stored().context.status).toBe('cancelled');
  });

  it('ends blocked when the user lets it go on as it is and the question comes again', async () => {
    const { player } = await framed();
    await playAll(player, [
      'ClarificationRequest first',
      'ANSWER resume',
      'ClarificationRequest further',
      'UserReport blocked',
    ]);
    expect(player.stored().context.status).toBe('blocked');
  });
});
