import fc from 'fast-check';
import {
  type ActionCapability,
  actionCapabilities,
  type IntentMode,
  type RunTopology,
} from '../../schemas/vocabulary.ts';

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
export const starts = (mode: IntentMode, topology: RunTopology) =>
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
