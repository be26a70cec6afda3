import { isJsonObject } from '../../../schemas/jsonObject.ts';
import type { ActionPart } from '../../../schemas/vocabulary.ts';
import type { Answer } from '../present.ts';
import { argument, asksFor, type Cut, type Omitted, type Step } from './cut.ts';
import { dropping } from './rows.ts';

/** Rules that stay in a brief whatever the budget; the most often broken come first. */
const rulesKept = 8;

/** The parts that stand in the brief. */
const briefParts: readonly ActionPart[] = ['brief', 'alternatives', 'variants', 'sources'];

type Parts = Record<string, unknown>;

/** A step on the action of an answer: the action without a part, and the part's name; null when it has none of it. */
const onAction =
  (part: ActionPart, leave: (action: Parts) => Readonly<{ action: Parts; name: string }> | null): Step =>
  (answer, room): Cut | null => {
    const { nextAction } = answer;
    if (!isJsonObject(nextAction) || asksFor(room, part)) return null;
    const left = leave(nextAction);
    if (left === null) return null;
    const omitted: Omitted = {
      part: `nextAction.${left.name}`,
      fetch: { tool: 'telic_get_next_action', arguments: { run_id: nextAction.runId, parts: [part] } },
    };
    const shorter: Answer = { ...answer, nextAction: left.action };
    return { answer: shorter, omitted: [omitted] };
  };

const without = (key: string, part: ActionPart): Step =>
  onAction(part, ({ [key]: value, ...action }) => (value === undefined ? null : { action, name: key }));

const onBrief = (part: ActionPart, name: string, leave: (brief: Parts) => Parts | null): Step =>
  onAction(part, (action) => {
    if (!isJsonObject(action.brief)) return null;
    const brief = leave(action.brief);
    return brief && { action: { ...action, brief }, name: `brief.${name}` };
  });

/** What the draft of the brief says once more: the drafts of other types, and the schemas. */
export const leanSteps: readonly Step[] = [
  onBrief('alternatives', 'alternatives', ({ alternatives, ...brief }) => {
    if (!Array.isArray(alternatives) || !alternatives.some((one) => isJsonObject(one) && 'draft' in one)) return null;
    // That there is another way, and when to take it, stays.
    return {
      ...brief,
      alternatives: alternatives.map(({ draft: _, blanks: __, variants: ___, ...one }: Parts) => one),
    };
  }),
  onAction('alternatives', ({ additionalOutputSchemas, ...action }) =>
    isJsonObject(additionalOutputSchemas) && Object.keys(additionalOutputSchemas).length > 0
      ? { action, name: 'additionalOutputSchemas' }
      : null,
  ),
  without('requiredOutputSchema', 'schemas'),
];

/** The brief itself, unless the caller asked for it or for a part of it. */
const wholeBrief: Step = (answer, room) =>
  briefParts.some((part) => asksFor(room, part)) ? null : without('brief', 'brief')(answer, room);

/** Beside the drafts that were asked for, a host with very little room does not get their schemas, which say less. */
const schemasOfAlternatives: Step = (answer) => {
  const { nextAction } = answer;
  if (!isJsonObject(nextAction) || nextAction.additionalOutputSchemas === undefined) return null;
  const { additionalOutputSchemas: _, ...action } = nextAction;
  return {
    answer: { ...answer, nextAction: action },
    omitted: [{ part: 'nextAction.additionalOutputSchemas', fetch: null }],
  };
};

/**
 * What is the same in each answer of one version, for who asks for a part of the action alone: the stop conditions never
 * change, the permissions are those of `permitted`, the inputs can be fetched without any part.
 */
const knownAlready: readonly Step[] = ['stopConditions', 'inputRefs', 'effectivePermissions'].map(
  (key): Step =>
    (answer, room) => {
      const { nextAction } = answer;
      if (!isJsonObject(nextAction) || nextAction[key] === undefined || argument(room, 'parts') === undefined)
        return null;
      const { [key]: _, ...action } = nextAction;
      const fetch = { tool: 'telic_get_next_action', arguments: { run_id: nextAction.runId, parts: [] } } as const;
      const omitted: Omitted = { part: `nextAction.${key}`, fetch: key === 'inputRefs' ? fetch : null };
      return { answer: { ...answer, nextAction: action }, omitted: [omitted] };
    },
);

/** What a host with very little room has to fetch. */
export const actionSteps: readonly Step[] = [
  onBrief('brief', 'rules', ({ rules, ...brief }) =>
    Array.isArray(rules) && rules.length > rulesKept ? { ...brief, rules: rules.slice(0, rulesKept) } : null,
  ),
  onBrief('sources', 'sources', ({ sources, ...brief }) =>
    Array.isArray(sources) && sources.length > 0 ? brief : null,
  ),
  // The strongest decision stays: most runs need no other.
  onBrief('variants', 'variants', ({ variants, ...brief }) =>
    Array.isArray(variants) && variants.length > 1 ? { ...brief, variants: variants.slice(0, 1) } : null,
  ),
  onBrief('variants', 'variants', ({ variants, ...brief }) =>
    Array.isArray(variants) && variants.length > 0 ? brief : null,
  ),
  wholeBrief,
  schemasOfAlternatives,
  ...knownAlready,
];

/** Sources that were asked for and are still too many: the manifest holds them all. */
export const sourceRows: Step = (answer, { excess }): Cut | null => {
  const { nextAction } = answer;
  if (!isJsonObject(nextAction) || !isJsonObject(nextAction.brief)) return null;
  const { sources } = nextAction.brief;
  const { runId, contextManifestRef } = nextAction;
  if (!Array.isArray(sources) || sources.length < 2 || typeof contextManifestRef !== 'string') return null;
  const kept = dropping(sources, excess, 1);
  const manifest = contextManifestRef.slice(contextManifestRef.lastIndexOf('/') + 1);
  return {
    answer: { ...answer, nextAction: { ...nextAction, brief: { ...nextAction.brief, sources: kept } } },
    omitted: [
      {
        part: `nextAction.brief.sources[${kept.length}..]`,
        fetch: { tool: 'telic_get_artifact', arguments: { run_id: runId, artifact_id: manifest } },
      },
    ],
  };
};
