import type { Resource } from '@modelcontextprotocol/sdk/types.js';
import { systemTexts } from '../../../machines/brief/instructions/systemTexts.ts';
import { found } from '../../../schemas/found.ts';
import { pageDefaults } from '../../../schemas/tools.ts';
import { artifactTypes } from '../../../schemas/vocabulary.ts';
import type { Controller, RunList, RunListRow } from '../../controller/api.ts';
import { readCursor } from '../../controller/runCursor.ts';
import { wrongParams } from '../protocolError.ts';
import { runUri, schemaUri } from './uris.ts';

export interface ResourcePage {
  readonly resources: Resource[];
  readonly nextCursor?: string;
}

const nameIn = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** The first line of a text is its heading. */
const headingOf = (text: string): string => text.slice(0, text.indexOf('\n')).replace(/^#+ /, '');

const textEntries = (): Resource[] =>
  [...systemTexts].map(([uri, text]) => ({
    uri,
    name: nameIn(uri),
    title: headingOf(text),
    description: uri.includes('/rubrics/')
      ? 'What a review judges by: scores, gates, decisions.'
      : 'What this role does and must not do.',
    mimeType: 'text/markdown',
    size: Buffer.byteLength(text),
  }));

const schemaEntries = (): Resource[] =>
  artifactTypes.map((type) => ({
    uri: schemaUri(type),
    name: type,
    title: `Schema of ${type}`,
    mimeType: 'application/schema+json',
  }));

const runEntry = ({ runId, requestedMode, topology, status, phase, version, updatedAt }: RunListRow): Resource => ({
  uri: runUri(runId),
  name: runId,
  title: `Run in ${requestedMode}, ${status}`,
  description: `${topology}, at ${phase}, version ${version}.`,
  mimeType: 'application/json',
  annotations: { lastModified: updatedAt },
});

const pageOf = (first: Resource[], { runs, nextCursor }: RunList): ResourcePage => ({
  resources: [...first, ...runs.map(runEntry)],
  ...(nextCursor !== undefined && { nextCursor }),
});

/**
 * One page of `resources/list`: first the texts, the schemas and the newest runs, then the older runs. The artifacts of a
 * run are behind a template. Where the ledger cannot be read, texts and schemas are listed all the same.
 *
 * @param cursor the `nextCursor` of an earlier page
 * @param unlisted told why the runs are missing from the first page
 * @throws ProtocolError for a cursor that is none of ours, and what the controller throws for a further page
 */
export const listResources = async (
  cursor: string | undefined,
  controller: () => Promise<Controller>,
  unlisted: (error: unknown) => void,
): Promise<ResourcePage> => {
  if (cursor !== undefined) {
    if (readCursor(cursor) === undefined)
      throw wrongParams(`${found(cursor)} is no cursor of resources/list; begin again without one.`);
    return pageOf([], await (await controller()).listRuns(pageDefaults.runs, cursor));
  }
  const fixed = [...textEntries(), ...schemaEntries()];
  try {
    return pageOf(fixed, await (await controller()).listRuns(pageDefaults.runs));
  } catch (error) {
    unlisted(error);
    return { resources: fixed };
  }
};
