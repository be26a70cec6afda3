import { isStoredType } from '../../schemas/artifacts/index.ts';
import { CanonicalError, canonicalForm } from '../../schemas/canonical.ts';
import { type CheckableType, type Checked, checkBody, type Issue, normalizeManifest } from '../../schemas/issues.ts';
import { jsonFault } from '../../schemas/tools/jsonFault.ts';
import { limits } from '../../schemas/vocabulary.ts';
import { type ReadText, readText } from './readText.ts';
import type { Terminal } from './terminal.ts';
import { checkableTypeOf } from './types.ts';

/** `telic check`: bodies against the schema of their type, without a run. Rules that need a run are not asked. */

/** What is wrong, in the words of a refusal; the code is that of a schema rule, or of the store for a body too large. */
export type Fault = Omit<Issue, 'code'> & Readonly<{ code: string }>;

/** Digest and size in UTF-8 bytes of the canonical JSON: of the parsed body, or of what was sent where it is refused. */
type Form = Readonly<{ sha256: string | null; canonicalBytes: number | null }>;

type Verdict =
  | (Readonly<{ verdict: 'valid'; issues: readonly [] }> & Form)
  | (Readonly<{ verdict: 'invalid'; issues: readonly Fault[] }> & Form);

export type CheckedFile = Readonly<{ file: string }> &
  (
    | (Verdict & Readonly<{ normalized?: Verdict }>)
    // `offset` in UTF-16 units where the text stops being JSON.
    | Readonly<{ verdict: 'unreadable'; error: string; offset?: number }>
  );

export interface CheckReport {
  /** Whether every file is valid, and so is what a wire manifest becomes. */
  readonly ok: boolean;
  readonly type: CheckableType;
  /** In the order in which they were named. */
  readonly files: readonly CheckedFile[];
}

const formOf = (value: unknown): Form => {
  try {
    const { sha256, bytes } = canonicalForm(value);
    return { sha256, canonicalBytes: bytes };
  } catch (error) {
    // A number beyond all bounds, or nested so deeply that it cannot be walked: there is no canonical form.
    if (error instanceof CanonicalError || error instanceof RangeError) return { sha256: null, canonicalBytes: null };
    throw error;
  }
};

const tooLarge = (bytes: number): Fault => ({
  path: '',
  code: 'ADM-COM-13',
  message: `The body has ${bytes} bytes of canonical JSON; ${limits.bodyBytes} is the limit.`,
  expected: { maxBytes: limits.bodyBytes },
  fix: 'Shorten its texts, or cite stored artifacts instead of repeating them.',
});

const verdictOn = (type: CheckableType, value: unknown, checked: Checked<unknown>): Verdict => {
  if (!checked.ok) return { verdict: 'invalid', issues: checked.issues, ...formOf(value) };
  const form = formOf(checked.body);
  const { canonicalBytes } = form;
  return isStoredType(type) && canonicalBytes !== null && canonicalBytes > limits.bodyBytes
    ? { verdict: 'invalid', issues: [tooLarge(canonicalBytes)], ...form }
    : { verdict: 'valid', issues: [], ...form };
};

const judge = (type: CheckableType, value: unknown): Verdict & Readonly<{ normalized?: Verdict }> => {
  const verdict = verdictOn(type, value, checkBody(type, value));
  return type === 'ContextManifestWire' && verdict.verdict === 'valid'
    ? { ...verdict, normalized: verdictOn('ContextManifest', value, normalizeManifest(value)) }
    : verdict;
};

const checkText = (type: CheckableType, file: string, read: ReadText): CheckedFile => {
  const name = file === '-' ? 'Standard input' : file;
  if (!read.ok) return { file, verdict: 'unreadable', error: `${name} cannot be read: ${read.why}.` };
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    // The engine's message may show a piece of the text and often names no place.
    const fault = jsonFault(read.text);
    const offset = fault?.offset ?? 0;
    const error = `${name} is not JSON: at offset ${offset}, ${fault?.what ?? 'something is wrong'}.`;
    return { file, verdict: 'unreadable', error, offset };
  }
  try {
    return { file, ...judge(type, value) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return {
      file,
      verdict: 'unreadable',
      error: `${name} cannot be checked: its lists and objects are nested too deeply.`,
    };
  }
};

const isValid = (file: CheckedFile): boolean =>
  file.verdict === 'valid' && (file.normalized === undefined || file.normalized.verdict === 'valid');

/**
 * Checks files, each by itself: one that cannot be read does not keep the others from being checked.
 *
 * @param word a type of the registry, `ContextManifestWire` or `ArtifactEnvelope`
 * @param files paths; `-` is standard input, read once however often it is named
 * @throws CommandError when the word is no type
 */
export const check = async (terminal: Terminal, word: string, files: readonly string[]): Promise<CheckReport> => {
  const type = checkableTypeOf(word);
  const input = files.includes('-') ? await readText('-', terminal) : undefined;
  const checked: CheckedFile[] = [];
  // One after the other: a thousand large files are not held in memory together.
  for (const file of files)
    checked.push(checkText(type, file, file === '-' && input ? input : await readText(file, terminal)));
  return { ok: checked.every(isValid), type, files: checked };
};
