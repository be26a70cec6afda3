import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ReadFile,
  type ReadingRules,
  readRepositoryFile,
  type UnreadFile,
} from '../../src/grounding/reading/readFile.ts';
import { countsOf, groundIn, pathsOf, repository, temporary, write } from './repository.ts';

const read = (root: string, path: string, rules: Partial<ReadingRules> = {}): Promise<ReadFile | UnreadFile> =>
  readRepositoryFile(path, { root, excludedRoots: [], maximumBytes: 131_072, ...rules });

const sha256 = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('reading a file', () => {
  it('gives its exact text, size and hash', async () => {
    const root = temporary();
    const texts = {
      empty: '',
      crlf: 'a\r\nb\r\n',
      'long-line': 'é'.repeat(40_000),
      'no-newline': 'x',
      controls: `a\tb\fc\u001b${'d'.repeat(20)}`,
    };
    write(root, texts);
    for (const [path, content] of Object.entries(texts)) {
      expect(await read(root, path)).toEqual({
        ok: true,
        content,
        sizeBytes: Buffer.byteLength(content),
        contentHash: sha256(content),
      });
    }
  });

  it('keeps a byte-order mark in the text, so that it encodes back to the bytes that were hashed', async () => {
    const root = temporary();
    write(root, { bom: '\ufeffhello', two: '\ufeff\ufeffx' });
    expect(await read(root, 'bom')).toEqual({
      ok: true,
      content: '\ufeffhello',
      sizeBytes: 8,
      contentHash: sha256('\ufeffhello'),
    });
    expect(await read(root, 'two')).toMatchObject({ content: '\ufeff\ufeffx', sizeBytes: 7 });
  });

  it('takes exactly the limit and not one byte more', async () => {
    const root = temporary();
    write(root, { at: 'a'.repeat(100), over: 'a'.repeat(101), big: 'a'.repeat(2_097_153) });
    expect(await read(root, 'at', { maximumBytes: 100 })).toMatchObject({ ok: true, sizeBytes: 100 });
    expect(await read(root, 'over', { maximumBytes: 100 })).toEqual({ ok: false, reason: 'file_too_large' });
    expect(await read(root, 'big', { maximumBytes: 2_097_152 })).toEqual({ ok: false, reason: 'file_too_large' });
  });

  it('leaves out what would not fit into one stored body', async () => {
    const root = temporary();
    write(root, { fits: 'a'.repeat(2_000_000), grows: '\n'.repeat(1_100_000) });
    expect(await read(root, 'fits', { maximumBytes: 2_097_152 })).toMatchObject({ ok: true });
    expect(await read(root, 'grows', { maximumBytes: 2_097_152 })).toEqual({ ok: false, reason: 'file_too_large' });
  });

  it('tells binary files and wrong encodings', async () => {
    const root = temporary();
    write(root, {
      nul: 'text\0text',
      controls: '\u0001\u0002abcdefgh',
      utf16: Buffer.from('\ufeffhello', 'utf16le'),
      latin1: Buffer.from('caf\xe9', 'latin1'),
      surrogate: Buffer.from([0xed, 0xa0, 0x80]),
      late: Buffer.concat([Buffer.alloc(8192, 0x61), Buffer.from([0])]),
      cut: Buffer.from([0x61, 0xe2, 0x82]),
    });
    const reasons: Record<string, string> = {};
    for (const path of ['nul', 'controls', 'utf16', 'latin1', 'surrogate', 'cut']) {
      const result = await read(root, path);
      reasons[path] = result.ok ? 'read' : result.reason;
    }
    expect(reasons).toEqual({
      nul: 'binary_file',
      controls: 'binary_file',
      utf16: 'binary_file',
      latin1: 'invalid_utf8',
      surrogate: 'invalid_utf8',
      cut: 'invalid_utf8',
    });
    expect(await read(root, 'late')).toMatchObject({ ok: true, sizeBytes: 8193 });
  });

  it('does not show a name that looks like a credential', async () => {
    const name = `ghp_${'abcdefghij'.repeat(3)}.txt`;
    const root = repository({ [name]: 'a', [`${name}.d/AGENTS.md`]: 'b', c: 'c' });
    const grounding = await groundIn(root, { activePaths: [name, `${name}.d/AGENTS.md`] });
    expect(pathsOf(grounding)).toEqual(['c']);
    expect(countsOf(grounding)).toEqual({ secret_like_file: 2 });
    expect(JSON.stringify(grounding)).not.toContain('ghp_');
  });

  it('names the pattern of a secret and nothing of it', async () => {
    const root = temporary();
    write(root, { config: `password = "${'hunter2'}hunter2"` });
    expect(await read(root, 'config')).toEqual({ ok: false, reason: 'secret_content', rule: 'assignment' });
  });

  it('follows links inside the root and tells each that leads out (T26)', async () => {
    const root = temporary();
    const outside = temporary();
    write(outside, { file: 'outside', 'dir/file': 'outside' });
    write(root, { file: 'inside', '.git/config': 'git', 'secrets/a': 's', 'state/x': 'state', 'node_modules/m': 'm' });
    for (const [name, target] of [
      ['in', 'file'],
      ['chain', 'in'],
      ['out', join(outside, 'file')],
      ['relative', `../${outside.split('/').at(-1)}/file`],
      ['dangling', 'missing'],
      ['loop', 'loop'],
      ['dir', join(outside, 'dir')],
      ['directory', 'secrets'],
      ['to-git', '.git/config'],
      ['to-secret', 'secrets/a'],
      ['to-state', 'state/x'],
      ['to-module', 'node_modules/m'],
      ['absolute', join(root, 'file')],
    ] as const) {
      symlinkSync(target, join(root, name));
    }
    const reasons: Record<string, string> = {};
    for (const path of [
      'in',
      'chain',
      'absolute',
      'out',
      'relative',
      'dangling',
      'loop',
      'dir',
      'dir/file',
      'directory',
      'to-git',
      'to-secret',
      'to-state',
      'to-module',
      'missing',
      'file/below',
    ]) {
      const result = await read(root, path, { excludedRoots: [join(root, 'state')] });
      reasons[path] = result.ok ? result.content : result.reason;
    }
    expect(reasons).toEqual({
      in: 'inside',
      chain: 'inside',
      absolute: 'inside',
      out: 'symlink_escape',
      relative: 'symlink_escape',
      dangling: 'unreadable_file',
      loop: 'unreadable_file',
      dir: 'symlink_escape',
      'dir/file': 'path_escape',
      directory: 'non_regular_file',
      'to-git': 'excluded_directory',
      'to-secret': 'secret_like_file',
      'to-state': 'excluded_directory',
      'to-module': 'excluded_directory',
      missing: 'unreadable_file',
      'file/below': 'unreadable_file',
    });
  });

  it('tells directories, pipes and devices', async () => {
    const root = temporary();
    mkdirSync(join(root, 'directory'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await read(root, 'directory')).toEqual({ ok: false, reason: 'non_regular_file' });
    expect(await read(root, 'pipe')).toEqual({ ok: false, reason: 'non_regular_file' });
  });

  it.runIf(process.getuid?.() !== 0)('tells a file that is closed to us', async () => {
    const root = temporary();
    write(root, { closed: 'x' });
    chmodSync(join(root, 'closed'), 0);
    expect(await read(root, 'closed')).toEqual({ ok: false, reason: 'unreadable_file' });
  });
});

describe('a disk that changes in the middle of a read', () => {
  type Moment = 'resolved' | 'opened' | 'checked';
  const race = async (
    change: (root: string, outside: string) => void,
    moment: Moment,
  ): Promise<ReadFile | UnreadFile> => {
    const root = temporary();
    const outside = temporary();
    write(root, { 'dir/file': 'inside' });
    write(outside, { file: 'outside' });
    return read(root, 'dir/file', {
      maximumBytes: 64,
      interrupt: async (now) => {
        if (now === moment) change(root, outside);
      },
    });
  };

  it.each(['resolved', 'opened'] as const)('never reads outside: the file becomes a link (%s)', async (moment) => {
    const result = await race((root, outside) => {
      rmSync(join(root, 'dir/file'));
      symlinkSync(join(outside, 'file'), join(root, 'dir/file'));
    }, moment);
    expect(result.ok).toBe(false);
  });

  it.each(['resolved', 'opened'] as const)('never reads outside: the directory becomes a link (%s)', async (moment) => {
    const result = await race((root, outside) => {
      renameSync(join(root, 'dir'), join(root, 'was'));
      symlinkSync(outside, join(root, 'dir'));
    }, moment);
    expect(result.ok).toBe(false);
  });

  it('never reads another file under the name', async () => {
    const result = await race((root) => {
      rmSync(join(root, 'dir/file'));
      write(root, { 'dir/file': 'another' });
      write(root, { 'dir/second': 'keeps the inode from being given again' });
    }, 'opened');
    expect(result).toEqual({ ok: false, reason: 'unreadable_file' });
  });

  it('does not wait at a pipe that takes the place of the file', async () => {
    const result = await race((root) => {
      rmSync(join(root, 'dir/file'));
      execFileSync('mkfifo', [join(root, 'dir/file')]);
    }, 'resolved');
    expect(result).toEqual({ ok: false, reason: 'non_regular_file' });
  });

  it('keeps the limit when the file grows after its size was checked', async () => {
    const result = await race((root) => appendFileSync(join(root, 'dir/file'), 'x'.repeat(100_000)), 'checked');
    expect(result).toEqual({ ok: false, reason: 'file_too_large' });
  });

  it('hashes what it read when the file shrinks', async () => {
    const result = await race((root) => truncateSync(join(root, 'dir/file'), 2), 'checked');
    expect(result).toEqual({ ok: true, content: 'in', sizeBytes: 2, contentHash: sha256('in') });
  });

  it('gives the file that was open when its name is taken away at the end', async () => {
    const result = await race((root) => {
      rmSync(join(root, 'dir/file'));
      writeFileSync(join(root, 'dir/file'), 'later');
    }, 'checked');
    expect(result).toMatchObject({ ok: true, content: 'inside' });
  });
});
