import type { Pair } from '../../machines/graph/runGraph.ts';
import type { StartRequest } from '../../src/sdk/index.ts';

/** How a run of each mode is started, and what its host can do. */
const byMode: Readonly<Record<Pair[0], StartRequest>> = {
  report_only: { mode: 'report_only', originalRequest: 'Say what this project is.' },
  plan_only: {
    mode: 'plan_only',
    originalRequest: 'Plan a second parser.',
    hostCapabilities: ['repository.read'],
  },
  analyze_only: {
    mode: 'analyze_only',
    originalRequest: 'What does the parser do, and is anything uncommitted?',
    hostCapabilities: ['repository.read', 'shell.inspect'],
  },
  fix_only: {
    mode: 'fix_only',
    originalRequest: 'Add a line to README.md.',
    hostCapabilities: ['repository.read', 'repository.write'],
  },
  analyze_and_fix: {
    mode: 'analyze_and_fix',
    originalRequest: 'Find out what README.md lacks and add it.',
    hostCapabilities: ['repository.read', 'repository.write', 'shell.inspect'],
  },
};

/** The start that puts a run of a mode into a topology; the two that follow from the request alone are not forced. */
export const startOf = ([mode, topology]: Pair): StartRequest => {
  // A fix that may write is never standard (run-machine section 6.1).
  if (mode === 'fix_only' && topology === 'standard')
    return { ...byMode[mode], hostCapabilities: ['repository.read', 'shell.inspect'] };
  return topology === 'micro' ? byMode[mode] : { ...byMode[mode], topologyOverride: topology };
};
