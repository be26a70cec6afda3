import {
  type BriefAuthorOptions,
  briefAuthor,
  byRule,
  type CallTool,
  type CapturedEvidence,
  type Filling,
  type Followed,
  followRun,
  madeUp,
  type StartRequest,
} from '../../src/sdk/index.ts';

/** A host that fills blanks by rule: of what only the world can tell it makes something up, as nothing is measured but sizes. */

const kinds: readonly CapturedEvidence['kind'][] = ['repository', 'tool_output', 'diff', 'test', 'log', 'runtime'];

const content = 'one line that a tool wrote\n'.repeat(20);

const answersOf =
  (criteria: number) =>
  ({ draft }: Filling): ReturnType<NonNullable<BriefAuthorOptions['answers']>> => {
    const rule = byRule(String(draft.id));
    return {
      ...rule,
      text: (place) =>
        madeUp(place) ??
        (place.path.endsWith('requirement')
          ? 'The parser splits a text at each comma and keeps blanks.'
          : rule.text(place)),
      length: (place, room) =>
        place.path === 'draftAcceptanceCriteria' ? Math.min(room.most, criteria) : rule.length(place, room),
    };
  };

export interface Blanks {
  readonly start: StartRequest;
  /** Criteria beside those that the draft begins with. */
  readonly criteria?: number;
  readonly variant?: BriefAuthorOptions['variant'];
  /** Told of each brief from which a body was written. */
  readonly onBrief?: (phase: string, filling: Filling) => void;
}

/** One run from its start to its end, by blanks alone. */
export const followByBlanks = (call: CallTool, { start, criteria = 0, variant, onBrief }: Blanks): Promise<Followed> =>
  followRun({
    call,
    start,
    author: briefAuthor({
      ...(variant && { variant }),
      answers: answersOf(criteria),
      capture: ({ kinds: needed }) => [
        { kind: kinds.find((kind) => kind === needed[0]) ?? 'log', content, summary: 'Twenty lines of output.' },
      ],
      finish: (body, filling) => {
        onBrief?.(filling.work.action.phase, filling);
        return body;
      },
    }),
  });
