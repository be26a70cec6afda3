import { found } from '../../../schemas/found.ts';
import type { BookEntry } from '../book.ts';
import { listed } from '../wording.ts';
import { each } from './each.ts';

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

/** Where artifacts of the system itself may stand (admission section 3.1). */
export const systemRules: readonly BookEntry[] = [
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
];
