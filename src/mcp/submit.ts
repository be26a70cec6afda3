import { readSubmission } from '../../schemas/tools/submission.ts';
import type { ToolArguments } from '../../schemas/tools.ts';
import type { Controller } from '../controller/api.ts';
import type { Facts } from './present.ts';
import { refuseArguments } from './refuseArguments.ts';

/** The one tool with two paths: an artifact, or the answer to the open question (mcp-surface, telic_submit_artifact). */
export const submit = async (controller: Controller, args: ToolArguments<'telic_submit_artifact'>): Promise<Facts> => {
  const token = { runId: args.run_id, actionId: args.action_id, expectedVersion: args.expected_run_version };
  const read = readSubmission(args);
  if (!read.ok) {
    // A host that is behind must hear that first: what it sent may no longer be wanted at all (admission section 1).
    await controller.requireToken(token);
    throw refuseArguments('telic_submit_artifact', read.findings, read.code);
  }
  const { submission } = read;
  if (submission.path === 'answer')
    return { ...(await controller.answer({ ...token, answer: submission.answer, via: 'host' })) };
  const { type, body, sourceRefs } = submission;
  return { ...(await controller.submit({ ...token, artifactType: type, body, sourceRefs })) };
};
