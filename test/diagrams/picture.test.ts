import { describe, expect, it } from 'vitest';
import { type DiagramName, diagramNames, outlineNamed } from '../../machines/diagrams/index.ts';
import { allStates, doneEvent, type OutlineState } from '../../machines/diagrams/outline.ts';
import { allBoxes, type Picture, pictureOf } from '../../machines/diagrams/picture.ts';

const picture = (name: DiagramName): Picture => pictureOf(outlineNamed(name), name);

const rowsOf = ({ arrows }: Picture): readonly string[] =>
  arrows.flatMap(({ from, to, lines }) =>
    lines.map(({ when, does }) => `${from} > ${to} | ${when} | ${does.join(', ')}`),
  );

/** States whose rows a picture tells one by one: not the inside of a phase that is drawn closed. */
const toldStates = (state: OutlineState): readonly OutlineState[] =>
  state.rows.some(({ event }) => event === doneEvent) ? [state] : [state, ...state.states.flatMap(toldStates)];

describe('the picture of the run machine', () => {
  // The routing table of run-machine section 5: where a phase leads, when, and what it costs.
  it.each([
    ['G1', 'working.ground > working.frame |  | '],
    ['F1', 'working.frame > working.contract.compile |  | '],
    ['F2', 'working.frame > working.execute | micro, executes | record pack, packed'],
    ['F3', 'working.frame > working.quality.review | micro | record pack, packed'],
    ['C1, C3', 'working.contract.done > working.review |  | '],
    ['V1', 'working.review > working.plan | pass | '],
    ['V2', 'working.review > working.contract.revise | revise, revisable | spend revisions'],
    ['V3, V4', 'working.review > report |  | block review'],
    ['P1', 'working.plan > working.execute | executes | planned'],
    ['P2', 'working.plan > working.quality.review |  | planned'],
    ['X2', 'working.execute > working.quality.review | done | executed nodesCompleted'],
    ['X3', 'working.execute > working.quality.review |  | executed not nodesCompleted'],
    ['M3', 'working.quality.done > working.review | micro, partial | record spotPartial, lift standard'],
    ['Q4', 'working.quality.done > working.plan | remediate | spend remediations'],
    ['Q6', 'working.quality.done > working.plan | proceed_to_fix | setGate issued'],
    ['Q1 to Q3', 'working.quality.done > working.quality.reverify | forensic, not reverifying | settleByReview'],
    ['K0', 'working.any > clarification | not asked | step, note, record question, ask'],
    ['K1', 'clarification > working.resume | resume | '],
    ['K2, K3', 'clarification > terminal.cancelled |  | record cancelled'],
    ['K4', 'working.any > report |  | step, note, record furtherQuestion, block question'],
    ['A1', 'audit > report | release | settle completed'],
    ['A4', 'audit > working.plan | remediate | spend remediations, settle nothing'],
    [
      'A6',
      'audit > audit | user_reported | record userReportedAudit, lift forensic, moved STANDARD_USER_REPORTED_CLAIMS',
    ],
    ['U1', 'report > terminal.completed | completed | record completed'],
    ['U3', 'report > terminal.failed_verification | failed_verification | record failedVerification'],
    [
      'U5',
      'report > working.review | user_reported | record userReportedReport, lift standard, settle nothing, moved MICRO_USER_REPORTED',
    ],
    ['Z1', 'any > terminal.cancelled |  | step, record cancel'],
  ])('shows row %s', (_, row) => {
    const [from, rest = ''] = row.split(' > ');
    expect(rowsOf(picture('run'))).toContain(`run.${from} > run.${rest}`);
  });

  it('starts where a run starts', () => {
    expect(picture('run').start).toBe('run.working.ground');
  });
});

describe('the picture of a phase', () => {
  it('tells the refusals of its state in their order, each once', () => {
    const [open] = allBoxes(picture('audit').root).filter(({ id }) => id === 'audit.open');
    expect(open?.staying).toHaveLength(1);
    const refuses = open?.staying[0]?.refuses ?? [];
    expect(refuses.map(({ when }) => when)).toContain('breaksRule');
    const orders = refuses.map(({ order }) => order ?? 0);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    expect(new Set(refuses.map(({ when }) => when)).size).toBe(refuses.length);
  });

  it('shows where the escalation of an audit stands: after the common rules, before those of the type', () => {
    const audit = picture('audit');
    const orderOf = (name: string): number =>
      allBoxes(audit.root)
        .flatMap(({ staying }) => staying.flatMap(({ refuses }) => refuses))
        .find(({ when }) => when === name)?.order ?? Number.NaN;
    const escalation = audit.arrows.find(({ to }) => to === 'audit.user_reported')?.lines[0]?.order ?? Number.NaN;
    expect(escalation).toBeGreaterThan(orderOf('breaksCommonRule'));
    expect(escalation).toBeLessThan(orderOf('breaksRule'));
  });

  it.each([
    ['contract.compile', 'submit.ScenarioSpec'],
    ['execute.open', 'submit.Evidence'],
  ])('shows that %s takes a supporting artifact on the spot', (id, event) => {
    const name = id === 'execute.open' ? 'execute' : 'contract';
    const box = allBoxes(picture(name).root).find((candidate) => candidate.id === id);
    expect(box?.staying.find((staying) => staying.event === event)?.takes.map(({ does }) => does)).toEqual([
      ['record'],
    ]);
  });
});

describe('every picture', () => {
  it.each(diagramNames)('of %s leads only from box to box', (name) => {
    const { root, arrows, start } = picture(name);
    const ids = new Set(allBoxes(root).map(({ id }) => id));
    const ends = [start, ...arrows.flatMap(({ from, to }) => [from, to])];
    expect(ends.filter((id) => !ids.has(id))).toEqual([]);
  });

  it.each(diagramNames)('of %s tells each row that moves exactly once, and each that stays exactly once', (name) => {
    const { root, arrows } = picture(name);
    const rows = toldStates(outlineNamed(name)).flatMap((state) => state.rows);
    const moving = rows.filter(({ targets }) => targets.length > 0);
    expect(arrows.flatMap(({ lines }) => lines)).toHaveLength(moving.length);
    const staying = allBoxes(root).flatMap((box) =>
      box.staying.flatMap(({ refuses, takes }) => [...refuses, ...takes]),
    );
    expect(staying).toHaveLength(rows.length - moving.length);
  });

  it('shows every state but the exits of closed phases', () => {
    const shown = new Set(allBoxes(picture('run').root).map(({ id }) => id));
    const missing = allStates(outlineNamed('run')).filter(({ id }) => !shown.has(id));
    expect(missing.every(({ type, key }) => type === 'final' || key === 'open')).toBe(true);
  });
});
