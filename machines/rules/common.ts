import { found } from '../../schemas/found.ts';
import { isJsonObject } from '../../schemas/jsonObject.ts';
import { phaseTable, producers } from '../../schemas/vocabulary.ts';
import { valueAt } from './bodyReferences.ts';
import { type BookEntry, rule, ruledTypes } from './book.ts';
import { mergeRules, referenceRules } from './references.ts';
import { listed } from './wording.ts';

/** Rules that hold for every submission or for the clarification that it resumes (admission sections 1, 2 and 4). */

export const commonRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-COM-04',
    types: ruledTypes,
    part: 'common',
    text: 'The body of an artifact is a JSON object.',
    reads: [],
    refusal: 'invalid_body',
    ends: true,
    *check({ body }) {
      if (!isJsonObject(body))
        yield { path: '', message: `The body is ${found(body)}, not an object.`, fix: 'Send one JSON object.' };
    },
  }),
  rule({
    code: 'ADM-COM-05',
    types: ruledTypes,
    part: 'common',
    text: 'The id of the body is the id under which it is submitted.',
    reads: ['submission'],
    refusal: 'invalid_body',
    *check({ body, submission }) {
      const sent = valueAt(submission.body, ['id']);
      if (typeof sent === 'string' && sent !== body.id)
        yield {
          path: 'id',
          message: `The body says id ${found(body.id)}, the submission ${found(sent)}.`,
          expected: sent,
          fix: 'Use one id for both.',
        };
    },
  }),
  rule({
    code: 'ADM-COM-06',
    types: ruledTypes,
    part: 'common',
    text: 'The body belongs to the run to which it is submitted.',
    reads: ['run.runId'],
    refusal: 'invalid_body',
    *check({ body, run }) {
      if (body.runId !== run.runId)
        yield {
          path: 'runId',
          message: `runId is ${found(body.runId)}, but this is run ${run.runId}.`,
          expected: run.runId,
          fix: `Set runId to ${run.runId}.`,
        };
    },
  }),
  rule({
    code: 'ADM-COM-07',
    types: ruledTypes,
    part: 'common',
    text: 'schemaVersion is "1.0".',
    reads: [],
    refusal: 'invalid_body',
    *check({ body }) {
      const version: string = body.schemaVersion;
      if (version !== '1.0')
        yield {
          path: 'schemaVersion',
          message: `schemaVersion is ${found(version)}.`,
          expected: '1.0',
          fix: 'Set schemaVersion to "1.0".',
        };
    },
  }),
  rule({
    code: 'ADM-COM-08',
    types: ruledTypes,
    part: 'common',
    text: 'An artifact comes from the role of its type, which is the role of the phase; a supporting one keeps its own.',
    reads: ['run.phase'],
    refusal: 'wrong_type',
    *check({ type, run }) {
      const { role, wire, accepts, supports } = phaseTable[run.phase];
      const wanted = type === 'ClarificationRequest' ? role : producers[type];
      if (wanted !== role && !supports.some((supported) => supported === type))
        yield {
          path: 'artifact_type',
          message: `A ${type} comes from the role ${wanted}; in ${wire} the role is ${role}.`,
          expected: [...accepts, ...supports],
          fix: 'Fetch the next action and submit the type that it asks for.',
        };
    },
  }),
  rule({
    code: 'ADM-CLR-03',
    types: ['ClarificationRequest'],
    part: 'common',
    text: 'A further question is recorded only while the run is running.',
    reads: ['run.questions', 'run.status'],
    refusal: 'clarification_invalid',
    *check({ run }) {
      if (run.questions > 0 && run.status !== 'running')
        yield {
          path: 'artifact_type',
          message: `The run is ${run.status}; a further question is recorded only while it is running.`,
          fix: 'Answer the open question first.',
        };
    },
  }),
  rule({
    code: 'ADM-CLR-04',
    types: ['ClarificationRequest'],
    part: 'common',
    text: 'A further question is recorded only in a phase that may ask.',
    reads: ['run.questions', 'run.phase'],
    refusal: 'clarification_invalid',
    *check({ run }) {
      const { accepts, wire } = phaseTable[run.phase];
      if (run.questions > 0 && !accepts.includes('ClarificationRequest'))
        yield {
          path: 'artifact_type',
          message: `Phase ${wire} cannot record a further question.`,
          fix: 'Decide with the evidence at hand and say in the artifact what stays open.',
        };
    },
  }),
  rule({
    code: 'ADM-CLR-05',
    types: [
      'ContextManifest',
      'ProblemFrame',
      'TaskContract',
      'PromptReview',
      'WorkPlan',
      'WorkResult',
      'QualityReview',
      'ReleaseAudit',
      'UserReport',
    ],
    part: 'common',
    text: 'The artifact that resumes after an answer cites the question and the answer in source_refs.',
    reads: ['run.lineage', 'sourceRefs'],
    refusal: 'clarification_invalid',
    *check({ run, sourceRefs }) {
      const missing = run.lineage.filter((ref) => !sourceRefs.includes(ref));
      if (missing.length > 0)
        yield {
          path: 'source_refs',
          message: `This artifact resumes after an answer of the user and does not cite ${listed(missing)}.`,
          expected: { add: missing },
          fix: 'Add these references to source_refs.',
        };
    },
  }),
  rule({
    code: 'ADM-COM-17',
    types: ruledTypes,
    part: 'common',
    text: 'redaction is none, partial or full; absent it is none.',
    reads: [],
    refusal: 'invalid_arguments',
  }),
];

/** The common part of the book in the order of evaluation (admission section 1, steps 2 and 3). */
export const commonPart: readonly BookEntry[] = [...mergeRules, ...commonRules, ...referenceRules];
