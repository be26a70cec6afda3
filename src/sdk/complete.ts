import { z } from 'zod';
import { isObject } from './brief/json.ts';
import type { Answer, CallTool } from './connectStdio.ts';

/** What an answer left out, by its path, and the call that brings it (guidance section 7). */
const Omitted = z.array(
  z.looseObject({
    part: z.string(),
    fetch: z.looseObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }).nullable(),
  }),
);

const omittedIn = (answer: Answer): z.infer<typeof Omitted> => Omitted.parse(answer.omitted ?? []);

const partAt = (answer: Answer, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), answer);

const withPart = (answer: Answer, [key = '', ...rest]: readonly string[], value: unknown): Answer => {
  const inner = answer[key];
  return { ...answer, [key]: rest.length === 0 ? value : withPart(isObject(inner) ? inner : {}, rest, value) };
};

/**
 * The answer with some parts that it had left out, each fetched by the call that it names; what a fetched part leaves out
 * in turn, too. Parts that it holds, or never had, cost no call.
 *
 * @param wanted paths in the answer: `nextAction.brief.variants`
 * @throws RefusedError where `call` throws refusals
 */
export const complete = async (call: CallTool, answer: Answer, wanted: readonly string[]): Promise<Answer> => {
  const omitted = omittedIn(answer);
  // The whole before its parts, which it would overwrite.
  const [missing] = omitted
    .filter(({ part, fetch }) => fetch !== null && wanted.includes(part))
    .sort((one, other) => one.part.length - other.part.length);
  if (!missing?.fetch) return answer;
  const { part, fetch } = missing;
  const fetched = await call(fetch.tool, fetch.arguments);
  const path = part.split('.');
  const left = [
    ...omitted.filter((one) => one.part !== part),
    ...omittedIn(fetched).filter((one) => one.part.startsWith(`${part}.`)),
  ];
  return complete(call, { ...withPart(answer, path, partAt(fetched, path)), omitted: left }, wanted);
};
