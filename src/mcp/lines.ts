import { type MessageId, messageIdScanner } from './messageId.ts';

export interface LineEvents {
  /** A line without its end, at most the limit long; blank lines are left out. */
  readonly line: (bytes: Buffer) => void;
  /** A line above the limit has ended; `id` is the request's, where one could be found. */
  readonly oversized: (id: MessageId | null, length: number) => void;
}

const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines and keeps none that is longer than `limit` bytes: such a line is skipped to its end
 * and told once. Memory stays below the limit and each byte is copied once, whatever the sizes of the pieces.
 */
export const lineReader = (
  limit: number,
  { line, oversized }: LineEvents,
): { push: (piece: Buffer) => void; end: () => void } => {
  let pieces: Buffer[] = [];
  let length = 0;
  let scanner: ReturnType<typeof messageIdScanner> | null = null;

  const add = (piece: Buffer): void => {
    length += piece.length;
    if (scanner === null && length > limit) {
      scanner = messageIdScanner();
      for (const kept of pieces) scanner.feed(kept);
      pieces = [];
    }
    if (scanner === null) pieces.push(piece);
    else scanner.feed(piece);
  };

  const finish = (): void => {
    if (scanner !== null) {
      oversized(scanner.id(), length);
    } else {
      const [first] = pieces;
      const bytes = pieces.length === 1 && first ? first : Buffer.concat(pieces, length);
      if (bytes.some((byte) => byte > 0x20)) line(bytes);
    }
    pieces = [];
    length = 0;
    scanner = null;
  };

  return {
    push: (piece) => {
      let rest = piece;
      for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
        add(rest.subarray(0, at));
        finish();
        rest = rest.subarray(at + 1);
      }
      if (rest.length > 0) add(rest);
    },
    /** The last line may lack its end. */
    end: () => {
      if (length > 0) finish();
    },
  };
};
