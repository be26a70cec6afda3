import type { PermissionSet } from '../../schemas/permissions.ts';
import { excesses } from '../permissions/subset.ts';
import type { Said } from './book.ts';
import { listed, told } from './wording.ts';

/** One field of a permission set that asks for more than another set gives. */
export interface ExcessField {
  /** `repository.write`, `shell.inspect`, `subagents.maximumDepth` … */
  readonly field: string;
  /** What is too much: the scopes that are not covered, the flag, the count. */
  readonly values: readonly (string | number | true)[];
  /** What the field may hold at most of what was asked. */
  readonly allowed: unknown;
}

const fieldOf = (set: PermissionSet, field: string): unknown => {
  const [family, name] = field.split('.');
  const part = Object.entries(set).find(([key]) => key === family)?.[1];
  return part && Object.entries(part).find(([key]) => key === name)?.[1];
};

/** The fields of `requested` that exceed `allowed`, each once, in the order of the permission set. */
export const excessFields = (requested: PermissionSet, allowed: PermissionSet): readonly ExcessField[] => {
  const byField = new Map<string, (string | number | true)[]>();
  for (const { path, value } of excesses(requested, allowed)) {
    const field = path.split('.').slice(0, 2).join('.');
    byField.set(field, [...(byField.get(field) ?? []), value]);
  }
  return [...byField].map(([field, values]) => {
    const asked = fieldOf(requested, field);
    return {
      field,
      values,
      allowed: Array.isArray(asked)
        ? asked.filter((entry) => !values.includes(entry))
        : typeof asked === 'boolean'
          ? false
          : fieldOf(allowed, field),
    };
  });
};

/**
 * One fault for each field by which `requested` exceeds `allowed`; the mended field is `expected`.
 * @param path where `requested` stands in the body
 * @param who what holds it, as the sentence begins
 * @param bound what `allowed` is, for the sentence
 * @param except paths that another rule has told already
 */
export function* excessFaults(
  requested: PermissionSet,
  allowed: PermissionSet,
  {
    path,
    who,
    bound,
    except = new Set(),
  }: Readonly<{
    path: string;
    who: string;
    bound: string;
    except?: ReadonlySet<string>;
  }>,
): Generator<Said> {
  for (const excess of excessFields(requested, allowed)) {
    if (except.has(`${path}.${excess.field}`)) continue;
    yield {
      path: `${path}.${excess.field}`,
      message: `${who} asks for ${listed(excess.values)} in ${excess.field}, more than ${bound} gives.`,
      ...told(excess.allowed),
      fix: `Cut ${excess.field} down to what ${bound} gives.`,
    };
  }
}
