import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../schemas/tools/parse.ts';
import { argumentRules } from '../../schemas/tools/rules.ts';
import { readSubmission } from '../../schemas/tools/submission.ts';
import type { ToolName } from '../../schemas/tools.ts';

/** Each rule of the arguments with a call that breaks it and the like that keeps it (admission section 2). */

type Args = Readonly<Record<string, unknown>>;

const body = { id: 'frame-01', runId: 'run-1' };
const token = { run_id: 'run-1', action_id: 'action:run-1:3', expected_run_version: 3 };
const artifact = { ...token, artifact_type: 'ProblemFrame', body };
const { body: _, ...bodiless } = artifact;
const encoded = (text: string): Args => ({ ...bodiless, body_json: text });

/** The code of a failed call and of each of its findings; null for a call that is taken. */
const judged = (tool: ToolName, args: Args): Readonly<{ code: string; rules: readonly string[] }> | null => {
  const parsed = parseArguments(tool, args);
  if (!parsed.ok) return { code: 'invalid_arguments', rules: parsed.findings.map(({ code }) => code) };
  if (tool !== 'telic_submit_artifact') return null;
  const submit = parseArguments('telic_submit_artifact', args);
  const submission = submit.ok ? readSubmission(submit.args) : null;
  return submission && !submission.ok
    ? { code: submission.code, rules: submission.findings.map(({ code }) => code) }
    : null;
};

const refuses = (code: string, what: string, args: Args, tool: ToolName = 'telic_submit_artifact'): void => {
  it(`${code} refuses ${what}`, () => {
    const refusal = argumentRules.find((rule) => rule.code === code)?.refusal;
    expect(judged(tool, args)).toEqual({ code: refusal, rules: [code] });
  });
};

const accepts = (code: string, what: string, args: Args, tool: ToolName = 'telic_submit_artifact'): void => {
  it(`${code} accepts ${what}`, () => {
    expect(judged(tool, args)).toBeNull();
  });
};

describe('the arguments of a submission', () => {
  refuses('ADM-TR-04', 'an answer beside an artifact', { ...artifact, clarification_response: 'go-on' });
  accepts('ADM-TR-04', 'an answer alone', { ...token, clarification_response: 'go-on' });
  refuses('ADM-TR-05', 'a body without a type', { ...token, body });
  accepts('ADM-TR-05', 'a body with its type', artifact);
  refuses('ADM-TR-06', 'a type without a body', bodiless);
  accepts('ADM-TR-06', 'a body as text in place of one', encoded(JSON.stringify(body)));
  refuses('ADM-TR-07', 'a body that is sent twice', { ...artifact, body_json: JSON.stringify(body) });
  accepts('ADM-TR-07', 'a body that is sent once', artifact);
  refuses('ADM-TR-08', 'text that is no JSON', encoded('{"id": frame-01}'));
  accepts('ADM-TR-08', 'text that is JSON', encoded('{"id": "frame-01", "runId": "run-1"}'));
  refuses('ADM-TR-09', 'JSON that is a list', encoded('[{"id":"frame-01","runId":"run-1"}]'));
  accepts('ADM-TR-09', 'JSON that is an object', encoded('{"id":"frame-01","runId":"run-1"}'));
  refuses('ADM-TR-10', 'a body without an id', { ...artifact, body: { runId: 'run-1' } });
  accepts('ADM-TR-10', 'a body with id and run', artifact);
  refuses('ADM-TR-11', 'a body of another run', { ...artifact, body: { ...body, runId: 'run-2' } });
  accepts('ADM-TR-11', 'a body of the run that it is sent to', artifact);
  refuses('ADM-COM-02', 'a type outside the vocabulary', { ...artifact, artifact_type: 'Poem' });
  accepts('ADM-COM-02', 'every word of the vocabulary, that of a controller type included', {
    ...artifact,
    artifact_type: 'ReceiptAudit',
  });
  it('ADM-COM-17 refuses nothing, for no caller can say a redaction: it is an unknown argument', () => {
    expect(judged('telic_submit_artifact', { ...artifact, redaction: 'full' })?.rules).toEqual(['SCH-KEY-01']);
  });
});

describe('the arguments of reads', () => {
  const trace = (more: Args): Args => ({ run_id: 'run-1', ...more });
  refuses('ADM-TR-13', 'a list of 101 runs', { limit: 101 }, 'telic_list_runs');
  accepts('ADM-TR-13', 'a list of 100 runs', { limit: 100 }, 'telic_list_runs');
  refuses('ADM-TR-14', 'a page of the trace before its beginning', trace({ after_sequence: -1 }), 'telic_get_trace');
  accepts('ADM-TR-14', 'the longest page', trace({ after_sequence: 0, limit: 500 }), 'telic_get_trace');
});
