import { basename, dirname } from 'node:path';
import { type Git, whyGitFailed } from './git.ts';

/** Where a root lies in a work tree, and what is checked out there. */
export type Place =
  | {
      readonly ok: true;
      readonly headCommit: string | null;
      /** From the top of the work tree to the root: empty, or with a final slash. */
      readonly prefix: string;
    }
  | {
      readonly ok: false;
      readonly why: string;
      /** Whether Git refuses only because of the owner. */
      readonly untrusted: boolean;
    };

/**
 * Asks Git for the place of a root (real path). A repository whose configuration puts its work tree elsewhere
 * (`core.worktree`) would list the names of another place, and is not used. Rules: grounding sections 2 and 9.
 */
export async function findPlace(git: Git, root: string): Promise<Place> {
  const { end, output } = await git.capture(['rev-parse', '--show-toplevel', '--show-prefix', 'HEAD']);
  const text = output.toString('utf8');
  if (end.kind !== 'exited' || end.status < 0 || text === '') {
    const untrusted = end.kind === 'exited' && end.stderr.includes('dubious ownership');
    return { ok: false, why: whyGitFailed(end), untrusted };
  }
  // Names may hold line breaks, so that the answer is compared with each that there can be.
  for (let top = root, below = ''; ; below = `${basename(top)}/${below}`, top = dirname(top)) {
    const start = `${top}\n${below}\n`;
    if (text.startsWith(start)) {
      const commit = text.slice(start.length).trimEnd();
      const known = end.status === 0 && /^[a-f0-9]{40,64}$/.test(commit);
      return { ok: true, headCommit: known ? commit : null, prefix: below };
    }
    if (dirname(top) === top)
      return { ok: false, why: 'the configuration puts the work tree elsewhere', untrusted: false };
  }
}
