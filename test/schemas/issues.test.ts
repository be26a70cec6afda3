import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckableType, checkBody, type Issue, normalizeManifest } from '../../schemas/issues.ts';
import { limits } from '../../schemas/vocabulary.ts';
import { at, bodyIn, invalid, put } from './bodies.ts';

const issuesOf = (type: CheckableType, body: unknown): readonly Issue[] => {
  const checked = checkBody(type, body);
  return checked.ok ? [] : checked.issues;
};

const brief = (issues: readonly Issue[]): readonly string[] => issues.map(({ path, code }) => `${path} ${code}`);

/** The issues of a valid body after some edits, as `path CODE`. */
const edited = (file: string, edits: Readonly<Record<string, unknown>>): readonly string[] => {
  const type = CheckableType.parse(file.split('/')[0]);
  const body = Object.entries(edits).reduce((before, [path, value]) => put(before, path, value), bodyIn(file));
  return brief(issuesOf(type, body));
};

const result = 'WorkResult/valid-completed.json';
const plan = 'WorkPlan/valid-two-nodes.json';

describe('the order of judgement', () => {
  const noEvidence = { evidenceRefs: [] };
  const claim = { 'observations.0.evidenceRefs': [] };

  it('starts from a body that breaks one rule of the whole and one of a part', () => {
    expect(edited(result, { ...noEvidence, ...claim })).toEqual([
      'observations.0.evidenceRefs SCH-CLAIM-01',
      'evidenceRefs SCH-RESULT-01',
    ]);
  });

  it.each([
    ['a missing key', { 'actions.0.target': undefined }, 'actions.0.target SCH-KEY-02'],
    ['an unknown key', { 'actions.0.extra': 1 }, 'actions.0 SCH-KEY-01'],
    ['an unknown key of the body', { extra: 1 }, ' SCH-KEY-01'],
    ['a wrong type', { 'actions.0.mutating': 'yes' }, 'actions.0.mutating SCH-TYPE-01'],
    ['a word that is not listed', { 'actions.0.status': 'done' }, 'actions.0.status SCH-ENUM-01'],
    ['a fraction', { 'testResults.0.exitCode': 0.5 }, 'testResults.0.exitCode SCH-NUM-02'],
    ['a reference of no scheme', { toolEventRefs: ['https://x'] }, 'toolEventRefs.0 SCH-URI-04'],
  ])('skips the rules of every object around %s, and only those', (_, edit, issue) => {
    const issues = edited(result, { ...noEvidence, ...claim, ...edit });
    expect(issues).toContain(issue);
    expect(issues).toContain('observations.0.evidenceRefs SCH-CLAIM-01');
    expect(issues).not.toContain('evidenceRefs SCH-RESULT-01');
    expect(issues).toHaveLength(2);
  });

  it.each([
    ['a length', { 'actions.0.target': '' }, 'actions.0.target SCH-LEN-01'],
    ['a list length', { toolEventRefs: Array(257).fill('trace://a') }, 'toolEventRefs SCH-LEN-02'],
    ['a range', { 'testResults.0.exitCode': 256 }, 'testResults.0.exitCode SCH-NUM-01'],
    ['a pattern', { nodeId: '-x' }, 'nodeId SCH-ID-01'],
    ['a byte limit', { rationaleSummary: 'é'.repeat(2049) }, 'rationaleSummary SCH-SUM-01'],
    ['a path', { 'filesChanged.0.path': '../x' }, 'filesChanged.0.path SCH-PATH-02'],
    ['a rule of a part', { 'testResults.0.outputRef': null }, 'testResults.0.outputRef SCH-TEST-01'],
  ])('still runs the rules around a failure of %s', (_, edit, issue) => {
    const issues = edited(result, { ...noEvidence, ...claim, ...edit });
    expect(new Set(issues)).toEqual(
      new Set([issue, 'observations.0.evidenceRefs SCH-CLAIM-01', 'evidenceRefs SCH-RESULT-01']),
    );
  });

  it('does not stop at the first issue, nor spare a list whose items failed hard', () => {
    const node = at(bodyIn(plan), 'nodes.0');
    const nodes = Array.from({ length: 65 }, (_, index) => put(node, 'id', `node-${index}`));
    const issues = edited(plan, {
      nodes: nodes.map((one) => put(one, 'budgets.maximumToolCalls', 0.5)),
      executionMode: 'x',
    });
    expect(issues).toContain('nodes SCH-LEN-02');
    expect(issues).toContain('executionMode SCH-ENUM-01');
    expect(issues.filter((issue) => issue.endsWith('maximumToolCalls SCH-NUM-02'))).toHaveLength(65);
    expect(issues).toHaveLength(67);
  });
});

describe('a list that is far too long', () => {
  const file = 'ProblemFrame/valid-basic.json';
  const frame = (list: unknown): unknown => put(bodyIn(file), 'constraints', list);

  it('is judged to its end while few items are wrong', () => {
    const list = Array(5000).fill('x');
    list[4999] = '';
    list[300] = 7;
    expect(brief(issuesOf('ProblemFrame', frame(list)))).toEqual([
      'constraints.300 SCH-TYPE-01',
      'constraints.4999 SCH-LEN-01',
      'constraints SCH-LEN-02',
    ]);
  });

  it('is judged up to its bound in a body of very many values, and told with its true length', () => {
    const issues = issuesOf('ProblemFrame', frame(Array(300_000).fill(0)));
    expect(issues.length).toBe(258);
    expect(brief(issues)).toContain('constraints.255 SCH-TYPE-01');
    expect(issues.at(-1)).toMatchObject({ path: 'constraints', code: 'SCH-LEN-02', expected: { maxItems: 256 } });
    expect(issues.at(-1)?.message).toBe('constraints has 300000 items; it takes at most 256');
  });

  it('is no reason to change a body of very many values that keeps its bounds', () => {
    const refs = Array.from({ length: 256 }, (_, index) => `repo://f${index}`);
    const nodes = Array.from({ length: 64 }, (_, index) =>
      put(put(at(bodyIn(plan), 'nodes.0'), 'id', `n${index}`), 'inputRefs', refs),
    );
    const body = put(bodyIn(plan), 'nodes', nodes);
    const checked = checkBody('WorkPlan', body);
    expect(checked.ok && checked.body).toEqual(body);
    const action = put(bodyIn('NextAction/valid-phase.json'), 'brief', { list: Array(30_000).fill([1]) });
    const free = checkBody('NextAction', action);
    expect(free.ok && free.body).toEqual(action);
  });

  it('is found wherever it stands in such a body', () => {
    const nodes = Array(300).fill(put(at(bodyIn(plan), 'nodes.0'), 'inputRefs', Array(300).fill('x')));
    const issues = edited(plan, { nodes });
    expect(issues).toContain('nodes SCH-LEN-02');
    expect(issues.filter((issue) => issue.endsWith('inputRefs SCH-LEN-02'))).toHaveLength(65);
  });

  it('does not hide what the rules say of the whole list', () => {
    const wire = bodyIn('ContextManifestWire/valid-nothing-pinned.json');
    const source = at(wire, 'selected_sources.0');
    const sources = Array.from({ length: 2049 }, (_, index) =>
      put(put(source, 'ref', `repo://f${index}`), 'size_bytes', 1),
    );
    const edits = { selected_sources: sources, 'budget.selected_files': 2049, 'budget.selected_bytes': 2049 };
    const many = Object.entries(edits).reduce((before, [path, value]) => put(before, path, value), wire);
    const manifest = normalizeManifest(many);
    expect(manifest.ok ? [] : brief(manifest.issues)).toEqual(['candidates SCH-LEN-02']);
  });
});

describe('the codes', () => {
  it.each([
    ['schemaVersion', undefined, 'SCH-KEY-02'],
    ['schemaVersion', 1, 'SCH-ENUM-01'],
    ['intentMode', undefined, 'SCH-KEY-02'],
    ['intentMode', 'Fix_only', 'SCH-ENUM-01'],
    ['clarification.required', undefined, 'SCH-KEY-02'],
    ['clarification.required', null, 'SCH-ENUM-01'],
    ['clarification', null, 'SCH-TYPE-01'],
    ['clarification', [], 'SCH-TYPE-01'],
    ['goal', 7, 'SCH-TYPE-01'],
    ['goal', [], 'SCH-TYPE-01'],
    ['goal', '', 'SCH-LEN-01'],
    ['constraints', '', 'SCH-TYPE-01'],
    ['constraints.0', null, 'SCH-TYPE-01'],
    ['knownFacts.0', null, 'SCH-TYPE-01'],
    ['knownFacts.0.sourceRef', null, 'SCH-TYPE-01'],
    ['knownFacts.0.sourceRef', undefined, 'SCH-KEY-02'],
    ['knownFacts.0.sourceRef', '', 'SCH-LEN-01'],
    ['knownFacts.0.sourceRef', `repo://${'a'.repeat(2048)}`, 'SCH-LEN-01'],
    ['inferences.0.confidence', Number.POSITIVE_INFINITY, 'SCH-NUM-01'],
    ['inferences.0.confidence', '1', 'SCH-TYPE-01'],
    ['scope', undefined, 'SCH-KEY-02'],
  ])('a frame with %s %j is told once, with its own code', (path, value, code) => {
    expect(edited('ProblemFrame/valid-basic.json', { [path]: value })).toEqual([`${path} ${code}`]);
  });

  it.each([[null], [[]], ['{}'], [3], [true]])('a body that is %j is of the wrong type', (body) => {
    expect(brief(issuesOf('Evidence', body))).toEqual([' SCH-TYPE-01']);
  });

  it.each([
    ['permissions.subagents.maximumDepth', 2 ** 60, 'SCH-NUM-01'],
    ['permissions.subagents.maximumDepth', 0.5, 'SCH-NUM-02'],
    ['permissions.network.readDomains', ['\u{1f600}'.repeat(200)], 'SCH-LEN-01'],
    ['permissions.network.readDomains', ['\u{1f600}'.repeat(300)], 'SCH-LEN-01'],
    ['permissions.repository.read', Array(257).fill('a'), 'SCH-LEN-02'],
    ['permissions.shell.inspect', 1, 'SCH-TYPE-01'],
  ])('a contract with a bad %s is told once (%#)', (path, value, code) => {
    const issues = edited('TaskContract/valid-analyze-and-fix.json', { [path]: value });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(new RegExp(`^${path}.* ${code}$`));
  });

  it('tell one issue for each object with unknown keys, the keys it takes and the name that was meant', () => {
    const body = put(put(bodyIn('Evidence/valid-text.json'), 'captured_at', 'x'), 'other', 1);
    expect(issuesOf('Evidence', body)).toEqual([
      {
        path: '',
        code: 'SCH-KEY-01',
        message: 'the body has 2 keys that it does not take: "captured_at", "other"',
        expected: { keys: expect.arrayContaining(['capturedAt', 'schemaVersion']) },
        fix: 'Rename captured_at to capturedAt; take any other out.',
      },
    ]);
  });

  it('tell the keys of the variant that the discriminator names', () => {
    const [issue] = issuesOf('ProblemFrame', put(bodyIn('ProblemFrame/valid-basic.json'), 'clarification.extra', 1));
    expect(issue?.expected).toEqual({ keys: ['required', 'reason'] });
  });

  it('drop an own __proto__ key without an issue, at any depth', () => {
    const text = JSON.stringify(bodyIn('ProblemFrame/valid-basic.json'));
    const evil = text.replace('{', '{"__proto__":{"admin":true},').replace('"scope":{', '"scope":{"__proto__":1,');
    expect(evil).not.toBe(text);
    const checked = checkBody('ProblemFrame', JSON.parse(evil));
    expect(checked.ok && checked.body).toEqual(JSON.parse(text));
  });

  it('tell an unknown key beside a __proto__ key', () => {
    const body: unknown = JSON.parse('{"__proto__":1,"x":2}');
    const issues = issuesOf('UserMessage', body).filter(({ code }) => code === 'SCH-KEY-01');
    expect(issues.map(({ message }) => message)).toEqual(['the body has a key that it does not take: "x"']);
  });
});

describe('the rules whose reports depend on each other', () => {
  it('reports a repeated id of a frame at the list where the repeat stands, once for each repeat', () => {
    const file = 'ProblemFrame/valid-basic.json';
    const criterion = at(bodyIn(file), 'draftAcceptanceCriteria.0');
    expect(
      edited(file, { draftAcceptanceCriteria: [criterion, criterion, criterion], 'inferences.0.id': 'KF-1' }),
    ).toEqual([
      'inferences SCH-FRAME-01',
      'draftAcceptanceCriteria SCH-FRAME-01',
      'draftAcceptanceCriteria SCH-FRAME-01',
    ]);
  });

  it('reports a self edge as such and as a cycle, an unknown dependency as such alone', () => {
    expect(edited(plan, { 'nodes.0.dependsOn': ['read-parser'] })).toEqual([
      'nodes.0.dependsOn SCH-PLAN-03',
      'nodes SCH-PLAN-04',
    ]);
    expect(edited(plan, { 'nodes.0.dependsOn': ['x', 'y', 'x'] })).toEqual(
      Array(3).fill('nodes.0.dependsOn SCH-PLAN-02'),
    );
  });

  it('takes the edges of a repeated node id from the last node', () => {
    const [first, second] = [at(bodyIn(plan), 'nodes.0'), at(bodyIn(plan), 'nodes.1')];
    const looped = put(first, 'dependsOn', ['run-probe']);
    expect(edited(plan, { nodes: [looped, second, first] })).toEqual(['nodes.2.id SCH-PLAN-01']);
    expect(edited(plan, { nodes: [first, second, looped] })).toEqual(['nodes.2.id SCH-PLAN-01', 'nodes SCH-PLAN-04']);
  });

  it('finds a cycle exactly when no order of the nodes exists', () => {
    const node = at(bodyIn(plan), 'nodes.0');
    const edges = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(edges, (graph) => {
        const nodes = graph.map((on, index) =>
          put(
            put(node, 'id', `n${index}`),
            'dependsOn',
            on.map((id) => `n${id}`),
          ),
        );
        const reaches = (from: number, to: number, seen: readonly number[] = []): boolean =>
          (graph[from] ?? []).some(
            (next) => next === to || (!seen.includes(next) && reaches(next, to, [...seen, next])),
          );
        const cyclic = graph.some((_, index) => reaches(index, index));
        expect(edited(plan, { nodes }).includes('nodes SCH-PLAN-04')).toBe(cyclic);
      }),
    );
  });

  it('asks each choice of a question for a pair that fits', () => {
    const file = 'ClarificationRequest/valid-user-owned.json';
    expect(
      edited(file, { 'responseChoices.0.runEffect': 'new_run', 'responseChoices.2.runEffect': 'new_run' }),
    ).toEqual(['responseChoices.0 SCH-CLAR-03', 'responseChoices.2 SCH-CLAR-03']);
  });
});

/** The body with an issue mended by its `expected` alone; `undefined` where that tells no single step. */
const mended = (body: unknown, { path, code, expected }: Issue): unknown => {
  const here = at(body, path);
  const bound = (name: string): unknown => at(expected, name);
  if (code === 'SCH-ENUM-01') return put(body, path, at(expected, '0'));
  if (code === 'SCH-NUM-01') return put(body, path, bound('minimum') ?? bound('maximum'));
  if (code === 'SCH-LEN-01' && typeof here === 'string') {
    return put(body, path, bound('minLength') === 1 ? 'x' : here.slice(0, Number(bound('maxLength'))));
  }
  if (code === 'SCH-KEY-01' && typeof here === 'object' && here !== null) {
    const known = bound('keys');
    return put(
      body,
      path,
      Object.fromEntries(Object.entries(here).filter(([key]) => Array.isArray(known) && known.includes(key))),
    );
  }
  const plain =
    expected === null || typeof expected === 'number' || typeof expected === 'boolean' || typeof expected === 'string';
  return plain ? put(body, path, expected) : undefined;
};

describe('what a refusal expects', () => {
  const mendable = invalid.flatMap((one) => {
    const body = bodyIn(one.file);
    const issue = issuesOf(one.type, body).find(({ path, code }) => path === one.path && code === one.rule);
    const better = issue && mended(body, issue);
    return issue && better !== undefined ? [{ ...one, issue, better }] : [];
  });

  it('tells a mechanical step in many cases', () => {
    expect(mendable.length).toBeGreaterThan(60);
  });

  it.each(mendable)('mends $file', ({ type, better, issue }) => {
    const left = issuesOf(type, better).filter(({ path, code }) => path === issue.path && code === issue.code);
    expect(left).toEqual([]);
  });

  it('gives the right overall score of a review', () => {
    const [issue] = issuesOf('PromptReview', bodyIn('PromptReview/invalid-SCH-PREVIEW-01.json'));
    expect(issue).toMatchObject({
      path: 'overallScore',
      message: 'SCH-PREVIEW-01: overallScore is 89, the six scores give 90',
      expected: 90,
    });
  });
});

describe('any value at all', () => {
  const sentence = /^[^\u0000-\u001f\u007f\u2028\u2029]+$/;

  it.each(CheckableType.options)('is judged as a %s without an exception, in short lines', (type) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (body) => {
        const checked = checkBody(type, body);
        expect(checked.ok).toBe(false);
        if (checked.ok) return;
        expect(checked.count).toBe(checked.issues.length);
        for (const { code, message, fix } of checked.issues) {
          expect(code).toMatch(/^SCH-[A-Z]+-\d\d$/);
          expect(message).toMatch(sentence);
          expect(message.length).toBeLessThanOrEqual(limits.issueMessage);
          expect(fix).toMatch(sentence);
        }
      }),
    );
  });

  it('in the place of a field is told in one short line, whatever text it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const body = {
          ...Object(bodyIn('Evidence/valid-text.json')),
          id: text,
          capturedAt: text,
          kind: text,
          [text]: text,
        };
        for (const { message } of issuesOf('Evidence', body)) {
          expect(message).toMatch(sentence);
          expect(message.length).toBeLessThanOrEqual(limits.issueMessage);
        }
      }),
    );
  });

  it('as deep as a line of 16 MiB can nest is refused, not thrown', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const body = { ...Object(bodyIn('Evidence/valid-text.json')), summary: deep, extra: deep };
    expect(brief(issuesOf('Evidence', body)).toSorted()).toEqual([' SCH-KEY-01', 'summary SCH-TYPE-01']);
  });
});
