import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Alternative } from '../../schemas/brief.ts';
import { bodyByRule } from '../brief/fill.ts';
import { startServer, tokenOf } from '../mcp/rawServer.ts';

const Framing = z.looseObject({
  nextAction: z.looseObject({
    brief: z.looseObject({
      draft: z.record(z.string(), z.unknown()),
      blanks: z.array(z.custom<Alternative['blanks'][number]>()),
    }),
  }),
});

/** As a host sends it that drops empty lists from nested arguments; with the paths of what is gone. */
const dropped = (value: unknown, path = '', gone: string[] = []): { value: unknown; gone: string[] } => {
  if (Array.isArray(value))
    return { value: value.map((one, index) => dropped(one, `${path}.${index}`, gone).value), gone };
  if (typeof value !== 'object' || value === null) return { value, gone };
  const kept = Object.entries(value).flatMap(([key, one]) => {
    const at = path === '' ? key : `${path}.${key}`;
    if (Array.isArray(one) && one.length === 0) {
      gone.push(at);
      return [];
    }
    return [[key, dropped(one, at, gone).value]];
  });
  return { value: Object.fromEntries(kept), gone };
};

describe('a host that drops empty lists (T05)', () => {
  it('is told each missing path and body_json, and is taken through body_json', async () => {
    const server = startServer();
    await server.initialize();
    const started = await server.call('telic_start_run', { original_request: 'Plan it.', mode: 'plan_only' });
    const grounded = await server.call('telic_ground_context', tokenOf(started));
    const { draft, blanks } = Framing.parse(grounded).nextAction.brief;
    // Every list that may stay as it is stays empty.
    const needed = blanks.filter(({ optional }) => !optional);
    const body = bodyByRule({ type: 'ProblemFrame', when: '', draft, blanks: needed });
    const { value, gone } = dropped(body);
    expect(gone.length).toBeGreaterThan(3);

    const sent = { ...tokenOf(grounded), artifact_type: 'ProblemFrame' };
    const refusal = await server.call('telic_submit_artifact', { ...sent, body: value });
    expect(refusal).toMatchObject({ ok: false, code: 'invalid_body' });
    const { issues, next_steps: steps } = z
      .looseObject({ issues: z.array(z.looseObject({ path: z.string() })), next_steps: z.array(z.string()) })
      .parse(refusal);
    expect(issues.map(({ path }) => path).toSorted()).toEqual(gone.toSorted());
    expect(steps.join(' ')).toContain('body_json');

    const both = await server.call('telic_submit_artifact', { ...sent, body, body_json: JSON.stringify(body) });
    expect(both).toMatchObject({ ok: false, code: 'invalid_arguments' });
    const taken = await server.call('telic_submit_artifact', { ...sent, body_json: JSON.stringify(body) });
    expect(taken).toMatchObject({ ok: true, run: { version: 3 } });
  });
});
