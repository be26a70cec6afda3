import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { readyToAsk } from './question.ts';
import { connected } from './sdkClient.ts';

test('a form that nobody answers does not keep its call from a host that waits 50 seconds', {
  timeout: 90_000,
}, async () => {
  let withdrawn = false;
  const client = await connected({ capabilities: { elicitation: {} } }, (one) =>
    one.setRequestHandler(ElicitRequestSchema, (_, { signal }) => {
      signal.addEventListener('abort', () => {
        withdrawn = true;
      });
      return new Promise(() => {});
    }),
  );
  const asking = { name: 'telic_submit_artifact', arguments: await readyToAsk(client) };
  // The client gives up after that time and throws.
  const { structuredContent } = await client.callTool(asking, undefined, { timeout: 50_000 });
  expect(structuredContent).toMatchObject({ ok: true, run: { status: 'awaiting_clarification' } });
  expect(withdrawn).toBe(true);
});
