import type { Finding } from '../../schemas/failure.ts';
import { found } from '../../schemas/found.ts';
import { executes, limits, type StoredType } from '../../schemas/vocabulary.ts';
import { type Artifact, artifactUri, type RunRecord, uriOf } from '../record.ts';
import { isReference, isSystemRef, pathOf, stringsIn, valueAt } from './bodyReferences.ts';
import { type BookEntry, type Query, type Rule, type RuleCode, rule, ruledTypes, type Said } from './book.ts';
import { type Citation, citationsOf } from './citations.ts';
import { lineageFault, priorRunId } from './lineage.ts';
import { listed, told } from './wording.ts';

/** The reference rules (admission sections 3.1 and 14): they hold for every submission. */

export { mergedReferences } from './bodyReferences.ts';

type Fault = Omit<Said, 'path'>;

/** A rule that judges each reference for itself. */
const each = (
  code: RuleCode,
  text: string,
  reads: readonly string[],
  judge: (citation: Citation, query: Query) => Fault | null,
  more: Partial<Pick<Rule, 'refusal' | 'types'>> = {},
): BookEntry =>
  rule({
    code,
    types: ruledTypes,
    part: 'common',
    text,
    reads,
    refusal: 'reference_invalid',
    ...more,
    *check(query) {
      for (const citation of citationsOf(query)) {
        const fault = judge(citation, query);
        if (fault) yield { path: citation.path, ...fault };
      }
    },
  });

/** System artifacts by role; the underscore of a role may be written as a hyphen. */
const systemRefs = [
  ...[
    'controller',
    'scenario_author',
    'scenario_author-micro',
    'task_compiler',
    'quality_controller',
    'quality_controller-spot',
    'quality_controller-reverify',
    'executor',
    'release_auditor',
  ].map((role) => `artifact://system/roles/${role}-v1`),
  'artifact://system/rubrics/contract-readiness-v1',
  'artifact://system/rubrics/execution-quality-v1',
];
const knownSystemRefs: ReadonlySet<string> = new Set([
  ...systemRefs,
  ...systemRefs.map((ref) => ref.replace('_', '-')),
]);

const systemKeys: ReadonlySet<string> = new Set([
  'applicableRuleRefs',
  'instructionRef',
  'policyRefs',
  'promptReadinessRubricRef',
  'ruleRefs',
]);

const selections = new WeakMap<object, ReadonlySet<string>>();

/** The repository sources that were selected when the context was grounded. */
const selectedSources = (record: RunRecord): ReadonlySet<string> => {
  const manifest = record.latest('ContextManifest');
  if (!manifest) return new Set();
  const known = selections.get(manifest);
  if (known) return known;
  const selected = new Set([
    ...manifest.body.pinnedRefs,
    ...manifest.body.candidates.filter(({ decision }) => decision === 'selected').map(({ ref }) => ref),
  ]);
  selections.set(manifest, selected);
  return selected;
};

const wordsOf = (ref: string): ReadonlySet<string> =>
  new Set(
    ref
      .slice('repo://'.length)
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== ''),
  );

/** The selected sources that share most words of their path with a reference. */
const nearest = (ref: string, selected: ReadonlySet<string>): string[] => {
  const wanted = wordsOf(ref);
  return [...selected]
    .map((source) => ({ source, shared: [...wordsOf(source)].filter((word) => wanted.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 3)
    .map(({ source }) => source);
};

const traceIsNoEvidence = (ref: string): Fault => ({
  message: `${found(ref)} is of the trace; no trace entry counts as evidence.`,
  fix: 'Cite the Evidence artifact that was captured for it.',
});

const eventExists = (event: string, record: RunRecord): boolean => {
  const digits = /^event-(\d{4,15})$/.exec(event)?.[1];
  if (digits === undefined) return false;
  const sequence = Number(digits);
  return String(sequence).padStart(4, '0') === digits && sequence >= 1 && sequence <= record.traceLength;
};

/** The type that a field demands of its target (REF-17). */
const typedFields: ReadonlyMap<string, StoredType> = new Map([
  ['originalRequestRef', 'UserMessage'],
  ['problemFrameRef', 'ProblemFrame'],
  ['targetRef', 'TaskContract'],
  ['taskContractRef', 'TaskContract'],
  ['workPlanRef', 'WorkPlan'],
  ['workPlanRefs', 'WorkPlan'],
  ['workResultRefs', 'WorkResult'],
  ['qualityReviewRef', 'QualityReview'],
  ['contextManifestRef', 'ContextManifest'],
  ['clarificationRequestRef', 'ClarificationRequest'],
]);

const isForward = (citation: Citation, query: Query): boolean =>
  query.type === 'ReleaseAudit' && citation.pattern === 'userReportRef';

const bodyId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

const latestRef = (record: RunRecord, type: StoredType): Readonly<{ expected?: unknown }> => {
  const latest = record.latest(type);
  return latest ? { expected: uriOf(latest) } : {};
};

const criteriaOf = (plan: Artifact<'WorkPlan'>): ReadonlySet<string> =>
  new Set(plan.body.nodes.flatMap(({ acceptanceCriteria }) => acceptanceCriteria));

/** The criteria that a field of a review or audit speaks of; null where it speaks of none. */
const criteriaAt = (citation: Citation, query: Query): readonly string[] | null => {
  const element = citation.steps.slice(0, 2);
  const one = valueAt(query.body, [...element, 'criterionId']);
  if (typeof one === 'string') return [one];
  const several = valueAt(query.body, [...element, 'criterionIds']);
  return Array.isArray(several) ? several.filter((id) => typeof id === 'string') : null;
};

/**
 * In the modes without execution a plan is what there is to show: the latest one, and an earlier one for the criteria
 * that a remediation plan does not plan again.
 */
const isPlanProof = (plan: Artifact<'WorkPlan'>, citation: Citation, query: Query): boolean => {
  if (executes(query.run.mode)) return false;
  const latest = query.record.latest('WorkPlan');
  if (!latest || latest.id === plan.id) return true;
  const replanned = criteriaOf(latest);
  const retained = [...criteriaOf(plan)].filter((id) => !replanned.has(id));
  const about = criteriaAt(citation, query);
  return about === null ? retained.length > 0 : about.some((id) => retained.includes(id));
};

/** A gate that is not passed may rest on a result of the current plan while the run holds no Evidence at all. */
const isBareResult = (result: Artifact<'WorkResult'>, citation: Citation, query: Query): boolean => {
  if (query.type !== 'QualityReview' || citation.pattern !== 'hardGates[].evidenceRefs[]') return false;
  if (!executes(query.run.mode) || query.record.latest('Evidence')) return false;
  const plan = query.record.latest('WorkPlan');
  const passed = valueAt(query.body, [...citation.steps.slice(0, 2), 'passed']);
  return passed === false && plan !== undefined && result.body.workPlanRef === uriOf(plan);
};

const isProof = (citation: Citation, query: Query): boolean => {
  if (citation.place.kind !== 'own') return true;
  const { target } = citation.place;
  switch (target?.type) {
    case 'Evidence':
    case 'ContextDocument':
    case undefined:
      return true;
    case 'WorkPlan':
      return isPlanProof(target, citation, query);
    case 'WorkResult':
      return isBareResult(target, citation, query);
    default:
      return false;
  }
};

const proofs = (query: Query): readonly string[] => {
  const plan = executes(query.run.mode) ? undefined : query.record.latest('WorkPlan');
  return [...query.record.all('Evidence').slice(-16).map(uriOf), ...(plan ? [uriOf(plan)] : [])];
};

const lineageRule = (code: RuleCode, text: string, reads: readonly string[]): BookEntry =>
  each(code, text, reads, ({ place, ref }, query) => {
    if (place.kind !== 'foreign' || !place.linked) return null;
    const fault = lineageFault(query, ref);
    return fault?.code === code ? fault.said : null;
  });

/** Judged before everything else that reads a body: how many references there are, and whether one was sent twice. */
export const mergeRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REF-02',
    types: ruledTypes,
    part: 'common',
    text: 'An artifact cites at most 256 references, those of its body included.',
    reads: ['sourceRefs'],
    refusal: 'invalid_arguments',
    ends: true,
    *check({ sourceRefs }) {
      if (sourceRefs.length > limits.references)
        yield {
          path: 'source_refs',
          message: `The artifact cites ${sourceRefs.length} references; ${limits.references} is the limit.`,
          expected: limits.references,
          fix: 'Cite fewer sources: leave out of source_refs what the body cites, and of the body what proves nothing.',
        };
    },
  }),
  rule({
    code: 'ADM-REF-03',
    types: ruledTypes,
    part: 'common',
    text: 'source_refs names each reference once.',
    reads: [],
    refusal: 'invalid_arguments',
    ends: true,
    *check({ submission: { sourceRefs } }) {
      const seen = new Set<string>();
      for (const [index, ref] of sourceRefs.entries()) {
        if (seen.has(ref))
          yield {
            path: `source_refs.${index}`,
            message: `source_refs names ${found(ref)} more than once.`,
            ...told([...new Set(sourceRefs)]),
            fix: 'Keep one of them.',
          };
        seen.add(ref);
      }
    },
  }),
];

/** The rules of single references, in the order in which each reference is judged. */
export const referenceRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REF-01',
    types: ruledTypes,
    part: 'common',
    text: 'Each entry of source_refs is an artifact://, repo:// or trace:// reference of at most 2048 characters.',
    reads: [],
    refusal: 'invalid_arguments',
    *check({ submission: { sourceRefs } }) {
      for (const [index, ref] of sourceRefs.entries())
        if (!isReference(ref))
          yield {
            path: `source_refs.${index}`,
            message:
              ref.length > 2048
                ? `source_refs.${index} has ${ref.length} characters; 2048 is the limit.`
                : `${found(ref)} is no reference: it must begin with artifact://, repo:// or trace:// and hold no blank, "?", "#" or bracket.`,
            fix: 'Copy a reference that the next action or a receipt names, or take the entry out.',
          };
    },
  }),
  each(
    'ADM-REF-04',
    'A system artifact is a known role or rubric and stands only where rules and instructions are named.',
    [],
    ({ place, ref, key, pattern }) => {
      if (place.kind !== 'system') return null;
      if (!knownSystemRefs.has(ref))
        return {
          message: `${found(ref)} is no system artifact.`,
          expected: systemRefs,
          fix: 'Use one of the known system artifacts.',
        };
      if (systemKeys.has(key) || pattern === 'ruleCompliance[].subjectRef') return null;
      return {
        message: `The system artifact ${found(ref)} may not stand at ${pattern}.`,
        fix: `Cite an artifact of this run here; system artifacts stand in ${listed([...systemKeys])}.`,
      };
    },
  ),
  each(
    'ADM-REF-05',
    'A claim on the word of the user rests on the message of the user, not on a file.',
    [],
    (citation) =>
      citation.place.kind === 'repository' && citation.role === 'user_reported'
        ? {
            message: `${found(citation.ref)} is a repository file; a user-reported claim rests on what the user said.`,
            fix: 'Cite the UserMessage, or change the basis of the claim and cite captured Evidence.',
          }
        : null,
  ),
  each(
    'ADM-REF-06',
    'A repository reference is a source that was selected when the context was grounded.',
    ['ContextManifest'],
    ({ place, ref }, { type, record }) => {
      if (place.kind !== 'repository' || type === 'ContextManifest') return null;
      const selected = selectedSources(record);
      if (selected.has(ref)) return null;
      const near = nearest(ref, selected);
      return {
        message: `${found(ref)} is not among the ${selected.size} selected sources${near.length > 0 ? `; near it are ${listed(near)}` : ''}.`,
        ...told(near.length > 0 ? near : [...selected].slice(0, 16)),
        fix:
          selected.size > 0
            ? 'Cite a selected source, exactly as the next action names it.'
            : 'No repository source was selected in this run; cite an artifact instead.',
      };
    },
  ),
  each('ADM-REF-07', 'What must be shown is shown by captured evidence, not by a repository file.', [], (citation) =>
    citation.place.kind === 'repository' && citation.role === 'direct'
      ? {
          message: `${citation.pattern} needs evidence of what happened; the file ${found(citation.ref)} is context only.`,
          fix: 'Capture what you saw as Evidence while a work node executes, and cite that.',
        }
      : null,
  ),
  each(
    'ADM-REF-08',
    'A claim on the word of the user rests on the message of the user, not on the trace.',
    [],
    (citation) =>
      citation.place.kind === 'trace' && citation.role === 'user_reported'
        ? {
            message: `${found(citation.ref)} is of the trace; a user-reported claim rests on what the user said.`,
            fix: 'Cite the UserMessage, or change the basis of the claim and cite captured Evidence.',
          }
        : null,
  ),
  each(
    'ADM-REF-09',
    'A trace reference is trace://<run> or trace://<run>/<event> of this run.',
    [],
    ({ place, ref }, { run }) =>
      place.kind === 'trace' && place.event === undefined
        ? {
            message: `${found(ref)} is malformed or names the trace of another run.`,
            expected: `trace://${run.runId}`,
            fix: `Write trace://${run.runId}, with /event-NNNN for one event.`,
          }
        : null,
  ),
  each('ADM-REF-10', 'The trace as a whole is no evidence.', [], ({ place, role, ref }) =>
    place.kind === 'trace' && place.event === null && role === 'direct' ? traceIsNoEvidence(ref) : null,
  ),
  each(
    'ADM-REF-11',
    'A trace reference to an event names one that exists.',
    ['trace'],
    ({ place, role, ref }, { record }) => {
      if (place.kind !== 'trace' || typeof place.event !== 'string' || eventExists(place.event, record)) return null;
      return role === 'direct'
        ? traceIsNoEvidence(ref)
        : {
            message: `${found(ref)} names no event; the trace holds event-0001 to event-${String(record.traceLength).padStart(4, '0')}.`,
            fix: 'Name an existing event, or the whole trace.',
          };
    },
  ),
  each('ADM-REF-12', 'No event of the trace counts as evidence.', ['trace'], ({ place, role, ref }, { record }) =>
    place.kind === 'trace' && typeof place.event === 'string' && role === 'direct' && eventExists(place.event, record)
      ? traceIsNoEvidence(ref)
      : null,
  ),
  each('ADM-REF-13', 'An artifact reference is artifact://<run>/<id>.', [], ({ place, ref }, { run }) =>
    place.kind === 'malformed'
      ? {
          message: `${found(ref)} is not of the form artifact://<run>/<id>.`,
          fix: `Write artifact://${run.runId}/ and the id of a stored artifact.`,
        }
      : null,
  ),
  each(
    'ADM-REF-14',
    'An artifact reference names this run; of the linked prior run only Evidence may be cited.',
    ['run.priorRunId'],
    (citation, query) => {
      const { place, ref } = citation;
      if (place.kind !== 'foreign') return null;
      if (isForward(citation, query) || !place.linked)
        return {
          message: isForward(citation, query)
            ? `${found(ref)} names another run; the report that follows this audit belongs to this run.`
            : `${found(ref)} cites another run, and no prior run is linked to this one.`,
          fix: `Write artifact://${query.run.runId}/ and the id of an artifact of this run.`,
        };
      return null;
    },
  ),
  each(
    'ADM-REF-15',
    'userReportRef names an id that is free and that the coming report can have.',
    ['artifacts'],
    (citation, query) => {
      const { place } = citation;
      if (!isForward(citation, query) || place.kind !== 'own') return null;
      const fix = 'Choose an id that no artifact of this run has, and give the report that id.';
      if (place.target)
        return { message: `userReportRef names ${found(place.id)}, a stored ${place.target.type}.`, fix };
      if (place.id === query.body.id) return { message: 'userReportRef names the audit itself.', fix };
      return bodyId.test(place.id) ? null : { message: `No report can have the id ${found(place.id)}.`, fix };
    },
    { refusal: 'id_taken', types: ['ReleaseAudit'] },
  ),
  each('ADM-REF-16', 'A cited artifact is stored in this run.', ['artifacts'], (citation, query) => {
    const { place, ref, pattern } = citation;
    if (place.kind !== 'own' || place.target || isForward(citation, query)) return null;
    // The documents of a grounding are stored with the manifest that names them.
    if (query.type === 'ContextManifest' && pattern === 'derivedRefs[]') return null;
    const type = typedFields.get(citation.key);
    return {
      message: `${found(ref)} is not stored in this run.`,
      ...(type ? latestRef(query.record, type) : {}),
      fix: type
        ? `Cite the ${type} of this run.`
        : 'Cite an artifact that the next action or a receipt names, or store this one first.',
    };
  }),
  each(
    'ADM-REF-17',
    'A field that is named after a type points to an artifact of that type in this run.',
    ['artifacts'],
    ({ place, key, ref }, { record }) => {
      const type = typedFields.get(key);
      if (!type || (place.kind !== 'own' && place.kind !== 'foreign') || !place.target) return null;
      if (place.kind === 'own' && place.target.type === type) return null;
      return {
        message: `${key} must point to a ${type} of this run; ${found(ref)} is ${place.kind === 'own' ? 'a' : 'another run’s'} ${place.target.type}.`,
        ...latestRef(record, type),
        fix: `Cite the ${type} of this run.`,
      };
    },
  ),
  each(
    'ADM-REF-18',
    'A claim on the word of the user cites a UserMessage that the user wrote.',
    ['artifacts'],
    ({ place, role, ref }, { record }) => {
      if (role !== 'user_reported' || place.kind !== 'own' || !place.target) return null;
      if (place.target.type === 'UserMessage' && place.target.producer === 'user') return null;
      return {
        message: `${found(ref)} is a ${place.target.type}; a user-reported claim rests on a message of the user.`,
        expected: record
          .all('UserMessage')
          .filter(({ producer }) => producer === 'user')
          .map(uriOf),
        fix: 'Cite the UserMessage, or change the basis of the claim and cite captured Evidence.',
      };
    },
  ),
  each(
    'ADM-REF-19',
    'What must be shown cites captured Evidence; in report_only and plan_only the plan counts, too.',
    ['artifacts', 'run.mode', 'WorkPlan'],
    (citation, query) => {
      if (citation.role !== 'direct' || isProof(citation, query)) return null;
      const { place, pattern, ref } = citation;
      const type = place.kind === 'own' ? place.target?.type : undefined;
      return {
        message: `${pattern} must cite captured Evidence${executes(query.run.mode) ? '' : ' or the current WorkPlan'}; ${found(ref)} is a ${type}.`,
        ...told(proofs(query)),
        fix: executes(query.run.mode)
          ? 'Cite Evidence that shows it; Evidence is captured while a work node executes.'
          : 'Cite the current WorkPlan.',
      };
    },
  ),
  lineageRule('ADM-LIN-05', 'A reference to the linked run is artifact://<run>/<id>.', []),
  lineageRule('ADM-LIN-06', 'The only other run that may be cited is the linked one.', ['run.priorRunId']),
  lineageRule('ADM-LIN-07', 'The linked run still exists.', ['prior run']),
  lineageRule('ADM-LIN-08', 'The linked run is of the same repository.', ['prior run', 'run.repositoryRoot']),
  lineageRule('ADM-LIN-09', 'The cited artifact exists in the linked run.', ['prior run']),
  lineageRule('ADM-LIN-10', 'Of the linked run only Evidence may be cited.', ['prior run']),
  rule({
    code: 'ADM-LIN-11',
    types: ['WorkResult', 'QualityReview', 'ReleaseAudit', 'UserReport'],
    part: 'common',
    text: 'In a linked run every string that starts as a reference to another run names Evidence of the linked one.',
    reads: ['prior run', 'run.priorRunId'],
    refusal: 'reference_invalid',
    *check(query) {
      if (priorRunId(query) === null) return;
      const judged = new Set(citationsOf(query).map(({ path }) => path));
      const own = artifactUri(query.run.runId, '');
      for (const { steps, text } of stringsIn(query.body)) {
        const path = pathOf(steps);
        if (!text.startsWith('artifact://') || text.startsWith(own) || isSystemRef(text) || judged.has(path)) continue;
        const fault = lineageFault(query, text);
        if (fault) yield { path, ...fault.said };
      }
    },
  }),
];

const referenceCodes: ReadonlySet<string> = new Set(referenceRules.map(({ code }) => code));

/**
 * Puts the findings about references into the order in which references are judged: one reference after the other, the
 * body first (admission section 1, step 3). Other findings keep their places before them.
 */
export const inReferenceOrder = <F extends Pick<Finding, 'code' | 'path'>>(
  query: Query,
  findings: readonly F[],
): F[] => {
  const about = findings.filter(({ code }) => referenceCodes.has(code));
  if (about.length === 0) return [...findings];
  const places = new Map(citationsOf(query).map(({ path }, index) => [path, index]));
  const placeOf = ({ path }: F): number => places.get(path) ?? places.size;
  const others = findings.filter(({ code }) => !referenceCodes.has(code));
  return [...others, ...about.sort((a, b) => placeOf(a) - placeOf(b))];
};
