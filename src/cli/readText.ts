import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { systemCodeOf } from '../ledger/errors.ts';
import type { Terminal } from './terminal.ts';

/** As much as one message to the server may have (decisions 12): room for the largest body, however it is written. */
export const largestText = 16 * 1024 * 1024;

export type ReadText = Readonly<{ ok: true; text: string }> | Readonly<{ ok: false; why: string }>;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  ELOOP: 'its path is a loop of links',
  ENAMETOOLONG: 'its path is too long',
};

/** @param name a path, relative to the working directory, or `-` for standard input */
const piecesOf = (name: string, terminal: Terminal): AsyncIterable<Uint8Array> =>
  name === '-' ? terminal.input() : createReadStream(resolve(terminal.cwd, name));

/**
 * Reads a UTF-8 text of at most 16 MiB; of a larger one, or one without end, no more than that is read.
 *
 * @param name a path, or `-` for standard input
 * @returns the text without a byte order mark, or why there is none
 */
export const readText = async (name: string, terminal: Terminal): Promise<ReadText> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of piecesOf(name, terminal)) {
      bytes += piece.byteLength;
      if (bytes > largestText) return { ok: false, why: `it is too large: ${largestText} bytes are the limit` };
      pieces.push(piece);
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === '') throw error;
    return { ok: false, why: reasons[code] ?? `the system says ${code}` };
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { ok: false, why: 'it is not UTF-8' };
  }
};
