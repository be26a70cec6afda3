/** Every form that a resource URI has (mcp-surface section 9). */
export const resourceTemplates = [
  {
    uriTemplate: 'artifact://{runId}/{artifactId}',
    name: 'artifact',
    title: 'Artifact of a run',
    description: 'Metadata and body of one artifact, its digest checked.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'run://{runId}',
    name: 'run',
    title: 'Run',
    description: 'State, artifacts and next action of a run. Subscribe to hear of each version.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'trace://{runId}{?after_sequence}',
    name: 'trace',
    title: 'Trace of a run',
    description: 'What happened, in order, by pages of 500 events: nextAfterSequence tells where the next one begins.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'schema://{type}',
    name: 'schema',
    title: 'Schema of an artifact type',
    description: 'The JSON Schema of its body.',
    mimeType: 'application/schema+json',
  },
  {
    uriTemplate: 'artifact://system/roles/{name}',
    name: 'role',
    title: 'Instructions of a role',
    description: 'What instructionRef of an action names.',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'artifact://system/rubrics/{name}',
    name: 'rubric',
    title: 'Rubric of a review',
    description: 'Scores, gates and decisions that a review judges by.',
    mimeType: 'text/markdown',
  },
] as const;
export type UriTemplate = (typeof resourceTemplates)[number]['uriTemplate'];
