import { describe, expect, it } from 'vitest';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { emptyRecord } from '../../machines/record.ts';
import {
  controlOf,
  effectiveFor,
  envelopeOf,
  isUnlocked,
  nodesRemainAfter,
  originalRequestRef,
  pendingNode,
  reservedCalls,
  resultsOf,
} from '../../machines/rules/derived.ts';
import {
  audit,
  audited,
  defect,
  fixed,
  fixPlan,
  fixReview,
  granted,
  node,
  plan,
  planned,
  planOf,
  recordOf,
  remediating,
  result,
  reviewed,
  start,
  unlocked,
  worked,
} from './executionFixtures.ts';
import { own, runId, stored } from './fixtures.ts';

describe('what is derived from the record', () => {
  it('reads the request and the envelope, and nothing from an empty record', () => {
    const record = recordOf(start('fix_only'));
    expect(originalRequestRef(record)).toBe(own('msg-01'));
    expect(envelopeOf(record)?.body.requestedMode).toBe('fix_only');
    expect(originalRequestRef(emptyRecord(runId))).toBeUndefined();
  });

  it('narrows the grant by the mode, and grants nothing without an envelope', () => {
    const record = recordOf(start('analyze_and_fix'));
    expect(effectiveFor(record, 'analyze_and_fix')).toEqual(granted);
    expect(effectiveFor(record, 'analyze_only').repository.write).toEqual([]);
    expect(effectiveFor(emptyRecord(runId), 'fix_only')).toEqual(emptyPermissions());
  });

  it('takes the review or the audit that was stored last as the control', () => {
    expect(controlOf(recordOf(planned('fix_only')))).toBeNull();
    expect(controlOf(recordOf(reviewed('fix_only')))).toMatchObject({ kind: 'none', order: null });
    expect(controlOf(recordOf(reviewed('analyze_and_fix')))).toMatchObject({
      kind: 'correcting',
      ref: own('quality-01'),
      order: { criteria: ['AC-2'], maximumToolCalls: 20 },
    });
    expect(controlOf(recordOf([...worked('fix_only'), ['QualityReview', remediating('fix_only')]]))).toMatchObject({
      kind: 'remediating',
      order: { criteria: ['AC-1'] },
    });
    const sentBack = audit('fix_only', { decision: 'remediate', remediationDefect: defect(), userReportRef: null });
    expect(controlOf(recordOf([...reviewed('fix_only'), ['ReleaseAudit', sentBack]]))).toMatchObject({
      kind: 'remediating',
      ref: own('audit-01'),
      order: { criteria: ['AC-1'] },
    });
    expect(controlOf(recordOf([...audited('fix_only'), ['QualityReview', fixReview()]]))).toMatchObject({
      ref: own('quality-02'),
    });
  });

  it('unlocks the fix by a plan whose every node follows the proceed_to_fix review', () => {
    expect(isUnlocked(recordOf(reviewed('analyze_and_fix')), 'analyze_and_fix')).toBe(false);
    expect(isUnlocked(recordOf(unlocked), 'analyze_and_fix')).toBe(true);
    expect(isUnlocked(recordOf(unlocked), 'fix_only')).toBe(false);
    const half = fixPlan();
    half.nodes.push(node('loose', ['repository.read'], ['AC-2']));
    expect(isUnlocked(recordOf([...reviewed('analyze_and_fix'), ['WorkPlan', half]]), 'analyze_and_fix')).toBe(false);
    expect(
      isUnlocked(
        recordOf([...reviewed('analyze_and_fix'), ['WorkPlan', plan('analyze_and_fix', { id: 'plan-02' })]]),
        'analyze_and_fix',
      ),
    ).toBe(false);
  });

  it('gives the turn to the first node in plan order whose dependencies have completed', () => {
    const nodes = [
      node('b', ['repository.read'], ['AC-1'], { dependsOn: ['a'] }),
      node('c', ['repository.read'], ['AC-1']),
      node('a', ['repository.read'], ['AC-2']),
    ];
    const steps = [...start('analyze_only'), ['WorkPlan', planOf(nodes)]] as const;
    const stepOf = (id: string, nodeId: string, status: string) =>
      ['WorkResult', result('analyze_only', { id, nodeId, status })] as const;
    expect(pendingNode(recordOf(steps))?.id).toBe('c');
    const one = [...steps, stepOf('r-1', 'c', 'completed')];
    expect(pendingNode(recordOf(one))?.id).toBe('a');
    expect(pendingNode(recordOf([...one, stepOf('r-2', 'a', 'completed')]))?.id).toBe('b');
    expect(pendingNode(recordOf([...one, stepOf('r-2', 'a', 'partial')]))).toBeNull();
    expect(pendingNode(recordOf(start('analyze_only')))).toBeNull();
  });

  it('knows whether nodes remain after a result, and counts the results of one plan alone', () => {
    const nodes = [node('look', ['repository.read'], ['AC-1']), node('more', ['repository.read'], ['AC-2'])];
    const record = recordOf([...start('analyze_only'), ['WorkPlan', planOf(nodes)]]);
    const body = stored('WorkResult', result('analyze_only')).body;
    expect(nodesRemainAfter(record, body)).toBe(true);
    const later = recordOf([
      ...start('analyze_only'),
      ['WorkPlan', planOf(nodes)],
      ['WorkResult', result('analyze_only')],
    ]);
    expect(nodesRemainAfter(later, { ...body, nodeId: 'more' })).toBe(false);
    const both = recordOf(fixed);
    expect(both.all('WorkPlan').map((one) => resultsOf(both, one).map(({ id }) => id))).toEqual([
      ['result-01'],
      ['result-02'],
    ]);
  });

  it('sums the reservations of every plan, replaced ones included', () => {
    expect(reservedCalls(recordOf(start('fix_only')))).toBe(0);
    expect(reservedCalls(recordOf(unlocked))).toBe(16);
  });
});
