import { z } from 'zod';
import type { App } from '../../../src/workspace/apps/app.ts';
import { action, defineApp, kind, p } from '../../../src/workspace/apps/defineApp.ts';

/** An app whose one action asks, and takes an argument of every type; it gives back what it got, but for the secret. */
export const formApp: App = defineApp({
  id: 'forms',
  label: 'Forms',
  state: 'running',
  version: 1,
  root: { name: 'desk', kind: 'forms' },
  history: false,
  kinds: {
    forms: kind({
      fields: z.object({}),
      lists: {},
      noun: 'desk',
      nouns: 'desks',
      children: () => ({}),
      read: () => ({ fields: {}, children: {} }),
      find: ({ label }) => ({ label, content: '', action: null }),
      actions: () => [
        action({
          id: 'hand-in',
          label: 'Hand in',
          kind: 'outside',
          params: {
            text: p.text({ description: 'What it says' }),
            choice: p.integer({ choices: [1, 2, 3] }),
            integer: p.integer(),
            number: p.number(),
            boolean: p.boolean(),
            object: p.object({ schema: { type: 'object', properties: { size: { type: 'integer' } } } }),
            array: p.array(),
            resource: p.resource(),
            datetime: p.datetime(),
            secret: p.secret(),
          },
          effect: (_ctx, { secret, ...args }) => ({ result: { ...args, secret: secret === 'rosebud' } }),
        }),
      ],
    }),
  },
});
