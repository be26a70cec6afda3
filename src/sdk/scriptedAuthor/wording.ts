import { findSecret } from '../../../machines/secrets/content.ts';

/** The claim that nothing but the request bears out. */
export const userWord = 'The user wants what the request says.';

/** Text that comes from outside, made fit for a body: bounded, and without anything that looks like a credential. */

/** The beginning of a text, at most so many bytes of UTF-8; a cut is marked. */
export const clipped = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text, 'utf8') <= bytes) return text;
  const mark = ' […]';
  let kept = Buffer.from(text, 'utf8')
    .subarray(0, bytes - Buffer.byteLength(mark, 'utf8'))
    .toString('utf8');
  // A character cut in two decodes to a replacement mark that was not there.
  while (kept.endsWith('\uFFFD')) kept = kept.slice(0, -1);
  return `${kept}${mark}`;
};

/** One line for people: white space folded, control and invisible characters out, at most so many characters. */
export const oneLine = (text: string, characters = 160): string => {
  const plain = text
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/gu, ' ')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .trim();
  return plain.length > characters ? `${plain.slice(0, characters - 1).replace(/[\ud800-\udbff]$/u, '')}…` : plain;
};

export interface Redacted {
  readonly text: string;
  /** What was left out, by line and pattern; never the text itself. */
  readonly redactions: readonly string[];
}

const mostRedactions = 64;

/**
 * A text without its lines that look like a credential. When a pattern spans lines, everything is left out: a body that
 * says less is better than one that is refused or, worse, kept.
 */
export const withoutSecrets = (text: string): Redacted => {
  if (findSecret(text) === null) return { text, redactions: [] };
  const redactions: string[] = [];
  const lines = text.split('\n').map((line, index) => {
    const secret = findSecret(line);
    if (secret === null) return line;
    if (redactions.length < mostRedactions) redactions.push(`line ${index + 1} left out (${secret.rule})`);
    return '[line left out]';
  });
  const kept = lines.join('\n');
  const rest = findSecret(kept);
  return rest === null
    ? { text: kept, redactions }
    : { text: '[everything left out]', redactions: [`the whole text left out (${rest.rule})`] };
};
