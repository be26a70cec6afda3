import { found } from '../../schemas/found.ts';
import { uriOf } from '../record.ts';
import { type BookEntry, rule } from './book.ts';

/** Rules of the ScenarioSpec (admission section 6); SCEN-01 stands with the token, SCEN-04 and -05 with the ledger. */
export const scenarioSpecRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-SCEN-02',
    types: ['ScenarioSpec'],
    part: 'own',
    text: 'A ScenarioSpec comes from the scenario author, and its metadata are those of its body; the server derives them.',
    reads: [],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-SCEN-03',
    types: ['ScenarioSpec'],
    part: 'own',
    text: 'problemFrameRef is the ProblemFrame of this run.',
    reads: ['ProblemFrame'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const frame = record.latest('ProblemFrame');
      const expected = frame && uriOf(frame);
      if (body.problemFrameRef !== expected)
        yield {
          path: 'problemFrameRef',
          message: `problemFrameRef is ${found(body.problemFrameRef)}; the ProblemFrame of this run is ${found(expected)}.`,
          ...(expected === undefined ? {} : { expected }),
          fix: 'Cite the ProblemFrame of this run.',
        };
    },
  }),
];
