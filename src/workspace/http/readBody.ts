import type { IncomingMessage } from 'node:http';

/** The bytes of a body, or why there are none. */
export type Body =
  | Readonly<{ ok: true; bytes: Buffer }>
  | Readonly<{ ok: false; why: 'too large' | 'too many' | 'broken off' }>;

/** From so many bytes on a body is a large one. */
const largeBytes = 256 * 1024;

/**
 * Reads a body of at most `limit` bytes. A longer one is told as soon as that is known, from its declared length if it
 * has one; what follows is not kept (T15).
 *
 * @param mayGrow asked once, when the body is known to be a large one: false refuses it as one too many
 */
export const readBody = (request: IncomingMessage, limit: number, mayGrow: () => boolean = () => true): Promise<Body> =>
  new Promise((resolve) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    const tooLarge = declared > limit;
    let large = declared > largeBytes;
    if (tooLarge || (large && !mayGrow())) {
      resolve({ ok: false, why: tooLarge ? 'too large' : 'too many' });
      return;
    }
    const pieces: Buffer[] = [];
    let length = 0;
    let kept = true;
    const drop = (why: 'too large' | 'too many'): void => {
      kept = false;
      pieces.length = 0;
      resolve({ ok: false, why });
    };
    request.on('data', (piece: Buffer) => {
      if (!kept) return;
      length += piece.length;
      if (length > limit) drop('too large');
      else if (!large && length > largeBytes && !mayGrow()) drop('too many');
      else pieces.push(piece);
      large ||= length > largeBytes;
    });
    request.on('end', () => resolve({ ok: true, bytes: Buffer.concat(pieces, kept ? length : 0) }));
    // After the end, or an earlier answer, this says nothing new.
    request.on('close', () => resolve({ ok: false, why: 'broken off' }));
    request.on('error', () => resolve({ ok: false, why: 'broken off' }));
  });
