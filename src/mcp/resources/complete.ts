import { systemTexts } from '../../../machines/brief/instructions/systemTexts.ts';
import { found } from '../../../schemas/found.ts';
import { artifactTypes, intentModes, limits } from '../../../schemas/vocabulary.ts';
import type { Controller } from '../../controller/api.ts';
import { TelicError } from '../../controller/telicError.ts';
import { wrongParams } from '../protocolError.ts';
import { workflowPrompt } from '../workflowPrompt.ts';
import type { UriTemplate } from './templates.ts';

/** What a client wants to complete: an argument of the prompt, or a variable of a template. */
export interface Asked {
  readonly ref: Readonly<{ type: 'ref/prompt'; name: string }> | Readonly<{ type: 'ref/resource'; uri: string }>;
  readonly argument: Readonly<{ name: string; value: string }>;
  /** The variables that have their value already. */
  readonly known: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: string[];
  readonly total?: number;
  readonly hasMore: boolean;
}

/** The protocol takes no more values in one completion. */
const most = 100;

/** All values that there are, or the newest of them. */
type Values = Readonly<{ values: readonly string[]; more?: boolean }>;
type Source = (controller: () => Promise<Controller>, known: Asked['known']) => Promise<Values> | Values;

const runIds: Source = async (controller) => {
  const { runs, nextCursor } = await (await controller()).listRuns(most);
  return { values: runs.map(({ runId }) => runId), more: nextCursor !== undefined };
};

const artifactIds: Source = async (controller, { runId }) => {
  if (runId === undefined) return { values: [] };
  try {
    const { artifacts } = await (await controller()).run(runId, { limit: limits.artifacts });
    return { values: artifacts.map(({ id }) => id) };
  } catch (error) {
    // Nothing completes the artifact of a run that is not there.
    if (error instanceof TelicError && error.failure.kind === 'not_found') return { values: [] };
    throw error;
  }
};

const namesUnder =
  (start: string): Source =>
  () => ({
    values: [...systemTexts.keys()].filter((ref) => ref.startsWith(start)).map((ref) => ref.slice(start.length)),
  });

const variables: Readonly<Record<UriTemplate, Readonly<Record<string, Source>>>> = {
  'artifact://{runId}/{artifactId}': { runId: runIds, artifactId: artifactIds },
  'run://{runId}': { runId: runIds },
  'trace://{runId}{?after_sequence}': { runId: runIds, after_sequence: () => ({ values: [] }) },
  'schema://{type}': { type: () => ({ values: artifactTypes }) },
  'artifact://system/roles/{name}': { name: namesUnder('artifact://system/roles/') },
  'artifact://system/rubrics/{name}': { name: namesUnder('artifact://system/rubrics/') },
};

const promptArguments: Readonly<Record<string, Source>> = {
  mode: () => ({ values: intentModes }),
  original_request: () => ({ values: [] }),
};

const sourcesOf = (ref: Asked['ref']): Readonly<Record<string, Source>> | undefined => {
  if (ref.type === 'ref/prompt') return ref.name === workflowPrompt.name ? promptArguments : undefined;
  return new Map(Object.entries(variables)).get(ref.uri);
};

/**
 * The values that begin with what was typed.
 * @throws ProtocolError for a prompt, template or argument that there is not
 */
export const complete = async (
  { ref, argument, known }: Asked,
  controller: () => Promise<Controller>,
): Promise<Completion> => {
  const sources = sourcesOf(ref);
  const source = sources && new Map(Object.entries(sources)).get(argument.name);
  if (!source) {
    const of = ref.type === 'ref/prompt' ? `prompt ${found(ref.name)}` : `template ${found(ref.uri)}`;
    throw wrongParams(`Telic has no argument ${found(argument.name)} of the ${of} to complete.`);
  }
  const { values, more = false } = await source(controller, known);
  const fitting = values.filter((value) => value.startsWith(argument.value));
  return {
    values: fitting.slice(0, most),
    ...(!more && { total: fitting.length }),
    hasMore: more || fitting.length > most,
  };
};
