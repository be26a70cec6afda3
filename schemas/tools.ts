import { z } from 'zod';
import { coded, fieldCodes } from './codes.ts';
import { isJsonObject } from './jsonObject.ts';
import { Id, int, list, RefUri, str } from './primitives.ts';
import { ActionCapability, actionParts, IntentMode, RunTopology, storedTypes, submittedTypes } from './vocabulary.ts';

/**
 * The arguments of the eleven tools (mcp-surface section 3): strict flat objects, named as on the wire. `tools/parse.ts`
 * reads what a host sends by them, `tools/published.ts` makes of them what `tools/list` tells.
 */

/** Rows of a page when the caller names no limit. */
export const pageDefaults = { runs: 20, artifacts: 100, events: 100, steps: 100 } as const;

const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER): z.ZodNumber => int(min, max);
const capabilities = list(ActionCapability).optional();

const nonBlank = (max: number): z.ZodString =>
  str(1, max).refine((text) => text === '' || text.trim() !== '', {
    error: coded(fieldCodes.textLength.code, 'holds nothing but blanks'),
  });

/**
 * Any JSON object. Neither copied nor looked into, as Zod's own record would: the schema of the artifact type judges
 * what it holds, own `__proto__` keys included.
 */
const JsonObject = z
  .unknown()
  .check(({ value, issues }) => {
    if (!isJsonObject(value)) issues.push({ code: 'invalid_type', expected: 'record', input: value });
  })
  .meta({ type: 'object', additionalProperties: true });

/** What hosts may name; the words that only the controller writes are taken here, so that the machine says why not. */
const SentType = z.enum([...new Set([...submittedTypes, ...storedTypes, 'NextAction', 'TraceEvent'] as const)]);

const run = { run_id: Id } as const;
const token = { run_id: Id, action_id: Id, expected_run_version: whole(1) } as const;

export const StartRunArguments = z.strictObject({
  original_request: nonBlank(32_768).meta({ description: "The user's request, word for word." }),
  mode: IntentMode,
  host_name: nonBlank(128).optional(),
  native_subagents: z.enum(['available', 'unavailable', 'unknown']).optional(),
  host_capabilities: capabilities,
  authorization_granted: capabilities,
  authorization_denied: capabilities,
  shell_execute_allowlist: list(str(1, 2048)).optional(),
  network_read_domains: list(str(1, 253)).optional(),
  topology_override: RunTopology.optional(),
  prior_run_id: z
    .string()
    .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: coded(fieldCodes.id.code, 'a run id is a UUID') })
    .meta({ format: 'uuid' })
    .optional(),
});

export const GroundContextArguments = z.strictObject({
  ...token,
  active_paths: list(str(1, 1024)).optional(),
  budget: z
    .strictObject({
      max_files: whole(1, 256).optional(),
      max_file_bytes: whole(1, 2_097_152).optional(),
      max_total_bytes: whole(1, 16_777_216).optional(),
      max_inventory_files: whole(1, 100_000).optional(),
    })
    .optional(),
});

export const GetNextActionArguments = z.strictObject({
  ...run,
  parts: list(z.enum(actionParts), 0, actionParts.length).optional(),
});

export const SubmitArtifactArguments = z.strictObject({
  ...token,
  artifact_type: SentType.optional().meta({ enum: submittedTypes }),
  body: JsonObject.optional(),
  body_json: str(2, 2_097_152).optional().meta({ description: 'Instead of body: the same object as JSON text.' }),
  source_refs: list(RefUri).optional(),
  clarification_response: str(1, 32_768).optional().meta({ description: 'Alone: the id of a choice.' }),
});

export const CancelRunArguments = z.strictObject(token);

export const ListRunsArguments = z.strictObject({
  limit: whole(1, 100).optional().meta({ default: pageDefaults.runs }),
  cursor: str(1, 64).optional().meta({ description: 'nextCursor of an earlier list.' }),
});

export const GetRunArguments = z.strictObject({
  ...run,
  after_index: whole(0).optional().meta({ default: 0 }),
  limit: whole(1, 500).optional().meta({ default: pageDefaults.artifacts }),
});

export const GetArtifactArguments = z.strictObject({
  ...run,
  artifact_id: Id,
  offset: whole(0).optional(),
  limit: whole(1).optional().meta({ description: 'Characters of the body.' }),
});

export const GetTraceArguments = z.strictObject({
  ...run,
  after_sequence: whole(0).optional().meta({ default: 0 }),
  limit: whole(1, 500).optional().meta({ default: pageDefaults.events }),
});

export const CheckToolActionArguments = z.strictObject({
  ...token,
  // Any short word: an unknown capability is denied by the decision, not refused as an argument.
  capability: str(1, 64),
  target: str(1, 2048).optional(),
});

export const ReplayRunArguments = z.strictObject({
  ...run,
  after_index: whole(0).optional().meta({ default: 0 }),
  limit: whole(1, 500).optional().meta({ default: pageDefaults.steps }),
});

/** The arguments of each tool, in the order of the page. */
export const toolArguments = {
  telic_start_run: StartRunArguments,
  telic_ground_context: GroundContextArguments,
  telic_get_next_action: GetNextActionArguments,
  telic_submit_artifact: SubmitArtifactArguments,
  telic_cancel_run: CancelRunArguments,
  telic_list_runs: ListRunsArguments,
  telic_get_run: GetRunArguments,
  telic_get_artifact: GetArtifactArguments,
  telic_get_trace: GetTraceArguments,
  telic_check_tool_action: CheckToolActionArguments,
  telic_replay_run: ReplayRunArguments,
} as const;
export type ToolName = keyof typeof toolArguments;
export type ToolArguments<N extends ToolName> = z.output<(typeof toolArguments)[N]>;
