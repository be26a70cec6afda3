import { z } from 'zod';
import { type CodeEntry, coded, fieldCodes } from './codes.ts';
import { found } from './found.ts';
import { schemaVersion } from './vocabulary.ts';

/** The small shapes that all bodies are made of (artifacts section 2), each with the code of its failure. */

const said =
  ({ code, text }: CodeEntry) =>
  ({ input }: { readonly input?: unknown }): string =>
    coded(code, `${found(input)} is not taken here. ${text}`);

/**
 * A string of at most `max` UTF-16 units. Zod measures code points, so that a string of emoji could be twice as long;
 * this closes the gap that its own check leaves.
 */
const units =
  (max: number) =>
  ({ value, issues }: z.core.ParsePayload<string>): void => {
    if (value.length <= max || issues.some(({ code }) => code === 'too_big')) return;
    issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value, continue: true });
  };

/** `str(a..b)`: a string of `min` to `max` UTF-16 units. */
export const str = (min: number, max: number): z.ZodString =>
  z.string().check(z.minLength(min), z.maxLength(max), units(max));

const maxima = new WeakMap<z.core.$ZodType, number>();

/**
 * `T[a..b]`: a list; without bounds, the general 0..256. Zod's own maximum would leave the items of a list that is too
 * long unjudged, and skip the rules around it.
 */
export const list = <T extends z.ZodType>(item: T, min = 0, max = 256): z.ZodArray<T> => {
  const schema = (min > 0 ? z.array(item).check(z.minLength(min)) : z.array(item)).superRefine(
    (items, ctx) => {
      if (items.length <= max) return;
      ctx.addIssue({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: items });
    },
    // Whatever became of the items.
    { when: ({ value }) => Array.isArray(value) },
  );
  maxima.set(schema, max);
  return schema;
};

/** The most items that a list schema takes; Zod cannot tell, as the check is ours. */
export const maxItemsOf = (schema: z.core.$ZodType): number | undefined => maxima.get(schema);

/** `num(a..b)`: a finite number, bounds included. */
export const num = (min: number, max: number): z.ZodNumber => z.number().check(z.gte(min), z.lte(max));

const integers = new WeakSet<z.ZodType>();

/** Beyond 2^53-1 every number reads as whole, and is out of every range. */
const whole = ({ value, issues }: z.core.ParsePayload<number>): void => {
  if (Number.isInteger(value)) return;
  issues.push({ code: 'custom', input: value, message: said(fieldCodes.fraction)({ input: value }) });
};

/**
 * `int(a..b)`. A fraction is a hard failure, a number out of range a soft one. Zod's own integer would end the
 * judgement of the lists around it as well, and report an unsafe integer twice.
 */
export const int = (min: number, max: number): z.ZodNumber => {
  const schema = z.number().check(whole, z.gte(min), z.lte(max));
  integers.add(schema);
  return schema;
};

/** Whether a number schema takes whole numbers only; Zod cannot tell, as the check is ours. */
export const isInt = (schema: z.core.$ZodType): boolean => schema instanceof z.ZodNumber && integers.has(schema);

const utf8Length = (text: string): number => Buffer.byteLength(text, 'utf8');

const bytes = (max: number, entry: CodeEntry): z.ZodString =>
  str(1, max).refine((text) => text.length * 3 <= max || utf8Length(text) <= max, {
    error: ({ input }) =>
      coded(entry.code, `${typeof input === 'string' ? utf8Length(input) : 0} bytes are too many. ${entry.text}`),
  });

const matching = (max: number, pattern: RegExp, entry: CodeEntry): z.ZodString =>
  z.string().check(z.minLength(1), z.maxLength(max), units(max), z.regex(pattern, { error: said(entry) }));

export const SchemaVersion = z.literal(schemaVersion);

export const Id = matching(128, /^[A-Za-z0-9][A-Za-z0-9._:-]*$/, fieldCodes.id);
export type Id = z.infer<typeof Id>;

const day =
  '(?:(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29' +
  '|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))';
const minute = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** Seconds may be missing, which Zod's own date-time refuses. */
export const Ts = z.string().regex(new RegExp(`^${day}T${minute}(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-]${minute})$`), {
  error: said(fieldCodes.time),
});
export type Ts = z.infer<typeof Ts>;

export const RelPath = str(1, 1024)
  .refine((path) => !path.startsWith('/'), { error: said(fieldCodes.absolutePath) })
  .refine((path) => !path.split('/').includes('..'), { error: said(fieldCodes.parentPath) });
export type RelPath = z.infer<typeof RelPath>;

export const Sha256 = z.string().regex(/^sha256:[a-f0-9]{64}$/, { error: said(fieldCodes.sha) });
export type Sha256 = z.infer<typeof Sha256>;

const uriMax = 2048;
const uriPattern = (scheme: string): RegExp => new RegExp(`^${scheme}://[A-Za-z0-9._~!$&'()*+,;=:@%/-]+$`);
const uri = (scheme: string, entry: CodeEntry): z.ZodString => matching(uriMax, uriPattern(scheme), entry);

export const ArtifactUri = uri('artifact', fieldCodes.artifactUri);
export type ArtifactUri = z.infer<typeof ArtifactUri>;

export const TraceUri = uri('trace', fieldCodes.traceUri);
export type TraceUri = z.infer<typeof TraceUri>;

export const RepoUri = uri('repo', fieldCodes.repoUri);
export type RepoUri = z.infer<typeof RepoUri>;

/** What RefUri takes, as one pattern. */
export const refPattern = uriPattern('(?:artifact|trace|repo)');

/** Any of the three. A union, so that its failure is a hard one (artifacts section 1.1). */
export const RefUri = z.union([ArtifactUri, TraceUri, RepoUri], {
  error: (issue) => {
    const { input } = issue;
    if (typeof input !== 'string') return undefined;
    return input.length < 1 || input.length > uriMax
      ? coded(fieldCodes.textLength.code, `a reference has 1 to ${uriMax} characters, this one has ${input.length}`)
      : said(fieldCodes.refUri)(issue);
  },
});
export type RefUri = z.infer<typeof RefUri>;

export const Text = bytes(32_768, fieldCodes.text);
export type Text = z.infer<typeof Text>;

export const Summary = bytes(4096, fieldCodes.summary);
export type Summary = z.infer<typeof Summary>;

export const Commit = z.string().regex(/^[a-f0-9]{40,64}$/, { error: said(fieldCodes.commit) });
export type Commit = z.infer<typeof Commit>;

/** Absolute by POSIX or by Windows reading, on every platform. */
export const AbsRoot = matching(4096, /^(?:[/\\]|[A-Za-z]:[/\\])/, fieldCodes.root);
export type AbsRoot = z.infer<typeof AbsRoot>;

/** The lists that stand in many bodies. */
export const Texts = list(Text);
export const Refs = list(RefUri);
export const SomeRefs = list(RefUri, 1);
export const ArtifactRefs = list(ArtifactUri);

/** The head of every stored body but the RunEnvelope's. */
export const head = { schemaVersion: SchemaVersion, id: Id, runId: Id } as const;
