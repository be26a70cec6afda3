import type { Requirement } from '../requirement.ts';

/** The tools that read, check and replay. */
export const reading: readonly Requirement[] = [
  {
    id: 'API-150',
    source: 'List',
    surface: 'mcp',
    behaviour: 'The list has 20 rows, or as many as a limit from 1 to 100 says.',
    proofs: ['requirements/reads.test.ts > has 20 rows unless told otherwise, 1 to 100'],
  },
  {
    id: 'API-151',
    source: 'List',
    surface: 'ledger',
    decision: 14,
    behaviour: 'The run that changed last comes first, by sequence and not by clock.',
    proofs: [
      'requirements/reads.test.ts > the newest first',
      'ledger/store.test.ts > puts the newest versioned event first, though every clock says the same',
    ],
  },
  {
    id: 'API-152',
    source: 'List',
    surface: 'mcp',
    behaviour: 'It tells neither requests nor roots, bodies or evidence.',
    proofs: ['requirements/reads.test.ts > tells no request, root, body or evidence'],
  },
  {
    id: 'API-153',
    source: 'List',
    surface: 'mcp',
    behaviour: 'Listing moves no run.',
    proofs: ['requirements/reads.test.ts > and moves no run'],
  },

  {
    id: 'API-155',
    source: 'Run',
    surface: 'mcp',
    behaviour: 'Reading a run gives its state, the metadata of its artifacts and the next action, the same each time.',
    proofs: [
      'requirements/reads.test.ts > is the same after a new connection',
      'controller/controller.test.ts > gives the same action everywhere while the version stays',
      'mcp/client.test.ts > a run starts, is grounded, read, listed, checked, replayed and cancelled',
    ],
  },
  {
    id: 'API-156',
    source: 'Run',
    surface: 'mcp',
    behaviour: 'It gives no bodies.',
    proofs: ['requirements/reads.test.ts > shows metadata and no bodies'],
  },
  {
    id: 'API-157',
    source: 'Run',
    surface: 'mcp',
    behaviour: 'After a reconnect its action is still right, under the current version.',
    proofs: [
      'requirements/reads.test.ts > with the action and the token that go on',
      'sdk/followRun.test.ts > goes on with a run that another process has begun',
    ],
  },

  {
    id: 'API-160',
    source: 'Artifact',
    surface: 'mcp',
    behaviour: 'An artifact is read whole, after its digest was checked.',
    proofs: [
      'requirements/reads.test.ts > is the body that its stored digest is of',
      'requirements/reads.test.ts > is refused when its body is no longer what was stored',
    ],
  },
  {
    id: 'API-161',
    source: 'Artifact',
    surface: 'mcp',
    behaviour: 'Another run does not give it.',
    proofs: ['requirements/reads.test.ts > another run does not reach it'],
  },

  {
    id: 'API-165',
    source: 'Trace',
    surface: 'mcp',
    behaviour: 'A page begins after a sequence number, at first 0.',
    proofs: ['requirements/reads.test.ts > begins at 0 with 100 events'],
  },
  {
    id: 'API-166',
    source: 'Trace',
    surface: 'mcp',
    behaviour: 'It has 100 events, or as many as a limit from 1 to 500 says.',
    proofs: [
      'requirements/reads.test.ts > begins at 0 with 100 events, takes 1 to 500',
      'controller/controller.test.ts > pages artifacts and trace exactly as asked',
    ],
  },
  {
    id: 'API-167',
    source: 'Trace',
    surface: 'mcp',
    behaviour: 'Each event is a canonical TraceEvent.',
    proofs: ['requirements/reads.test.ts > and holds canonical events alone'],
  },
  {
    id: 'API-168',
    source: 'Trace',
    surface: 'mcp',
    behaviour: 'Events hold summaries of reasons, never a chain of thought: there is no field for one.',
    proofs: ['requirements/reads.test.ts > keeps rationale to summaries and shows no hidden thought'],
  },
  {
    id: 'API-169',
    source: 'Trace',
    surface: 'cli',
    behaviour: 'The command line shows events as the ledger names them.',
    proofs: ['requirements/cli.test.ts > trace shows the projection of the ledger'],
  },
  {
    id: 'API-170',
    source: 'Trace',
    surface: 'ledger',
    behaviour: 'SQLite applies cursor and limit, along an index; the whole trace is not read for a page.',
    proofs: ['requirements/reads.test.ts > is cut by SQLite along its key'],
  },

  {
    id: 'API-175',
    source: 'Check',
    surface: 'mcp',
    decision: 8,
    behaviour: 'A check takes token, capability and an optional target; shell.exec is read as shell.execute.',
    proofs: [
      'requirements/reads.test.ts > takes the name of the hooks',
      'permissions/broker.test.ts > records the alias under its canonical name',
    ],
  },
  {
    id: 'API-176',
    source: 'Check',
    surface: 'mcp',
    decision: 7,
    behaviour: 'It is decided by the envelope of the run and leaves one broker_decision each time.',
    proofs: [
      'requirements/reads.test.ts > and leaves one event each time',
      'controller/controller.test.ts > answers a check with a decision and one event, and moves nothing',
    ],
  },
  {
    id: 'API-177',
    source: 'Check',
    surface: 'cli',
    behaviour: 'Hooks of a host can ask before a native tool runs.',
    proofs: ['gate/forms.test.ts > refuses in the form of %s', 'gate/installed.test.ts > the plugin of OpenCode'],
  },

  {
    id: 'API-180',
    source: 'Replay',
    surface: 'mcp',
    behaviour:
      'A replay changes nothing and tells the steps in the order of the trace, each artifact with the state of its digest.',
    proofs: [
      'requirements/reads.test.ts > tells every artifact in the order of the trace with its digest',
      'requirements/reads.test.ts > is refused when its body is no longer what was stored',
    ],
  },
  {
    id: 'API-181',
    source: 'Replay',
    surface: 'mcp',
    behaviour: 'It highlights escalations and denied checks.',
    proofs: ['requirements/reads.test.ts > highlights an escalation and denied checks'],
  },
  {
    id: 'API-182',
    source: 'Replay',
    surface: 'mcp',
    behaviour: 'It returns no bodies.',
    proofs: ['requirements/reads.test.ts > with its digest, no body, and writes nothing'],
  },
  {
    id: 'API-183',
    source: 'Replay',
    surface: 'mcp',
    behaviour: 'A micro run answers that the replay is degraded, for the reason micro_topology.',
    proofs: ['requirements/reads.test.ts > of a micro run says that it is degraded'],
  },
];
