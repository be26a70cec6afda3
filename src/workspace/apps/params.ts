import type { ParamType } from '../../../schemas/wire/vocabulary.ts';
import type { Json, Param, Params } from './app.ts';
import { AppError } from './appError.ts';
import { memberName } from './names.ts';
import { valueSchema } from './valueSchema.ts';

declare const value: unique symbol;

/** A parameter that knows, for the compiler only, what its value is and whether it is there in every call. */
export type TypedParam<T extends Json, R extends boolean> = Param & { readonly required: R; readonly [value]?: T };

type ValueOf<P> = P extends { readonly [value]?: infer T } ? Extract<T, Json> : Json;

/** The arguments that a plan gets for its parameters: the required ones always, the others when they were given. */
export type ArgsOf<P extends Params> = {
  readonly [K in keyof P as P[K]['required'] extends true ? K : never]: ValueOf<P[K]>;
} & { readonly [K in keyof P as P[K]['required'] extends true ? never : K]?: ValueOf<P[K]> };

/** What a builder of parameters takes. */
export interface ParamOptions<T extends Json> {
  readonly required?: boolean;
  readonly description?: string;
  readonly choices?: readonly Extract<T, string | number>[];
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Filled from the item's own key when the action is called at the item's path (D-18); needs `required`. */
  readonly fromItem?: boolean;
}

type Builder<T extends Json> = <const O extends ParamOptions<T> = { readonly required: false }>(
  options?: O,
) => TypedParam<T, O extends { readonly required: true } ? true : false>;

const param =
  <T extends Json>(type: ParamType): Builder<T> =>
  <const O extends ParamOptions<T>>(options?: O) => {
    const said: ParamOptions<T> = options ?? {};
    const made: Param = { type, required: false, ...said };
    // The compiler knows `required` from the options; a spread has lost that.
    return made as TypedParam<T, O extends { readonly required: true } ? true : false>;
  };

/** Builders of parameters, one a type of the wire (workspace-wire section 1). */
export const p = {
  text: param<string>('text'),
  integer: param<number>('integer'),
  number: param<number>('number'),
  boolean: param<boolean>('boolean'),
  object: param<Readonly<Record<string, Json>>>('object'),
  array: param<readonly Json[]>('array'),
  /** The path of a resource that is there. */
  resource: param<string>('resource'),
  /** RFC 3339 with its offset. */
  datetime: param<string>('datetime'),
  /** Never stored, logged, put into history or sent back. */
  secret: param<string>('secret'),
} as const;

const isOfType = (type: ParamType, choice: unknown): boolean => {
  if (type === 'text') return typeof choice === 'string';
  if (type === 'integer') return Number.isSafeInteger(choice);
  return type === 'number' && typeof choice === 'number' && Number.isFinite(choice);
};

const checked = new WeakSet<Params>();

/** Checks the parameters of an action's definition. @throws AppError */
export const checkParams = (action: string, params: Params): void => {
  if (checked.has(params)) return;
  for (const [name, { type, required, choices, fromItem, schema }] of Object.entries(params)) {
    const wrong = (what: string): AppError => new AppError(null, `action ${action}, parameter ${name}`, what);
    if (!memberName.test(name)) throw wrong('is no name of a parameter');
    if (choices && choices.length === 0) throw wrong('has no choice to choose');
    if (choices && new Set(choices).size < choices.length) throw wrong('has a choice twice');
    if (choices && !choices.every((choice) => isOfType(type, choice)))
      throw wrong('has choices that are not of its type; only text, integer and number have choices');
    if (fromItem && (type !== 'text' || !required)) throw wrong('is filled from the item, so it is a required text');
    try {
      valueSchema({ type, ...(schema && { schema }) });
    } catch (error) {
      throw wrong(`has a schema that cannot be judged: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  checked.add(params);
};
