import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LedgerError } from '../../src/ledger/errors.ts';
import { openLedger, openLedgerReadOnly } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { ledgerWithRun, newLedger, newState } from './fixtures.ts';
import { commitOf, draftOf, messageOf, noon } from './samples.ts';

/** What a call threw, which must be a LedgerError. */
const thrownBy = (call: () => unknown): LedgerError => {
  try {
    call();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('the call did not throw');
};

describe('a ledger before its first run', () => {
  it('finds nothing and makes nothing on the disk', () => {
    const state = newState();
    const ledger = newLedger(state);
    expect(ledger.run('run-1')).toBeNull();
    expect(ledger.head('run-1')).toBe(0);
    expect(ledger.runs(20)).toEqual([]);
    expect(ledger.artifacts('run-1', 0)).toEqual([]);
    expect(ledger.artifactMeta('run-1', 0, 10)).toEqual([]);
    expect(ledger.artifact('run-1', 'm-1')).toBeNull();
    expect(ledger.digestStatus('run-1', 'm-1')).toBe('missing');
    expect(ledger.trace('run-1', 0, 10)).toEqual([]);
    expect(ledger.chain('run-1', 0, 10)).toEqual([]);
    expect(ledger.eventOfVersion('run-1', 1)).toBeNull();
    expect(ledger.deniedChecks('run-1')).toEqual([]);
    expect(ledger.verify('run-1')).toEqual([]);
    expect(existsSync(state.path)).toBe(false);
  });

  it('sees the run that another connection starts meanwhile', () => {
    const state = newState();
    const early = newLedger(state);
    expect(early.head('run-1')).toBe(0);
    ledgerWithRun(state);
    expect(early.head('run-1')).toBe(3);
  });

  it('cannot be opened for reading alone, and says where it was looked for', () => {
    const state = newState();
    const error = thrownBy(() => openLedgerReadOnly(state));
    expect(error.code).toBe('state_unavailable');
    expect(error.message).toContain('There is no ledger');
    expect(error.message).toContain(state.database);
    expect(existsSync(state.path)).toBe(false);
  });
});

describe('a commit', () => {
  it('keeps event, artifacts, trace and run row, and gives each back unchanged', () => {
    const state = newState();
    ledgerWithRun(state).close();
    const ledger = newLedger(state);

    expect(ledger.run('run-1')).toEqual({
      context: commitOf('run-1', 2, { version: 2 }).run.context,
      snapshot: JSON.stringify({ value: 'ground', step: 2 }),
      changed: 2,
      machineVersion: 'machine-1',
      head: 3,
      artifactCount: 3,
      traceCount: 3,
      denials: 1,
    });
    expect(ledger.artifacts('run-1', 0)).toEqual(
      ['request-01', 'answer-01', 'answer-02'].map((id) => messageOf('run-1', id)),
    );
    expect(ledger.artifacts('run-1', 2)).toEqual([messageOf('run-1', 'answer-02')]);
    expect(ledger.artifact('run-1', 'answer-01')).toEqual(messageOf('run-1', 'answer-01'));
    expect(ledger.artifact('run-1', 'answer-03')).toBeNull();
    const { body: _, ...meta } = messageOf('run-1', 'answer-01');
    expect(ledger.artifactMeta('run-1', 1, 1)).toEqual([{ ...meta, schemaVersion: '1.0' }]);
    expect(ledger.digestStatus('run-1', 'answer-01')).toBe('ok');
    expect(ledger.trace('run-1', 0, 10)).toEqual(
      [draftOf('run_started'), draftOf('phase_submitted'), draftOf('transition_denied')].map((draft, index) => ({
        ...draft,
        runId: 'run-1',
        sequence: index + 1,
        id: `event-000${index + 1}`,
      })),
    );
    expect(ledger.trace('run-1', 1, 1).map(({ sequence }) => sequence)).toEqual([2]);
    const chain = ledger.chain('run-1', 0, 10);
    expect(chain.map(({ sequence, version, type, payload }) => ({ sequence, version, type, payload }))).toEqual([
      { sequence: 1, version: 1, type: 'start', payload: { step: 0 } },
      { sequence: 2, version: 2, type: 'user.answer', payload: { step: 1 } },
      { sequence: 3, version: 2, type: 'user.answer', payload: { step: 2 } },
    ]);
    expect(chain[1]?.artifacts).toEqual(
      ['answer-01', 'answer-02'].map((id) => ({ id, sha256: messageOf('run-1', id).sha256 })),
    );
    expect(chain[1]?.previousHash).toBe(chain[0]?.hash);
    expect(ledger.chain('run-1', 1, 1)).toEqual([chain[1]]);
    expect(ledger.verify('run-1')).toEqual([]);
  });

  it('on another head than the expected one writes nothing and says so', () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const before = [ledger.run('run-1'), ledger.chain('run-1', 0, 10), ledger.trace('run-1', 0, 10)];
    for (const head of [0, 1, 2, 4])
      expect(ledger.commit(commitOf('run-1', head, { artifacts: [messageOf('run-1', `late-${head}`)] }))).toBe(false);
    expect([ledger.run('run-1'), ledger.chain('run-1', 0, 10), ledger.trace('run-1', 0, 10)]).toEqual(before);
    expect(ledger.artifact('run-1', 'late-2')).toBeNull();
    expect(ledger.commit(commitOf('run-2', 1))).toBe(false);
    expect(ledger.run('run-2')).toBeNull();
  });

  it('with an id that the run already has is refused whole', () => {
    const ledger = ledgerWithRun(newState());
    const artifacts = [messageOf('run-1', 'fresh-01'), messageOf('run-1', 'answer-01', 'something else')];
    const error = thrownBy(() => ledger.commit(commitOf('run-1', 3, { artifacts })));
    expect(error.code).toBe('id_taken');
    expect(error.subject).toEqual({ runId: 'run-1', artifactId: 'answer-01' });
    expect(ledger.head('run-1')).toBe(3);
    expect(ledger.artifact('run-1', 'fresh-01')).toBeNull();
    expect(ledger.verify('run-1')).toEqual([]);
    expect(ledger.commit(commitOf('run-2', 0, { artifacts: [messageOf('run-2', 'answer-01')] }))).toBe(true);
  });

  it('whose artifact does not have its digest is refused whole', () => {
    const ledger = newLedger();
    const artifact = { ...messageOf('run-1', 'm-1'), sha256: messageOf('run-1', 'm-2').sha256 };
    expect(thrownBy(() => ledger.commit(commitOf('run-1', 0, { artifacts: [artifact] }))).code).toBe(
      'integrity_failed',
    );
    expect(ledger.run('run-1')).toBeNull();
  });

  it('beyond the limits of a run is refused whole', () => {
    const ledger = newLedger();
    const many = (count: number, from = 0) =>
      Array.from({ length: count }, (_, index) => messageOf('run-1', `m-${from + index}`, 'equal'));
    expect(ledger.commit(commitOf('run-1', 0, { artifacts: many(2048) }))).toBe(true);
    expect(thrownBy(() => ledger.commit(commitOf('run-1', 1, { artifacts: many(1, 2048) }))).code).toBe(
      'quota_exceeded',
    );

    const drafts = (count: number) => Array.from({ length: count }, () => draftOf('broker_decision'));
    expect(ledger.commit(commitOf('run-1', 1, { trace: drafts(9_999) }))).toBe(true);
    expect(thrownBy(() => ledger.commit(commitOf('run-1', 2))).code).toBe('quota_exceeded');

    const long = draftOf('phase_submitted', 'x'.repeat(801));
    expect(thrownBy(() => ledger.commit(commitOf('run-2', 0, { trace: [long] }))).code).toBe('quota_exceeded');
    const huge = messageOf('run-2', 'm-1', 'x'.repeat(2_097_152));
    expect(thrownBy(() => ledger.commit(commitOf('run-2', 0, { artifacts: [huge] }))).code).toBe('quota_exceeded');
    expect(ledger.head('run-1')).toBe(2);
    expect(ledger.run('run-2')).toBeNull();
    expect(ledger.trace('run-1', 9_998, 500).map(({ id }) => id)).toEqual(['event-9999', 'event-10000']);
  });

  it('counts denials from the last rise of the version on', () => {
    const ledger = newLedger();
    const denied = [draftOf('transition_denied')];
    ledger.commit(commitOf('run-1', 0));
    ledger.commit(commitOf('run-1', 1, { version: 1, trace: denied }));
    ledger.commit(commitOf('run-1', 2, { version: 1, trace: [] }));
    ledger.commit(commitOf('run-1', 3, { version: 1, trace: denied }));
    expect(ledger.run('run-1')?.denials).toBe(2);
    ledger.commit(commitOf('run-1', 4, { version: 2 }));
    expect(ledger.run('run-1')?.denials).toBe(0);
  });

  it('gives back any payload, text and reference unchanged', () => {
    const ledger = newLedger();
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== '');
    let run = 0;
    fc.assert(
      fc.property(fc.jsonValue(), text, fc.array(text), (payload, content, sourceRefs) => {
        run += 1;
        const artifact = { ...messageOf(`run-${run}`, 'm-1', content), sourceRefs };
        const event = { type: 'start', at: noon, payload: JSON.parse(JSON.stringify(payload)) };
        expect(ledger.commit(commitOf(`run-${run}`, 0, { event, artifacts: [artifact] }))).toBe(true);
        expect(ledger.chain(`run-${run}`, 0, 1)[0]?.payload).toEqual(event.payload);
        expect(ledger.artifact(`run-${run}`, 'm-1')).toEqual(artifact);
        expect(ledger.verify(`run-${run}`)).toEqual([]);
      }),
      { numRuns: 60, examples: [[{ list: [JSON.parse('{"__proto__":""}')] }, '\ud83d', ['\u0000\u2028']]] },
    );
  });

  it('numbers the trace of each run gaplessly from 1, however events are spread', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(4)), { maxLength: 12 }), (steps) => {
        const ledger = openLedger(newState());
        const heads: Record<string, number> = {};
        const written: Record<string, number> = {};
        for (const [run, events] of steps) {
          const trace = Array.from({ length: events }, (_, index) => draftOf('phase_submitted', `${index}`));
          const head = heads[run] ?? 0;
          ledger.commit(commitOf(run, head, { trace }));
          // A lost race in between leaves no gap behind.
          ledger.commit(commitOf(run, head, { trace: [draftOf('run_ended')] }));
          heads[run] = head + 1;
          written[run] = (written[run] ?? 0) + events;
        }
        for (const [run, count] of Object.entries(written)) {
          const sequences = ledger.trace(run, 0, 1000).map(({ sequence }) => sequence);
          expect(sequences).toEqual(Array.from({ length: count }, (_, index) => index + 1));
          expect(ledger.run(run)?.traceCount).toBe(count);
        }
        ledger.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe('the event of a version', () => {
  it('is the first one that has it, and null for a version that the run never had', () => {
    const ledger = ledgerWithRun(newState());
    const chain = ledger.chain('run-1', 0, 10);
    expect(ledger.eventOfVersion('run-1', 1)).toEqual(chain[0]);
    expect(ledger.eventOfVersion('run-1', 2)).toEqual(chain[1]);
    expect(ledger.eventOfVersion('run-1', 3)).toBeNull();
    expect(ledger.eventOfVersion('run-2', 1)).toBeNull();
    expect(ledger.eventOfArtifact('run-1', 'answer-02')).toEqual(chain[1]);
    expect(ledger.eventOfArtifact('run-1', 'none')).toBeNull();
  });
});

describe('the denied checks of a run', () => {
  it('are its denied permission_checked entries alone, in order', () => {
    const ledger = newLedger();
    const decided = (event: 'permission_checked' | 'broker_decision', decision: 'allow' | 'deny', scope: string) => ({
      ...draftOf(event),
      decision: { decision, capability: 'shell.execute', scope, policyRefs: [], rationaleSummary: 'because' },
    });
    const denied = ['one', 'two'].map((scope) => decided('permission_checked', 'deny', scope));
    const others = [
      draftOf('permission_checked'),
      decided('permission_checked', 'allow', 'three'),
      decided('broker_decision', 'deny', 'four'),
    ];
    const [first, second] = denied;
    if (first === undefined || second === undefined) throw new Error('two drafts were made');
    ledger.commit(commitOf('run-1', 0, { trace: [first, ...others] }));
    ledger.commit(commitOf('run-1', 1, { trace: [second] }));
    ledger.commit(commitOf('run-2', 0, { trace: [first] }));
    expect(ledger.deniedChecks('run-1')).toEqual([
      { ...first, runId: 'run-1', sequence: 1, id: 'event-0001' },
      { ...second, runId: 'run-1', sequence: 5, id: 'event-0005' },
    ]);
    expect(ledger.deniedChecks('run-3')).toEqual([]);
  });
});

describe('the sub-agents of the pending node', () => {
  it('are the allowed checks of subagent.spawn since the last plan or result', () => {
    const ledger = newLedger();
    const spawn = (decision: 'allow' | 'deny', capability = 'subagent.spawn') => ({
      ...draftOf('broker_decision'),
      decision: { decision, capability, scope: 'unknown', policyRefs: [], rationaleSummary: 'because' },
    });
    const planned = { ...draftOf('phase_submitted'), phase: 'agent_3_plan' as const };
    const asked = {
      ...draftOf('phase_submitted'),
      phase: 'agent_4_execute' as const,
      event: 'clarification_requested' as const,
    };
    ledger.commit(commitOf('run-1', 0, { trace: [spawn('allow'), planned, spawn('allow'), spawn('deny')] }));
    ledger.commit(commitOf('run-1', 1, { trace: [asked, spawn('allow', 'shell.execute'), spawn('allow')] }));
    expect(ledger.spawnsOfNode('run-1')).toBe(2);
    ledger.commit(commitOf('run-1', 2, { trace: [{ ...draftOf('phase_submitted'), phase: 'agent_4_execute' }] }));
    expect(ledger.spawnsOfNode('run-1')).toBe(0);
    expect(ledger.spawnsOfNode('run-2')).toBe(0);
  });
});

describe('the list of runs', () => {
  it('puts the newest versioned event first, though every clock says the same', () => {
    const ledger = newLedger();
    for (const run of ['run-c', 'run-a', 'run-b']) ledger.commit(commitOf(run, 0));
    const order = () => ledger.runs(10).map(({ context }) => context.runId);
    expect(order()).toEqual(['run-b', 'run-a', 'run-c']);
    ledger.commit(commitOf('run-c', 1));
    expect(order()).toEqual(['run-c', 'run-b', 'run-a']);
    ledger.commit(commitOf('run-a', 1, { version: 1 }));
    expect(order()).toEqual(['run-c', 'run-b', 'run-a']);
    expect(ledger.runs(2).map(({ context }) => context.runId)).toEqual(['run-c', 'run-b']);
    const rest = () => ledger.runs(10, undefined, last).map(({ context }) => context.runId);
    const last = ledger.runs(2).at(-1)?.changed;
    expect(rest()).toEqual(['run-a']);
    ledger.commit(commitOf('run-b', 1));
    expect(rest()).toEqual(['run-a']);
  });
});

describe('reads taken together', () => {
  it('do not see what another connection commits between them', () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const other = newLedger(state);
    const seen = ledger.together(() => {
      const run = ledger.run('run-1');
      expect(other.commit(commitOf('run-1', 3, { artifacts: [messageOf('run-1', 'meanwhile')] }))).toBe(true);
      return [run?.artifactCount, ledger.artifacts('run-1', 0).length];
    });
    expect(seen).toEqual([3, 3]);
    expect(ledger.artifacts('run-1', 0)).toHaveLength(4);
  });
});

describe('a ledger opened for reading alone', () => {
  it('reads what is there and refuses to write', () => {
    const state = newState();
    ledgerWithRun(state);
    const reader = openLedgerReadOnly(state);
    expect(reader.run('run-1')?.head).toBe(3);
    expect(reader.artifacts('run-1', 0)).toHaveLength(3);
    expect(reader.verify('run-1')).toEqual([]);
    const error = thrownBy(() => reader.commit(commitOf('run-1', 3)));
    expect(error.code).toBe('state_unavailable');
    expect(reader.head('run-1')).toBe(3);
    reader.close();
  });
});

describe('a closed ledger', () => {
  it('answers no more, and closing it again does no harm', () => {
    const ledger = ledgerWithRun(newState());
    ledger.close();
    ledger.close();
    expect(thrownBy(() => ledger.run('run-1')).code).toBe('state_unavailable');
  });

  it('leaves one file, the log folded in', () => {
    const state = newState();
    ledgerWithRun(state).close();
    expect(existsSync(state.database)).toBe(true);
    expect(existsSync(`${state.database}-wal`)).toBe(false);
  });
});
