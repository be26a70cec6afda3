import type {
  Channel,
  InvocationContext,
  InvocationEvent,
  InvocationInput,
  Ruling,
} from '../../machines/invocation/index.ts';

/** Events for one stored invocation, each under a label that says who sends it and what is wrong with it. */

export type Labelled = Readonly<{ label: string; event: InvocationEvent }>;

const everyChannel: readonly Channel[] = ['person', 'caller', 'host', 'app'];

/** How long an ask stays open in these tests, milliseconds. */
export const openMs = 1000;
export const startMs = 5000;

export const granted: Ruling = { granted: true, refusals: 0 };

/** Every way in which an invocation can begin. */
export const inputs: readonly InvocationInput[] = (['read', 'undoable', 'outside'] as const).flatMap((kind) =>
  [false, true].flatMap((preAllowed) =>
    [false, true].flatMap((abortable) =>
      [false, true].flatMap((replayKey) =>
        [false, true].map((secret) => ({ kind, preAllowed, abortable, replayKey, secret })),
      ),
    ),
  ),
);

const versions = (version: number): readonly (readonly [seen: string, version: number])[] => [
  ['fresh', version],
  ['stale', version - 1],
  ['stale ahead', version + 1],
];

const fromEach = (type: 'APP_OK' | 'APP_FAIL' | 'APP_ABORTED' | 'RESTARTED'): readonly Labelled[] =>
  everyChannel.map((by) => {
    const label = `${type} ${by}`;
    if (type === 'APP_OK') return { label, event: { type, by, outcome: { sent: true } } };
    if (type === 'APP_FAIL') return { label, event: { type, by, failure: { code: 'full' } } };
    return { label, event: { type, by } };
  });

const decisions = ({ version, deadlineMs }: InvocationContext): readonly Labelled[] =>
  everyChannel.flatMap((by) =>
    versions(version).flatMap(([seen, saw]): readonly Labelled[] => {
      const decided = { by, version: saw };
      const waiting = { deadlineMs: (deadlineMs ?? startMs) + openMs };
      return [
        { label: `ALLOW ${by} ${seen}`, event: { type: 'ALLOW', ...decided, ...waiting } },
        ...[true, false].map(
          (valid): Labelled => ({
            label: `ALLOW_EDITED ${by} ${seen} ${valid ? 'valid' : 'invalid'}`,
            event: { type: 'ALLOW_EDITED', valid, edits: { to: 'sam' }, ...decided, ...waiting },
          }),
        ),
        { label: `REFUSE ${by} ${seen}`, event: { type: 'REFUSE', reason: 'not now', ...decided } },
      ];
    }),
  );

const cancels = ({ version }: InvocationContext): readonly Labelled[] => [
  ...(['caller', 'host', 'app'] as const).map(
    (by): Labelled => ({ label: `CANCEL ${by}`, event: { type: 'CANCEL', by } }),
  ),
  ...versions(version).map(
    ([seen, saw]): Labelled => ({
      label: `CANCEL person ${seen}`,
      event: { type: 'CANCEL', by: 'person', version: saw },
    }),
  ),
];

const calls = ({ deadlineMs }: InvocationContext): readonly Labelled[] =>
  everyChannel.flatMap((by) =>
    (
      [
        ['same', true, granted],
        ['other', false, granted],
        ['ungranted', true, { granted: false, refusals: 0 }],
      ] as const
    ).map(
      ([what, sameArgs, ruling]): Labelled => ({
        label: `CALL ${by} ${what}`,
        event: { type: 'CALL', by, sameArgs, deadlineMs: (deadlineMs ?? startMs) + openMs, ...ruling },
      }),
    ),
  );

const expiries = ({ deadlineMs }: InvocationContext): readonly Labelled[] =>
  everyChannel.flatMap((by) =>
    (['due', 'early'] as const).map(
      (when): Labelled => ({
        label: `EXPIRE ${by} ${when}`,
        event: { type: 'EXPIRE', by, nowMs: (deadlineMs ?? startMs) - (when === 'early' ? 1 : 0) },
      }),
    ),
  );

/** Every kind of event from every channel, on every version and with every finding; the machine says what it takes. */
export const offered = (context: InvocationContext): readonly Labelled[] => [
  ...decisions(context),
  ...cancels(context),
  ...calls(context),
  ...expiries(context),
  ...(['APP_OK', 'APP_FAIL', 'APP_ABORTED', 'RESTARTED'] as const).flatMap(fromEach),
];

/** The event of a label. @throws when nothing of that name is offered */
export const eventOf = (context: InvocationContext, label: string): InvocationEvent => {
  const found = offered(context).find((one) => one.label === label);
  if (!found) throw new Error(`No event is called ${label}.`);
  return found.event;
};
