import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OrderCase, orderFaults, workOrderRules } from '../../machines/rules/workOrders.ts';
import { RemediationWorkOrder } from '../../schemas/artifacts/quality.ts';
import type { Finding } from '../../schemas/failure.ts';
import { grant } from './executionFixtures.ts';
import { type Call, expectTaught } from './expectTaught.ts';

const reading = grant({ repository: { read: ['**'], write: [], delete: [] } });
const writing = grant({ repository: { read: ['**'], write: ['src/**'], delete: [] } });

const order = {
  criteria: ['AC-1'],
  allowedCapabilities: ['repository.read' as const],
  permissions: reading,
  sourceRefs: ['artifact://run-1/ev-1'],
  maximumToolCalls: 8,
};

const judged = (more: Partial<OrderCase> = {}): OrderCase => ({
  label: 'Remediation order',
  path: 'remediationWorkOrder',
  field: 'failedCriterionIds',
  order,
  allowedCriteria: ['AC-1', 'AC-2'],
  all: false,
  executable: true,
  contract: writing,
  authorized: writing,
  eligible: new Set(['artifact://run-1/ev-1']),
  sources: 'Evidence of this run',
  following: null,
  ...more,
});

const Sent = z.object({
  body: z.object({
    // Lists of any length: what the schema says of an empty one is not asked here.
    remediationWorkOrder: RemediationWorkOrder.pick({
      allowedCapabilities: true,
      permissions: true,
      maximumToolCalls: true,
    }).extend({ failedCriterionIds: z.array(z.string()), sourceRefs: z.array(z.string()) }),
  }),
});

/** What is said of an order; following what it expects must be enough. */
const told = (more: Partial<OrderCase>): readonly unknown[] => {
  const faults = [...orderFaults(judged(more))];
  const sent = more.order === undefined ? order : more.order;
  if (sent) {
    const { criteria, ...rest } = sent;
    const call: Call = { body: { remediationWorkOrder: { ...rest, failedCriterionIds: criteria } } };
    const judge = (one: Call): readonly Finding[] => {
      const { failedCriterionIds, ...read } = Sent.parse(one).body.remediationWorkOrder;
      return [...orderFaults(judged({ ...more, order: { ...read, criteria: failedCriterionIds } }))];
    };
    for (const code of new Set(faults.map((one) => one.code))) expectTaught(code, call, judge);
  }
  return faults.map(({ code, path, expected }) => [code, path, expected]);
};

describe('a work order', () => {
  it('ADM-ORDER-01 accepts an order that keeps every rule', () => expect(told({})).toEqual([]));
  it('ADM-ORDER-01 refuses a decision without its order', () =>
    expect(told({ order: null })).toEqual([['ADM-ORDER-01', 'remediationWorkOrder', undefined]]));

  it('ADM-ORDER-02 refuses foreign and repeated criteria, and none at all', () => {
    const at = 'remediationWorkOrder.failedCriterionIds';
    expect(told({ order: { ...order, criteria: ['AC-1', 'AC-9'] } })).toEqual([['ADM-ORDER-02', at, ['AC-1']]]);
    expect(told({ order: { ...order, criteria: ['AC-2', 'AC-2'] } })).toEqual([['ADM-ORDER-02', at, ['AC-2']]]);
    expect(told({ order: { ...order, criteria: [] } })).toEqual([['ADM-ORDER-02', at, undefined]]);
  });
  it('ADM-ORDER-02 accepts any allowed criteria, each once', () =>
    expect(told({ order: { ...order, criteria: ['AC-2', 'AC-1'] } })).toEqual([]));

  it('ADM-ORDER-03 refuses an order that must name all criteria and leaves one out', () =>
    expect(told({ all: true })).toEqual([
      ['ADM-ORDER-03', 'remediationWorkOrder.failedCriterionIds', ['AC-1', 'AC-2']],
    ]));
  it('ADM-ORDER-03 accepts an order that names all', () =>
    expect(told({ all: true, order: { ...order, criteria: ['AC-2', 'AC-1'] } })).toEqual([]));

  it('ADM-ORDER-04 refuses permissions beyond the contract, and beyond the authority, each once', () => {
    const wide = { ...order, permissions: writing };
    const at = 'remediationWorkOrder.permissions.repository.write';
    expect(told({ order: wide, contract: reading })).toEqual([['ADM-ORDER-04', at, []]]);
    expect(told({ order: wide, authorized: reading })).toEqual([['ADM-ORDER-04', at, []]]);
    expect(told({ order: wide, contract: reading, authorized: reading })).toEqual([['ADM-ORDER-04', at, []]]);
  });
  it('ADM-ORDER-04 accepts permissions inside both', () =>
    expect(told({ order: { ...order, permissions: writing } })).toEqual([]));

  it('ADM-ORDER-05 refuses an order without capability where a node must carry it out', () =>
    expect(told({ order: { ...order, allowedCapabilities: [] } })).toEqual([
      ['ADM-ORDER-05', 'remediationWorkOrder.allowedCapabilities', ['repository.read']],
    ]));
  it('ADM-ORDER-05 accepts one where nothing is executed', () =>
    expect(told({ order: { ...order, allowedCapabilities: [] }, executable: false })).toEqual([]));

  it('ADM-ORDER-06 refuses a capability without permission behind it', () =>
    expect(told({ order: { ...order, allowedCapabilities: ['repository.read', 'repository.write'] } })).toEqual([
      ['ADM-ORDER-06', 'remediationWorkOrder.allowedCapabilities', ['repository.read']],
    ]));
  it('ADM-ORDER-06 accepts a capability that the order backs', () =>
    expect(
      told({
        order: { ...order, permissions: writing, allowedCapabilities: ['repository.read', 'repository.write'] },
      }),
    ).toEqual([]));

  it('ADM-ORDER-07 refuses sources that are none of the eligible ones', () =>
    expect(told({ order: { ...order, sourceRefs: ['artifact://run-1/contract-01'] } })).toEqual([
      ['ADM-ORDER-07', 'remediationWorkOrder.sourceRefs', ['artifact://run-1/contract-01', 'artifact://run-1/ev-1']],
    ]));
  it('ADM-ORDER-07 accepts one eligible source among others', () =>
    expect(
      told({ order: { ...order, sourceRefs: ['artifact://run-1/contract-01', 'artifact://run-1/ev-1'] } }),
    ).toEqual([]));

  it('tells every fault of one order', () =>
    expect(
      told({
        all: true,
        order: {
          ...order,
          criteria: ['AC-9'],
          permissions: writing,
          allowedCapabilities: ['shell.inspect'],
          sourceRefs: [],
        },
        contract: reading,
      }).map((one) => (Array.isArray(one) ? one[0] : one)),
    ).toEqual(['ADM-ORDER-02', 'ADM-ORDER-03', 'ADM-ORDER-04', 'ADM-ORDER-06', 'ADM-ORDER-07']));

  it('has a sentence in the book for each row', () =>
    expect(workOrderRules.map(({ code }) => code)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `ADM-ORDER-0${n}`)));
});
