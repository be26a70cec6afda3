import { isJsonObject } from '../../../schemas/jsonObject.ts';
import type { AnswerMeasure } from '../../../schemas/vocabulary.ts';
import type { Budget } from './budget.ts';
import type { Cut, Step } from './cut.ts';

/** How much a character of a body may take where its JSON stands as text in an answer: quotes, breaks, long scripts. */
const widest: Readonly<Record<AnswerMeasure, number>> = { characters: 2, bytes: 3, quoted: 4 };

/** Characters of a piece that surely fits beside the rest of its answer. */
const pieceOf = ({ most, measure }: Budget): number => Math.max(500, Math.floor((most - 1200) / widest[measure]));

/** A body is never cut inside: it is left out whole and read in pieces. */
const artifactBody: Step = (answer, room): Cut | null => {
  const { artifact } = answer;
  if (!isJsonObject(artifact) || artifact.body === undefined) return null;
  const { body, ...meta } = artifact;
  const read = { run_id: artifact.runId, artifact_id: artifact.id, offset: 0, limit: pieceOf(room.budget) };
  return {
    answer: { ...answer, artifact: { ...meta, total: JSON.stringify(body).length } },
    omitted: [{ part: 'artifact.body', fetch: { tool: 'telic_get_artifact', arguments: read } }],
  };
};

/** The manifest that a grounding wrote stands in the ledger like any other artifact. */
export const manifestStep: Step = ({ manifest: stored, ...answer }): Cut | null => {
  if (!isJsonObject(stored)) return null;
  const read = { run_id: stored.runId, artifact_id: stored.id };
  return {
    answer: { ...answer, manifest: { id: stored.id } },
    omitted: [{ part: 'manifest', fetch: { tool: 'telic_get_artifact', arguments: read } }],
  };
};

/** Findings beyond those that fit come again with the next refusal, when the first ones are mended. */
const issues: Step = (answer, { excess }): Cut | null => {
  const { issues: all, issueCount } = answer;
  if (!Array.isArray(all) || all.length < 2) return null;
  let won = 0;
  let kept = all.length;
  while (kept > 1 && won < excess + 80) {
    kept -= 1;
    won += JSON.stringify(all[kept]).length + 1;
  }
  return {
    answer: { ...answer, issues: all.slice(0, kept), issueCount: issueCount ?? all.length },
    omitted: [{ part: `issues[${kept}..]`, fetch: null }],
  };
};

/** Whole objects of an answer that stand in the ledger, or come again. */
export const bodySteps: readonly Step[] = [artifactBody, issues];
