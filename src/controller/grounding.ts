import { caseOf } from '../../machines/case.ts';
import { sealed } from '../../machines/companions/sealed.ts';
import { actionIdOf } from '../../machines/context.ts';
import type { Case, RunEvent, Submission } from '../../machines/events.ts';
import { projectNextAction } from '../../machines/projection/nextAction.ts';
import type { AnyArtifact } from '../../machines/record.ts';
import { parseArtifactUri } from '../../machines/record.ts';
import { originalRequestRef } from '../../machines/rules/derived.ts';
import { normalizeManifest } from '../../schemas/issues.ts';
import { ground } from '../grounding/ground.ts';
import { reportOnlyManifest } from '../grounding/manifest.ts';
import type { GroundArgs, GroundOptions } from './api.ts';
import type { EventMaker } from './dispatch.ts';
import type { LoadedRun } from './runStore.ts';
import { sentenceOf, TelicError } from './telicError.ts';

/** What the repository gave for one run: a manifest body and the documents that it lists. */
export interface Material {
  readonly manifest: unknown;
  readonly documents: readonly AnyArtifact[];
}

/** Whether reading the repository is worth while: the run waits for its context and the token is current. */
export const awaitsContext = ({ snapshot }: LoadedRun, { actionId, expectedVersion }: GroundArgs): boolean =>
  snapshot.matches({ working: 'ground' }) &&
  snapshot.context.version === expectedVersion &&
  actionIdOf(snapshot.context) === actionId;

/** The stored request; the rules of the manifest refuse a run that lost it. */
const requestOf = ({ record }: LoadedRun): string => {
  const at = parseArtifactUri(originalRequestRef(record) ?? '');
  const message = at ? record.get(at.id) : undefined;
  return message?.type === 'UserMessage' ? message.body.content : '';
};

/**
 * Reads the repository for a run, outside of any transaction. `report_only` discovers nothing.
 * @param at the time that the documents carry, the same as the event's
 * @throws GroundingError wrong active paths or budget, no usable repository
 * @throws TelicError `invalid_body` when the manifest would break its own schema
 */
export const gather = async (
  run: LoadedRun,
  args: GroundArgs,
  options: GroundOptions,
  at: string,
  excludedRoots: readonly string[],
): Promise<Material> => {
  const { runId, mode, repositoryRoot } = run.snapshot.context;
  if (mode === 'report_only') return { manifest: reportOnlyManifest(runId), documents: [] };
  const found = await ground(
    {
      runId,
      request: requestOf(run),
      repositoryRoot,
      activePaths: args.activePaths ?? [],
      budget: args.budget,
      excludedRoots,
    },
    options,
  );
  const normalized = normalizeManifest(found.wire);
  if (!normalized.ok)
    throw new TelicError('invalid_body', sentenceOf(normalized.issues, 'ContextManifest'), {
      findings: normalized.issues,
    });
  const documents = found.documents.map((document) =>
    sealed('ContextDocument', 'controller', { runId, id: document.id, createdAt: at }, document, [
      document.repositoryRef,
    ]),
  );
  return { manifest: normalized.body, documents };
};

const empty: Case = { facts: {}, shape: [], dossier: null };

/** The GROUND event: the controller cites what it was given, so a resumed grounding consumes the answer by itself. */
export const groundEvent =
  (args: GroundArgs, material: Material | null, at: string): EventMaker =>
  (run): RunEvent => {
    const token = { actionId: args.actionId, expectedVersion: args.expectedVersion };
    const { context } = run.snapshot;
    // Without material the token or the phase was wrong already, and the machine says which.
    if (!material || !awaitsContext(run, args)) return { type: 'submit.ContextManifest', token, at, case: empty };
    const action = projectNextAction(context, run.record);
    const submission: Submission = {
      type: 'ContextManifest',
      from: 'controller',
      body: material.manifest,
      sourceRefs: action.kind === 'phase' ? action.inputRefs : [],
      targets: {},
    };
    return {
      type: 'submit.ContextManifest',
      token,
      at,
      case: caseOf(context, run.record, submission, at, material.documents),
    };
  };
