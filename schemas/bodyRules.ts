import { z } from 'zod';
import { coded, type SchemaCode } from './codes.ts';

/** One violation of a cross-field rule, below the object that the rule is about. */
export interface Breach {
  readonly path: readonly (string | number)[];
  /** What is wrong, with the values found. */
  readonly wrong: string;
  /** What would mend it, where the rule's own `fix` is not precise enough. */
  readonly fix?: string;
  readonly expected?: unknown;
}

/** A coded refinement of the artifacts page: its sentence in the rule book and its judgement. */
export interface BodyRule<T> {
  readonly code: SchemaCode;
  /** What the rule demands, in one sentence. */
  readonly text: string;
  readonly fix: string;
  readonly check: (body: T) => readonly Breach[];
}

/** What `withRules` leaves in `params` of a Zod issue for the reporter. */
export const BreachParams = z.object({ wrong: z.string(), fix: z.string(), expected: z.unknown().optional() });
export type BreachParams = z.infer<typeof BreachParams>;

/**
 * Adds cross-field rules to an object schema. They are skipped when a field of the object, at any depth, failed hard
 * (artifacts section 1.1). Zod sees to that but for unknown keys, after which it lets the rules run.
 */
export const withRules = <S extends z.ZodType>(schema: S, rules: readonly BodyRule<z.output<S>>[]): S =>
  schema.superRefine((body, ctx) => {
    if (ctx.issues.some((issue) => issue.code === 'unrecognized_keys')) return;
    for (const { code, fix: usual, check } of rules) {
      for (const { path, wrong, fix = usual, expected } of check(body)) {
        const params: BreachParams = expected === undefined ? { wrong, fix } : { wrong, fix, expected };
        ctx.addIssue({
          code: 'custom',
          path: [...path],
          message: coded(code, `${wrong}. ${fix}`),
          params: { ...params },
        });
      }
    }
  });

/** A rule with one place of report: refused when `broken` gives a sentence. */
export const rule = <T>(
  code: SchemaCode,
  at: readonly (string | number)[],
  text: string,
  fix: string,
  broken: (body: T) => string | false,
  expected?: (body: T) => unknown,
): BodyRule<T> => ({
  code,
  text,
  fix,
  check: (body) => {
    const wrong = broken(body);
    if (wrong === false) return [];
    return [expected ? { path: at, wrong, expected: expected(body) } : { path: at, wrong }];
  },
});

/** The items whose key an earlier item has already, in order. */
export const repeats = <T>(
  items: readonly T[],
  key: (item: T) => string,
): readonly { readonly item: T; readonly index: number; readonly key: string }[] => {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const name = key(item);
    if (seen.has(name)) return [{ item, index, key: name }];
    seen.add(name);
    return [];
  });
};
