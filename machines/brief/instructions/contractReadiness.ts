/** The gates of the rubric `contract-readiness-v1`: each is a question that a contract must answer with yes. */
export const contractGates = [
  { id: 'intent', about: 'request', question: 'Does the objective keep what the user asked for?' },
  { id: 'mode', about: 'request', question: 'Is everything in it possible in the mode of the run?' },
  { id: 'scope', about: 'frame', question: 'Is the scope no wider than the frame?' },
  { id: 'authority', about: 'contract', question: 'Are the permissions inside the authority of the run?' },
  { id: 'criteria', about: 'frame', question: 'Can each criterion be checked?' },
  { id: 'verification', about: 'contract', question: 'Can each verification be run with its capability?' },
  { id: 'context', about: 'contract', question: 'Does it rest on sources that were read?' },
  { id: 'stop', about: 'contract', question: 'Do its stop conditions say when to give up?' },
] as const;

/** What each score of the rubric asks. */
export const readinessDimensions = {
  intentFidelity: 'how much of the request, and nothing else, the contract carries',
  repositoryGrounding: 'how well facts and inferences rest on what was read',
  constraintsAndPermissions: 'how exactly limits and permissions fit the work',
  testableAcceptance: 'how clearly one can tell that a criterion is met',
  executionFeasibility: 'how sure it is that the work can be done with what is permitted',
  contextEfficiency: 'how little there is beyond what the work needs',
} as const;
