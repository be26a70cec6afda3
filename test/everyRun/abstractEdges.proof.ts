import { without } from '../../machines/graph/runGraph.ts';
import { byAbstractStates } from './cover.ts';
import { coverEdges } from './edges.ts';

/** Without questions and cancels the edges are those of the column Core (run-machine section 17). */
const core = process.env.TELIC_EDGES !== 'all';

coverEdges(
  core ? 'every core edge between abstract states' : 'every edge between abstract states',
  [
    ['report_only', 'micro', core ? 299 : 1302],
    ['report_only', 'standard', core ? 233 : 966],
    ['report_only', 'forensic', core ? 191 : 862],
    ['plan_only', 'standard', core ? 241 : 982],
    ['plan_only', 'forensic', core ? 195 : 870],
    ['analyze_only', 'standard', core ? 401 : 1702],
    ['analyze_only', 'forensic', core ? 301 : 1426],
    ['fix_only', 'micro', core ? 542 : 2450],
    ['fix_only', 'standard', core ? 269 : 1198],
    ['fix_only', 'forensic', core ? 301 : 1426],
    ['analyze_and_fix', 'forensic', core ? 519 : 2594],
  ],
  byAbstractStates,
  (graph) => (core ? without(graph, 'CANCEL', 'ClarificationRequest') : graph),
);
