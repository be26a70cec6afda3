import { z } from 'zod';
import type { FailureCode, Finding } from '../failure.ts';
import { found } from '../found.ts';
import type { ToolArguments } from '../tools.ts';
import { submittedTypes } from '../vocabulary.ts';
import { jsonFault } from './jsonFault.ts';
import { argumentRules } from './rules.ts';

/** What one call of `telic_submit_artifact` says: an artifact, or the answer to the open question. */
export type Submission =
  | Readonly<{ path: 'artifact'; type: string; body: unknown; sourceRefs: readonly string[] }>
  | Readonly<{ path: 'answer'; answer: string }>;

export type ReadSubmission =
  | Readonly<{ ok: true; submission: Submission }>
  | Readonly<{ ok: false; code: FailureCode; findings: readonly Finding[] }>;

type Args = ToolArguments<'telic_submit_artifact'>;

/** The body as sent, or why there is none to judge. */
type ReadBody = Readonly<{ ok: true; body: unknown }> | Readonly<{ ok: false; findings: readonly Finding[] }>;

const no = (...findings: readonly Finding[]): ReadBody => ({ ok: false, findings });

const parsed = (text: string): ReadBody => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The engine's message may show a piece of the text and often names no place; the fault is looked for below.
    const fault = jsonFault(text);
    return no({
      path: 'body_json',
      code: 'ADM-TR-08',
      message: `body_json is not JSON: at offset ${fault?.offset ?? 0}, ${fault?.what ?? 'something is wrong'}.`,
      expected: { offset: fault?.offset ?? 0 },
      fix: 'Mend the text at that offset, or send the object as body.',
    });
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ok: true, body };
  return no({
    path: 'body_json',
    code: 'ADM-TR-09',
    message: `body_json holds ${found(body)}, not an object.`,
    expected: { type: 'object' },
    fix: 'Put the whole artifact into one JSON object.',
  });
};

const bodyOf = ({ body, body_json }: Args): ReadBody => {
  if (body !== undefined && body_json !== undefined)
    return no({
      path: 'body_json',
      code: 'ADM-TR-07',
      message: 'body and body_json were both sent; one body is wanted.',
      fix: 'Leave one of them out.',
    });
  if (body_json !== undefined) return parsed(body_json);
  if (body !== undefined) return { ok: true, body };
  return no({
    path: 'body',
    code: 'ADM-TR-06',
    message: 'The artifact has no body.',
    fix: 'Send the object as body, or as JSON text in body_json when the host drops empty lists.',
  });
};

const Heads = z.looseObject({ id: z.unknown().optional(), runId: z.unknown().optional() });

const headFindings = (body: unknown, runId: string, base: string): readonly Finding[] => {
  const head = Heads.safeParse(body);
  const { id, runId: named } = head.success ? head.data : { id: undefined, runId: undefined };
  const findings: Finding[] = [];
  if (typeof id !== 'string')
    findings.push({
      path: `${base}.id`,
      code: 'ADM-TR-10',
      message: `id of the body is ${found(id)}; it must be a string.`,
      expected: { type: 'string' },
      fix: 'Give the artifact an id of its own, for instance "frame-01".',
    });
  if (typeof named !== 'string')
    findings.push({
      path: `${base}.runId`,
      code: 'ADM-TR-10',
      message: `runId of the body is ${found(named)}; it must be a string.`,
      expected: runId,
      fix: `Set runId to ${runId}.`,
    });
  else if (named !== runId)
    findings.push({
      path: `${base}.runId`,
      code: 'ADM-TR-11',
      message: `runId of the body is ${found(named)}, but run_id is ${found(runId)}.`,
      expected: runId,
      fix: `Set runId to ${runId}.`,
    });
  return findings;
};

const both: Finding = {
  path: 'clarification_response',
  code: 'ADM-TR-04',
  message: 'An answer and an artifact were sent in one call.',
  fix: 'Send clarification_response alone, or leave it out.',
};

const untyped: Finding = {
  path: 'artifact_type',
  code: 'ADM-TR-05',
  message: 'artifact_type is missing.',
  expected: submittedTypes,
  fix: 'Set artifact_type to the requiredOutputType of the next action.',
};

const refused = (findings: readonly Finding[]): ReadSubmission => {
  const rule = argumentRules.find(({ code }) => code === findings[0]?.code);
  return { ok: false, code: rule?.refusal ?? 'invalid_arguments', findings };
};

/** REF-03: each reference once. */
const repeated = (refs: readonly string[]): readonly Finding[] =>
  refs.flatMap((ref, index) =>
    refs.indexOf(ref) < index
      ? [
          {
            path: `source_refs.${index}`,
            code: 'ADM-REF-03',
            message: `source_refs names ${found(ref)} more than once.`,
            fix: 'Keep one of them.',
          },
        ]
      : [],
  );

/**
 * Chooses the path of a submission and reads its body: TR-04 to TR-11 and REF-03, which need no run (admission
 * section 2). The body itself is judged later, by the schema of its type.
 *
 * @param args parsed arguments of `telic_submit_artifact`
 */
export const readSubmission = (args: Args): ReadSubmission => {
  const { artifact_type: type, clarification_response: answer, source_refs: sourceRefs = [] } = args;
  const artifact = type !== undefined || args.body !== undefined || args.body_json !== undefined;
  if (answer !== undefined) return artifact ? refused([both]) : { ok: true, submission: { path: 'answer', answer } };

  const read = bodyOf(args);
  const base = args.body_json === undefined ? 'body' : 'body_json';
  const findings = [
    ...(type === undefined ? [untyped] : []),
    ...(read.ok ? [] : read.findings),
    ...repeated(sourceRefs),
    ...(read.ok ? headFindings(read.body, args.run_id, base) : []),
  ];
  if (type === undefined || !read.ok || findings.length > 0) return refused(findings);
  return { ok: true, submission: { path: 'artifact', type, body: read.body, sourceRefs } };
};
