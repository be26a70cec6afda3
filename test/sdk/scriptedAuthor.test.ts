import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uriOf } from '../../machines/record.ts';
import { findSecret } from '../../machines/secrets/content.ts';
import type { StartRequest } from '../../src/sdk/followRun.ts';
import { type Followed, followRun, inspectRepository, type Script, scriptedAuthor } from '../../src/sdk/index.ts';
import { appendLine } from '../../src/sdk/scriptedAuthor/appendLine.ts';
import { clipped, oneLine, withoutSecrets } from '../../src/sdk/scriptedAuthor/wording.ts';
import { callOf, controllerOf, newWorld, sampleFiles, type World } from './world.ts';

const analysis: StartRequest = {
  originalRequest: 'What does the parser do, and is anything uncommitted?',
  mode: 'analyze_only',
  hostName: 'test-host',
  hostCapabilities: ['repository.read', 'shell.inspect'],
};

const follow = (world: World, script: Script = {}, over: Partial<StartRequest> = {}, choice = 'go-on') =>
  followRun({
    call: callOf(controllerOf(world)),
    author: scriptedAuthor(
      inspectRepository(world.root, { PATH: process.env.PATH }),
      script,
      appendLine(world.root, 'README.md', 'One line more.'),
    ),
    start: { ...analysis, ...over },
    answer: () => choice,
  });

const sample = (): World => newWorld(sampleFiles, 'commit');

const reads = ['repository.read', 'repository.write'];
const microFix = { mode: 'fix_only', originalRequest: 'Add a line to README.md.', hostCapabilities: reads } as const;
const fix = { ...microFix, topologyOverride: 'forensic' } as const;
const both = { mode: 'analyze_and_fix', hostCapabilities: [...reads, 'shell.inspect'] } as const;

const submitted = (followed: Followed): readonly (string | null)[] =>
  followed.steps.filter(({ kind }) => kind === 'submitted').map(({ artifactType }) => artifactType);

const straight = ['ProblemFrame', 'TaskContract', 'PromptReview', 'WorkPlan'];

describe('the scripted author', () => {
  it('brings an analysis to a completed end, each claim with its evidence', async () => {
    const followed = await follow(sample());
    expect(followed.terminal.status).toBe('completed');
    expect(submitted(followed)).toEqual([
      ...straight,
      'WorkResult',
      'WorkResult',
      'QualityReview',
      'ReleaseAudit',
      'UserReport',
    ]);
    expect(followed.report?.completionClaims.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^git status: main; the working tree is clean\. git log: .* Add the sample\.$/),
      expect.stringContaining('README.md has 3 lines and begins with “# Sample”.'),
    ]);
  });

  it('captures the real output of what it did', async () => {
    const { reader } = await follow(sample());
    const evidence = (await reader.record()).all('Evidence').map(({ body }) => body);
    expect(evidence.map(({ kind }) => kind)).toEqual(['tool_output', 'tool_output', 'repository', 'repository']);
    expect(evidence[0]?.content).toBe('## main\n');
    expect(evidence[1]?.content).toMatch(/^[0-9a-f]+ \d{4}-\d\d-\d\d Add the sample\n$/);
    expect(
      evidence
        .slice(2)
        .map(({ content }) => content)
        .sort(),
    ).toEqual(Object.values(sampleFiles).sort());
  });

  it.each([
    ['standard, one node', { plan: 'one' }, {}, 'completed'],
    ['standard, with a scenario', { scenario: true }, {}, 'completed'],
    ['forensic', {}, { topologyOverride: 'forensic' }, 'completed'],
    ['a revision of the contract', { review: ['revise'] }, {}, 'completed'],
    ['a blocked contract', { review: ['block'] }, {}, 'blocked'],
    ['a contract blocked after its revision', { review: ['revise', 'block'] }, {}, 'blocked'],
    ['a remediation by the review', { quality: ['remediate'] }, {}, 'completed'],
    [
      'a remediation by the review, forensic',
      { quality: ['remediate'] },
      { topologyOverride: 'forensic' },
      'completed',
    ],
    ['a remediation by the audit', { audit: ['remediate'] }, {}, 'completed'],
    ['a partial review', { quality: ['partial'] }, {}, 'partial'],
    ['a blocking review', { quality: ['block'] }, {}, 'blocked'],
    ['a reverification that is partial', { quality: ['pass', 'partial'] }, { topologyOverride: 'forensic' }, 'partial'],
    ['a reverification that blocks', { quality: ['pass', 'block'] }, { topologyOverride: 'forensic' }, 'blocked'],
    ['a partial audit', { audit: ['partial'] }, {}, 'partial'],
    ['a blocking audit', { audit: ['block'] }, {}, 'blocked'],
    ['a partial result', { result: ['partial'] }, {}, 'partial'],
    ['a failed second result', { result: ['completed', 'failed'] }, {}, 'partial'],
    [
      'a failed verification',
      { result: ['completed', 'failed'], report: 'failed_verification' },
      {},
      'failed_verification',
    ],
    ['files alone', {}, { hostCapabilities: ['repository.read'] }, 'completed'],
    ['inspections alone', {}, { hostCapabilities: ['shell.inspect'] }, 'completed'],
    ['plan_only', {}, { mode: 'plan_only' }, 'completed'],
    ['plan_only, forensic', {}, { mode: 'plan_only', topologyOverride: 'forensic' }, 'completed'],
    [
      'plan_only, a failed verification',
      { quality: ['partial'], report: 'failed_verification' },
      { mode: 'plan_only' },
      'failed_verification',
    ],
    ['plan_only without authority', {}, { mode: 'plan_only', authorizationGranted: [] }, 'completed'],
    ['report_only, micro', {}, { mode: 'report_only', originalRequest: 'Say hello.' }, 'completed'],
    ['report_only, standard', {}, { mode: 'report_only', topologyOverride: 'standard' }, 'completed'],
    [
      'a micro review that escalates',
      { quality: ['partial'] },
      { mode: 'report_only', originalRequest: 'Say hello.' },
      'completed',
    ],
    ['fix_only, micro', {}, microFix, 'completed'],
    ['fix_only, micro, remediated', { quality: ['remediate'] }, microFix, 'completed'],
    ['fix_only, forensic', {}, fix, 'completed'],
    ['fix_only, forensic, remediated', { quality: ['remediate'] }, fix, 'completed'],
    ['fix_only, remediated by the audit', { audit: ['remediate'] }, fix, 'completed'],
    ['fix_only, a failed change', { result: ['failed'] }, fix, 'partial'],
    [
      'fix_only without write permission',
      { quality: ['partial'] },
      { ...microFix, hostCapabilities: ['repository.read'] },
      'partial',
    ],
    [
      'a question before the grounding, and a second one',
      {
        question: { phase: 'context_grounding', reason: 'permission_expanding' },
        furtherQuestion: { phase: 'agent_3_plan', reason: 'permission_expanding' },
      },
      {},
      'blocked',
    ],
    ['analyze_and_fix', {}, both, 'completed'],
    ['analyze_and_fix, one node', { plan: 'one' }, both, 'completed'],
    ['analyze_and_fix, the diagnosis remediated', { quality: ['remediate'] }, both, 'completed'],
    ['analyze_and_fix, the fix remediated', { quality: ['proceed_to_fix', 'remediate'] }, both, 'completed'],
    [
      'analyze_and_fix, one node that looks and changes',
      { plan: 'one', quality: ['proceed_to_fix', 'remediate'] },
      both,
      'completed',
    ],
    ['analyze_and_fix, remediated by the audit', { audit: ['remediate'] }, both, 'completed'],
    ['analyze_and_fix, a blocked diagnosis', { quality: ['block', 'block'] }, both, 'blocked'],
    ['analyze_and_fix, a partial diagnosis', { quality: ['partial', 'partial'] }, both, 'partial'],
  ] as const satisfies readonly (readonly [string, Script, Partial<StartRequest>, string])[])(
    'writes only admitted bodies: %s',
    async (_, script, start, status) => {
      const followed = await follow(sample(), script, start);
      expect(followed.terminal.status).toBe(status);
      expect(followed.report?.terminalStatus).toBe(status);
      expect(followed.steps.map(({ kind }) => kind)).not.toContain('refreshed');
    },
  );

  it.each([
    'context_grounding',
    'agent_1_frame',
    'agent_2_compile',
    'agent_1_review',
    'agent_3_plan',
    'agent_4_execute',
    'agent_3_review',
  ] as const)('asks once in %s, and goes on with question and answer cited', async (phase) => {
    const followed = await follow(sample(), { question: { phase, reason: 'user_owned_materially_divergent' } });
    expect(followed.terminal.status).toBe('completed');
    const answered = followed.steps.filter(({ kind }) => kind === 'answered');
    expect(answered).toHaveLength(1);
    expect(answered[0]?.phase).toBe('awaiting_clarification');
  });

  it.each([
    ['fix_only', microFix],
    ['analyze_and_fix', both],
  ] as const)('really makes the change of %s, and the report cites its diff', async (_, start) => {
    const world = sample();
    const { report, reader } = await follow(world, {}, start);
    expect(readFileSync(`${world.root}/README.md`, 'utf8')).toBe(`${sampleFiles['README.md']}One line more.\n`);
    const diff = (await reader.record()).all('Evidence').find(({ body }) => body.kind === 'diff');
    expect(report?.changeRefs).toEqual([diff && uriOf(diff)]);
    execFileSync('git', ['-C', world.root, 'apply', '--unidiff-zero', '--reverse', '-'], {
      input: diff?.body.content ?? '',
    });
    expect(readFileSync(`${world.root}/README.md`, 'utf8')).toBe(sampleFiles['README.md']);
  });

  it('ends cancelled, without a report, when the answer says so', async () => {
    const question = { phase: 'agent_1_frame', reason: 'permission_expanding' } as const;
    for (const choice of ['stop', 'start-over']) {
      const followed = await follow(sample(), { question }, {}, choice);
      expect(followed.terminal).toMatchObject({ status: 'cancelled', reportRef: null });
      expect(followed.report).toBeNull();
    }
  });

  it('reads a folder without Git, an empty one, and a repository without commits', async () => {
    const files = { hostCapabilities: ['repository.read'] };
    const folder = await follow(newWorld({ 'a b.txt': 'one\ntwo' }, 'folder'), {}, files);
    expect(folder.report?.summary).toBe('a b.txt has 2 lines and begins with “one”.');
    const empty = await follow(newWorld({}, 'folder'), {}, files);
    expect(empty.report?.summary).toBe('The folder is empty.');
    const fresh = await follow(newWorld(sampleFiles, 'git'));
    expect(fresh.report?.summary).toContain(
      'No commits yet on main; 2 paths are changed or untracked. git log: there are no commits yet.',
    );
  });

  it('leaves out what looks like a credential and says so', async () => {
    const world = newWorld({ ...sampleFiles, 'token=abcdefgh12345': 'x' }, 'git');
    const { terminal, reader } = await follow(world);
    expect(terminal.status).toBe('completed');
    const [status] = (await reader.record()).all('Evidence');
    expect(status?.body.content).toContain('[line left out]');
    expect(status?.body.redactions).toEqual([expect.stringMatching(/^line \d left out \(assignment\)$/)]);
  });

  it('never starts a program that the configuration of the repository names', async () => {
    const world = sample();
    const trap = `${world.root}/../ran`;
    const set = (key: string, value: string): Buffer =>
      execFileSync('git', ['-C', world.root, 'config', key, value], { stdio: 'pipe' });
    set('core.fsmonitor', `touch ${trap}; false`);
    set('filter.trap.clean', `touch ${trap}; cat`);
    set('log.showSignature', 'true');
    set('gpg.program', `${world.root}/../gpg`);
    execFileSync('sh', ['-c', `printf '* filter=trap\\n' > '${world.root}/.git/info/attributes'`]);
    utimesSync(`${world.root}/README.md`, 1, 1);
    expect((await follow(world)).report?.summary).toContain('the working tree is clean');
    expect(existsSync(trap)).toBe(false);
    execFileSync('git', ['-C', world.root, 'status', '--porcelain'], { stdio: 'pipe' });
    expect(existsSync(trap)).toBe(true);
  });
});

describe('wording', () => {
  it('keeps a text that holds no credential, and none that does', () => {
    const secret = fc.constantFrom(
      'password = "hunter2hunter2"',
      `ghp_${'a'.repeat(36)}`,
      '-----BEGIN RSA PRIVATE KEY-----',
      'token:\n  abcdefgh12345',
      'api\nkey: abcdefgh12345',
    );
    const line = fc.oneof(fc.string(), secret);
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n');
        const kept = withoutSecrets(text);
        expect(findSecret(kept.text)).toBeNull();
        expect(kept.redactions.length > 0).toBe(findSecret(text) !== null);
        for (const told of kept.redactions) expect(findSecret(told)).toBeNull();
      }),
    );
  });

  it('cuts by bytes and never inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 20, max: 200 }), (text, bytes) => {
        const cut = clipped(text, bytes);
        expect(Buffer.byteLength(cut, 'utf8')).toBeLessThanOrEqual(Math.max(bytes, 0));
        if (cut !== text) expect(text.startsWith(cut.slice(0, -' […]'.length))).toBe(true);
      }),
    );
  });

  it('makes one plain line of anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = oneLine(text, 40);
        expect(line.length).toBeLessThanOrEqual(40);
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/);
      }),
    );
  });
});
