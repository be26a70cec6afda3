import { found } from '../../schemas/found.ts';
import { VerificationCapability } from '../../schemas/vocabulary.ts';
import { meet } from '../feasibility/meet.ts';
import { buildPlan } from '../feasibility/planBuilder.ts';
import { questionOfContract } from '../feasibility/question.ts';
import { commandReason, entryFault } from '../permissions/command.ts';
import { covers } from '../permissions/permissionSet.ts';
import { type Artifact, uriOf } from '../record.ts';
import { type BookEntry, type Query, rule } from './book.ts';
import { effectiveFor, originalRequestRef } from './derived.ts';
import { canonicalEqual, setDifference } from './equality.ts';
import { excessFaults } from './excess.ts';
import { taskContractRevisionRules } from './taskContractRevision.ts';
import { choice, listed, told } from './wording.ts';

/** Rules of the TaskContract (admission section 7), in the order of evaluation. */

type Contract = Artifact<'TaskContract'>['body'];
type Frame = Artifact<'ProblemFrame'>['body'];

const compiles = (query: Query): boolean => query.run.phase === 'agent_2_compile';

/** Fields of a first contract that repeat the frame, and how the frame calls them. */
const repeats = (
  code: `ADM-CONTRACT-${string}`,
  text: string,
  fields: readonly (readonly [keyof Contract, keyof Frame])[],
) =>
  rule({
    code,
    types: ['TaskContract'],
    part: 'own',
    text,
    reads: ['ProblemFrame', 'run.phase'],
    refusal: 'rule_broken',
    *check(query) {
      const frame = query.record.latest('ProblemFrame');
      if (!frame || !compiles(query)) return;
      for (const [field, source] of fields)
        if (!canonicalEqual(query.body[field], frame.body[source]))
          yield {
            path: field,
            message: `${field} differs from ${source} of the frame ${found(uriOf(frame))}, which a first contract repeats, order included.`,
            ...told(frame.body[source]),
            fix: `Copy ${source} of the frame unchanged.`,
          };
    },
  });

/** What a contract must keep of the frame's sources: those of facts (the user's apart) and of inferences, each once. */
export const contextOf = (frame: Frame): readonly string[] => [
  ...new Set([
    ...frame.knownFacts.filter(({ provenance }) => provenance !== 'user').map(({ sourceRef }) => sourceRef),
    ...frame.inferences.flatMap(({ sourceRefs }) => sourceRefs),
  ]),
];

export const taskContractRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-CONTRACT-01',
    types: ['TaskContract'],
    part: 'own',
    text: 'intentMode is the mode of the run.',
    reads: ['run.mode'],
    refusal: 'rule_broken',
    *check({ body, run }) {
      if (body.intentMode !== run.mode)
        yield {
          path: 'intentMode',
          message: `intentMode is ${found(body.intentMode)}; this run was started as "${run.mode}".`,
          expected: run.mode,
          fix: `Set intentMode to "${run.mode}"; another mode needs another run.`,
        };
    },
  }),
  rule({
    code: 'ADM-CONTRACT-02',
    types: ['TaskContract'],
    part: 'own',
    text: 'originalRequestRef is the request of the run and problemFrameRef its frame.',
    reads: ['RunEnvelope', 'ProblemFrame'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const frame = record.latest('ProblemFrame');
      const anchors = [
        ['originalRequestRef', originalRequestRef(record)],
        ['problemFrameRef', frame && uriOf(frame)],
      ] as const;
      for (const [field, expected] of anchors)
        if (body[field] !== expected)
          yield {
            path: field,
            message: `${field} is ${found(body[field])}; that of this run is ${found(expected)}.`,
            ...(expected === undefined ? {} : { expected }),
            fix: `Set ${field} to the reference of this run.`,
          };
    },
  }),
  rule({
    code: 'ADM-CONTRACT-03',
    types: ['TaskContract'],
    part: 'own',
    text: 'contextRefs keeps every source that facts (those of the user apart) and inferences of the frame rest on.',
    reads: ['ProblemFrame'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const frame = record.latest('ProblemFrame');
      const missing = frame ? contextOf(frame.body).filter((ref) => !body.contextRefs.includes(ref)) : [];
      if (missing.length > 0)
        yield {
          path: 'contextRefs',
          message: `contextRefs lacks ${listed(missing)}, which the frame relies on.`,
          expected: { add: missing },
          fix: 'Add these references to contextRefs.',
        };
    },
  }),
  repeats('ADM-CONTRACT-04', 'scope of a first contract repeats the frame.', [['scope', 'scope']]),
  repeats('ADM-CONTRACT-05', 'constraints and nonGoals of a first contract repeat the frame.', [
    ['constraints', 'constraints'],
    ['nonGoals', 'nonGoals'],
  ]),
  repeats('ADM-CONTRACT-06', 'acceptanceCriteria of a first contract are the draft criteria of the frame.', [
    ['acceptanceCriteria', 'draftAcceptanceCriteria'],
  ]),
  rule({
    code: 'ADM-CONTRACT-07',
    types: ['TaskContract'],
    part: 'own',
    text: 'ruleRefs lists each applicable rule of the frame once and no other.',
    reads: ['ProblemFrame'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const frame = record.latest('ProblemFrame');
      if (!frame) return;
      const expected = [...new Set(frame.body.applicableRuleRefs)];
      const difference = setDifference(body.ruleRefs, expected);
      if (!difference) return;
      const { missing, extra, repeated } = difference;
      yield {
        path: 'ruleRefs',
        message: `ruleRefs must list each rule of the frame once; missing: ${listed(missing)}; not in the frame: ${listed(extra)}; repeated: ${listed(repeated)}.`,
        ...told(expected),
        fix: 'Copy applicableRuleRefs of the frame, each once.',
      };
    },
  }),
  rule({
    code: 'ADM-CONTRACT-08',
    types: ['TaskContract'],
    part: 'own',
    text: 'The first contract of a run has version 1.',
    reads: ['run.contractVersion'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) =>
        run.phase !== 'agent_2_compile' ||
        facts.contractVersion === undefined ||
        (run.contractVersion === 0 && facts.contractVersion === 1),
      says: (run, facts) => ({
        path: 'version',
        message:
          run.contractVersion === 0
            ? `The first contract of a run has version 1; this one says ${facts.contractVersion}.`
            : `This run already holds contract version ${run.contractVersion}; a first contract cannot follow it.`,
        expected: 1,
        fix: 'Set version to 1.',
      }),
    },
  }),
  ...taskContractRevisionRules,
  rule({
    code: 'ADM-CONTRACT-09',
    types: ['TaskContract'],
    part: 'own',
    text: 'permissions cover the capability of every required verification.',
    reads: ['RunEnvelope', 'run.mode'],
    refusal: 'rule_broken',
    *check({ body, record, run }) {
      const open = effectiveFor(record, run.mode);
      const canVerify = VerificationCapability.options.some((capability) => covers(open, capability));
      for (const [index, { id, required, capability }] of body.verificationRequirements.entries())
        if (required && !covers(body.permissions, capability))
          yield {
            path: `verificationRequirements.${index}.capability`,
            message: `The required verification ${found(id)} needs ${capability}, which permissions do not grant.`,
            ...choice(VerificationCapability.options.filter((one) => covers(body.permissions, one))),
            fix: canVerify
              ? 'Choose a capability that permissions grant, grant this one if the run has it, or set required to false.'
              : 'Nothing that this run may do could show it: ask with a ClarificationRequest of reason permission_expanding.',
          };
    },
  }),
  rule({
    code: 'ADM-CONTRACT-10',
    types: ['TaskContract'],
    part: 'own',
    text: 'Each allowed command is one exact command.',
    reads: ['RunEnvelope', 'run.mode'],
    refusal: 'rule_broken',
    *check({ body, record, run }) {
      const given = body.permissions.shell.executeAllowlist;
      const open = effectiveFor(record, run.mode).shell.executeAllowlist.filter((command) => !given.includes(command));
      for (const [index, command] of body.permissions.shell.executeAllowlist.entries()) {
        const fault = entryFault(command);
        if (fault)
          yield {
            path: `permissions.shell.executeAllowlist.${index}`,
            message: `${found(command)} is no exact command: ${commandReason(fault)}.`,
            expected: open.length > 0 ? open : { absent: true },
            fix: 'Name one exact command as the run was started with, or take the entry out.',
          };
      }
    },
  }),
  rule({
    code: 'ADM-CONTRACT-11',
    types: ['TaskContract'],
    part: 'own',
    text: 'permissions stay inside the effective authority of the run.',
    reads: ['RunEnvelope', 'run.mode'],
    refusal: 'permission_exceeded',
    *check({ body, record, run }) {
      const bound = 'the effective authority of this run';
      yield* excessFaults(body.permissions, effectiveFor(record, run.mode), {
        path: 'permissions',
        who: 'The contract',
        bound,
      });
    },
  }),
  rule({
    code: 'ADM-CONTRACT-12',
    types: ['TaskContract'],
    part: 'own',
    text: 'A contract can be planned: every verification that is due finds a node that may use its capability and owns a criterion of its stage.',
    reads: ['RunEnvelope', 'WorkPlan', 'QualityReview', 'ReleaseAudit', 'run.mode'],
    refusal: 'infeasible',
    *check({ body, record, run }) {
      // A contract of another mode has the stages of that mode: CONTRACT-01 says what is wrong.
      if (body.intentMode !== run.mode) return;
      const answer = buildPlan(questionOfContract(run, record, body));
      if (answer.ok) return;
      // What permissions do not grant, or grant beyond the authority of the run, CONTRACT-09 and -11 tell.
      const open = meet([body.permissions, effectiveFor(record, run.mode)]);
      const isTold = (path: string): boolean =>
        body.verificationRequirements.some(
          ({ capability }, index) =>
            path === `verificationRequirements.${index}.capability` && !covers(open, capability),
        );
      for (const { message, ...reason } of answer.why)
        if (!isTold(reason.path)) yield { ...reason, message: `No plan can satisfy this contract: ${message}.` };
    },
  }),
];
