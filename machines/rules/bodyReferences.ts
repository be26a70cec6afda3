import { parseArtifactUri, type RunRecord } from '../record.ts';

/** The references that a body holds, found by walking it (admission sections 1 and 3). */

export type Step = string | number;

/** A string of a body: where it stands, the nearest key above it, and how deep it lies. */
export interface BodyString {
  readonly steps: readonly Step[];
  readonly key: string;
  readonly text: string;
}

/** What a merge looks at; a deeper body is no body of ours. */
const deepest = 64;

/** Every string of a JSON value in document order; at most 64 containers deep. */
export function* stringsIn(value: unknown, steps: readonly Step[] = [], key = ''): Generator<BodyString> {
  if (typeof value === 'string') {
    yield { steps, key, text: value };
    return;
  }
  if (typeof value !== 'object' || value === null || steps.length >= deepest) return;
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) yield* stringsIn(member, [...steps, index], key);
    return;
  }
  for (const [name, member] of Object.entries(value)) yield* stringsIn(member, [...steps, name], name);
}

/** A path as findings show it: `coverage.0.sourceRef`. */
export const pathOf = (steps: readonly Step[]): string => steps.join('.');

/** A path with its positions left open: `coverage[].sourceRef`. */
export const patternOf = (steps: readonly Step[]): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');

/** The value at a path, or undefined where the path leads nowhere. */
export const valueAt = (value: unknown, steps: readonly Step[]): unknown =>
  steps.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null) return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(at, step);
    return descriptor?.value;
  }, value);

/** The keys whose strings are references (admission section 3). */
const referenceKeys: ReadonlySet<string> = new Set([
  'applicableRuleRefs',
  'argumentsRef',
  'changeRefs',
  'clarificationRequestRef',
  'commandRef',
  'contextManifestRef',
  'contextRefs',
  'derivedRefs',
  'diffRef',
  'directEvidenceRefs',
  'evidenceInspected',
  'evidenceRefs',
  'findingRefs',
  'followupRequestRefs',
  'inputRefs',
  'instructionRef',
  'originalRequestRef',
  'outputRef',
  'outputRefs',
  'pinnedRefs',
  'policyRefs',
  'problemFrameRef',
  'promptReadinessRubricRef',
  'qualityReviewRef',
  'ref',
  'requestRef',
  'resultRef',
  'ruleRefs',
  'sourceRef',
  'sourceRefs',
  'subjectRef',
  'targetRef',
  'taskContractRef',
  'toolEventRefs',
  'traceRef',
  'userReportRef',
  'verificationRefs',
  'workPlanRef',
  'workPlanRefs',
  'workResultRef',
  'workResultRefs',
]);

const schemes = /^(?:artifact|repo|trace):\/\//;

/** A reference that a body holds under one of the keys of admission section 3. */
export interface BodyReference {
  readonly path: string;
  readonly pattern: string;
  readonly steps: readonly Step[];
  readonly key: string;
  readonly ref: string;
}

/** The references of a body in document order. */
export const bodyReferences = (body: unknown): readonly BodyReference[] => {
  const found: BodyReference[] = [];
  for (const { steps, key, text } of stringsIn(body))
    if (referenceKeys.has(key) && schemes.test(text))
      found.push({ path: pathOf(steps), pattern: patternOf(steps), steps, key, ref: text });
  return found;
};

const referenceUri = /^(?:artifact|trace|repo):\/\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]+$/;
const longestReference = 2048;

/** Whether a text has the form of a reference: at most 2,048 characters, one of the three schemes (REF-01). */
export const isReference = (text: string): boolean => text.length <= longestReference && referenceUri.test(text);

export const isSystemRef = (ref: string): boolean => ref.startsWith('artifact://system/');

const isMergedKey = (key: string): boolean =>
  key === 'ref' || key === 'evidenceInspected' || key.endsWith('Ref') || key.endsWith('Refs');

/**
 * The `sourceRefs` that an artifact is stored with: what was supplied, then what the body cites, in document order, each
 * once. System artifacts and artifacts that this run does not hold are left out (admission section 1).
 * @param record the run before the submission; documents stored with a manifest may be in it or not
 * @param supplied `source_refs` as sent
 */
export const mergedReferences = (record: RunRecord, body: unknown, supplied: readonly string[]): string[] => {
  const isHeld = (ref: string): boolean => {
    if (!ref.startsWith('artifact://')) return true;
    const parsed = parseArtifactUri(ref);
    return parsed !== null && parsed.runId === record.runId && record.indexOf(parsed.id) >= 0;
  };
  const merged = new Set(supplied);
  for (const { key, text } of stringsIn(body))
    if (isMergedKey(key) && isReference(text) && !isSystemRef(text) && isHeld(text)) merged.add(text);
  return [...merged];
};
