import { type BodyReference, valueAt } from './bodyReferences.ts';
import type { RuledType } from './book.ts';

/** Which fields of a body must be backed by what was captured (admission section 3.2). */

const inAnyType: ReadonlySet<string> = new Set([
  'claimEvidenceMatrix[].evidenceRefs[]',
  'completionClaims[].evidenceRefs[]',
  'observations[].evidenceRefs[]',
  'inferences[].evidenceRefs[]',
  'toolEventRefs[]',
  'verificationRefs[]',
  'diagnosisGate.directEvidenceRefs[]',
  'acceptanceCoverage[].evidenceRefs[]',
  'acceptanceResults[].evidenceRefs[]',
  'filesChanged[].diffRef',
  'testResults[].commandRef',
  'testResults[].outputRef',
  'verificationResults[].evidenceRefs[]',
  'ruleCompliance[].evidenceRefs[]',
  'regressionChecks[].evidenceRefs[]',
  'userFidelity[].evidenceRefs[]',
]);

const inOneType: Readonly<Partial<Record<RuledType, ReadonlySet<string>>>> = {
  WorkResult: new Set(['evidenceRefs[]', 'actions[].evidenceRefs[]']),
  QualityReview: new Set(['hardGates[].evidenceRefs[]']),
};

/** Fields that rest on the user's word when their element says so. */
const byUser: Readonly<Partial<Record<RuledType, Readonly<{ pattern: string; says: string }>>>> = {
  ReleaseAudit: { pattern: 'claimEvidenceMatrix[].evidenceRefs[]', says: 'basis' },
  UserReport: { pattern: 'completionClaims[].evidenceRefs[]', says: 'status' },
};

/** `direct`: captured evidence; `user_reported`: a message of the user; `plain`: any reference of the run. */
export type EvidenceRole = 'direct' | 'user_reported' | 'plain';

/** What a reference of a body has to be, by the field that holds it. */
export const evidenceRole = (type: RuledType, body: unknown, reference: BodyReference): EvidenceRole => {
  const { pattern, steps } = reference;
  const user = byUser[type];
  if (user?.pattern === pattern && valueAt(body, [...steps.slice(0, 2), user.says]) === 'user_reported')
    return 'user_reported';
  return inAnyType.has(pattern) || inOneType[type]?.has(pattern) ? 'direct' : 'plain';
};
