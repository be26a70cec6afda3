import type { Proven } from '../requirements/proving.ts';

/**
 * What breaks tools of this kind in the field, and the tests that show that it does not break this one (traps). Rows that
 * are not here concern the workspace wire or what grounding does not do yet; they join with their tests.
 */
export const traps: readonly Proven[] = [
  {
    id: 'T01',
    proofs: [
      'mcp/stdio.test.ts > holds protocol messages alone while git fails, libraries print, warnings are raised and a signal arrives',
    ],
  },
  { id: 'T02', proofs: ['mcp/stdio.test.ts > the end of a session', 'faults/kills.test.ts > has lost nothing'] },
  { id: 'T03', proofs: ['mcp/arguments.test.ts > whole numbers'] },
  { id: 'T04', proofs: ['mcp/arguments.test.ts > lists and objects sent as JSON text'] },
  { id: 'T05', proofs: ['traps/droppedLists.test.ts > is told each missing path and body_json'] },
  {
    id: 'T06',
    proofs: [
      'mcp/arguments.test.ts > %s takes null for each optional argument as absent',
      'mcp/arguments.test.ts > %s takes no null for a required argument',
    ],
  },
  {
    id: 'T07',
    proofs: [
      'mcp/toolList.test.ts > holds no reference and no definitions',
      'schemas/jsonSchema.test.ts > of %s is one self-contained object schema with a dialect',
    ],
  },
  {
    id: 'T08',
    proofs: [
      'mcp/toolList.test.ts > has a flat object without combinators at the root of every schema',
      'mcp/submission.test.ts > is an answer when clarification_response stands alone',
    ],
  },
  {
    id: 'T09',
    proofs: [
      'traps/outputSchema.test.ts > takes the success of each tool, its text beside its structure',
      'traps/outputSchema.test.ts > is shown the code and the sentence of each kind of failure',
    ],
  },
  { id: 'T10', proofs: ['mcp/toolList.test.ts > takes at most 10,240 bytes as a result'] },
  {
    id: 'T11',
    proofs: [
      'traps/largeRun.test.ts > is read by default in pages of 20, 100 and 100',
      'traps/largeRun.test.ts > is read in pages of exactly the limit that a caller names',
    ],
  },
  {
    id: 'T17',
    proofs: [
      'races/twoServers.test.ts > gives each of ',
      'ledger/processes.test.ts > race for 200 heads',
      'ledger/processes.test.ts > are told that the ledger is unavailable when the lock is not given back',
    ],
  },
  {
    id: 'T18',
    proofs: [
      'mcp/startUp.test.ts > a place that cannot be used',
      'faults/disk.test.ts > from the start lets the handshake answer',
    ],
  },
  {
    id: 'T19',
    proofs: [
      'mcp/startUp.test.ts > whose module was built for another Node is told once',
      'ledger/driver.test.ts > because it was built for another Node is one line',
    ],
  },
  { id: 'T20', proofs: ['ledger/format.test.ts > is full on every connection, and stays so after the first write'] },
  { id: 'T28', proofs: ['permissions/broker.test.ts > each mode, capability and phase'] },
  {
    id: 'T29',
    proofs: ['traps/carriedAuthority.test.ts > is gone between the end of plan A and the acceptance of plan B'],
  },
  {
    id: 'T30',
    proofs: [
      'permissions/targets.test.ts > lets no listed command hold a character that joins, expands or hides',
      'requirements/start.test.ts > refuses wildcards, the old placeholder and compound commands in its list',
    ],
  },
  { id: 'T34', proofs: ['traps/stateMachine.test.ts > is incompatible, other runs work, and the process lives'] },
  { id: 'T35', proofs: ['traps/stateMachine.test.ts > is refused with a code in every phase'] },
  { id: 'T36', proofs: ['traps/stateMachine.test.ts > is refused, and never thrown through'] },
];
