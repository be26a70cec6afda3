import type { Proven } from '../requirements/proving.ts';

/**
 * What breaks tools of this kind in the field, and the tests that show that it does not break this one (traps).
 */
export const traps: readonly Proven[] = [
  {
    id: 'T01',
    proofs: [
      'mcp/stdio.test.ts > holds protocol messages alone while git fails, libraries print, warnings are raised and a signal arrives',
    ],
  },
  { id: 'T02', proofs: ['mcp/stdio.test.ts > the end of a session', 'faults/kills.test.ts > has lost nothing'] },
  {
    id: 'T03',
    proofs: [
      'mcp/arguments.test.ts > whole numbers',
      'workspace/tools/parseArguments.test.ts > T03 a plain string of digits passes',
    ],
  },
  {
    id: 'T04',
    proofs: [
      'mcp/arguments.test.ts > lists and objects sent as JSON text',
      'workspace/tools/parseArguments.test.ts > T04 args and calls pass as JSON text',
    ],
  },
  { id: 'T05', proofs: ['traps/droppedLists.test.ts > is told each missing path and body_json'] },
  {
    id: 'T06',
    proofs: [
      'mcp/arguments.test.ts > %s takes null for each optional argument as absent',
      'mcp/arguments.test.ts > %s takes no null for a required argument',
      'workspace/tools/parseArguments.test.ts > T06 null for an optional argument is absent',
    ],
  },
  {
    id: 'T07',
    proofs: [
      'mcp/toolList.test.ts > holds no reference and no definitions',
      'schemas/jsonSchema.test.ts > of %s is one self-contained object schema with a dialect',
      'workspace/tools/list.test.ts > T07 holds no reference',
    ],
  },
  {
    id: 'T08',
    proofs: [
      'mcp/toolList.test.ts > has a flat object without combinators at the root of every schema',
      'mcp/submission.test.ts > is an answer when clarification_response stands alone',
      'workspace/tools/list.test.ts > T08 has a flat object',
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
    id: 'T12',
    proofs: ['workspace/http/sessions.test.ts > T12 W-12 after a restart of the host an old session still works'],
  },
  {
    id: 'T13',
    proofs: [
      'workspace/http/hosts.test.ts > W-10 a foreign Host or Origin is refused with 403',
      'workspace/http/hosts.test.ts > T13 the default bind is loopback',
    ],
  },
  {
    id: 'T14',
    proofs: [
      'workspace/http/crowd.test.ts > T14 fifty clients with equal JSON-RPC ids at once',
      'workspace/http/crowd.test.ts > T14 fifty posts without a session and with one id',
    ],
  },
  {
    id: 'T15',
    proofs: [
      'workspace/http/limits.test.ts > W-11 a body of 4 MiB passes, and one byte more is refused',
      'workspace/http/limits.test.ts > T15 a body far above the limit',
    ],
  },
  {
    id: 'T16',
    proofs: [
      'sdk/workspace/timeouts.test.ts > W-15 is the wait of the call and 30 s more',
      'sdk/workspace/retry.test.ts > W-51 doubles no change over 200 random calls',
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
  { id: 'T21', proofs: ['grounding/inventory.test.ts > keeps every name exact (T21)'] },
  {
    id: 'T22',
    proofs: [
      'grounding/inventory.test.ts > name a missing Git, and walk without a repository (T22)',
      'grounding/inventory.test.ts > name a directory that is no repository',
      'grounding/inventory.test.ts > name a repository of another owner and leave every configuration alone',
      'grounding/inventory.test.ts > never write a global configuration',
    ],
  },
  {
    id: 'T23',
    proofs: [
      'grounding/inventory.test.ts > reads 50,000 paths as they come and reports the cut with counts (T23)',
      'grounding/inventoryCollector.test.ts > takes 300,000 names and keeps the first of them, with exact counts (T23)',
    ],
  },
  {
    id: 'T24',
    proofs: [
      'grounding/gitPrograms.test.ts > a repository that others write to (T24)',
      'grounding/gitShapes.test.ts > and the index is neither locked nor refreshed',
    ],
  },
  {
    id: 'T25',
    proofs: [
      'traps/markerPrograms.test.ts > never runs it: not in a whole run over the tools',
      'traps/markerPrograms.test.ts > never runs it on any tool that is listed',
      'grounding/namedPrograms.test.ts > is grounded without any of them, each of which a plain command runs',
      'grounding/gitPrograms.test.ts > programs that repository configuration names (T25)',
      'grounding/gitPrograms.test.ts > a partial clone (T25)',
      'sdk/scriptedAuthor.test.ts > never starts a program that the configuration of the repository names',
    ],
  },
  {
    id: 'T26',
    proofs: [
      'grounding/readFile.test.ts > follows links inside the root and tells each that leads out (T26)',
      'grounding/activePaths.test.ts > that leave the root are refused with path, root and a way out (T26)',
      'grounding/inventory.test.ts > works where the root is a link (T26)',
      'permissions/resolveTarget.test.ts > takes a root that is a link, and absolute targets under either of its names',
      'permissions/resolveTarget.test.ts > lets no allowed target lead the system out of the root',
    ],
  },
  {
    id: 'T27',
    proofs: [
      'grounding/root.test.ts > is never the whole file system or a home directory by default (T27)',
      'mcp/startUp.test.ts > lets handshake and lists answer when %s',
      'mcp/startUp.test.ts > lets handshake and lists answer when the working directory is the home directory',
    ],
  },
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
  {
    id: 'T31',
    proofs: [
      'secrets/content.test.ts > how much the detector reads',
      'grounding/selection.test.ts > is not held up by files made for slow patterns (T31)',
    ],
  },
  {
    id: 'T32',
    proofs: [
      'grounding/selection.test.ts > keeps what only looks like a secret (T32)',
      'grounding/selection.test.ts > shows which rule left out which named file, and never the secret (T32)',
      'cli/ground.test.ts > prints the same as JSON, and never the text that a rule matched',
    ],
  },
  {
    id: 'T33',
    proofs: [
      'workspace/invocations/waitingAsk.test.ts > T33 keep calling',
      'workspace/invocations/waitingAsk.test.ts > T33 allow while nobody is held',
      'workspace/invocations/waitingAsk.test.ts > T33 allow twice',
      'workspace/invocations/waitingAsk.test.ts > T33 refuse after allow',
      'workspace/invocations/waitingAsk.test.ts > T33 watch shows the wait',
      'workspace/invocations/waitingAsk.test.ts > T33 the answer agrees with the store',
    ],
  },
  { id: 'T34', proofs: ['traps/stateMachine.test.ts > is incompatible, other runs work, and the process lives'] },
  { id: 'T35', proofs: ['traps/stateMachine.test.ts > is refused with a code in every phase'] },
  { id: 'T36', proofs: ['traps/stateMachine.test.ts > is refused, and never thrown through'] },
];
