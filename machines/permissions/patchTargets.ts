import type { ActionCapability } from '../../schemas/vocabulary.ts';

type Change = Readonly<{ capability: ActionCapability; target: string }>;

const begin = '*** Begin Patch';
const end = '*** End Patch';

const headers: readonly (readonly [string, ActionCapability])[] = [
  ['*** Add File: ', 'repository.write'],
  ['*** Update File: ', 'repository.write'],
  ['*** Move to: ', 'repository.write'],
  ['*** Delete File: ', 'repository.delete'],
];

/** Some readers of patches drop blanks in front of a header, so such a line could be either a header or content. */
const doubtful = /^\s+\*\*\* (?:Begin Patch|End Patch|Add File|Update File|Move to|Delete File)/;

const changeOf = (line: string): Change | null => {
  for (const [start, capability] of headers) {
    const target = line.startsWith(start) ? line.slice(start.length).trim() : '';
    if (target !== '') return { capability, target };
  }
  return null;
};

/**
 * What a patch does, one entry a file in the order of the patch: adding, updating and the new name of a move are writes,
 * deleting is a delete. Null when a header line cannot be read, or there is none: such a patch is unknown.
 * Rule: permissions section 10.
 */
export const patchTargets = (patch: string): readonly Change[] | null => {
  const lines = patch.trim().split(/\r?\n/);
  if (lines[0] !== begin || lines.at(-1) !== end) return null;
  const changes: Change[] = [];
  for (const line of lines.slice(1, -1)) {
    if (doubtful.test(line)) return null;
    if (!line.startsWith('***') || line === '*** End of File') continue;
    const change = changeOf(line);
    if (!change) return null;
    changes.push(change);
  }
  return changes.length > 0 ? changes : null;
};
