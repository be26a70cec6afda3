import type { IncomingMessage } from 'node:http';

/** The bytes of a body, or why there are none. */
export type Body = Readonly<{ ok: true; bytes: Buffer }> | Readonly<{ ok: false; why: 'too large' | 'broken off' }>;

/**
 * Reads a body of at most `limit` bytes. A longer one is told as soon as that is known, from its declared length if it
 * has one; what follows is not kept (T15).
 */
export const readBody = (request: IncomingMessage, limit: number): Promise<Body> =>
  new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      resolve({ ok: false, why: 'too large' });
      return;
    }
    const pieces: Buffer[] = [];
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > limit) {
        pieces.length = 0;
        resolve({ ok: false, why: 'too large' });
      } else pieces.push(piece);
    });
    request.on('end', () => resolve({ ok: true, bytes: Buffer.concat(pieces, length) }));
    // After the end, or an earlier answer, this says nothing new.
    request.on('close', () => resolve({ ok: false, why: 'broken off' }));
    request.on('error', () => resolve({ ok: false, why: 'broken off' }));
  });
