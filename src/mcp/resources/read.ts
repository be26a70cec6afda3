import { systemTextOf } from '../../../machines/brief/instructions/systemTexts.ts';
import { found } from '../../../schemas/found.ts';
import { sharedSchema } from '../../../schemas/jsonSchema.ts';
import { ArtifactType } from '../../../schemas/vocabulary.ts';
import type { Controller } from '../../controller/api.ts';
import { wrongParams } from '../protocolError.ts';
import { readUri } from './uris.ts';

export interface Contents {
  readonly mimeType: string;
  readonly text: string;
}

const json = (value: unknown): Contents => ({ mimeType: 'application/json', text: JSON.stringify(value) });

/** The longest page of the trace: a resource has no other way to be read in pieces than its URI. */
const tracePage = 500;

const unknown = (uri: string): Error =>
  wrongParams(
    `Telic has no resource ${found(uri)}; resources/list names the texts, schemas and newest runs, resources/templates/list the form of the rest.`,
    { uri },
  );

/**
 * What stands behind a URI. Of a run the same as its read tools answer, without `ok` and `next`: `telic_get_run`,
 * `telic_get_artifact` (the artifact itself), `telic_get_trace`.
 *
 * @throws ProtocolError for a URI that names nothing, and what the controller throws
 */
export const readResource = async (uri: string, controller: () => Promise<Controller>): Promise<Contents> => {
  const named = readUri(uri);
  switch (named?.kind) {
    case 'system': {
      const text = systemTextOf(named.ref);
      if (text === undefined) throw unknown(uri);
      return { mimeType: 'text/markdown', text };
    }
    case 'schema': {
      const type = ArtifactType.safeParse(named.type);
      if (!type.success) throw unknown(uri);
      return { mimeType: 'application/schema+json', text: JSON.stringify(sharedSchema(type.data)) };
    }
    case 'run':
      return json(await (await controller()).run(named.runId));
    case 'trace':
      return json(await (await controller()).trace(named.runId, named.after, tracePage));
    case 'artifact': {
      const { artifact } = await (await controller()).artifact(named.runId, named.artifactId);
      return json(artifact);
    }
    default:
      throw unknown(uri);
  }
};
