import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findSecret } from '../../../machines/secrets/content.ts';
import type { ExclusionReason } from '../../../schemas/artifacts/controller.ts';
import { excludedByName } from '../inventory/exclusions.ts';
import { pathInside } from '../paths.ts';
import { liesInGitDirectory } from '../root.ts';

/** What was read, and nothing was read twice: the bytes checked are the bytes stored. */
export interface ReadFile {
  readonly ok: true;
  /** `sha256:` and 64 hex digits, of all bytes. */
  readonly contentHash: string;
  /** All bytes, a byte-order mark included. */
  readonly sizeBytes: number;
  /** The text, a byte-order mark included: it encodes back to the bytes of the hash (grounding section 8). */
  readonly content: string;
}

export interface UnreadFile {
  readonly ok: false;
  readonly reason: ExclusionReason;
  /** For `secret_content`: the pattern, never the value. */
  readonly rule?: string;
  /** What the reason alone does not tell. */
  readonly kind?: UnreadKind;
}

/** A pointer that Git LFS left in place of the content; a text in UTF-16 that says so by its byte-order mark. */
export type UnreadKind = 'lfs_pointer' | 'utf16';

export interface ReadingRules {
  /** Real path. */
  readonly root: string;
  /** Real paths; what resolves into one is not read. */
  readonly excludedRoots: readonly string[];
  /** `max_file_bytes`. */
  readonly maximumBytes: number;
  /** Where a test changes the disk in the middle of a read; nothing else gives it. */
  readonly interrupt?: ((moment: 'resolved' | 'opened' | 'checked') => Promise<void>) | undefined;
}

const unread = (reason: ExclusionReason): UnreadFile => ({ ok: false, reason });

const sniffedBytes = 8192;
/** A pointer of Git LFS is shorter than this, by its specification. */
const longestPointer = 1024;
const pointerStart = Buffer.from('version https://git-lfs.github.com/spec/');
/** A document is stored as JSON in one body of at most 2 MiB; this is kept for everything but its text. */
const bodyBytes = 2_097_152;
const bodyOverhead = 16_384;

/**
 * Reads one file of the repository, or says why not. Takes a normal path. Links are followed inside the root only; the
 * file that was checked is the file that is read, also when somebody swaps names in between. Never throws for anything
 * that the disk can do. Rule: grounding section 8, the order of reasons section 7.
 */
export async function readRepositoryFile(path: string, rules: ReadingRules): Promise<ReadFile | UnreadFile> {
  // A name is shown where a content would not be.
  if (findSecret(path) !== null) return unread('secret_like_file');
  const place = await resolvePlace(path, rules);
  if (!('real' in place)) return place;
  await rules.interrupt?.('resolved');
  const handle = await openRegular(place.real);
  if (handle === null) return unread('unreadable_file');
  try {
    await rules.interrupt?.('opened');
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) return unread('non_regular_file');
    if (opened.dev !== place.device || opened.ino !== place.inode) return unread('unreadable_file');
    // A directory above may have been swapped before the file was opened: the way must still lead to the same file.
    const again = await resolvePlace(path, rules);
    if (!('real' in again)) return again;
    if (again.device !== opened.dev || again.inode !== opened.ino) return unread('unreadable_file');
    if (opened.size > BigInt(rules.maximumBytes)) return unread('file_too_large');
    await rules.interrupt?.('checked');
    return judge(await readBounded(handle, rules.maximumBytes, Number(opened.size)));
  } catch {
    // An error of the device in the middle of a read, or a file that was cut away beneath it.
    return unread('unreadable_file');
  } finally {
    await handle.close();
  }
}

interface Place {
  readonly real: string;
  readonly device: bigint;
  readonly inode: bigint;
}

async function resolvePlace(path: string, { root, excludedRoots }: ReadingRules): Promise<Place | UnreadFile> {
  const lexical = join(root, path);
  const real = await realpath(lexical).catch(absent);
  if (real === null) return unread('unreadable_file');
  const inside = pathInside(root, real);
  if (inside === null) {
    const entry = await lstat(lexical).catch(absent);
    return unread(entry?.isSymbolicLink() === true ? 'symlink_escape' : 'path_escape');
  }
  // Behind the real path, never before it: a directory that is a link only for a moment must not lend its identity.
  const target = await lstat(real, { bigint: true }).catch(absent);
  if (target === null) return unread('unreadable_file');
  if (!target.isFile()) return unread('non_regular_file');
  if (excludedRoots.some((directory) => pathInside(directory, real) !== null)) return unread('excluded_directory');
  if (liesInGitDirectory(root, inside)) return unread('excluded_directory');
  // A link must not give another name to what its own name keeps out.
  const hidden = inside === path ? null : excludedByName(inside, { tracked: true, named: false });
  if (hidden !== null) return unread(hidden);
  return { real, device: target.dev, inode: target.ino };
}

/** Not through a link, and without waiting for the other end of a pipe. */
async function openRegular(real: string): Promise<FileHandle | null> {
  return open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(absent);
}

/** From one handle, at most one byte more than the limit; the first piece alone decides whether the rest is wanted. */
async function readBounded(handle: FileHandle, limit: number, expected: number): Promise<Buffer | UnreadFile> {
  const chunks: Buffer[] = [];
  let size = 0;
  let wanted = Math.min(sniffedBytes, limit + 1);
  for (;;) {
    const buffer = Buffer.allocUnsafe(wanted);
    const { bytesRead } = await handle.read(buffer, 0, wanted, size);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    size += bytesRead;
    if (size > limit) return unread('file_too_large');
    const read = buffer.subarray(0, bytesRead);
    if (chunks.length === 1 && isBinary(read)) return foreign('binary_file', read);
    // A short read that makes up the whole size is the end: asking once more would cost as much as opening the file.
    if (bytesRead < wanted && size === expected) break;
    wanted = Math.min(65_536, limit + 1 - size);
  }
  return Buffer.concat(chunks, size);
}

/** A NUL, or more than a tenth of control bytes that no text has. */
function isBinary(bytes: Buffer): boolean {
  let control = 0;
  for (const byte of bytes) {
    if (byte === 0) return true;
    if (byte < 9 || (byte >= 14 && byte <= 31)) control += 1;
  }
  return control * 10 > bytes.length;
}

/** Not a text in UTF-8; UTF-16 with a byte-order mark is told apart, UTF-32 (the same mark and two NUL) is not. */
function foreign(reason: 'binary_file' | 'invalid_utf8', bytes: Buffer): UnreadFile {
  const [first, second, third, fourth] = bytes;
  const big = first === 0xfe && second === 0xff;
  const little = first === 0xff && second === 0xfe && !(third === 0 && fourth === 0);
  return big || little ? { ok: false, reason, kind: 'utf16' } : unread(reason);
}

function judge(bytes: Buffer | UnreadFile): ReadFile | UnreadFile {
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.length < longestPointer && bytes.subarray(0, pointerStart.length).equals(pointerStart)) {
    return { ok: false, reason: 'binary_file', kind: 'lfs_pointer' };
  }
  const content = decode(bytes);
  if (content === null) return foreign('invalid_utf8', bytes);
  const secret = findSecret(content);
  if (secret !== null) return { ok: false, reason: 'secret_content', rule: secret.rule };
  // Six bytes for one is the most that JSON makes of text: only large files need to be measured.
  if (
    bytes.length * 6 + bodyOverhead > bodyBytes &&
    Buffer.byteLength(JSON.stringify(content)) + bodyOverhead > bodyBytes
  ) {
    return unread('file_too_large');
  }
  return {
    ok: true,
    contentHash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    sizeBytes: bytes.length,
    content,
  };
}

/** Strict UTF-8; a byte-order mark stays. */
function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What cannot be looked up or opened is counted, with no more said about it. */
function absent(): null {
  return null;
}
