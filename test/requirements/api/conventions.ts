import type { Requirement } from '../requirement.ts';

/** How things are written down, and how the server is reached. */
export const conventions: readonly Requirement[] = [
  {
    id: 'API-001',
    source: 'Introduction',
    surface: 'documents',
    behaviour:
      'The schemas in the code are what counts; the written reference is generated from them and says the same.',
    proofs: ['docs/current.test.ts > %s says what the code says (npm run docs)'],
  },
  {
    id: 'API-002',
    source: 'Introduction',
    surface: 'schemas',
    behaviour: 'Artifacts are of schema 1.0; another version is refused.',
    proofs: [
      'rules/common.test.ts > ADM-COM-07 refuses another schema version',
      'rules/common.test.ts > ADM-COM-07 accepts version 1.0',
    ],
  },

  {
    id: 'API-010',
    source: 'Serialization',
    surface: 'schemas',
    behaviour: 'A canonical body is a JSON object that is refused for any key its schema does not know, at any depth.',
    proofs: [
      'requirements/schemas.test.ts > may hold no unknown key',
      'schemas/issues.test.ts > tell one issue for each object with unknown keys',
    ],
  },
  {
    id: 'API-011',
    source: 'Serialization',
    surface: 'schemas',
    behaviour: 'Fields of canonical bodies are named in camelCase.',
    proofs: [
      'requirements/schemas.test.ts > has fields in camelCase alone',
      'requirements/schemas.test.ts > is described to hosts with the same names',
    ],
  },
  {
    id: 'API-012',
    source: 'Serialization',
    surface: 'schemas',
    behaviour: 'Each canonical body holds its schemaVersion, which is the text 1.0.',
    proofs: ['requirements/schemas.test.ts > names its schema version'],
  },
  {
    id: 'API-013',
    source: 'Serialization',
    surface: 'mcp',
    behaviour: 'Arguments of tools are named in snake_case.',
    proofs: ['requirements/schemas.test.ts > are named in snake_case'],
  },
  {
    id: 'API-014',
    source: 'Serialization',
    surface: 'grounding',
    behaviour:
      'The snake_case form in which discovery writes its manifest becomes the canonical one before the ledger has it.',
    proofs: [
      'schemas/conformance.test.ts > normalises $file to the canonical manifest',
      'grounding/ground.test.ts > fits the schemas: wire form, canonical form and every document',
      'requirements/submission.test.ts > which stores it in camelCase',
    ],
  },
  {
    id: 'API-015',
    source: 'Serialization',
    surface: 'schemas',
    behaviour: 'A reference is a URI of the schemes artifact, repo or trace; another form is refused.',
    proofs: [
      'rules/references.test.ts > ADM-REF-01 refuses an entry of another form',
      'rules/references.test.ts > ADM-REF-01 accepts references of all three schemes',
    ],
  },
  {
    id: 'API-016',
    source: 'Serialization',
    surface: 'machines',
    behaviour: 'An artifact reference reaches the artifacts of its run alone.',
    proofs: [
      'rules/references.test.ts > ADM-REF-14 refuses another run where none is linked',
      'requirements/reads.test.ts > another run does not reach it',
    ],
  },
  {
    id: 'API-017',
    source: 'Serialization',
    surface: 'ledger',
    behaviour: 'A stored body never changes: an id that is taken is refused, and the tables refuse updates.',
    proofs: [
      'rules/ledgerRules.test.ts > ADM-COM-11 refuses an id that is taken',
      'rules/ledgerRules.test.ts > ADM-EVID-08 refuses another content under a stored id',
      'ledger/damage.test.ts > the tables refuse updates',
    ],
  },
  {
    id: 'API-018',
    source: 'Serialization',
    surface: 'ledger',
    behaviour: 'The metadata of an artifact hold the SHA-256 digest of its body.',
    proofs: [
      'requirements/reads.test.ts > is the body that its stored digest is of',
      'schemas/conformance.test.ts > accepts $file and stores it under its digest',
    ],
  },
  {
    id: 'API-019',
    source: 'Serialization',
    surface: 'ledger',
    behaviour: 'Reading a body checks it against its digest; a body that differs is never shown.',
    proofs: [
      'requirements/reads.test.ts > is refused when its body is no longer what was stored',
      'ledger/damage.test.ts > that is … is reported with run and artifact, and never shown',
    ],
  },
  {
    id: 'API-020',
    source: 'Serialization',
    surface: 'mcp',
    behaviour: 'A body that fails its schema makes the call an error of the tool, with every issue told.',
    proofs: [
      'mcp/client.test.ts > a failure is a result with the keys of the one shape',
      'controller/controller.test.ts > lists every schema issue',
    ],
  },
  {
    id: 'API-021',
    source: 'Serialization',
    surface: 'mcp',
    decision: 17,
    behaviour: 'A partial body is refused, never completed, and the run stays where it was.',
    proofs: [
      'requirements/submission.test.ts > that is refused moves nothing',
      'mcp/client.test.ts > a body whose empty lists were dropped is refused',
    ],
  },
  {
    id: 'API-022',
    source: 'Serialization',
    surface: 'mcp',
    behaviour:
      'The next action alone says the legal phase, inputs, expected type, schemas, permissions, budgets and stop conditions.',
    proofs: [
      'requirements/run.test.ts > is in every phase one valid NextAction',
      'projection/nextAction.test.ts > the required type is accepted, each additional one too, and no other type is (I30)',
    ],
  },

  {
    id: 'API-030',
    source: 'Transport',
    surface: 'mcp',
    decision: 16,
    behaviour:
      'The server speaks MCP over standard input and output; it is started as `telic mcp`, from a checkout as `node dist/telic.js mcp`.',
    proofs: ['mcp/client.test.ts > a run starts, is grounded, read, listed, checked, replayed and cancelled'],
  },
  {
    id: 'API-031',
    source: 'Transport',
    surface: 'mcp',
    behaviour: 'TELIC_REPOSITORY_ROOT names the repository that is grounded and bound to the run.',
    proofs: [
      'requirements/state.test.ts > grounds the repository of the variable',
      'grounding/root.test.ts > is the directory of the variable',
    ],
  },
  {
    id: 'API-032',
    source: 'Transport',
    surface: 'mcp',
    decision: 18,
    behaviour:
      'Without it the working directory is the repository, unless that is the whole file system or the home directory.',
    proofs: [
      'requirements/state.test.ts > grounds the working directory',
      'grounding/root.test.ts > is never the whole file system or a home directory by default (T27)',
    ],
  },
  {
    id: 'API-033',
    source: 'Transport',
    surface: 'ledger',
    behaviour: 'TELIC_STATE_DIR is the state directory, before anything that XDG says.',
    proofs: [
      'requirements/state.test.ts > keeps its state where TELIC_STATE_DIR says',
      'ledger/stateDirectory.test.ts > is the explicit directory before everything else',
    ],
  },
  {
    id: 'API-034',
    source: 'Transport',
    surface: 'ledger',
    behaviour: 'XDG_STATE_HOME is the base of the default state directory.',
    proofs: [
      'requirements/state.test.ts > keeps its state under XDG_STATE_HOME',
      'ledger/stateDirectory.test.ts > derives from XDG_STATE_HOME, else from HOME',
    ],
  },
  {
    id: 'API-035',
    source: 'Transport',
    surface: 'mcp',
    behaviour: 'Standard output carries messages of the protocol and nothing else.',
    proofs: ['mcp/stdio.test.ts > holds protocol messages alone'],
  },
  {
    id: 'API-036',
    source: 'Transport',
    surface: 'mcp',
    behaviour: 'Diagnostics go to standard error.',
    proofs: [
      'mcp/stdio.test.ts > gets one line on standard error that the server is ready',
      'mcp/answers.test.ts > its detail on standard error',
    ],
  },

  {
    id: 'API-040',
    source: 'Prompt',
    surface: 'mcp',
    behaviour: 'There is exactly one prompt, telic_workflow, for every host.',
    proofs: ['mcp/client.test.ts > the one prompt is published with both arguments'],
  },
  {
    id: 'API-041',
    source: 'Prompt',
    surface: 'mcp',
    behaviour: 'It takes the exact request and gives it back exactly.',
    proofs: ['mcp/prompt.test.ts > holds any request on one line'],
  },
  {
    id: 'API-042',
    source: 'Prompt',
    surface: 'mcp',
    behaviour:
      'The mode is published as required; a wrong or missing one becomes a sentence of the text instead of an error (hosts, requirement 8).',
    proofs: [
      'mcp/client.test.ts > the one prompt is published with both arguments',
      'mcp/prompt.test.ts > takes %j for a mode',
    ],
  },
  {
    id: 'API-043',
    source: 'Prompt',
    surface: 'mcp',
    behaviour: 'Its text leads the host through the tools in the order of the controller.',
    proofs: ['mcp/prompt.test.ts > tells the twelve points in their order'],
  },
  {
    id: 'API-044',
    source: 'Prompt',
    surface: 'mcp',
    behaviour: 'Getting it starts no run, grants nothing and stores nothing.',
    proofs: ['requirements/run.test.ts > starts no run, grants nothing and leaves nothing on the disk'],
  },
  {
    id: 'API-045',
    source: 'Prompt',
    surface: 'mcp',
    behaviour: 'A client without prompts can go through a whole run by next actions alone.',
    proofs: ['sdk/followRun.test.ts > drives a whole run, reports each step'],
  },
];
