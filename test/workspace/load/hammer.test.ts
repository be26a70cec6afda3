import { afterEach, expect, it } from 'vitest';
import { randomFrom } from '../../../src/conformance/random.ts';
import { serveTest, type TestHost } from '../support/serve.ts';
import { hammer } from './hammer.ts';

let served: TestHost | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

it('W-58 watches beside writers lose no event and see none twice', async () => {
  served = await serveTest();
  const { registry } = served.host;
  const tokens = Array.from(
    { length: 4 },
    (_, index) =>
      registry.createToken({ label: `t${index}`, workspace: 'home', max: 'outside', expires_ms: null, run: null }).text,
  );
  const counts = await hammer({
    address: served.address,
    tokens,
    watches: 24,
    writers: 6,
    seconds: 2,
    rate: 3,
    random: randomFrom(58),
  });
  expect(counts.written).toBeGreaterThanOrEqual(6);
  expect(counts).toMatchObject({ lost: 0, doubled: 0, seen: counts.expected });
});
