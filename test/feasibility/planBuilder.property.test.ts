import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseOf } from '../../machines/case.ts';
import { actionIdOf } from '../../machines/context.ts';
import { followingOf } from '../../machines/feasibility/following.ts';
import { buildPlan, draftPlan } from '../../machines/feasibility/planBuilder.ts';
import { questionOfContract } from '../../machines/feasibility/question.ts';
import { verdictOn } from '../../machines/judgement.ts';
import { subset } from '../../machines/permissions/subset.ts';
import { effectiveFor, orderOfAudit, orderOfReview } from '../../machines/rules/derived.ts';
import type { Finding } from '../../schemas/failure.ts';
import type { Body } from '../rules/executionFixtures.ts';
import { at, plus, stored } from '../rules/fixtures.ts';
import { searchPlan } from './search.ts';
import { type World, worlds } from './worlds.ts';

const verdictOf = ({ run, record }: World, body: Body): readonly Finding[] => {
  const submission = { type: 'WorkPlan', from: 'host' as const, body, sourceRefs: [], targets: {} };
  const { shape, common, own } = verdictOn(run, {
    type: 'submit.WorkPlan',
    token: { actionId: actionIdOf(run), expectedVersion: run.version },
    at,
    case: caseOf(run, record, submission, at),
  });
  return [...shape, ...common, ...own];
};

const orderOf = (control: Body): ReturnType<typeof orderOfReview> =>
  'userReportRef' in control ? orderOfAudit(control) : orderOfReview(control);

describe('the plan of any contract, order and budget', () => {
  it('is admitted by every rule as it stands, where there is one', () => {
    let built = 0;
    fc.assert(
      fc.property(worlds, (world) => {
        const answer = draftPlan(world.run, world.record);
        if (!answer.ok) return;
        built += 1;
        expect(verdictOf(world, answer.plan)).toEqual([]);
        for (const { permissions } of answer.plan.nodes)
          expect(subset(permissions, effectiveFor(world.record, world.run.mode))).toBe(true);
      }),
      { numRuns: 600 },
    );
    expect(built).toBeGreaterThan(150);
  });

  it('is built wherever a blind search finds one', () => {
    let searched = 0;
    fc.assert(
      fc.property(worlds, (world) => {
        const answer = draftPlan(world.run, world.record);
        if (answer.ok) return;
        searched += 1;
        expect(searchPlan(world), JSON.stringify(answer.why)).toBeNull();
      }),
      { numRuns: 120 },
    );
    expect(searched).toBeGreaterThan(30);
  }, 120_000);

  it('is found by the search, too, wherever it is built: the search is no blinder than it looks', () => {
    let found = 0;
    let built = 0;
    fc.assert(
      fc.property(worlds, (world) => {
        if (!draftPlan(world.run, world.record).ok) return;
        built += 1;
        if (searchPlan(world)) found += 1;
      }),
      { numRuns: 60 },
    );
    expect(found).toBe(built);
    expect(built).toBeGreaterThan(10);
  }, 120_000);

  it('is refused with reasons that name a place, the fault and a way out', () =>
    fc.assert(
      fc.property(worlds, ({ run, record, contract, order }) => {
        const answer = draftPlan(run, record);
        if (answer.ok) return;
        expect(answer.why).not.toEqual([]);
        for (const { path, message, fix } of answer.why) {
          const top = path.split('.')[0] ?? '';
          expect([...Object.keys(order ?? contract), 'criteria']).toContain(top);
          expect(message).toMatch(/^[^\n]{10,360}[^.\n]$/);
          expect(fix).toMatch(/^[A-Z][^\n]{5,390}\.$/);
          expect(`${message} ${fix}`).not.toMatch(/undefined|NaN|\[object/);
        }
      }),
      { numRuns: 400 },
    ));

  it('follows an order that was judged to be followable, and no other', () => {
    let ordered = 0;
    fc.assert(
      fc.property(worlds, ({ run, record, before, control }) => {
        if (!before || !control) return;
        ordered += 1;
        const correcting = control.decision === 'proceed_to_fix';
        const following = followingOf({ run, record: before, body: control }, orderOf(control), correcting);
        expect(following?.ok).toBe(draftPlan(run, record).ok);
      }),
      { numRuns: 400 },
    );
    expect(ordered).toBeGreaterThan(100);
  });

  it('satisfies a contract that was judged to be plannable, and no other, also under a standing order', () =>
    fc.assert(
      fc.property(worlds, ({ run, record, contract }) => {
        const revised = stored('TaskContract', { ...contract, id: 'contract-02', version: 2 });
        const answer = buildPlan(questionOfContract(run, record, revised.body));
        expect(answer.ok).toBe(draftPlan(run, plus(record, revised)).ok);
        if (answer.ok) return;
        for (const { path } of answer.why) expect(Object.keys(contract)).toContain(path.split('.')[0]);
      }),
      { numRuns: 400 },
    ));
});
