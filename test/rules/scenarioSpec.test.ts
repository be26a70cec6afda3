import { describe } from 'vitest';
import { scenarioSpecRules } from '../../machines/rules/scenarioSpec.ts';
import { bodies, own, pair, query, recordUpTo, run } from './fixtures.ts';

const scenario = (more: object = {}) =>
  query(
    'ScenarioSpec',
    { ...bodies.scenario(), ...more },
    { run: run({ phase: 'agent_2_compile' }), record: recordUpTo('ProblemFrame') },
  );

describe('rules of the ScenarioSpec', () => {
  pair(
    scenarioSpecRules,
    'ADM-SCEN-03',
    [
      'another frame',
      {
        of: scenario({ problemFrameRef: own('frame-09') }),
        path: 'problemFrameRef',
        says: /frame-09.*frame-01/,
        mends: true,
      },
    ],
    ['the frame of the run', scenario()],
  );
});
