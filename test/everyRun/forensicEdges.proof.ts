import { byNamedStates } from './cover.ts';
import { coverEdges } from './edges.ts';

coverEdges(
  'every edge between named states, from a forensic start,',
  [
    ['report_only', 'forensic', 59],
    ['plan_only', 'forensic', 60],
    ['analyze_only', 'forensic', 67],
    ['fix_only', 'forensic', 67],
    ['analyze_and_fix', 'forensic', 68],
  ],
  byNamedStates,
);
