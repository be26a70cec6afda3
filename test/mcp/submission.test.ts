import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../schemas/tools/parse.ts';
import { readSubmission } from '../../schemas/tools/submission.ts';

const token = { run_id: 'run-1', action_id: 'action:run-1:3', expected_run_version: 3 };
const body = { id: 'frame-01', runId: 'run-1', empty: [] };

const read = (more: Readonly<Record<string, unknown>>) => {
  const parsed = parseArguments('telic_submit_artifact', { ...token, ...more });
  if (!parsed.ok) throw new Error(`the arguments alone are wrong: ${parsed.findings[0]?.message}`);
  return readSubmission(parsed.args);
};
const refusal = (more: Readonly<Record<string, unknown>>) => {
  const submission = read(more);
  if (submission.ok) throw new Error('the submission was taken');
  return { code: submission.code, rules: submission.findings.map(({ code }) => code), findings: submission.findings };
};

describe('a submission', () => {
  test('is the same artifact through body and through body_json', () => {
    const artifact = { ok: true, submission: { path: 'artifact', type: 'ProblemFrame', body, sourceRefs: [] } };
    expect(read({ artifact_type: 'ProblemFrame', body })).toEqual(artifact);
    expect(read({ artifact_type: 'ProblemFrame', body_json: JSON.stringify(body) })).toEqual(artifact);
  });

  test('is an answer when clarification_response stands alone', () => {
    expect(read({ clarification_response: 'go-on' })).toEqual({
      ok: true,
      submission: { path: 'answer', answer: 'go-on' },
    });
  });

  test('keeps the answer as it was sent', () => {
    expect(read({ clarification_response: ' go-on ' })).toMatchObject({ submission: { answer: ' go-on ' } });
  });

  test.each([
    [{ artifact_type: 'ProblemFrame', clarification_response: 'go-on' }, ['ADM-TR-04']],
    [{ body, clarification_response: 'go-on' }, ['ADM-TR-04']],
    [{ body_json: '{}', clarification_response: 'go-on' }, ['ADM-TR-04']],
    [{ body }, ['ADM-TR-05']],
    [{ artifact_type: 'ProblemFrame' }, ['ADM-TR-06']],
    [{}, ['ADM-TR-05', 'ADM-TR-06']],
    [{ artifact_type: 'ProblemFrame', body, body_json: JSON.stringify(body) }, ['ADM-TR-07']],
    [{ artifact_type: 'ProblemFrame', body_json: '{not json' }, ['ADM-TR-08']],
    [{ artifact_type: 'ProblemFrame', body_json: '[]' }, ['ADM-TR-09']],
    [{ artifact_type: 'ProblemFrame', body_json: 'null' }, ['ADM-TR-09']],
    [{ artifact_type: 'ProblemFrame', body, source_refs: ['repo://a', 'repo://b', 'repo://a'] }, ['ADM-REF-03']],
  ])('%j breaks %j', (more, rules) => {
    expect(refusal(more)).toMatchObject({ code: 'invalid_arguments', rules });
  });

  test.each([
    [{ runId: 'run-1' }, ['ADM-TR-10']],
    [{ id: 'frame-01' }, ['ADM-TR-10']],
    [{ id: 7, runId: null }, ['ADM-TR-10', 'ADM-TR-10']],
    [{ id: 'frame-01', runId: 'run-2' }, ['ADM-TR-11']],
  ])('with body %j breaks %j, as a wrong body', (wrong, rules) => {
    expect(refusal({ artifact_type: 'ProblemFrame', body: wrong })).toMatchObject({ code: 'invalid_body', rules });
    expect(refusal({ artifact_type: 'ProblemFrame', body_json: JSON.stringify(wrong) })).toMatchObject({
      code: 'invalid_body',
      rules,
    });
  });

  test('names the offset at which body_json stops being JSON, and shows nothing of it', () => {
    const [finding] = refusal({ artifact_type: 'ProblemFrame', body_json: '{"secret": tok_12345}' }).findings;
    expect(finding).toMatchObject({ path: 'body_json', expected: { offset: 11 } });
    expect(JSON.stringify(finding)).not.toContain('tok_12345');
  });

  test('of a body with the wrong run tells the right one', () => {
    const [finding] = refusal({ artifact_type: 'ProblemFrame', body: { ...body, runId: 'run-9' } }).findings;
    expect(finding).toMatchObject({ path: 'body.runId', expected: 'run-1', fix: 'Set runId to run-1.' });
  });
});
