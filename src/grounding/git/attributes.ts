import { type Git, whyGitFailed } from './git.ts';
import { splitAtNul } from './splitAtNul.ts';

export type Origin = 'generated' | 'vendored';

/** Arguments of one command: below what every system takes, names of 1,024 characters included. */
const pathsPerCommand = 512;
const bytesPerCommand = 96_000;

export interface Origins {
  readonly files: ReadonlyMap<string, Origin>;
  /** Why Git did not answer, or null; then none is known, so that no result depends on how far it came. */
  readonly failure: string | null;
}

/**
 * Which of these files the repository's attributes call generated or vendored (`linguist-generated`,
 * `linguist-vendored`). Takes normal paths; those that Git does not answer for are left out. Git reads attribute files
 * and nothing else. Rule: grounding section 13.5.
 */
export async function takeOrigins(git: Git, paths: readonly string[]): Promise<Origins> {
  const origins = new Map<string, Origin>();
  for (const batch of batches(paths)) {
    let record: string[] = [];
    const take = splitAtNul((field) => {
      record.push(field.toString('utf8'));
      const [path, attribute, value] = record;
      if (path === undefined || attribute === undefined || value === undefined) return;
      record = [];
      if (value !== 'set' && value !== 'true') return;
      if (attribute === 'linguist-generated') origins.set(path, 'generated');
      else if (!origins.has(path)) origins.set(path, 'vendored');
    });
    const end = await git.stream(['check-attr', '-z', 'linguist-generated', 'linguist-vendored', '--', ...batch], take);
    if (end.kind !== 'exited' || end.status !== 0) return { files: new Map(), failure: whyGitFailed(end) };
  }
  return { files: origins, failure: null };
}

function batches(paths: readonly string[]): string[][] {
  const all: string[][] = [];
  let batch: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const size = Buffer.byteLength(path) + 1;
    if (batch.length >= pathsPerCommand || (batch.length > 0 && bytes + size > bytesPerCommand)) {
      all.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(path);
    bytes += size;
  }
  return batch.length > 0 ? [...all, batch] : all;
}
