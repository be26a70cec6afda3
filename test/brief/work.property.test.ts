import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActionCapability,
  actionCapabilities,
  type IntentMode,
  intentModes,
  type RunTopology,
} from '../../schemas/vocabulary.ts';
import { type Trail, walked } from './tour.ts';
import { begun } from './walk.ts';

const within = (granted: readonly ActionCapability[]) => ({
  granted,
  commands: granted.includes('shell.execute') ? ['npm test'] : [],
  hosts: granted.includes('network.read') ? ['example.org'] : [],
});

const small: Readonly<Partial<Record<IntentMode, readonly ActionCapability[]>>> = {
  report_only: ['repository.read'],
  fix_only: ['repository.read', 'repository.write'],
};

/** Starts of a mode that lead into a topology; some of them suit the scripted author. */
const starts = (mode: IntentMode, topology: RunTopology) =>
  fc
    .record({
      some: fc.subarray<ActionCapability>([...actionCapabilities]),
      own: fc.boolean(),
      children: fc.boolean(),
    })
    .map(({ some, own, children }) => {
      const nativeSubagents = children ? ('available' as const) : ('unavailable' as const);
      if (topology === 'micro')
        return {
          own: false,
          args: { mode, originalRequest: 'Fix the typo in README.md.', ...within(small[mode] ?? []) },
        };
      const originalRequest = 'Find out why the build is slow and tell me what would mend it.';
      // Who may change something, or reach outside, has to be thorough.
      if (topology === 'standard')
        return {
          own,
          args: {
            mode,
            originalRequest,
            nativeSubagents,
            ...within(['repository.read', 'shell.inspect', 'runtime.inspect']),
          },
        };
      const granted = own ? actionCapabilities : some;
      return { own, args: { mode, originalRequest, nativeSubagents, topologyOverride: topology, ...within(granted) } };
    });

const worlds: readonly (readonly [RunTopology, IntentMode, number])[] = [
  ...intentModes.map((mode) => ['forensic', mode, mode === 'analyze_and_fix' ? 30 : 15] as const),
  ...intentModes.filter((mode) => mode !== 'analyze_and_fix').map((mode) => ['standard', mode, 10] as const),
  ['micro', 'report_only', 10],
  ['micro', 'fix_only', 20],
];

describe('drafts from the plan to the report', () => {
  it.each(worlds)(
    'are admitted in a %s run of %s with any variant however the blanks are filled, and refused where one is not',
    (topology, mode, numRuns) => {
      const trail: Trail = new Set();
      fc.assert(
        fc.property(starts(mode, topology), fc.boolean(), fc.gen(), ({ args, own }, steady, g) => {
          const walk = begun(args);
          expect(walk.snapshot.context.topology).toBe(topology);
          walked({ g, trail, steady, own }, walk);
        }),
        { numRuns, endOnFailure: true },
      );
      // The walks really go where they are meant to go.
      expect(trail).toContain(topology === 'micro' ? 'agent_5_report' : 'agent_5_audit');
    },
  );
});
