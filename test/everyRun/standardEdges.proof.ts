import { byNamedStates } from './cover.ts';
import { coverEdges } from './edges.ts';

coverEdges(
  'every edge between named states, from a micro or standard start,',
  [
    ['report_only', 'micro', 64],
    ['report_only', 'standard', 63],
    ['plan_only', 'standard', 64],
    ['analyze_only', 'standard', 71],
    ['fix_only', 'micro', 71],
    ['fix_only', 'standard', 66],
  ],
  byNamedStates,
);
