import { z } from 'zod';
import { fieldCodes } from '../codes.ts';
import type { Finding } from '../failure.ts';
import { found } from '../found.ts';
import { checkBy, type Issue } from '../issues.ts';
import { Id, isInt } from '../primitives.ts';
import { type ToolArguments, type ToolName, toolArguments } from '../tools.ts';
import { ruleOf } from './rules.ts';

export type Parsed<T> =
  | { readonly ok: true; readonly args: T }
  | { readonly ok: false; readonly findings: readonly Finding[] };

const schemas: { readonly [N in ToolName]: z.ZodType<ToolArguments<N>> } = toolArguments;

type Sent = Readonly<Record<string, unknown>>;

const isSent = (value: unknown): value is Sent => typeof value === 'object' && value !== null && !Array.isArray(value);

const digits = /^\d{1,16}$/;

/** A plain digit string becomes the number that it spells (T03); whatever else is sent stays as it is. */
const asWhole = (value: unknown): unknown => {
  if (typeof value !== 'string' || !digits.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional ? schema.unwrap() : schema;

/**
 * What is forgiven, and nothing else is: `null` for an optional argument counts as absent (T06), a plain digit string
 * for a whole number is one (decisions 8).
 */
const forgiven = (schema: z.ZodObject, sent: Sent): Sent =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      if (!Object.hasOwn(schema.shape, name)) return [[name, value]];
      const field: z.core.$ZodType = schema.shape[name];
      if (value === null && field instanceof z.ZodOptional) return [];
      const inner = unwrapped(field);
      if (isInt(inner)) return [[name, asWhole(value)]];
      return [[name, inner instanceof z.ZodObject && isSent(value) ? forgiven(inner, value) : value]];
    }),
  );

const Bounds = z.object({ maxLength: z.number().optional(), maxItems: z.number().optional() });
const kindOf = ({ code, expected }: Issue): 'short' | 'long' | 'other' => {
  if (code !== 'SCH-LEN-01' && code !== 'SCH-LEN-02') return 'other';
  const bounds = Bounds.safeParse(expected);
  return bounds.success && (bounds.data.maxLength ?? bounds.data.maxItems) !== undefined ? 'long' : 'short';
};

const Typed = z.object({ type: z.enum(['array', 'object']) });

/** T04: lists and objects sent as JSON text are a habit of some hosts; the sentence says what to send instead. */
const spelled = (argument: string, issue: Issue, value: unknown): Pick<Finding, 'message' | 'fix'> | null => {
  const wanted =
    issue.code === 'SCH-TYPE-01' && typeof value === 'string' ? Typed.safeParse(issue.expected) : undefined;
  if (!wanted?.success) return null;
  const { type } = wanted.data;
  const message = `${argument} is a string; it takes an ${type}`;
  return argument === 'body'
    ? { message, fix: 'Send body as a JSON object, or send the text as body_json instead of body.' }
    : { message, fix: `Send ${argument} as a JSON ${type}, not as text.` };
};

/** An id that an argument names is one that exists: the fix says where it stands, not how a new one is written. */
const idFixes: Readonly<Record<string, string>> = {
  run_id: 'Copy the run id from an answer about the run, or from telic_list_runs.',
  prior_run_id: 'Copy the run id from telic_list_runs, or leave it out.',
  action_id: 'Copy the id of the next action.',
};

const idFix = (argument: string, issue: Issue, value: unknown): Pick<Finding, 'fix'> | null => {
  if (issue.code !== fieldCodes.id.code) return null;
  if (argument !== 'artifact_id') return idFixes[argument] ? { fix: idFixes[argument] } : null;
  const id = Id.safeParse(typeof value === 'string' ? value.slice(value.lastIndexOf('/') + 1) : undefined);
  return {
    fix: `Send the id alone${id.success ? `: ${id.data}` : ', what stands behind the last slash of its reference'}.`,
  };
};

const blankFix = (argument: string, { code }: Issue, value: unknown): Pick<Finding, 'fix'> | null =>
  code === fieldCodes.textLength.code && typeof value === 'string' && value !== '' && value.trim() === ''
    ? { fix: `Fill ${argument} in.` }
    : null;

const renames = (name: string, known: readonly string[]): string => {
  const plain = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  const meant = known.find((one) => plain(one) === plain(name));
  return meant === undefined ? 'Leave it out.' : `Rename it to ${meant}.`;
};

const unknown = (tool: ToolName, name: string, known: readonly string[]): Finding => ({
  path: name,
  code: 'SCH-KEY-01',
  message: `${tool} takes no argument ${found(name)}`,
  expected: known,
  fix: renames(name, known),
});

const findingOf = (tool: ToolName, sent: Sent, issue: Issue): Finding => {
  const [argument = '', ...rest] = issue.path.split('.');
  const rule = ruleOf(tool, argument, kindOf(issue), rest.length > 0);
  const value = sent[argument];
  const own =
    rest.length > 0
      ? null
      : (spelled(argument, issue, value) ?? idFix(argument, issue, value) ?? blankFix(argument, issue, value));
  return { ...issue, code: rule ?? issue.code, ...own };
};

/**
 * Reads the arguments of a tool call: strict, every wrong argument told at once, with the code of admission where it
 * has a rule for it (mcp-surface sections 2 and 4).
 *
 * @param tool one of the eleven
 * @param sent what the host put into `arguments`; absent counts as none
 * @returns the arguments in their types, or every finding with the argument's name at the head of its path
 */
export const parseArguments = <N extends ToolName>(tool: N, sent: unknown): Parsed<ToolArguments<N>> => {
  const given = sent ?? {};
  if (!isSent(given))
    return {
      ok: false,
      findings: [
        {
          path: '',
          code: 'SCH-TYPE-01',
          message: `the arguments of ${tool} are ${found(given)}; they must be a JSON object`,
          expected: { type: 'object' },
          fix: 'Send one JSON object whose keys are the names of the arguments.',
        },
      ],
    };
  const known = Object.keys(toolArguments[tool].shape);
  // Looked for here, since Zod overlooks an own `__proto__`, which a parsed JSON text can have.
  const strange = Object.keys(given).filter((name) => !known.includes(name));
  const read = forgiven(
    toolArguments[tool],
    Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name))),
  );
  const checked = checkBy<ToolArguments<N>>(schemas[tool], read);
  if (checked.ok && strange.length === 0) return { ok: true, args: checked.body };
  const findings = checked.ok ? [] : checked.issues.map((issue) => findingOf(tool, read, issue));
  return { ok: false, findings: [...findings, ...strange.map((name) => unknown(tool, name, known))] };
};
