import { ActionCapability } from '../../schemas/vocabulary.ts';

/** Spellings that a check accepts beside the vocabulary (decisions 8). */
const aliases: ReadonlyMap<string, ActionCapability> = new Map([['shell.exec', 'shell.execute']]);

/**
 * The capability that a text names, or null. Names are compared exactly; `shell.exec` is read as `shell.execute`.
 * Rule: permissions section 2.
 */
export const canonicalCapability = (text: string): ActionCapability | null => {
  const known = ActionCapability.safeParse(text);
  return known.success ? known.data : (aliases.get(text) ?? null);
};

/** What an alias stands for, for a list that takes canonical names only; null when the text is no alias. */
export const aliasTarget = (text: string): ActionCapability | null => aliases.get(text) ?? null;

/**
 * Whether a recorded action of the capability must be declared mutating (`true`), must not be (`false`), or may be
 * either (`null`, `shell.execute` alone). Rule: permissions section 2.
 */
export const mutates = (capability: ActionCapability): boolean | null => {
  switch (capability) {
    case 'repository.write':
    case 'repository.delete':
    case 'runtime.restart':
    case 'browser.mutate':
    case 'external.write':
      return true;
    case 'shell.execute':
      return null;
    default:
      return false;
  }
};

/** Whether an action of the capability may change something, as a plan that orders verification after change counts. */
export const mayMutate = (capability: ActionCapability): boolean =>
  mutates(capability) !== false || capability === 'subagent.spawn';
