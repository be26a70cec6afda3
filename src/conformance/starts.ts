import type { Pair } from '../../machines/graph/runGraph.ts';
import type { StartRequest } from '../sdk/followRun.ts';

const looks = ['repository.read', 'shell.inspect'];
const changes = ['repository.read', 'repository.write'];

const grants: Readonly<Record<Pair[0], readonly string[]>> = {
  report_only: ['repository.read'],
  plan_only: ['repository.read'],
  analyze_only: looks,
  fix_only: changes,
  analyze_and_fix: [...changes, 'shell.inspect'],
};

/** A start that leads into a mode and topology; a fix that may write is never standard (run-machine section 6.1). */
export const startOf = ([mode, topology]: Pair): StartRequest => ({
  originalRequest: mode === 'fix_only' ? 'Add a line to README.md.' : 'Say what the parser does.',
  mode,
  hostName: 'conformance',
  hostCapabilities: mode === 'fix_only' && topology === 'standard' ? looks : grants[mode],
  topologyOverride: topology,
});
