import { isObject, type Json } from './json.ts';

/** The places that the path of a blank means in a body. */

export type Step = string | number;

/** `a[0].b[*]` as steps; a step that is all digits, but for the first one, is an index. */
export const stepsOf = (path: string): readonly Step[] =>
  [...path.matchAll(/[^.[\]]+/g)].map(([step], at) => (at > 0 && /^\d+$/.test(step) ? Number(step) : step));

/** Steps as a path, after the path of where they begin. */
export const pathOf = (steps: readonly Step[], begin = ''): string =>
  steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, begin);

const at = (value: Json | undefined, step: Step): Json | undefined => {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isObject(value) ? value[String(step)] : undefined;
};

export const valueAt = (value: Json, steps: readonly Step[]): Json | undefined =>
  steps.reduce<Json | undefined>(at, value);

/** `*` each element, or each key. */
export const placesOf = (body: Json, path: string): readonly (readonly Step[])[] =>
  stepsOf(path).reduce<readonly (readonly Step[])[]>(
    (places, step) =>
      step === '*'
        ? places.flatMap((place) => {
            const value = valueAt(body, place);
            if (Array.isArray(value)) return value.map((_, index) => [...place, index]);
            return isObject(value) ? Object.keys(value).map((key) => [...place, key]) : [];
          })
        : places.map((place) => [...place, step]),
    [[]],
  );

/**
 * Writes a value into the body, which changes; the body itself where there are no steps.
 * @throws where the body has no such place
 */
export const put = (body: Json, steps: readonly Step[], value: Json): Json => {
  const last = steps.at(-1);
  if (last === undefined) return value;
  const parent = valueAt(body, steps.slice(0, -1));
  if (Array.isArray(parent) && typeof last === 'number') parent[last] = value;
  else if (isObject(parent)) parent[String(last)] = value;
  else throw new Error(`The draft has no place ${pathOf(steps)}.`);
  return body;
};
