import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Draft } from '../../machines/brief/draft.ts';
import { pendingNode } from '../../machines/rules/derived.ts';
import type { Blank } from '../../schemas/brief.ts';
import type { Walk } from './walk.ts';

/**
 * What only the line of a blank can say: the form of a path, of an address and of a digest, and that one path repeats
 * another. Gives the same blanks as choices of one such value each, so that a filler that knows only the form of drafts
 * can go on.
 */

const sha = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Some path inside a scope. */
const inside = (scope: string, name: string): string =>
  scope.endsWith('**') ? `${scope.slice(0, -2)}${name}` : scope.replaceAll('*', 'a').replaceAll('?', 'a');

const scopesOf = (walk: Walk, capability: unknown): readonly string[] => {
  const permissions = pendingNode(walk.record)?.permissions.repository;
  switch (capability) {
    case 'repository.read':
      return permissions?.read ?? [];
    case 'repository.write':
      return permissions?.write ?? [];
    case 'repository.delete':
      return permissions?.delete ?? [];
    default:
      return [];
  }
};

const names = fc.stringMatching(/^[a-z]{1,6}(?:\/[a-z]{1,6}){0,2}\.ts$/);

/** Draws one value. */
export type Draw = <T>(values: () => fc.Arbitrary<T>) => T;

/** The blanks of a WorkResult whose values follow a told form. */
export const told = (g: Draw, walk: Walk, draft: Draft): Draft => {
  const { actions } = draft.body;
  if (!Array.isArray(actions)) return draft;
  const targets = actions.map((action: Readonly<{ capability: unknown }>) => {
    const scopes = scopesOf(walk, action.capability);
    return scopes.length === 0
      ? 'https://example.org/a'
      : inside(
          g(() => fc.constantFrom(...scopes)),
          g(() => names),
        );
  });
  const toldFor = ({ path, how }: Blank): string | undefined => {
    const target = /^actions\[(\d+)\]\.target$/.exec(path)?.[1];
    if (target !== undefined) return targets[Number(target)];
    const same = /^The same as actions\[(\d+)\]\.target/.exec(how)?.[1];
    if (same !== undefined) return targets[Number(same)];
    return /^Digest of the file (?:before|after):/.test(how) ? sha(path) : undefined;
  };
  const blanks = draft.blanks.map((blank): Blank => {
    const value = blank.kind === 'text' ? toldFor(blank) : undefined;
    return value === undefined ? blank : { ...blank, kind: 'choice', choices: [value] };
  });
  return { ...draft, blanks };
};

/** The texts of a body that a disk would be asked about. */
export const pathsOf = (body: unknown): readonly string[] => {
  if (typeof body !== 'object' || body === null) return [];
  return ['actions', 'filesChanged'].flatMap((list) => {
    const elements: unknown = Reflect.get(body, list);
    if (!Array.isArray(elements)) return [];
    return elements.flatMap((element) =>
      ['target', 'path'].flatMap((key) => {
        const path: unknown = Reflect.get(element, key);
        return typeof path === 'string' ? [path] : [];
      }),
    );
  });
};
