import { createHmac } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../../schemas/canonical.ts';
import { systemCodeOf } from '../../ledger/errors.ts';
import type { Json } from '../apps/app.ts';
import type { Store } from '../store/store.ts';

/** The folder of the data directory that holds what apps published. */
const folder = 'shares';

/** What a copy was made of. */
interface Origin {
  readonly workspace: string;
  readonly app: string;
  readonly action: string;
  /** The resource by its path of keys. */
  readonly resource: string;
  readonly time_ms: number;
}

/**
 * Makes the file of a number if there is none yet; gives whether it did. It gets its name when it is whole: a process that
 * is killed while it writes leaves a part, which keeps its number and is no copy.
 */
const writeNew = async (path: string, text: string): Promise<boolean> => {
  const part = `${path}.part`;
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(part, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o400);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
  let made = false;
  try {
    // Who has the part has the number: nobody else makes the file between this look and the new name.
    if (!existsSync(path)) {
      await file.writeFile(text);
      await file.sync();
      await rename(part, path);
      made = true;
    }
  } finally {
    await file.close();
    if (!made) await unlink(part);
  }
  return made;
};

/**
 * Writes a read-only copy of an app's content into the data directory, signed with the host's key; nothing leaves the
 * machine (D-29). The signature is HMAC-SHA-256 of the canonical JSON of everything else in the file.
 *
 * @returns the name of the link: the app, the action and a number that no earlier copy has
 */
export const publishCopy = async (
  { directory, key }: Pick<Store, 'directory' | 'key'>,
  origin: Origin,
  content: Json,
): Promise<string> => {
  const place = join(directory, folder);
  await mkdir(place, { recursive: true, mode: 0o700 });
  for (let number = 1; ; number += 1) {
    const link = `${origin.app}-${origin.action}-${number}`;
    const copy = { format: 1, link, ...origin, content };
    const signature = createHmac('sha256', key).update(canonicalJson(copy), 'utf8').digest('hex');
    if (await writeNew(join(place, `${link}.json`), `${JSON.stringify({ ...copy, signature })}\n`)) return link;
  }
};
