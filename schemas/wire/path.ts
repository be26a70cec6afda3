import { wireLimits } from './limits.ts';
import { actionId } from './vocabulary.ts';

/** A path of the wire: names or item keys from an app downwards, and perhaps an action (workspace-wire 1.1). */
export interface WirePath {
  readonly segments: readonly string[];
  readonly action?: string;
}

const encoder = new TextEncoder();

/** The length of a text in bytes of UTF-8. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length;

// The characters that a segment cannot show: the separators, the escape itself, and control characters (C0, DEL, C1).
const escaped = /[%/#\u0000-\u001f\u007f-\u009f]/g;

const hex = (text: string): string =>
  [...encoder.encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** One segment as a path writes it. Only what a path could not hold is escaped, so that most names stand as they are (D-02). */
export const printSegment = (segment: string): string => segment.replace(escaped, hex);

/** The path of segments, and of an action when one is named. */
export const printPath = ({ segments, action }: WirePath): string =>
  segments.map(printSegment).join('/') + (action === undefined ? '' : `#${action}`);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads `%HH` runs as UTF-8; null when a percent sign stands alone or the bytes are no UTF-8. */
const unescaped = (text: string): string | null => {
  try {
    let broken = false;
    const plain = text.replace(/(?:%[0-9A-Fa-f]{2})+|%/g, (run) => {
      if (run === '%') {
        broken = true;
        return run;
      }
      return decoder.decode(Uint8Array.from(run.slice(1).split('%'), (pair) => Number.parseInt(pair, 16)));
    });
    return broken ? null : plain;
  } catch {
    // The bytes were no UTF-8: told as no path.
    return null;
  }
};

/** A path, or what is wrong with it in a sentence. */
export type ParsedPath = Readonly<{ ok: true; path: WirePath }> | Readonly<{ ok: false; wrong: string }>;

const wrong = (sentence: string): ParsedPath => ({ ok: false, wrong: sentence });

/** Reads a path. Parsing what `printPath` printed gives the same segments. */
export const parsePath = (text: string): ParsedPath => {
  if (utf8Bytes(text) > wireLimits.pathBytes) return wrong(`A path has at most ${wireLimits.pathBytes} bytes.`);
  const at = text.indexOf('#');
  const action = at < 0 ? undefined : text.slice(at + 1);
  if (action !== undefined && !actionId.test(action))
    return wrong('After # stands the id of an action: a small letter, then small letters, digits and hyphens.');
  const parts = (at < 0 ? text : text.slice(0, at)).split('/');
  if (parts.length > wireLimits.pathSegments) return wrong(`A path has at most ${wireLimits.pathSegments} segments.`);
  const segments: string[] = [];
  for (const part of parts) {
    if (part === '') return wrong('A path has no empty segment, and no slash at its start or end.');
    const segment = unescaped(part);
    if (segment === null) return wrong('In a path a percent sign begins %HH, and the bytes are UTF-8.');
    if (utf8Bytes(segment) > wireLimits.segmentBytes)
      return wrong(`A segment of a path has at most ${wireLimits.segmentBytes} bytes.`);
    segments.push(segment);
  }
  return { ok: true, path: { segments, ...(action !== undefined && { action }) } };
};

/** Whether two names are the same: in NFC, case counts. */
export const sameName = (one: string, other: string): boolean => one === other || one.normalize() === other.normalize();
