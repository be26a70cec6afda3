/** A rule of the artifacts page, as hosts and tests name it. */
export type SchemaCode = `SCH-${string}`;

/** What the rule book says of one code: what is refused, and what would mend it. */
export interface CodeEntry {
  readonly code: SchemaCode;
  readonly text: string;
  readonly fix: string;
}

const entry = (code: SchemaCode, text: string, fix: string): CodeEntry => ({ code, text, fix });

/** The codes of artifacts sections 1 and 2: those of every field, whatever body holds it. */
export const fieldCodes = {
  unknownKey: entry('SCH-KEY-01', 'An object takes the listed keys and no other.', 'Take the unknown keys out.'),
  missingKey: entry('SCH-KEY-02', 'Every listed key stands in the body, a nullable one too.', 'Add the key.'),
  wrongType: entry(
    'SCH-TYPE-01',
    'A value has the JSON type of its field; nothing is converted.',
    'Send the right type.',
  ),
  notListed: entry('SCH-ENUM-01', 'A word of a closed list matches it exactly, case included.', 'Use a listed value.'),
  outOfRange: entry('SCH-NUM-01', 'A number lies within its bounds.', 'Use a number within the bounds.'),
  fraction: entry('SCH-NUM-02', 'A whole number has no fraction.', 'Use a whole number.'),
  textLength: entry('SCH-LEN-01', 'A string has as many UTF-16 units as its field takes.', 'Change its length.'),
  listLength: entry('SCH-LEN-02', 'A list has as many items as its field takes.', 'Change the number of items.'),
  id: entry(
    'SCH-ID-01',
    'An id is made of ASCII letters, digits, ".", "_", ":" and "-" and begins with a letter or a digit.',
    'Write it with those characters alone, for instance "frame-01".',
  ),
  time: entry(
    'SCH-TIME-01',
    'A time is an ISO date and time of a real day, with "T" and an offset.',
    'Write it like 2026-03-02T09:00:00Z or 2026-03-02T10:00+01:00.',
  ),
  absolutePath: entry('SCH-PATH-01', 'A path is relative to the repository.', 'Drop the leading slash.'),
  parentPath: entry(
    'SCH-PATH-02',
    'A path has no ".." segment.',
    'Name the file by its path from the repository root.',
  ),
  sha: entry(
    'SCH-SHA-01',
    'A digest is "sha256:" and 64 lower-case hexadecimal digits.',
    'Copy the digest as Telic or the tool gave it.',
  ),
  artifactUri: entry(
    'SCH-URI-01',
    'This reference begins with artifact:// and holds no blank, "?", "#" or bracket.',
    'Copy an artifact:// reference that the action or a receipt names.',
  ),
  traceUri: entry(
    'SCH-URI-02',
    'This reference begins with trace:// and holds no blank, "?", "#" or bracket.',
    'Write trace:// and the run id.',
  ),
  repoUri: entry(
    'SCH-URI-03',
    'This reference begins with repo:// and holds no blank, "?", "#" or bracket.',
    'Write repo:// and the path, percent-encoded where it needs to be.',
  ),
  refUri: entry(
    'SCH-URI-04',
    'A reference begins with artifact://, trace:// or repo:// and holds no blank, "?", "#" or bracket.',
    'Copy a reference that the action or a receipt names.',
  ),
  text: entry('SCH-TEXT-01', 'A text has at most 32768 bytes of UTF-8.', 'Shorten the text.'),
  summary: entry('SCH-SUM-01', 'A summary has at most 4096 bytes of UTF-8.', 'Shorten the summary.'),
  commit: entry('SCH-COMMIT-01', 'A commit is 40 to 64 lower-case hexadecimal digits.', 'Copy the full commit hash.'),
  root: entry(
    'SCH-ROOT-01',
    'A repository root is an absolute path.',
    'Begin it with "/" or "\\", or with a drive letter, ":" and a slash.',
  ),
} as const satisfies Record<string, CodeEntry>;

/** The fix of a field code, where the code is one of sections 1 and 2. */
export const fieldEntry = (code: string): CodeEntry | undefined =>
  Object.values(fieldCodes).find((known) => known.code === code);

/** Writes the code into a Zod message, where `codeIn` finds it again. */
export const coded = (code: SchemaCode, message: string): string => `${code}: ${message}`;

const prefix = /^SCH-([A-Z]+-\d{2}): /;

/** Splits a message that `coded` made; `undefined` for a message of Zod's own. */
export const codeIn = (message: string): { code: SchemaCode; rest: string } | undefined => {
  const match = prefix.exec(message);
  return match ? { code: `SCH-${match[1]}`, rest: message.slice(match[0].length) } : undefined;
};
