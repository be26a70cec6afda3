import { describe, expect, it } from 'vitest';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { taskContractRules } from '../../machines/rules/taskContract.ts';
import { correctionsOf } from '../../machines/rules/taskContractRevision.ts';
import {
  ask,
  bodies,
  correction,
  house,
  own,
  pair,
  permissions,
  plus,
  query,
  recordUpTo,
  run,
  source,
  stored,
  verification,
} from './fixtures.ts';

const compiling = { run: run({ phase: 'agent_2_compile' }), record: recordUpTo('ProblemFrame') };
const contract = (more: object = {}, given: Parameters<typeof query>[2] = {}) =>
  query('TaskContract', { ...bodies.contract(), ...more }, { ...compiling, ...given });

const reviewed = (findings: object[] = bodies.revising().findings, more: object = {}) =>
  plus(recordUpTo('TaskContract'), stored('PromptReview', { ...bodies.revising(), findings, ...more }));
const revising = (record = reviewed()) => ({
  run: run({ phase: 'agent_2_revise', contractVersion: 1 }),
  record,
  facts: { contractVersion: 2 },
  sourceRefs: [own('contract-01'), own('review-01')],
});
const revised = (more: object = {}, given: object = {}) =>
  query('TaskContract', { ...bodies.revised(), ...more }, { ...revising(), ...given });

describe('rules of the TaskContract', () => {
  pair(
    taskContractRules,
    'ADM-CONTRACT-01',
    [
      'another mode',
      {
        of: contract({
          intentMode: 'fix_only',
          verificationRequirements: [verification('V', 'completion', 'repository.read')],
        }),
        path: 'intentMode',
        says: /fix_only.*analyze_and_fix/,
      },
    ],
    ['the mode of the run', contract()],
  );
  pair(
    taskContractRules,
    'ADM-CONTRACT-02',
    [
      'another frame, and names the field',
      {
        of: contract({ problemFrameRef: own('frame-02') }),
        path: 'problemFrameRef',
        says: /frame-02.*frame-01/,
        mends: true,
      },
    ],
    ['request and frame of the run', contract()],
  );
  it('ADM-CONTRACT-02 refuses another request, at its own field', () => {
    const said = ask(taskContractRules, 'ADM-CONTRACT-02', contract({ originalRequestRef: own('msg-02') }));
    expect(said).toMatchObject([{ path: 'originalRequestRef', expected: own('msg-01') }]);
  });
  pair(
    taskContractRules,
    'ADM-CONTRACT-03',
    [
      'a contract without the sources of the frame',
      { of: contract({ contextRefs: [house] }), path: 'contextRefs', says: /src\/args/ },
    ],
    ['a contract that keeps them and adds one', contract({ contextRefs: [house, source] })],
  );
  pair(
    taskContractRules,
    'ADM-CONTRACT-04',
    ['another scope', { of: contract({ scope: { include: ['**'], exclude: [] } }), path: 'scope', mends: true }],
    [
      'the scope of the frame, its keys in another order',
      contract({ scope: { exclude: ['docs/**'], include: ['src/args.ts'] } }),
    ],
  );
  it('ADM-CONTRACT-04 leaves the scope of a revision to the review', () => {
    expect(ask(taskContractRules, 'ADM-CONTRACT-04', revised({ scope: { include: [], exclude: [] } }))).toEqual([]);
  });
  pair(
    taskContractRules,
    'ADM-CONTRACT-05',
    [
      'other constraints and non-goals, each at its field',
      { of: contract({ constraints: [], nonGoals: ['No.'] }), path: 'constraints' },
    ],
    ['those of the frame', contract()],
  );
  pair(
    taskContractRules,
    'ADM-CONTRACT-06',
    [
      'the criteria in another order',
      {
        of: contract({ acceptanceCriteria: bodies.contract().acceptanceCriteria.toReversed() }),
        path: 'acceptanceCriteria',
        mends: true,
      },
    ],
    ['the draft criteria', contract()],
  );
  pair(
    taskContractRules,
    'ADM-CONTRACT-07',
    [
      'a rule that the frame lacks and one twice',
      {
        of: contract({ ruleRefs: [source, source] }),
        path: 'ruleRefs',
        says: /missing: "repo:\/\/AGENTS.md"; not in the frame: "repo:\/\/src\/args.ts"; repeated/,
        mends: true,
      },
    ],
    ['each rule of the frame once', contract()],
  );
  it('ADM-CONTRACT-07 accepts each rule once where the frame names one twice', () => {
    const doubled = stored('ProblemFrame', { ...bodies.frame(), id: 'frame-02', applicableRuleRefs: [house, house] });
    expect(
      ask(taskContractRules, 'ADM-CONTRACT-07', contract({}, { record: plus(compiling.record, doubled) })),
    ).toEqual([]);
  });
  pair(
    taskContractRules,
    'ADM-CONTRACT-08',
    [
      'a first contract of version 2',
      { of: contract({ version: 2 }, { facts: { contractVersion: 2 } }), path: 'version', says: /says 2/, mends: true },
    ],
    ['a first contract of version 1', contract({}, { facts: { contractVersion: 1 } })],
  );
  it('ADM-CONTRACT-08 refuses a first contract where one stands', () => {
    const given = { run: run({ phase: 'agent_2_compile', contractVersion: 1 }), facts: { contractVersion: 1 } };
    expect(ask(taskContractRules, 'ADM-CONTRACT-08', contract({}, given))).toHaveLength(1);
  });
  it('ADM-CONTRACT-08 accepts what it knows nothing of', () => {
    expect(ask(taskContractRules, 'ADM-CONTRACT-08', contract({ version: 2 }))).toEqual([]);
    expect(ask(taskContractRules, 'ADM-CONTRACT-08', revised())).toEqual([]);
  });
  const needs = (required: boolean) => ({
    verificationRequirements: [
      ...bodies.contract().verificationRequirements,
      verification('VR-3', 'completion', 'network.read', required),
    ],
  });
  pair(
    taskContractRules,
    'ADM-CONTRACT-09',
    [
      'a required verification without permission',
      { of: contract(needs(true)), path: 'verificationRequirements.2.capability', says: /VR-3.*network\.read/ },
    ],
    ['the same where it is not required', contract(needs(false))],
  );
  const commands = (...executeAllowlist: string[]) => ({
    permissions: { ...permissions, shell: { inspect: true, executeAllowlist } },
  });
  pair(
    taskContractRules,
    'ADM-CONTRACT-10',
    [
      'each command that is not exact',
      {
        of: contract(commands('npm test', 'npm *', 'a && b')),
        path: 'permissions.shell.executeAllowlist.1',
        says: /npm \*/,
      },
    ],
    ['exact commands', contract(commands('npm test', 'npm run lint'))],
  );
  pair(
    taskContractRules,
    'ADM-CONTRACT-11',
    [
      'more than the run may do, and names the place',
      {
        of: contract(commands('npm test', 'npm publish')),
        path: 'permissions.shell.executeAllowlist',
        says: /npm publish/,
      },
    ],
    [
      'less than the run may do',
      contract({ permissions: { ...permissions, repository: emptyPermissions().repository } }),
    ],
  );
});

describe('a TaskContract that a plan must be able to satisfy', () => {
  const verifying = (...capabilities: readonly string[]) => ({
    verificationRequirements: [
      ...capabilities.map((capability, index) => verification(`VD-${index}`, 'diagnosis', capability)),
      verification('VR-2', 'completion', 'shell.execute'),
    ],
  });
  pair(
    taskContractRules,
    'ADM-CONTRACT-12',
    [
      'a diagnosis verification that analysis may not carry out',
      {
        of: contract(verifying('repository.read', 'shell.execute')),
        path: 'verificationRequirements.1.capability',
        says: /VD-1.*shell\.execute/,
      },
    ],
    ['the same verification at the completion stage', contract(verifying('repository.read'))],
  );
  it('ADM-CONTRACT-12 names the capabilities that would do, and each of them does', () => {
    const [said] = ask(taskContractRules, 'ADM-CONTRACT-12', contract(verifying('shell.execute')));
    expect(said?.expected).toEqual(['repository.read', 'shell.inspect']);
    expect(said?.fix).toMatch(/repository\.read, shell\.inspect.*completion stage/);
    for (const capability of ['repository.read', 'shell.inspect'])
      expect(ask(taskContractRules, 'ADM-CONTRACT-12', contract(verifying(capability)))).toEqual([]);
  });
  it('ADM-CONTRACT-12 says nothing of what permissions do not grant or the run may not do', () => {
    expect(ask(taskContractRules, 'ADM-CONTRACT-12', contract(verifying('network.read')))).toEqual([]);
    const wider = { ...permissions, network: { readDomains: ['example.org'], externalWrite: false } };
    const beyond = contract({ ...verifying('network.read'), permissions: wider });
    expect(ask(taskContractRules, 'ADM-CONTRACT-12', beyond)).toEqual([]);
    expect(ask(taskContractRules, 'ADM-CONTRACT-11', beyond)).toHaveLength(1);
  });
  it('ADM-CONTRACT-12 says nothing of a contract of another mode', () => {
    const other = contract({
      intentMode: 'fix_only',
      verificationRequirements: [verification('V', 'completion', 'shell.execute')],
    });
    expect(ask(taskContractRules, 'ADM-CONTRACT-12', other)).toEqual([]);
  });
  it('ADM-CONTRACT-12 is refused as infeasible', () =>
    expect(taskContractRules.find(({ code }) => code === 'ADM-CONTRACT-12')?.refusal).toBe('infeasible'));
});

describe('rules of a revised TaskContract', () => {
  it('ADM-REVISE-01 refuses a revision of nothing, and ends the judgement', () => {
    expect(ask(taskContractRules, 'ADM-REVISE-01', revised({}, { record: recordUpTo('TaskContract') }))).toHaveLength(
      1,
    );
    expect(taskContractRules.find(({ code }) => code === 'ADM-REVISE-01')).toMatchObject({
      ends: true,
      refusal: 'integrity_failed',
    });
  });
  it('ADM-REVISE-01 accepts a revision of a reviewed contract, and every first contract', () => {
    expect(ask(taskContractRules, 'ADM-REVISE-01', revised())).toEqual([]);
    expect(ask(taskContractRules, 'ADM-REVISE-01', contract())).toEqual([]);
  });
  pair(
    taskContractRules,
    'ADM-REVISE-02',
    [
      'version 1',
      { of: revised({ version: 1 }, { facts: { contractVersion: 1 } }), path: 'version', says: /says 1/, mends: true },
    ],
    ['version 2 that cites contract and review', revised()],
  );
  it('ADM-REVISE-02 refuses with one sentence a reference that is not cited', () => {
    expect(ask(taskContractRules, 'ADM-REVISE-02', revised({}, { sourceRefs: [own('contract-01')] }))).toMatchObject([
      { path: 'source_refs', message: expect.stringContaining('review-01') },
    ]);
    expect(ask(taskContractRules, 'ADM-REVISE-02', revised({}, { sourceRefs: [] }))).toHaveLength(2);
  });
  it('ADM-REVISE-02 refuses a revision that the review did not ask for', () => {
    const passed = { record: recordUpTo('PromptReview') };
    expect(ask(taskContractRules, 'ADM-REVISE-02', revised({}, passed))[0]?.message).toMatch(/decided pass/);
  });
  const wider = { permissions: { ...permissions, repository: { read: ['**'], write: ['**'], delete: [] } } };
  pair(
    taskContractRules,
    'ADM-REVISE-03',
    ['wider permissions', { of: revised(wider), path: 'permissions.repository.write', says: /"\*\*"/ }],
    ['the same permissions', revised()],
  );
  const torn = reviewed([correction(['objective'], []), { ...correction([], ['objective'], 'info'), id: 'FIND-2' }]);
  pair(
    taskContractRules,
    'ADM-REVISE-04',
    ['a field that the review both keeps and corrects', { of: revised({}, { record: torn }), path: 'objective' }],
    ['a review that wants id and version kept', revised()],
  );
  pair(
    taskContractRules,
    'ADM-REVISE-05',
    [
      'a change that nobody asked for',
      { of: revised({ stopConditions: [] }), path: 'stopConditions', says: /"objective"/, mends: true },
    ],
    ['the change that was asked for', revised()],
  );
  pair(
    taskContractRules,
    'ADM-REVISE-06',
    ['a field left as it was', { of: revised({ objective: bodies.contract().objective }), path: 'objective' }],
    ['a corrected field', revised()],
  );
  pair(
    taskContractRules,
    'ADM-REVISE-07',
    [
      'a change of what was to be kept',
      { of: revised({ scope: { include: [], exclude: [] } }), path: 'scope', mends: true },
    ],
    ['a change of id and version alone', revised({ objective: 'x' })],
  );
  it('stand before CONTRACT-09 and after CONTRACT-08, as the page orders them', () => {
    const codes = taskContractRules.map(({ code }) => code.replace('ADM-', ''));
    expect(codes).toEqual([
      ...['01', '02', '03', '04', '05', '06', '07', '08'].map((number) => `CONTRACT-${number}`),
      ...['01', '02', '03', '04', '05', '06', '07'].map((number) => `REVISE-${number}`),
      ...['09', '10', '11', '12'].map((number) => `CONTRACT-${number}`),
    ]);
  });
});

describe('what a revision must change', () => {
  const fields = (more: object) => {
    const [finding] = bodies.revising().findings;
    const review: Parameters<typeof correctionsOf>[0] = JSON.parse(
      JSON.stringify({ ...bodies.revising(), findings: [{ ...finding, correctionFields: ['objective'], ...more }] }),
    );
    return correctionsOf(review);
  };
  it('is what blocking findings with a correction name, and no other finding', () => {
    expect(fields({ severity: 'blocking', requiredCorrection: 'Say it.' })).toEqual(['objective']);
    expect(fields({ severity: 'minor', requiredCorrection: 'Say it.' })).toEqual([]);
    expect(fields({ severity: 'blocking', requiredCorrection: null })).toEqual([]);
  });
});
