/** The id of a request as JSON-RPC allows it. */
export type MessageId = string | number;

const quote = 0x22;
const backslash = 0x5c;
const longest = 256;

/** What the scanner waits for at the root of the message. */
type Wanted = 'key' | 'colon' | 'value' | 'comma';

const readId = (text: string): MessageId | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value)) ? value : null;
  } catch {
    // Whatever stood there is no id, so nobody waits under it.
    return null;
  }
};

/**
 * Finds the `id` of a message that is too long to be kept, wherever in the line it stands, so that its sender gets the
 * error and does not wait for ever. Feed it the bytes in pieces; it keeps a few of them.
 */
export const messageIdScanner = (): { feed: (bytes: Uint8Array) => void; id: () => MessageId | null } => {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let wanted: Wanted = 'key';
  let isId = false;
  let kept = '';
  let found: MessageId | null = null;

  const keep = (byte: number): void => {
    if (kept.length < longest) kept += String.fromCharCode(byte);
  };
  const endValue = (): void => {
    if (isId && found === null) found = readId(Buffer.from(kept, 'latin1').toString('utf8'));
    isId = false;
    kept = '';
    wanted = 'key';
  };

  const inside = (byte: number): void => {
    if (depth === 1) keep(byte);
    if (escaped) escaped = false;
    else if (byte === backslash) escaped = true;
    else if (byte === quote) {
      inString = false;
      if (depth !== 1 || wanted !== 'key') return;
      isId = kept === '"id"';
      kept = '';
      wanted = 'colon';
    }
  };

  const outside = (byte: number): void => {
    const char = String.fromCharCode(byte);
    if (byte === quote) {
      inString = true;
      if (depth === 1) keep(byte);
    } else if (char === '{' || char === '[') {
      depth += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) endValue();
    } else if (depth === 1) {
      if (char === ',') endValue();
      else if (char === ':') wanted = 'value';
      else if (byte > 0x20) keep(byte);
    }
  };

  return {
    feed: (bytes) => {
      for (const byte of bytes) {
        if (inString) inside(byte);
        else outside(byte);
      }
    },
    id: () => found,
  };
};
