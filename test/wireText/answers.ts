import fc from 'fast-check';
import type {
  ActionRow,
  Done,
  DoneAll,
  DoneStep,
  Found,
  Listing,
  ProgramAnswer,
  Reading,
  WatchEvent,
  Watched,
} from '../../schemas/wire/answers.ts';
import type { FailedAnswer, WireError } from '../../schemas/wire/failure.ts';
import { printPath } from '../../schemas/wire/path.ts';
import type { WireTool } from '../../schemas/wire/vocabulary.ts';
import type { TypedAnswers } from '../../src/wireText/textOf.ts';

/** Random typed answers, as bad as the schemas allow: names of any characters, sentences over several lines. */

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    'a b',
    '"',
    '\\',
    'next: x',
    'a\nfailed y z',
    'more: cursor 3',
    '- x',
    'ok\r\nx',
    '日本',
    '|',
  ),
);
const segment = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }),
  fc.constantFrom('notes', 'Water the tomatoes', 'a#b', 'a/b', '100%', 'tab\there', 'über', '[x]'),
);
const resourcePath = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => printPath({ segments }));
const actionId = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);
const actionPath = fc.tuple(resourcePath, actionId).map(([path, action]) => `${path}#${action}`);
const invocation = fc.stringMatching(/^[A-Za-z0-9._:-]{1,12}$/);
const code = fc.stringMatching(/^[a-z][a-z_]{0,11}$/);
const kind = fc.constantFrom('notes', 'notes.Page', 'notes.Block', 'app', 'workspace', 'odd kind');
const cursor = fc.oneof(fc.stringMatching(/^[a-z0-9]{1,8}$/), anyText);
const object = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

/** Leaves out the optional keys that were drawn as absent. */
const some = <K extends string, V>(key: K, value: V | null): Partial<Record<K, V>> => {
  const part: Partial<Record<K, V>> = {};
  if (value !== null) part[key] = value;
  return part;
};
const perhaps = <V>(arb: fc.Arbitrary<V>): fc.Arbitrary<V | null> => fc.option(arb, { nil: null });

const error: fc.Arbitrary<WireError> = fc
  .tuple(code, anyText, perhaps(fc.array(anyText, { minLength: 1, maxLength: 3 })))
  .map(([named, message, next]) => ({ code: named, message, ...some('next_steps', next) }));

const failed: fc.Arbitrary<FailedAnswer> = error.map((why) => ({ status: 'failed', error: why }));

const action: fc.Arbitrary<ActionRow> = fc.record({
  id: actionId,
  label: anyText,
  params: fc.array(
    fc
      .tuple(
        fc.record({ name: anyText, ty: fc.constantFrom('text', 'Text', 'integer'), required: fc.boolean() }),
        perhaps(anyText),
        perhaps(fc.array(fc.oneof(anyText, fc.integer()), { maxLength: 3 })),
      )
      .map(([param, description, choices]) => ({
        ...param,
        ...some('description', description),
        ...some('choices', choices),
      })),
    { maxLength: 3 },
  ),
  kind: fc.constantFrom('read', 'undoable', 'outside'),
});
const actions = fc.array(action, { maxLength: 3 });

const listing: fc.Arbitrary<Listing> = fc
  .tuple(
    fc.record({
      path: fc.oneof(resourcePath, actionPath),
      kind,
      rows: fc.array(
        fc
          .tuple(
            fc.record({ path: resourcePath, name: anyText, label: anyText, kind, has_children: fc.boolean(), actions }),
            perhaps(fc.constantFrom('running', 'service', 'installed')),
          )
          .map(([row, state]) => ({ ...row, ...some('state', state) })),
        { maxLength: 4 },
      ),
      actions,
    }),
    perhaps(cursor),
  )
  .map(([page, next]) => ({ ...page, ...some('next_cursor', next) }));

const reading: fc.Arbitrary<Reading> = fc
  .tuple(
    fc.record({
      path: resourcePath,
      kind,
      fields: object,
      children: fc.array(fc.record({ list: anyText, name: anyText, item: segment, path: resourcePath }), {
        maxLength: 3,
      }),
    }),
    perhaps(cursor),
  )
  .map(([page, next]) => ({ ...page, ...some('cursor', next) }));

const ask = fc
  .tuple(invocation, perhaps(fc.constantFrom('http://127.0.0.1:4747/w/home/asks/k41v', 'http://[::1]:1/x', 'a b')))
  .map(([invocation_id, url]) => ({ invocation_id, ...some('url', url) }));

const outcome = fc
  .tuple(
    fc.record({ status: fc.constantFrom('ok', 'failed', 'pending'), invocation_id: invocation, path: actionPath }),
    error,
    perhaps(fc.jsonValue({ maxDepth: 2 })),
    perhaps(fc.array(resourcePath, { maxLength: 3 })),
    perhaps(object),
    perhaps(ask),
    perhaps(action),
  )
  .map(([done, why, result, resources, edited, asked, row]) => ({
    ...done,
    ...some('error', done.status === 'failed' ? why : null),
    ...some('result', result),
    ...some('resources', resources),
    ...some('edited_by_person', edited),
    ...some('ask', done.status === 'pending' ? asked : null),
    ...some('action', row),
  }));
const done: fc.Arbitrary<Done> = outcome;
const step: fc.Arbitrary<DoneStep> = outcome;
const doneAll: fc.Arbitrary<DoneAll> = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => {
  const stopped = steps.findIndex(({ status }) => status !== 'ok');
  const last = steps[stopped];
  return last === undefined
    ? { status: 'ok', steps }
    : {
        status: last.status,
        stopped_at: stopped,
        ...(last.status === 'pending' && { invocation_id: last.invocation_id, ...some('ask', last.ask ?? null) }),
        steps: steps.slice(0, stopped + 1),
      };
});

const found: fc.Arbitrary<Found> = fc.record({
  hits: fc.array(fc.record({ path: resourcePath, kind, label: anyText, action: perhaps(actionId) }), { maxLength: 4 }),
  query: anyText,
});

// As programs print: compact JSON, or a reference and a label.
const output = fc.array(
  fc.oneof(
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    anyText.map((named) => `n1 ${JSON.stringify(named)}`),
  ),
  { maxLength: 4 },
);
const program: fc.Arbitrary<ProgramAnswer> = fc
  .tuple(fc.constantFrom('ok', 'failed', 'preview'), error, output)
  .map(([status, why, lines]) => ({
    status,
    ...some('error', status === 'failed' ? why : null),
    output: lines,
    changed: 0,
    steps: [],
  }));

const time = fc.nat();
const event: fc.Arbitrary<WatchEvent> = fc.oneof(
  fc
    .tuple(
      fc.record({
        path: resourcePath,
        change: cursor,
        sentence: anyText,
        by: anyText,
        time_ms: time,
        undone: fc.boolean(),
      }),
      perhaps(anyText),
    )
    .map(([change, run]): WatchEvent => ({ kind: 'change', ...change, ...some('run', run) })),
  fc
    .tuple(
      fc.record({
        phase: fc.constantFrom('started', 'succeeded', 'failed', 'cancelled'),
        invocation_id: invocation,
        path: actionPath,
        time_ms: time,
      }),
      perhaps(anyText),
    )
    .map(([run, title]): WatchEvent => ({ kind: 'run', ...run, ...some('run', title) })),
  fc
    .array(fc.record({ who: anyText, name: anyText, kind: fc.constantFrom('person', 'agent') }), { maxLength: 3 })
    .map((here): WatchEvent => ({ kind: 'presence', here })),
);
const watched: fc.Arbitrary<Watched> = fc.record({ events: fc.array(event, { maxLength: 5 }), cursor });

/** A random answer of each tool. */
export const randomAnswers: { readonly [T in WireTool]: fc.Arbitrary<TypedAnswers[T]> } = {
  tilo_ls: fc.oneof(failed, listing),
  tilo_read: fc.oneof(failed, reading),
  tilo_do: fc.oneof(failed, done, doneAll),
  tilo_find: fc.oneof(failed, found),
  tilo_status: fc.oneof(failed, done),
  tilo: fc.oneof(failed, program),
  tilo_watch: fc.oneof(failed, watched),
};
