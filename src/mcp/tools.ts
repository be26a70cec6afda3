import { pageDefaults, type ToolArguments, type ToolName, toolArguments } from '../../schemas/tools.ts';
import type { Controller, GroundOptions, TokenArgs } from '../controller/api.ts';
import type { Facts } from './present.ts';
import { replayPage } from './replayPage.ts';
import { submit } from './submit.ts';

/** How hosts may treat a tool. Both other hints are false everywhere: Codex runs a tool unattended only so (hosts section 5). */
interface Hints {
  readonly readOnly: boolean;
  readonly idempotent: boolean;
}

/**
 * One row of the tool table: what `tools/list` tells and what a call does. A call gets parsed arguments, makes one call
 * of the controller and gives its facts; it decides nothing.
 */
export interface Tool<N extends ToolName = ToolName> {
  readonly name: N;
  readonly title: string;
  /** The first 160 characters carry the words that a user would search for: some hosts show no more (hosts section 3). */
  readonly description: string;
  readonly hints: Hints;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly call: (controller: Controller, args: ToolArguments<N>, options: GroundOptions) => Promise<Facts>;
}

const reads: Hints = { readOnly: true, idempotent: true };
const moves: Hints = { readOnly: false, idempotent: false };

/** Listed at once in Claude Code, which otherwise shows names alone. */
const always = { 'anthropic/alwaysLoad': true } as const;
/** Bodies and pages of the trace may be longer than the 50,000 characters that Claude Code shows by default. */
const large = { 'anthropic/maxResultSizeChars': 300_000 } as const;

const tokenOf = (args: ToolArguments<'telic_cancel_run'>): TokenArgs => ({
  runId: args.run_id,
  actionId: args.action_id,
  expectedVersion: args.expected_run_version,
});

/** The eleven tools (mcp-surface section 3). */
export const tools: { readonly [N in ToolName]: Tool<N> } = {
  telic_start_run: {
    name: 'telic_start_run',
    title: 'Start a run',
    description:
      'Start a run for a coding task: keeps the exact request, mode and permissions, and returns the first phase action. Then do what each next action says until the report.',
    hints: moves,
    meta: always,
    call: async (controller, args) => ({
      ...(await controller.start({
        originalRequest: args.original_request,
        mode: args.mode,
        hostName: args.host_name,
        nativeSubagents: args.native_subagents,
        hostCapabilities: args.host_capabilities,
        authorizationGranted: args.authorization_granted,
        authorizationDenied: args.authorization_denied,
        shellExecuteAllowlist: args.shell_execute_allowlist,
        networkReadDomains: args.network_read_domains,
        topologyOverride: args.topology_override,
        priorRunId: args.prior_run_id,
      })),
    }),
  },
  telic_ground_context: {
    name: 'telic_ground_context',
    title: 'Ground repository context',
    description:
      'Ground a run in its repository: selects files within a budget and stores them as evidence and context manifest. Only in phase context_discovery.',
    hints: moves,
    call: async (controller, args, options) => ({
      ...(await controller.ground({ ...tokenOf(args), activePaths: args.active_paths, budget: args.budget }, options)),
    }),
  },
  telic_get_next_action: {
    name: 'telic_get_next_action',
    title: 'Get the next action',
    description:
      'Get the next action of a run: phase, role, inputs, required artifact (frame, contract, plan, result, review, report) with schema, permissions and budgets.',
    hints: reads,
    meta: always,
    call: async (controller, args) => ({ ...(await controller.nextAction(args.run_id, args.parts)) }),
  },
  telic_submit_artifact: {
    name: 'telic_submit_artifact',
    title: 'Submit a phase artifact',
    description:
      "Submit the artifact of a phase (frame, contract, plan, evidence, result, review, audit, report): artifact_type and body or body_json. Body: brief.draft, merged with one variant's patch, each blank filled; source_refs: brief.sourceRefs. Or answer the open question: clarification_response alone.",
    hints: moves,
    meta: always,
    call: submit,
  },
  telic_cancel_run: {
    name: 'telic_cancel_run',
    title: 'Cancel a run',
    description: 'Cancel a run that has not ended, only on the word of the user. Evidence and trace stay; no report.',
    hints: moves,
    call: async (controller, args) => ({ ...(await controller.cancel(tokenOf(args))) }),
  },
  telic_list_runs: {
    name: 'telic_list_runs',
    title: 'List runs',
    description: 'List the runs of this repository, newest first: mode, phase, status, version.',
    hints: reads,
    call: async (controller, args) => ({
      ...(await controller.listRuns(args.limit ?? pageDefaults.runs, args.cursor)),
    }),
  },
  telic_get_run: {
    name: 'telic_get_run',
    title: 'Inspect a run',
    description: 'Inspect a run: state, list of its artifacts (contract, plan, evidence, report …) and next action.',
    hints: reads,
    call: async (controller, args) => {
      const { after_index: after = 0, limit = pageDefaults.artifacts } = args;
      return { ...(await controller.run(args.run_id, { after, limit })) };
    },
  },
  telic_get_artifact: {
    name: 'telic_get_artifact',
    title: 'Read an artifact',
    description:
      'Read one artifact of a run, digest checked: request, context, contract, plan, evidence, report. With offset and limit, a piece of its JSON.',
    hints: reads,
    meta: large,
    call: async (controller, { run_id: runId, artifact_id: artifactId, offset, limit }) => ({
      ...(await controller.artifact(runId, artifactId, { offset, limit })),
    }),
  },
  telic_get_trace: {
    name: 'telic_get_trace',
    title: 'Inspect the trace',
    description: 'Inspect the trace of a run: phase transitions, refusals, permission decisions, budgets, by page.',
    hints: reads,
    meta: large,
    call: async (controller, args) => ({
      ...(await controller.trace(args.run_id, args.after_sequence ?? 0, args.limit ?? pageDefaults.events)),
    }),
  },
  telic_check_tool_action: {
    name: 'telic_check_tool_action',
    title: 'Check a host tool action',
    description:
      'Check permission before a native tool call: may this run use this capability (e.g. shell.execute, repository.write) on this target? Records the decision; a denial is ok: true.',
    // It records an event.
    hints: moves,
    meta: always,
    call: async (controller, args) => ({
      ...(await controller.check({ ...tokenOf(args), capability: args.capability, target: args.target })),
    }),
  },
  telic_replay_run: {
    name: 'telic_replay_run',
    title: 'Replay inspector',
    description: 'Replay a run from its ledger: artifacts in order, digests, escalations and denials. No bodies.',
    hints: reads,
    call: async (controller, args) => {
      const { report } = await controller.replay(args.run_id);
      return { report: replayPage(report, args.after_index ?? 0, args.limit ?? pageDefaults.steps) };
    },
  },
};

export const isToolName = (name: string): name is ToolName => Object.hasOwn(toolArguments, name);
