import type { PermissionSet } from '../../schemas/permissions.ts';
import type { PlanAnswer } from '../feasibility/planBuilder.ts';
import { capabilitiesOf, covers } from '../permissions/permissionSet.ts';
import { type BookEntry, type RuleCode, rule, type Said } from './book.ts';
import { distinct, type WorkOrder } from './derived.ts';
import { excessFaults } from './excess.ts';
import { choice, listed, told } from './wording.ts';

/** The judgement of work orders, shared by reviews and audits (admission section 8.3). */

const about = ['QualityReview', 'ReleaseAudit'] as const;

/** The rows of the section: their sentences and codes. The findings are told by the rules that call the judgement. */
export const workOrderRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-ORDER-01',
    types: about,
    part: 'own',
    text: 'A decision that sends work back carries its work order.',
    reads: [],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-ORDER-02',
    types: about,
    part: 'own',
    text: 'A work order names at least one criterion, each once, of those that it may name.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-ORDER-03',
    types: about,
    part: 'own',
    text: 'A correction order names every completion criterion of the contract.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-ORDER-04',
    types: about,
    part: 'own',
    text: 'The permissions of a work order stay inside the contract and inside what the run may use at this stage.',
    reads: ['TaskContract', 'RunEnvelope'],
    refusal: 'permission_exceeded',
  }),
  rule({
    code: 'ADM-ORDER-05',
    types: about,
    part: 'own',
    text: 'Where work is executed, a work order allows at least one capability.',
    reads: ['mode'],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-ORDER-06',
    types: about,
    part: 'own',
    text: 'Each capability that a work order allows is backed by its permissions.',
    reads: [],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-ORDER-07',
    types: about,
    part: 'own',
    text: 'A work order cites at least one of the sources that it follows from.',
    reads: ['WorkPlan', 'WorkResult', 'Evidence', 'QualityReview'],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-ORDER-08',
    types: about,
    part: 'own',
    text: 'A plan can follow a work order: its criteria, capabilities, permissions and calls, and the calls that the run has left, suffice for the verifications that are due.',
    reads: ['TaskContract', 'RunEnvelope', 'WorkPlan', 'mode'],
    refusal: 'infeasible',
  }),
];

export interface OrderCase {
  /** How the sentences name it: "Correction order", "Remediation order", "Release defect". */
  readonly label: string;
  /** Where it stands in the body. */
  readonly path: string;
  readonly field: 'targetCriterionIds' | 'failedCriterionIds';
  readonly order: WorkOrder | null;
  readonly allowedCriteria: readonly string[];
  /** The order must name all of them. */
  readonly all: boolean;
  /** The order is carried out by a node, so it needs a capability. */
  readonly executable: boolean;
  readonly contract: PermissionSet;
  readonly authorized: PermissionSet;
  readonly eligible: ReadonlySet<string>;
  /** What the eligible sources are, in words. */
  readonly sources: string;
  /** Whether a plan can follow it; null when that cannot be asked. */
  readonly following: PlanAnswer | null;
}

type Told = Said & Readonly<{ code: RuleCode }>;

const criteriaFaults = function* ({ label, path, field, order, allowedCriteria, all }: OrderCase): Generator<Told> {
  const named = order?.criteria ?? [];
  const at = `${path}.${field}`;
  const legal = distinct(named).filter((id) => allowedCriteria.includes(id));
  const foreign = distinct(named.filter((id) => !allowedCriteria.includes(id)));
  const repeated = distinct(named.filter((id, index) => named.indexOf(id) !== index));
  const mended = all ? allowedCriteria : legal.length > 0 ? legal : undefined;
  if (named.length === 0 || foreign.length + repeated.length > 0)
    yield {
      code: 'ADM-ORDER-02',
      path: at,
      message:
        named.length === 0
          ? `${label}: no criterion is named.`
          : foreign.length > 0
            ? `${label}: ${listed(foreign)} ${foreign.length === 1 ? 'is no criterion' : 'are no criteria'} that it may name.`
            : `${label}: ${listed(repeated)} stands there more than once.`,
      ...(mended && told(mended)),
      fix: `Name one or more of ${listed(allowedCriteria)}, each once.`,
    };
  const missing = allowedCriteria.filter((id) => !named.includes(id));
  if (all && missing.length > 0)
    yield {
      code: 'ADM-ORDER-03',
      path: at,
      message: `${label}: ${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} left out.`,
      ...told(allowedCriteria),
      fix: `Name all of ${listed(allowedCriteria)}, each once.`,
    };
};

const permissionFaults = function* ({ label, path, order, contract, authorized }: OrderCase): Generator<Told> {
  if (!order) return;
  const at = `${path}.permissions`;
  const seen = new Set<string>();
  for (const said of excessFaults(order.permissions, contract, {
    path: at,
    who: `${label}: it`,
    bound: 'the contract',
  })) {
    seen.add(said.path);
    yield { ...said, code: 'ADM-ORDER-04' };
  }
  const bound = 'the authority of the run at this stage';
  for (const said of excessFaults(order.permissions, authorized, {
    path: at,
    who: `${label}: it`,
    bound,
    except: seen,
  }))
    yield { ...said, code: 'ADM-ORDER-04' };
};

const capabilityFaults = function* ({
  label,
  path,
  order,
  executable,
  contract,
  authorized,
}: OrderCase): Generator<Told> {
  if (!order) return;
  const at = `${path}.allowedCapabilities`;
  if (executable && order.allowedCapabilities.length === 0)
    yield {
      code: 'ADM-ORDER-05',
      path: at,
      message: `${label}: it allows no capability, so no node could follow it.`,
      ...choice(capabilitiesOf(order.permissions)),
      fix: 'Name at least one capability that the permissions of the order back.',
    };
  for (const capability of distinct(order.allowedCapabilities)) {
    if (covers(order.permissions, capability)) continue;
    const grantable = covers(contract, capability) && covers(authorized, capability);
    yield {
      code: 'ADM-ORDER-06',
      path: at,
      message: `${label}: ${capability} is allowed, but the permissions of the order do not back it.`,
      ...told(order.allowedCapabilities.filter((one) => covers(order.permissions, one))),
      fix: grantable
        ? `Take ${capability} out, or back it in the permissions of the order: the contract does.`
        : `Take ${capability} out: this run cannot back it at this stage.`,
    };
  }
};

/** Reasons that nothing told before explains: what criteria an order may name, ORDER-02 and -03 tell. */
const planFaults = function* ({ label, path, field, following }: OrderCase, before: readonly Told[]): Generator<Told> {
  if (!following || following.ok) return;
  const criteriaAt = `${path}.${field}`;
  const areCriteriaTold = before.some((fault) => fault.path === criteriaAt);
  for (const { message, ...reason } of following.why) {
    const at = reason.path === 'criteria' ? criteriaAt : `${path}.${reason.path}`;
    if (at === criteriaAt && areCriteriaTold) continue;
    yield { ...reason, code: 'ADM-ORDER-08', path: at, message: `${label}: no plan can follow it: ${message}.` };
  }
};

/** Every fault of one work order; each carries the code of its row. Rules: admission section 8.3. */
export function* orderFaults(judged: OrderCase): Generator<Told> {
  const { label, path, order, eligible, sources } = judged;
  if (!order) {
    yield {
      code: 'ADM-ORDER-01',
      path,
      message: `${label}: there is none, but the decision needs one.`,
      fix: 'Write the order, or take another decision.',
    };
    return;
  }
  const faults = [...criteriaFaults(judged), ...permissionFaults(judged), ...capabilityFaults(judged)];
  yield* faults;
  if (!order.sourceRefs.some((ref) => eligible.has(ref)))
    yield {
      code: 'ADM-ORDER-07',
      path: `${path}.sourceRefs`,
      message: `${label}: none of its ${order.sourceRefs.length} sources is ${sources}.`,
      ...told([...order.sourceRefs, ...[...eligible].slice(0, 1)]),
      fix: `Cite at least one of: ${listed([...eligible])}.`,
    };
  yield* planFaults(judged, faults);
}
