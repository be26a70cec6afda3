import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { action, defineApp, kind, p } from '../../../src/workspace/apps/defineApp.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { openTable } from './support.ts';

const linked: unknown[] = [];

/** Hands a path on to the outside. */
const echo = defineApp({
  id: 'echo',
  label: 'Echo',
  state: 'service',
  version: 1,
  root: { name: 'main', kind: 'echo' },
  history: true,
  kinds: {
    echo: kind({
      fields: z.object({}),
      lists: {},
      noun: 'thing',
      nouns: 'things',
      children: () => ({}),
      read: () => ({ fields: {}, children: {} }),
      find: ({ label }) => ({ label, content: '', action: null }),
      actions: () => [
        action({
          id: 'link',
          label: 'Link',
          kind: 'outside',
          params: { to: p.resource({ required: true }), note: p.text() },
          effect: (_ctx, args) => {
            linked.push(args);
            return {};
          },
        }),
      ],
    }),
  },
});

it('W-28 edited at the account endpoint, paths among the arguments are told as that endpoint takes them', async () => {
  const first = await openTable();
  onTestFinished(() => first.close());
  const table = await first.killed([notes, echo]);
  const account = table.caller('Desk agent', { endpoint: null });
  const link = (caller = account, path = 'home/echo#link', to = 'home/notes/Garden') =>
    table.host.invocations.do(caller, { path, args: { to }, invocation_id: 'l1', wait_ms: 0 });
  await link();
  await table.decide({ decision: 'allow_edited', args: { to: 'notes/House move', note: 'see' } });
  expect(await link()).toMatchObject({
    status: 'ok',
    path: 'home/echo#link',
    edited_by_person: { to: 'home/notes/House move', note: 'see' },
  });
  expect(linked).toEqual([{ to: 'notes/House move', note: 'see' }]);
  expect(await table.host.invocations.status(table.caller(), { invocation_id: 'l1' })).toMatchObject({
    path: 'echo#link',
    edited_by_person: { to: 'notes/House move', note: 'see' },
  });
});
