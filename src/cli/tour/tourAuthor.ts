import { shorten } from '../../../machines/sentence.ts';
import {
  type Answers,
  type Author,
  briefAuthor,
  byRule,
  type CapturedEvidence,
  evidenceOf,
  type Filling,
  type Inspect,
  type Json,
  type JsonObject,
  type Look,
  type Needed,
  type Place,
  standOf,
} from '../../sdk/index.ts';

/** The author of the tour: fills the drafts by rule, really looks, and claims what the looks gave. */

/** What the tour asks for, criterion by criterion, and what shows it. */
const asked = [
  {
    capability: 'repository.read',
    requirement: 'The files selected for the request are described from their own text.',
  },
  { capability: 'shell.inspect', requirement: 'What Git says of working tree and commits is reported.' },
] as const;

type Capability = (typeof asked)[number]['capability'];

/** One look that was stored. */
type Kept = Readonly<{ ref: string; look: Look; finding: string }>;

export interface TourWork {
  readonly inspect: Inspect;
  readonly request: string;
  /** Whether named inspections are at hand, too. */
  readonly hasGit: boolean;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (body: JsonObject, key: string): readonly Json[] => {
  const { [key]: list } = body;
  return Array.isArray(list) ? list : [];
};

/** The element of a list of the draft in which a place lies. */
const elementOf = ({ path }: Place, draft: JsonObject): JsonObject => {
  const [, list = '', index = '0'] = /^([^[]+)\[(\d+)\]/.exec(path) ?? [];
  const element = listIn(draft, list)[Number(index)];
  return isObject(element) ? element : {};
};

/** `criterion-02` asks for the second of them. */
const askedBy = (criterionId: unknown): (typeof asked)[number] =>
  asked[Number(/\d+$/.exec(String(criterionId))?.[0] ?? 1) - 1] ?? asked[0];

/** What stands at a text, by its path without indices. */
const sentences: Readonly<Record<string, string>> = {
  'knownFacts.claim': 'The user sent this request.',
  'draftAcceptanceCriteria.evidenceRequired': 'what was captured of it',
  requiredOutputs: 'A report in which each statement cites its evidence.',
  'verificationRequirements.description': 'Compare each statement with the text that was captured.',
  stopConditions: 'The request needs more than looking.',
  summary: 'The tour gathered these facts; what they mean for the request is left to a reader.',
  rationaleSummary: 'Filled by rule; every statement rests on what was captured.',
};

const withoutIndices = ({ path }: Place): string => path.replace(/\[\d+\]/g, '');

const answersFor = (
  { type, draft }: Filling,
  { request, hasGit }: TourWork,
  kept: readonly Kept[],
): Partial<Answers> => {
  const rule = byRule(String(draft.id));
  const refsOf = (capability: unknown): readonly Kept[] => kept.filter(({ look }) => look.capability === capability);

  const citedAt = (place: Place): readonly string[] => {
    const element = elementOf(place, draft);
    if ('criterionId' in element) return refsOf(askedBy(element.criterionId).capability).map(({ ref }) => ref);
    const first = 'capability' in element ? refsOf(element.capability)[0] : kept[0];
    return first ? [first.ref] : [];
  };

  const claimAt = (place: Place): string => {
    const refs = elementOf(place, draft).evidenceRefs;
    const found = kept.filter(({ ref }) => Array.isArray(refs) && refs.includes(ref));
    return found.map(({ finding }) => finding).join(' ') || 'Nothing was found.';
  };

  const textAt = (place: Place): string => {
    const path = withoutIndices(place);
    switch (path) {
      case 'goal':
      case 'objective':
        return request;
      case 'draftAcceptanceCriteria.requirement':
        return (place.path.startsWith('draftAcceptanceCriteria[1]') ? asked[1] : asked[0]).requirement;
      case 'actions.target':
        return refsOf(elementOf(place, draft).capability)[0]?.look.target ?? '.';
      case 'observations.text':
        return kept[0]?.finding ?? 'Nothing was seen.';
      case 'claimEvidenceMatrix.claim':
        return claimAt(place);
      default:
        return sentences[path] ?? rule.text(place);
    }
  };

  return {
    text: (place) => shorten(textAt(place), place.blank.maximum ?? 600),
    choose: (place, choices) => {
      const path = withoutIndices(place);
      if (path === 'actions.target')
        return refsOf(elementOf(place, draft).capability)[0]?.look.target ?? rule.choose(place, choices);
      const cited = path.endsWith('evidenceRefs') ? citedAt(place) : [];
      return choices.find((one) => typeof one === 'string' && cited.includes(one)) ?? rule.choose(place, choices);
    },
    length: (place, room) => {
      const path = withoutIndices(place);
      if (path === 'draftAcceptanceCriteria') return hasGit && room.most > 0 ? 1 : 0;
      if (path.endsWith('evidenceRefs') && type === 'WorkResult') return Math.max(room.least, citedAt(place).length);
      return room.least;
    },
  };
};

/** Every look as an act and an observation of its own, beside those that the draft begins with. */
const allLooks = (body: JsonObject, kept: readonly Kept[]): JsonObject => {
  const actions = [...listIn(body, 'actions')];
  const observations = [...listIn(body, 'observations')];
  const told = new Set(actions.flatMap((action) => (isObject(action) ? [String(action.target)] : [])));
  for (const { ref, look, finding } of kept) {
    const [seen] = observations;
    if (isObject(seen) && finding !== seen.text)
      observations.push({ ...seen, id: `observation-seen-${observations.length}`, text: finding, evidenceRefs: [ref] });
    const like = actions.find((action) => isObject(action) && action.capability === look.capability);
    if (!isObject(like) || told.has(look.target)) continue;
    told.add(look.target);
    actions.push({ ...like, id: `action-seen-${actions.length}`, target: look.target, evidenceRefs: [ref] });
  }
  return { ...body, actions, observations };
};

/** The node also has to inspect, which no verification of the draft asks for. */
const withInspection = (body: JsonObject): JsonObject => ({
  ...body,
  nodes: listIn(body, 'nodes').map((node) =>
    isObject(node)
      ? {
          ...node,
          requiredCapabilities: [
            ...new Set([...listIn(node, 'requiredCapabilities'), ...asked.map(({ capability }) => capability)]),
          ],
        }
      : node,
  ),
});

/** Works from the brief alone; what it sees comes from the repository. */
export const tourAuthor = (tour: TourWork): Author => {
  const { inspect, hasGit } = tour;
  const kept: Kept[] = [];
  const looking: Look[] = [];
  const capabilities: readonly Capability[] = hasGit ? ['repository.read', 'shell.inspect'] : ['repository.read'];

  const capture = async ({ work }: Needed): Promise<readonly CapturedEvidence[]> => {
    const stand = await standOf(work);
    for (const capability of capabilities) looking.push(...(await inspect(capability, stand, work.reader)));
    return looking.map(evidenceOf);
  };

  return briefAuthor({
    capture,
    onEvidence: (ref, { summary }) => {
      const look = looking.shift();
      if (look) kept.push({ ref, look, finding: summary });
    },
    answers: (filling) => answersFor(filling, tour, kept),
    finish: (body, { type }) => {
      if (type === 'WorkPlan') return hasGit ? withInspection(body) : body;
      return type === 'WorkResult' ? allLooks(body, kept) : body;
    },
  });
};
