import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionIdOf } from '../../machines/context.ts';
import { step } from '../../machines/step.ts';
import { submittedTypes } from '../../schemas/vocabulary.ts';
import { begun, ground, submit } from '../brief/walk.ts';
import { repository, startServer, temporary, tokenOf } from '../mcp/rawServer.ts';

describe('a run that another version of the machine wrote (T34)', () => {
  it('is incompatible, other runs work, and the process lives', async () => {
    const root = repository();
    const state = join(temporary('state'), 'state');
    const before = startServer({ root, state });
    await before.initialize();
    const start = { original_request: 'Plan it.', mode: 'plan_only' };
    const foreign = tokenOf(await before.call('telic_start_run', start));
    const own = tokenOf(await before.call('telic_start_run', start));
    before.closeInput();
    await before.exit;
    const db = new Sqlite(join(state, 'ledger.sqlite3'));
    db.prepare(`UPDATE runs SET machine_version = '999', snapshot = '{"value":"elsewhere"}' WHERE run_id = ?`).run(
      foreign.run_id,
    );
    db.close();

    const server = startServer({ root, state });
    await server.initialize();
    for (const [tool, args] of [
      ['telic_ground_context', foreign],
      ['telic_cancel_run', foreign],
      ['telic_check_tool_action', { ...foreign, capability: 'repository.read', target: 'README.md' }],
      ['telic_get_next_action', { run_id: foreign.run_id }],
    ] as const)
      expect(await server.call(tool, args)).toMatchObject({ ok: false, code: 'incompatible', kind: 'corrupt' });
    expect(await server.call('telic_ground_context', own)).toMatchObject({ ok: true });
    expect(await server.call('telic_list_runs', {})).toMatchObject({ ok: true });
    expect((await server.request('ping')).result).toEqual({});
  });
});

describe('an event that no transition accepts (T35)', () => {
  it('is refused with a code in every phase, never ignored in silence', () => {
    const grounding = begun({ mode: 'analyze_only' });
    const framing = ground(grounding, [{ path: 'src/a.ts' }]);
    for (const walk of [grounding, framing]) {
      for (const type of submittedTypes) {
        const outcome = submit(walk, type, { id: 'x-01', runId: walk.snapshot.context.runId, schemaVersion: '1.0' });
        expect(outcome).toMatchObject({ ok: false });
        if (!outcome.ok) expect(outcome.findings[0]).toMatchObject({ code: expect.stringMatching(/^(ADM|SCH)-/) });
      }
      const { context } = walk.snapshot;
      const answered = step(walk.snapshot, {
        type: 'user.answer',
        answer: 'yes',
        messageId: 'message-9',
        via: 'host',
        record: walk.record,
        token: { actionId: actionIdOf(context), expectedVersion: context.version },
        at: '2026-03-02T09:05:00.000Z',
      });
      expect(answered).toMatchObject({ outcome: 'refused', refusal: { code: 'not_awaiting_clarification' } });
    }
  });
});

describe('malformed data that a guard meets (T36)', () => {
  it('is refused, and never thrown through', () => {
    const walk = ground(begun({ mode: 'analyze_only' }), [{ path: 'src/a.ts' }]);
    const head = { id: 'frame-01', runId: walk.snapshot.context.runId, schemaVersion: '1.0' };
    fc.assert(
      fc.property(
        fc.constantFrom(...submittedTypes),
        fc.dictionary(
          fc.constantFrom(
            'goal',
            'knownFacts',
            'scope',
            'draftAcceptanceCriteria',
            'responseChoices',
            'clarification',
            'constraints',
          ),
          fc.jsonValue({ maxDepth: 4 }),
        ),
        fc.boolean(),
        (type, fields, named) => {
          const outcome = submit(walk, type, named ? { ...head, ...fields } : fields);
          expect(outcome.ok).toBe(false);
          if (!outcome.ok)
            for (const { code, message } of outcome.findings) expect(`${code} ${message}`).toMatch(/^(ADM|SCH)-.+ .+/);
        },
      ),
      { numRuns: 500 },
    );
  });
});
