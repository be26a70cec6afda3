import type { Requirement } from '../requirement.ts';

/** The tool that submits, and the one that cancels. */
export const submitting: readonly Requirement[] = [
  {
    id: 'API-110',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'One call carries one artifact or one answer.',
    proofs: [
      'requirements/submission.test.ts > is one artifact or one answer',
      'mcp/submission.test.ts > is an answer when clarification_response stands alone',
      'mcp/submission.test.ts > a submission > %j breaks %j',
    ],
  },
  {
    id: 'API-111',
    source: 'Submission',
    surface: 'machines',
    behaviour: 'It is taken only under the latest action id and the current version.',
    proofs: [
      'rules/token.test.ts > ADM-TR-02 refuses another version',
      'rules/token.test.ts > ADM-TR-03 refuses a foreign action id',
      'races/twoServers.test.ts > gives each of 60 versions to one of two submissions',
    ],
  },
  {
    id: 'API-112',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'The body holds its id, the id of the run and the schema version, all matching.',
    proofs: [
      'mcp/submission.test.ts > with body %j breaks %j, as a wrong body',
      'rules/common.test.ts > ADM-COM-06 refuses a body of another run',
      'rules/common.test.ts > ADM-COM-07 refuses another schema version',
    ],
  },
  {
    id: 'API-113',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'body_json is the same body as JSON text and makes the same artifact.',
    proofs: [
      'requirements/submission.test.ts > through body_json is the same artifact',
      'mcp/submission.test.ts > is the same artifact through body and through body_json',
    ],
  },
  {
    id: 'API-114',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'body and body_json exclude each other.',
    proofs: [
      'mcp/submission.test.ts > a submission > %j breaks %j',
      'requirements/submission.test.ts > through body_json is the same artifact',
    ],
  },
  {
    id: 'API-115',
    source: 'Submission',
    surface: 'machines',
    behaviour: 'source_refs are at most 256 valid references, each named once.',
    proofs: [
      'rules/references.test.ts > ADM-REF-01 refuses an entry of another form',
      'rules/references.test.ts > ADM-REF-02 refuses 257 references',
      'rules/references.test.ts > ADM-REF-02 accepts 256 references',
      'rules/references.test.ts > ADM-REF-03 refuses a reference named twice',
    ],
  },
  {
    id: 'API-116',
    source: 'Submission',
    surface: 'machines',
    behaviour: 'An answer is the exact id of one stored choice.',
    proofs: [
      'rules/token.test.ts > ADM-CLR-10 refuses a choice with blanks around it: the identifier is exact',
      'rules/token.test.ts > ADM-CLR-10 refuses every text that is no choice',
      'controller/controller.test.ts > pauses the run, takes one choice',
    ],
  },
  {
    id: 'API-117',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'An answer beside an artifact is refused.',
    proofs: [
      'requirements/submission.test.ts > is one artifact or one answer',
      'mcp/submission.test.ts > a submission > %j breaks %j',
    ],
  },
  {
    id: 'API-118',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'The server derives the producer; a caller cannot name one.',
    proofs: [
      'requirements/submission.test.ts > names no producer: the server derives it from the phase',
      'requirements/submission.test.ts > of a whole run leaves each family with its own producer',
      'rules/common.test.ts > ADM-COM-08 refuses a type whose role is not that of the phase',
    ],
  },
  {
    id: 'API-119',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'RunEnvelope, ContextManifest, NextAction and TraceEvent cannot be submitted.',
    proofs: [
      'requirements/submission.test.ts > of a body that the controller writes is refused',
      'rules/token.test.ts > ADM-COM-01 refuses every type that the controller writes',
    ],
  },
  {
    id: 'API-120',
    source: 'Submission',
    surface: 'machines',
    behaviour: 'A ScenarioSpec may follow the frame and need not.',
    proofs: [
      'rules/token.test.ts > ADM-SCEN-01 accepts a ScenarioSpec before the first contract',
      'rules/token.test.ts > ADM-SCEN-01 refuses a ScenarioSpec outside the compilation',
      'sdk/followRun.test.ts > drives a whole run, reports each step',
    ],
  },
  {
    id: 'API-121',
    source: 'Submission',
    surface: 'machines',
    behaviour: 'Claims rest on captured Evidence that they reference.',
    proofs: [
      'rules/references.test.ts > ADM-REF-19 refuses a message as evidence in a %s',
      'rules/references.test.ts > ADM-REF-19 refuses a result as evidence',
      'rules/references.test.ts > ADM-REF-07 refuses a file as evidence of what happened',
    ],
  },
  {
    id: 'API-122',
    source: 'Question',
    surface: 'machines',
    behaviour: 'A run asks the user at most once.',
    proofs: [
      'requirements/run.test.ts > is the only one: a second boundary is stored',
      'rules/common.test.ts > ADM-CLR-03 refuses a further question while the first is open',
    ],
  },
  {
    id: 'API-123',
    source: 'Question',
    surface: 'schemas',
    behaviour: 'A question has two to eight choices.',
    proofs: ['requirements/schemas.test.ts > has two to eight choices'],
  },
  {
    id: 'API-124',
    source: 'Question',
    surface: 'schemas',
    behaviour: 'Each choice types its effect on authority and on the run.',
    proofs: ['requirements/schemas.test.ts > types the effect of each choice'],
  },
  {
    id: 'API-125',
    source: 'Question',
    surface: 'machines',
    behaviour: 'A choice that resumes returns to the paused phase with the authority that the run had.',
    proofs: [
      'requirements/run.test.ts > that resumes leaves the authority of the run as it was',
      'sdk/scriptedAuthor.test.ts > asks once in %s, and goes on with question and answer cited',
    ],
  },
  {
    id: 'API-126',
    source: 'Question',
    surface: 'machines',
    behaviour: 'The effects cancel and new_run end the run; more authority needs a run of its own.',
    proofs: [
      'requirements/run.test.ts > ends the run without a report by the choice %s',
      'rules/token.test.ts > ADM-CLR-11 accepts each of the three effects',
    ],
  },
  {
    id: 'API-127',
    source: 'Question',
    surface: 'machines',
    behaviour: 'The artifact after the pause cites the question and the answer.',
    proofs: [
      'rules/common.test.ts > ADM-CLR-05 refuses what resumes without citing the answer',
      'rules/common.test.ts > ADM-CLR-05 accepts what cites question and answer',
      'controller/controller.test.ts > and has the answer cited by what resumes',
    ],
  },
  {
    id: 'API-128',
    source: 'Question',
    surface: 'machines',
    behaviour: 'A second boundary is stored and leads straight to a blocked report; nobody is asked.',
    proofs: ['requirements/run.test.ts > and leads to a blocked report, unasked'],
  },
  {
    id: 'API-129',
    source: 'Supporting artifacts',
    surface: 'machines',
    behaviour: 'A ScenarioSpec only presents the frame: it is no input of the compiler.',
    proofs: [
      'requirements/run.test.ts > names no ScenarioSpec among the inputs of the compiler',
      'rules/scenarioSpec.test.ts > ADM-SCEN-03 refuses another frame',
    ],
  },
  {
    id: 'API-130',
    source: 'Supporting artifacts',
    surface: 'machines',
    behaviour: 'A frame has at most one ScenarioSpec.',
    proofs: ['rules/ledgerRules.test.ts > ADM-SCEN-04 refuses a second presentation of a frame'],
  },
  {
    id: 'API-131',
    source: 'Supporting artifacts',
    surface: 'machines',
    behaviour: 'A plan has at most 128 Evidence artifacts.',
    proofs: [
      'rules/ledgerRules.test.ts > ADM-EVID-07 refuses the 129th Evidence for a plan',
      'rules/ledgerRules.test.ts > ADM-EVID-07 accepts the 128th Evidence for a plan',
      'rules/ledgerRules.test.ts > counts Evidence since the latest plan',
    ],
  },
  {
    id: 'API-132',
    source: 'Supporting artifacts',
    surface: 'machines',
    behaviour: 'Evidence is taken while a node executes, and at no other time.',
    proofs: [
      'rules/token.test.ts > ADM-EVID-01 refuses Evidence outside execution',
      'rules/token.test.ts > ADM-EVID-01 accepts Evidence while a node executes',
    ],
  },
  {
    id: 'API-133',
    source: 'Supporting artifacts',
    surface: 'machines',
    behaviour: 'Evidence with a credential in it is refused before it is stored, and the credential is not told.',
    proofs: [
      'rules/evidence.test.ts > ADM-EVID-05 refuses a credential in the content',
      'rules/evidence.test.ts > ADM-EVID-05 refuses a credential in any field',
    ],
  },
  {
    id: 'API-134',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'body_json is judged by the same strict schema as body.',
    proofs: ['requirements/submission.test.ts > judged by the same strict schema'],
  },
  {
    id: 'API-135',
    source: 'Submission',
    surface: 'mcp',
    behaviour: 'body_json widens no permission: lists that have to be there and empty stay so.',
    proofs: [
      'requirements/submission.test.ts > through body_json widens nothing',
      'rules/taskContract.test.ts > ADM-CONTRACT-11 refuses more than the run may do',
    ],
  },
  {
    id: 'API-136',
    source: 'Supporting artifacts',
    surface: 'schemas',
    behaviour: 'Evidence has one of the typed kinds, and the kind decides what it can prove.',
    proofs: [
      'requirements/schemas.test.ts > is of one of the typed kinds',
      'rules/evidenceKinds.test.ts > ADM-KIND-03 refuses a test as the diff of a file',
      'rules/evidenceKinds.test.ts > ADM-KIND-05 refuses a diff as the command of a test',
    ],
  },

  {
    id: 'API-140',
    source: 'Cancel',
    surface: 'mcp',
    behaviour: 'Cancelling takes the run with the latest action and version.',
    proofs: ['requirements/run.test.ts > ends at once, changes nothing in the repository'],
  },
  {
    id: 'API-141',
    source: 'Cancel',
    surface: 'machines',
    behaviour: 'It ends a run that has not ended, and answers with a terminal action.',
    proofs: [
      'requirements/run.test.ts > ends at once, changes nothing in the repository',
      'machines/stateInvariants.test.ts > a cancel leads to cancelled in one step from everywhere else',
      'controller/controller.test.ts > cancels once; a second cancel succeeds and writes nothing',
    ],
  },
  {
    id: 'API-142',
    source: 'Cancel',
    surface: 'mcp',
    behaviour: 'It changes nothing in the repository and leaves no report.',
    proofs: ['requirements/run.test.ts > and leaves no report'],
  },
];
