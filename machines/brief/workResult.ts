import { anyEvidence, type Blank, type Variant } from '../../schemas/brief.ts';
import type { ActionCapability } from '../../schemas/vocabulary.ts';
import { mutates } from '../permissions/capability.ts';
import type { RunRecord } from '../record.ts';
import { distinct, type PlanNode } from '../rules/derived.ts';
import { kindsFor } from '../rules/evidenceKinds.ts';
import { resultScopeOf } from '../rules/resultScope.ts';
import { type Captured, capturedFor, refsFor, refsOf } from './captured.ts';
import { choice, type Draft, headOf, list, most, number, rationale, type Stand, some, text, texts } from './draft.ts';
import { targetBlank } from './targets.ts';

/** One capability that the node requires: the action that reports it, the file that it changed, and their blanks. */
interface Part {
  readonly capability: ActionCapability;
  readonly shown: boolean;
  readonly action: Readonly<Record<string, unknown>>;
  readonly change: Readonly<Record<string, unknown>> | null;
  readonly blanks: readonly Blank[];
  /** What is also open where the node is not completed. */
  readonly open: readonly Blank[];
}

const digest = (path: string, when: string): Blank => ({
  path,
  kind: 'text',
  how: `${when}: sha256: and 64 digits 0-9a-f.`,
  form: 'digest',
});

/** One that fits is the one; of several the host knows which. */
const cited = (refs: readonly string[]): readonly string[] => (refs.length > 1 ? [] : refs);

/** Of everything that was captured, which stands in the draft once. */
const citingAny = (at: string, refs: readonly string[]): readonly Blank[] =>
  refs.length > 1
    ? [
        some(at === '' ? 'evidenceRefs' : `${at}.evidenceRefs`, 'Any of evidenceRefs that shows it.', [anyEvidence], {
          minimum: 1,
          maximum: Math.min(most.references, refs.length),
        }),
      ]
    : [];

const citing = (at: string, refs: readonly string[]): readonly Blank[] =>
  refs.length > 1 ? [some(`${at}.evidenceRefs`, 'What shows it.', refs, { minimum: 1 })] : [];

/** A changed file: what a write did to it and what its digests must be, one choice (artifacts 7.2). */
const changeBlanks = (at: string, capability: ActionCapability, action: string, diffs: readonly string[]): Blank[] => {
  const created = { changeType: 'created', beforeHash: null };
  return [
    { path: `${at}.path`, kind: 'text', how: 'Another file: one more action and entry.', same: `${action}.target` },
    digest(`${at}.beforeHash`, 'Before'),
    ...(capability === 'repository.delete'
      ? []
      : [
          digest(`${at}.afterHash`, 'After'),
          choice(`${at}.changeType`, 'Modified: the digests differ.', [{ changeType: 'modified' }, created]),
        ]),
    ...(diffs.length > 1 ? [choice(`${at}.diffRef`, 'The diff of this file.', diffs)] : []),
  ];
};

const changeOf = (capability: ActionCapability, diffs: readonly string[]): Part['change'] => {
  const common = { path: '', beforeHash: '', diffRef: diffs.length > 1 ? null : diffs[0] };
  if (capability === 'repository.write') return { ...common, changeType: null, afterHash: '' };
  return capability === 'repository.delete' ? { ...common, changeType: 'deleted', afterHash: null } : null;
};

/** Changes first: what verifies must stand behind the last of them (RESULT-17). */
const inOrder = ({ requiredCapabilities }: PlanNode): readonly ActionCapability[] => {
  const required = distinct<ActionCapability>(requiredCapabilities);
  const changing = required.filter((capability) => mutates(capability) === true);
  return [...changing, ...required.filter((capability) => !changing.includes(capability))];
};

const partsOf = (node: PlanNode, captured: readonly Captured[], record: RunRecord): readonly Part[] => {
  let changes = 0;
  return inOrder(node).map((capability, index) => {
    const at = `actions[${index}]`;
    const refs = refsFor(captured, capability);
    const shown = refs.length > 0;
    const target = targetBlank(`${at}.target`, capability, node.permissions, record);
    const change = shown ? changeOf(capability, refs) : null;
    const changeAt = `filesChanged[${changes}]`;
    changes += change ? 1 : 0;
    return {
      capability,
      shown,
      action: {
        id: `action-${String(index + 1).padStart(2, '0')}`,
        capability,
        target: target === null ? 'sub-agent' : target.kind === 'text' ? '' : null,
        mutating: mutates(capability) === true,
        status: shown ? 'completed' : 'skipped',
        evidenceRefs: cited(refs),
        rationaleSummary: '',
      },
      change,
      blanks: [
        ...(target ? [target] : []),
        ...citing(at, refs),
        ...(change ? changeBlanks(changeAt, capability, at, refs) : []),
      ],
      // What was changed was changed, and stands in filesChanged.
      open:
        shown && !change
          ? [choice(`${at}.status`, 'How it went.', ['completed', 'failed', 'skipped'], { optional: true })]
          : [],
    };
  });
};

/** The status that needs Evidence of every act. */
export const completed = 'completed';

const observation = { id: 'observation-01', text: '', status: 'observed', confidence: null };

const observed = (refs: readonly string[]): readonly Blank[] =>
  refs.length === 0
    ? []
    : [
        text('observations[0].text', 'What you saw. More: further elements like it.'),
        ...citingAny('observations[0]', refs),
        number('observations[0].confidence', '1 is certain.', 0, 1),
      ];

/** What the evidence leads to, for what nobody saw happen. */
const inferred = (refs: readonly string[]): readonly Blank[] =>
  refs.length === 0
    ? []
    : [
        list(
          'inferences',
          'What you conclude, not saw.',
          {
            value: { id: 'inference-01', text: '', status: 'inferred', evidenceRefs: cited(refs), confidence: null },
            blanks: [text('text', ''), ...citingAny('', refs), number('confidence', '', 0, 1)],
          },
          { maximum: most.references },
        ),
      ];

const covered = (statuses: readonly string[]): Blank =>
  choice('acceptanceCoverage[*].status', 'Is it shown?', statuses);

const missing = (parts: readonly Part[]): string => {
  const lacking = parts.filter(({ shown }) => !shown);
  if (lacking.length === 0) return 'Not all of it was done.';
  const what = lacking.map(({ capability }) => `${capability} (kind ${kindsFor(capability).join(' or ')})`);
  return `Not all of it was done. To complete the node, first capture Evidence of ${what.join(', ')}.`;
};

const unfinished = (name: string, when: string, parts: readonly Part[] = []): Variant => ({
  name,
  when,
  patch: { status: name },
  blanks: parts.flatMap(({ open }) => open),
});

/**
 * The draft of a WorkResult of the node whose turn it is, from what was captured for it: one action for each capability
 * that it requires. Completed is offered when each of them has Evidence that can show it (guidance section 1, admission
 * section 9). Null only in a damaged record.
 */
export const draftOfWorkResult = (stand: Stand): Draft | null => {
  const { node, planRef } = resultScopeOf(stand);
  if (!node || planRef === undefined) return null;
  const captured = capturedFor(stand.record);
  const refs = refsOf(captured);
  const parts = partsOf(node, captured, stand.record);
  const any = refs.length > 0;
  const whole: Variant = {
    name: completed,
    when: 'All of it was done, and each criterion holds.',
    patch: { status: completed },
    blanks: [covered(['pass'])],
  };
  return {
    body: {
      ...headOf(stand, 'result'),
      workPlanRef: planRef,
      nodeId: node.id,
      status: null,
      observations: any ? [{ ...observation, evidenceRefs: cited(refs) }] : [],
      inferences: [],
      actions: parts.map(({ action }) => action),
      filesChanged: parts.flatMap(({ change }) => (change ? [change] : [])),
      toolEventRefs: [],
      evidenceRefs: refs,
      testResults: [],
      acceptanceCoverage: distinct(node.acceptanceCriteria).map((criterionId) => ({
        criterionId,
        status: null,
        evidenceRefs: cited(refs),
        rationaleSummary: '',
      })),
      unresolvedIssues: [],
      deviations: [],
      rationaleSummary: '',
    },
    blanks: [
      ...observed(refs),
      ...inferred(refs),
      ...parts.flatMap(({ blanks }) => blanks),
      text('actions[*].rationaleSummary', 'Why.'),
      covered(any ? ['pass', 'fail', 'unverified'] : ['unverified']),
      ...citingAny('acceptanceCoverage[*]', refs),
      text('acceptanceCoverage[*].rationaleSummary', 'Why.'),
      texts('unresolvedIssues', 'What stays open.', { maximum: most.references }),
      rationale(),
    ],
    variants: [
      ...(any && parts.every(({ shown }) => shown) ? [whole] : []),
      unfinished('partial', missing(parts)),
      unfinished('blocked', 'Something outside the node keeps it from being done.'),
      unfinished('failed', 'It was done, and it did not work.', parts),
    ],
  };
};
