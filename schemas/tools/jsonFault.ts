/** Where a text stops being JSON: the offset in UTF-16 units from 0, and what stood there. */
export interface JsonFault {
  readonly offset: number;
  readonly what: string;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const blank = /[ \t\n\r]*/y;
const word = /true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
// What a string holds between its escapes.
const plain = /[^"\\\u0000-\u001f]*/y;

/**
 * Finds the first fault of a text that `JSON.parse` refused; the engine's own message tells no position for short texts
 * and shows a piece of the text. Null when the text is JSON. Walks the text once, without recursion.
 */
export const jsonFault = (text: string): JsonFault | null => {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const fault = (wanted: string): JsonFault => ({
    offset: at,
    what: at >= text.length ? `the text ends where ${wanted} should stand` : `${wanted} should stand there`,
  });

  const string = (): JsonFault | null => {
    at += 1;
    for (;;) {
      skip(plain);
      if (text[at] === '"') {
        at += 1;
        return null;
      }
      if (text[at] !== '\\') return fault('the closing quote of a string');
      if (!skip(escaped)) return fault('a known escape');
    }
  };
  const key = (): JsonFault | null => {
    skip(blank);
    if (text[at] !== '"') return fault('a key in double quotes');
    const broken = string();
    if (broken) return broken;
    skip(blank);
    if (text[at] !== ':') return fault('a colon');
    at += 1;
    return null;
  };

  // The closers of the objects and lists that are open.
  const open: ('}' | ']')[] = [];
  for (;;) {
    skip(blank);
    const first = text[at];
    if (first === '{' || first === '[') {
      at += 1;
      const closer = first === '{' ? '}' : ']';
      skip(blank);
      if (text[at] !== closer) {
        open.push(closer);
        const broken = closer === '}' ? key() : null;
        if (broken) return broken;
        continue;
      }
      at += 1;
    } else if (first === '"') {
      const broken = string();
      if (broken) return broken;
    } else if (!skip(number) && !skip(word)) {
      return fault('a value');
    }
    // A value has ended: close what ends with it, or go on to the next one.
    for (;;) {
      skip(blank);
      const closer = open.at(-1);
      if (closer === undefined) return at === text.length ? null : fault('the end of the text');
      if (text[at] === ',') {
        at += 1;
        const broken = closer === '}' ? key() : null;
        if (broken) return broken;
        break;
      }
      if (text[at] !== closer) return fault(`a comma or "${closer}"`);
      at += 1;
      open.pop();
    }
  }
};
