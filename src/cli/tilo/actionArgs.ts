import type { ParamRow } from '../../../schemas/wire/answers.ts';
import { UsageError } from './usageError.ts';

type Args = Readonly<Record<string, unknown>>;

/** The value of a text that is JSON; undefined for any other text. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws UsageError when the text is no JSON object */
export const argsOfJson = (text: string): Args => {
  const value = jsonOf(text);
  if (isObject(value)) return value;
  throw new UsageError('--args takes one JSON object, such as {"text":"Buy milk"}.');
};

/** @throws UsageError when a word is not `key=value`, or a key comes twice */
const pairsOf = (words: readonly string[]): readonly (readonly [string, string])[] => {
  const pairs = words.map((word): [string, string] => {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`An argument is written key=value; ${JSON.stringify(word)} is not.`);
    return [word.slice(0, at), word.slice(at + 1)];
  });
  const twice = pairs.find(([key], index) => pairs.some(([other], before) => before < index && other === key));
  if (twice) throw new UsageError(`The argument ${twice[0]} is given twice.`);
  return pairs;
};

/** The types whose values are written as JSON. */
const asJson: readonly string[] = ['integer', 'number', 'boolean', 'object', 'array'];

/**
 * The arguments that `key=value` words mean. A value is text, unless the action takes something else there: the wire
 * coerces nothing, so that `5` must be sent as a number where one is wanted and as a text where a text is.
 *
 * @param paramsOf the parameters of the action; asked only when some value could be meant either way
 */
export const argsOfWords = async (
  words: readonly string[],
  paramsOf: () => Promise<readonly ParamRow[]>,
): Promise<Args> => {
  const pairs = pairsOf(words);
  const doubtful = pairs.filter(([, text]) => {
    const value = jsonOf(text);
    return value !== undefined && typeof value !== 'string';
  });
  if (doubtful.length === 0) return Object.fromEntries(pairs);
  const params = await paramsOf();
  const isJson = (key: string): boolean =>
    params.some(({ name, ty }) => name === key && asJson.includes(ty.toLowerCase()));
  return Object.fromEntries(pairs.map(([key, text]) => [key, (isJson(key) ? jsonOf(text) : undefined) ?? text]));
};
