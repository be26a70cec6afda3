import { describe, expect, it } from 'vitest';
import { problemFrameRules } from '../../machines/rules/problemFrame.ts';
import { type IntentMode, intentModes, type RunTopology } from '../../schemas/vocabulary.ts';
import {
  ask,
  bodies,
  foreign,
  own,
  pair,
  plus,
  priorId,
  priorRun,
  query,
  recordUpTo,
  run,
  source,
  stored,
} from './fixtures.ts';

const frame = (more: object = {}, given: Parameters<typeof query>[2] = {}) =>
  query('ProblemFrame', { ...bodies.frame(), ...more }, given);
const fact = (provenance: string, sourceRef: string) => ({
  knownFacts: [{ id: 'KF-1', claim: 'So.', provenance, sourceRef }],
});
const micro = { run: run({ topology: 'micro', mode: 'fix_only' }) };
const one = bodies.frame().draftAcceptanceCriteria.slice(1);
const asks = { required: true, reason: 'Two readings.', requestRef: own('clarify-01') };
const prior = priorRun();
const linked = { run: run({ priorRunId: priorId }), record: recordUpTo('ContextManifest', prior) };

describe('rules of the ProblemFrame', () => {
  pair(
    problemFrameRules,
    'ADM-FRAME-01',
    ['a micro frame with two criteria', { of: frame({}, micro), path: 'draftAcceptanceCriteria', says: /there are 2/ }],
    ['a micro frame with one criterion', frame({ draftAcceptanceCriteria: one }, micro)],
  );
  it('ADM-FRAME-01 refuses a micro frame without a criterion', () => {
    expect(ask(problemFrameRules, 'ADM-FRAME-01', frame({ draftAcceptanceCriteria: [] }, micro))).toHaveLength(1);
  });
  const facts = (count: number) => ({
    knownFacts: Array.from({ length: count }, (_, index) => ({
      ...fact('user', own('msg-01')).knownFacts[0],
      id: `KF-${index}`,
    })),
  });
  pair(
    problemFrameRules,
    'ADM-FRAME-02',
    ['a micro frame with four facts', { of: frame(facts(4), micro), path: 'knownFacts', says: /there are 4/ }],
    ['a micro frame with three facts', frame(facts(3), micro)],
  );
  pair(
    problemFrameRules,
    'ADM-FRAME-03',
    [
      'a micro frame that wants a clarification',
      { of: frame({ clarification: asks }, micro), path: 'clarification', mends: true },
    ],
    ['a micro frame that wants none', frame({}, micro)],
  );
  pair(
    problemFrameRules,
    'ADM-FRAME-04',
    [
      'another mode',
      { of: frame({ intentMode: 'fix_only' }), path: 'intentMode', says: /fix_only.*analyze_and_fix/, mends: true },
    ],
    ['the mode of the run', frame()],
  );
  pair(
    problemFrameRules,
    'ADM-FRAME-05',
    [
      'another request',
      {
        of: frame({ originalRequestRef: own('msg-02') }),
        path: 'originalRequestRef',
        says: /msg-02.*msg-01/,
        mends: true,
      },
    ],
    ['the request of the run', frame()],
  );
  pair(
    problemFrameRules,
    'ADM-FRAME-06',
    [
      'a fact from the user that cites a file',
      { of: frame(fact('user', source)), path: 'knownFacts.0.sourceRef', says: /src\/args/ },
    ],
    ['a fact from the user that cites the message', frame(fact('user', own('msg-01')))],
  );
  it('ADM-FRAME-06 refuses a message that the user did not write', () => {
    const message = stored('UserMessage', { ...bodies.request(), id: 'msg-02' }, { producer: 'controller' });
    const record = plus(recordUpTo('ContextManifest'), message);
    expect(ask(problemFrameRules, 'ADM-FRAME-06', frame(fact('user', own('msg-02')), { record }))).toHaveLength(1);
  });
  pair(
    problemFrameRules,
    'ADM-FRAME-07',
    [
      'a repository fact that cites the request',
      { of: frame(fact('repository', own('msg-01'))), path: 'knownFacts.0.sourceRef' },
    ],
    ['a repository fact that cites a source', frame(fact('repository', source))],
  );
  it('ADM-FRAME-07 accepts the stored document of a source', () => {
    expect(ask(problemFrameRules, 'ADM-FRAME-07', frame(fact('repository', own('doc-01'))))).toEqual([]);
  });
  pair(
    problemFrameRules,
    'ADM-FRAME-08',
    [
      'a runtime fact without Evidence',
      { of: frame(fact('runtime', source)), path: 'knownFacts.0.sourceRef', says: /runtime, log/ },
    ],
    ['a runtime fact that cites Evidence of the linked run', frame(fact('runtime', foreign('ev-old')), linked)],
  );
  it('ADM-FRAME-08 refuses Evidence of a kind that does not fit', () => {
    const said = ask(problemFrameRules, 'ADM-FRAME-08', frame(fact('browser', foreign('ev-old')), linked));
    expect(said[0]).toMatchObject({ message: expect.stringContaining('Evidence of kind browser') });
    expect(said[0]?.message).toContain('kind runtime');
  });
  const open = {
    unknowns: [
      {
        id: 'UNK-7',
        question: 'Seconds?',
        classification: 'permission_expanding',
        impact: 'All.',
        evidenceInspected: [],
      },
    ],
    clarification: asks,
  };
  pair(
    problemFrameRules,
    'ADM-FRAME-09',
    [
      'a frame that still asks, and names the unknowns to classify anew',
      { of: frame(open), path: 'clarification', says: /UNK-7/ },
    ],
    ['a frame that asks nothing', frame()],
  );
  pair(
    problemFrameRules,
    'ADM-FRAME-09',
    [
      'a frame that asks although no unknown needs an answer',
      { of: frame({ clarification: asks }), path: 'clarification', mends: true },
    ],
    ['a frame that asks nothing', frame()],
  );
  it('ADM-FRAME-09 leaves a micro frame to FRAME-03', () => {
    expect(ask(problemFrameRules, 'ADM-FRAME-09', frame({ clarification: asks }, micro))).toEqual([]);
  });
  it('ADM-FRAME-10 refuses a fact whose source was lost, and ends the judgement', () => {
    const whole = frame();
    const damaged = { ...whole, body: { ...whole.body, knownFacts: JSON.parse('[{"id":"KF-1"}]') } };
    expect(ask(problemFrameRules, 'ADM-FRAME-10', damaged)[0]?.path).toBe('knownFacts.0.sourceRef');
    expect(problemFrameRules.find(({ code }) => code === 'ADM-FRAME-10')).toMatchObject({
      ends: true,
      refusal: 'integrity_failed',
    });
  });
  it('ADM-FRAME-10 accepts facts with a source', () => {
    expect(ask(problemFrameRules, 'ADM-FRAME-10', frame())).toEqual([]);
  });

  const staged = (...stages: string[]) => ({
    draftAcceptanceCriteria: stages.map((stage, index) => ({
      ...bodies.frame().draftAcceptanceCriteria[0],
      id: `AC-${index}`,
      stage,
    })),
  });
  const inMode = (mode: IntentMode, topology: RunTopology = 'standard') => ({ run: run({ mode, topology }) });
  pair(
    problemFrameRules,
    'ADM-FRAME-11',
    [
      'a frame of analyze_and_fix without a completion criterion',
      { of: frame(staged('diagnosis')), path: 'draftAcceptanceCriteria', says: /none has stage completion/ },
    ],
    ['a frame of analyze_and_fix with both stages', frame(staged('completion', 'diagnosis'))],
  );
  it('ADM-FRAME-11 refuses a frame without a criterion, in each mode', () => {
    for (const mode of intentModes) {
      const said = ask(problemFrameRules, 'ADM-FRAME-11', frame(staged(), inMode(mode)));
      expect(said[0]).toMatchObject({ path: 'draftAcceptanceCriteria', message: expect.stringMatching(/no draft/) });
    }
  });
  it('ADM-FRAME-11 accepts a single stage where no rule compares stages, and leaves micro runs to FRAME-01', () => {
    for (const mode of ['report_only', 'plan_only', 'analyze_only', 'fix_only'] as const)
      for (const stage of ['diagnosis', 'completion'])
        expect(ask(problemFrameRules, 'ADM-FRAME-11', frame(staged(stage), inMode(mode)))).toEqual([]);
    expect(ask(problemFrameRules, 'ADM-FRAME-11', frame(staged(), inMode('fix_only', 'micro')))).toEqual([]);
  });
  it('ADM-FRAME-11 accepts a rule that is named twice, and a frame that the authority of the run cannot serve', () => {
    const none = recordUpTo('UserMessage');
    expect(ask(problemFrameRules, 'ADM-FRAME-11', frame({ applicableRuleRefs: [source, source] }))).toEqual([]);
    expect(ask(problemFrameRules, 'ADM-FRAME-11', frame({}, { record: none }))).toEqual([]);
  });
  const resting = (count: number) => ({
    knownFacts: [],
    inferences: Array.from({ length: count }, (_, index) => ({
      id: `INF-${index}`,
      claim: 'So.',
      sourceRefs: [`repo://src/file-${index}.ts`],
      confidence: 1,
    })),
  });
  pair(
    problemFrameRules,
    'ADM-FRAME-11',
    [
      'a frame with more sources than a contract can cite',
      { of: frame(resting(254)), path: 'knownFacts', says: /257 references/ },
    ],
    ['a frame with as many sources as a contract can cite', frame(resting(253))],
  );
});
