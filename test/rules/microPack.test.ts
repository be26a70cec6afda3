import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../machines/context.ts';
import type { RunRecord } from '../../machines/record.ts';
import type { Query } from '../../machines/rules/book.ts';
import { microPackRules, packFaults } from '../../machines/rules/microPack.ts';
import { artifact, begun, requestRef, withArtifacts } from '../projection/records.ts';
import { ask } from './fixtures.ts';

/** The frame of a micro fix, in a run that was started with a grant and a denial. */
const framing = (
  over: Partial<RunContext> = {},
  denied: readonly string[] = [],
): Readonly<{ query: Query<'ProblemFrame'>; record: RunRecord }> => {
  const { run, record } = begun({
    mode: 'fix_only',
    originalRequest: 'Correct src/args.ts.',
    hostCapabilities: ['repository.read', 'repository.write'],
    denied,
  });
  const grounded = withArtifacts(record, artifact('ContextManifest', 'context-01'));
  const { body } = artifact('ProblemFrame', 'frame-01', {
    intentMode: 'fix_only',
    draftAcceptanceCriteria: [
      { id: 'AC-1', stage: 'completion', requirement: 'The word is right.', evidenceRequired: ['diff'] },
    ],
    knownFacts: [{ id: 'KF-1', claim: 'Said.', provenance: 'user', sourceRef: requestRef }],
    inferences: [],
  });
  return {
    record: grounded,
    query: {
      type: 'ProblemFrame',
      body,
      run: { ...run, phase: 'agent_1_frame', topology: 'micro', ...over },
      facts: {},
      record: grounded,
      submission: { type: 'ProblemFrame', from: 'host', body, sourceRefs: [], targets: {} },
      sourceRefs: [],
    },
  };
};

describe('the pack of a micro frame', () => {
  it('ADM-PACK-01 refuses a frame whose plan could never pass, as in a damaged run that may not write', () => {
    const { query, record } = framing({}, ['repository.write']);
    const said = ask(microPackRules, 'ADM-PACK-01', query);
    expect(said.map(({ message }) => message).join(' ')).toContain('ADM-PLAN-16');
    for (const { message, fix } of said) expect(`${message} ${fix}`).not.toMatch(/[\n\r]/);
    // What was judged was never stored.
    expect(record.entries().map(({ type }) => type)).not.toContain('TaskContract');
  });
  it('ADM-PACK-01 refuses a frame whose contract would break its schema', () => {
    const { query } = framing();
    const refs = Array.from({ length: 257 }, (_, at) => `repo://src/${at}.ts`);
    const inferences = [
      { id: 'INF-1', claim: 'So.', sourceRefs: refs.slice(0, 200), confidence: 0.5 },
      { id: 'INF-2', claim: 'Too.', sourceRefs: refs.slice(200), confidence: 0.5 },
    ];
    const faults = packFaults({ ...query, body: { ...query.body, inferences } });
    expect(faults.join(' ')).toMatch(/SCH-\S+ at contextRefs/);
  });
  it('ADM-PACK-01 accepts the frame of a run that may read and write', () => {
    expect(ask(microPackRules, 'ADM-PACK-01', framing().query)).toEqual([]);
  });
  it('ADM-PACK-01 accepts every frame outside micro, whose contract the compiler writes', () => {
    expect(ask(microPackRules, 'ADM-PACK-01', framing({ topology: 'forensic' }, ['repository.write']).query)).toEqual(
      [],
    );
  });
});
