import type { Requirement } from '../requirement.ts';

/** The command line, the state on the disk, its limits, and what the product says it does not do. */
export const local: readonly Requirement[] = [
  {
    id: 'API-210',
    source: 'Command line',
    surface: 'cli',
    behaviour: '`telic doctor` says what is there and what is missing.',
    proofs: [
      'cli/doctor.test.ts > says what there is, with no hint where nothing is amiss',
      'cli/doctor.test.ts > creates nothing',
    ],
  },
  {
    id: 'API-211',
    source: 'Command line',
    surface: 'cli',
    behaviour:
      '`telic status`, `trace` and `artifact` print a run, its trace and one artifact; --repo names the repository, --json asks for one line.',
    proofs: [
      'requirements/cli.test.ts > %s opens the ledger that is there and makes none',
      'cli/cli.test.ts > names the option that names no repository',
    ],
  },
  {
    id: 'API-214',
    source: 'Command line',
    surface: 'cli',
    behaviour: '`telic replay RUN_ID` prints the replay of a run.',
    proofs: ['requirements/cli.test.ts > replay prints the report of the tool'],
  },
  {
    id: 'API-215',
    source: 'Command line',
    surface: 'cli',
    behaviour: '`telic broker-gate` decides one native tool call of a host.',
    proofs: ['gate/gateRows.test.ts > decides row %s', 'gate/faults.test.ts > a gate that fails'],
  },
  {
    id: 'API-216',
    source: 'Command line',
    surface: 'cli',
    behaviour: '`telic mcp` runs the server.',
    proofs: ['mcp/stdio.test.ts > gets one line on standard error that the server is ready'],
  },
  {
    id: 'API-218',
    source: 'Command line',
    surface: 'cli',
    decision: 16,
    behaviour: 'From a checkout the same commands run as `node dist/telic.js`.',
    proofs: [
      'cli/cli.test.ts > ends with the exit code of its command',
      'cli/documents.test.ts > name every command of the table and no other',
    ],
  },
  {
    id: 'API-219',
    source: 'Command line',
    surface: 'cli',
    behaviour: 'The commands that read open the ledger of the repository that exists, and create no run.',
    proofs: [
      'requirements/cli.test.ts > %s opens the ledger that is there and makes none',
      'cli/cli.test.ts > says that there is no ledger, and makes none',
    ],
  },

  {
    id: 'API-220',
    source: 'State',
    surface: 'ledger',
    behaviour:
      'By default the state lies under XDG_STATE_HOME, else .local/state of the home directory, in telic/repositories and 24 characters of a hash.',
    proofs: [
      'requirements/state.test.ts > by a hash of the real repository path',
      'requirements/state.test.ts > falls back to .local/state of the home directory',
      'ledger/stateDirectory.test.ts > derives from XDG_STATE_HOME, else from HOME',
    ],
  },
  {
    id: 'API-221',
    source: 'State',
    surface: 'ledger',
    behaviour: 'The hash is of the real path, and the state stays out of the working tree.',
    proofs: [
      'requirements/state.test.ts > out of the tree',
      'ledger/stateDirectory.test.ts > is refused at the start and at the call, and nothing is written: …',
    ],
  },
  {
    id: 'API-222',
    source: 'State',
    surface: 'ledger',
    decision: 5,
    behaviour:
      'The directory holds ledger.sqlite3; bodies lie in it by their digest, and there is no folder of bodies.',
    proofs: ['requirements/state.test.ts > keeps bodies by their digest inside the ledger'],
  },
  {
    id: 'API-224',
    source: 'State',
    surface: 'machines',
    behaviour: 'A run holds at most 2,048 artifacts.',
    proofs: [
      'rules/ledgerRules.test.ts > ADM-COM-12 refuses an artifact in a full run',
      'rules/ledgerRules.test.ts > ADM-COM-12 accepts the last artifact that fits',
      'ledger/store.test.ts > beyond the limits of a run is refused whole',
    ],
  },
  {
    id: 'API-225',
    source: 'State',
    surface: 'machines',
    behaviour: 'A run holds at most 10,000 trace events.',
    proofs: [
      'rules/ledgerRules.test.ts > ADM-COM-15 lets what moves the run use the reserve',
      'rules/ledgerRules.test.ts > ADM-COM-15 refuses a tool check once only the reserve is left',
      'ledger/store.test.ts > beyond the limits of a run is refused whole',
    ],
  },
  {
    id: 'API-226',
    source: 'State',
    surface: 'machines',
    behaviour: 'The tool calls that all plans of a run reserve are at most 4,000.',
    proofs: [
      'rules/workPlan.test.ts > ADM-PLAN-05 refuses a plan beyond the calls that the run has left',
      'rules/workPlan.test.ts > ADM-PLAN-05 accepts a plan that takes the last calls of the run',
      'rules/derived.test.ts > sums the reservations of every plan, replaced ones included',
    ],
  },
  {
    id: 'API-227',
    source: 'State',
    surface: 'machines',
    behaviour: 'The nodes of a plan fit into its own budget.',
    proofs: ['rules/workPlan.test.ts > ADM-PLAN-04 refuses nodes that need more calls than the plan has'],
  },
  {
    id: 'API-228',
    source: 'State',
    surface: 'machines',
    behaviour: 'A node has a call for each capability that it requires.',
    proofs: [
      'rules/workPlan.test.ts > ADM-PLAN-20 refuses fewer calls than required capabilities',
      'rules/workPlan.test.ts > ADM-PLAN-20 accepts one call for each required capability',
    ],
  },
  {
    id: 'API-229',
    source: 'State',
    surface: 'machines',
    behaviour: 'A node that requires sub-agents has a budget of children above zero.',
    proofs: ['rules/workPlan.test.ts > ADM-PLAN-21 refuses a required sub-agent without a child budget'],
  },
  {
    id: 'API-230',
    source: 'State',
    surface: 'mcp',
    behaviour: 'No tool deletes a run.',
    proofs: [
      'mcp/toolList.test.ts > names the eleven tools of the argument schemas',
      'mcp/toolList.test.ts > says no destruction and no open world of any tool',
    ],
  },
  {
    id: 'API-231',
    source: 'State',
    surface: 'cli',
    behaviour:
      'doctor --json names the state directory; removing it removes every run of the repository, and nothing else has to be done.',
    proofs: ['requirements/state.test.ts > is the directory that doctor --json names; without it no run is left'],
  },

  {
    id: 'API-240',
    source: 'Limitations',
    surface: 'documents',
    behaviour:
      'Codex has a plugin in the checkout, and seven other hosts have packs that pass local checks of configuration and transport.',
    proofs: ['packs/packs.test.ts > the packs for hosts'],
  },
  {
    id: 'API-241',
    source: 'Limitations',
    surface: 'ledger',
    behaviour: 'State that was damaged or changed by accident is told; tampering by the same user is not kept out.',
    proofs: [
      'ledger/damage.test.ts > says so and leaves the others alone',
      'ledger/damage.test.ts > shows that somebody changed …',
    ],
  },
  {
    id: 'API-242',
    source: 'Limitations',
    surface: 'ledger',
    behaviour: 'Answers with traces are indexed and come in pages.',
    proofs: [
      'requirements/reads.test.ts > is cut by SQLite along its key',
      'requirements/reads.test.ts > begins at 0 with 100 events',
    ],
  },
];
