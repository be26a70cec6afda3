/** The gates of the rubric `execution-quality-v1`: each is a question that the work must answer with yes. */
export const executionGates = [
  { id: 'evidence', question: 'Does the cited evidence show what is claimed?' },
  { id: 'scope', question: 'Was nothing done beyond contract, mode and permissions?' },
  { id: 'criteria', question: 'Was each criterion judged for itself, by what was seen?' },
  { id: 'honesty', question: 'Is everything told that is open, failed or was left out?' },
] as const;
