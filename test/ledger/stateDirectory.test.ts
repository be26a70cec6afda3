import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LedgerError } from '../../src/ledger/errors.ts';
import { openForWriting } from '../../src/ledger/privateFiles.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { checkStateDirectory, locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { ledgerWithRun, newState, temporaryFolder } from './fixtures.ts';
import { commitOf } from './samples.ts';

const thrownBy = (call: () => unknown): LedgerError => {
  try {
    call();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('the call did not throw');
};

/** A folder with a repository in it. */
const withRepository = (): Readonly<{ folder: string; repository: string }> => {
  const folder = temporaryFolder();
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  return { folder, repository };
};

describe('the place of the state', () => {
  it('is the explicit directory before everything else', () => {
    const { folder, repository } = withRepository();
    const env = { TELIC_STATE_DIR: join(folder, 'mine'), XDG_STATE_HOME: '/xdg', HOME: '/home/me' };
    const state = locateStateDirectory(env, repository);
    expect(state).toEqual({
      path: join(folder, 'mine'),
      database: join(folder, 'mine', 'ledger.sqlite3'),
      session: join(folder, 'mine', 'active-session.json'),
      repositoryRoot: repository,
      variable: 'TELIC_STATE_DIR',
      looseModes: false,
    });
    expect(existsSync(state.path)).toBe(false);
  });

  it('derives from XDG_STATE_HOME, else from HOME, with a hash of the real repository path', () => {
    const { folder, repository } = withRepository();
    const name = createHash('sha256').update(repository).digest('hex').slice(0, 24);
    const link = join(folder, 'link');
    symlinkSync(repository, link);
    for (const root of [repository, link, `${repository}/../repository/`]) {
      expect(locateStateDirectory({ XDG_STATE_HOME: '/xdg', HOME: '/home/me' }, root)).toMatchObject({
        path: `/xdg/telic/repositories/${name}`,
        variable: 'XDG_STATE_HOME',
        repositoryRoot: repository,
      });
      expect(locateStateDirectory({ HOME: '/home/me' }, root)).toMatchObject({
        path: `/home/me/.local/state/telic/repositories/${name}`,
        variable: 'HOME',
      });
    }
  });

  it('ignores a relative XDG_STATE_HOME and empty values', () => {
    const { repository } = withRepository();
    const home = locateStateDirectory({ HOME: '/home/me' }, repository).path;
    expect(locateStateDirectory({ XDG_STATE_HOME: 'state', HOME: '/home/me' }, repository).path).toBe(home);
    expect(locateStateDirectory({ TELIC_STATE_DIR: '', XDG_STATE_HOME: '', HOME: '/home/me' }, repository).path).toBe(
      home,
    );
  });

  it('is not guessed without a home: the error names the variable to set', () => {
    const { repository } = withRepository();
    for (const env of [{}, { HOME: '' }, { HOME: 'relative' }, { XDG_STATE_HOME: 'relative' }]) {
      const error = thrownBy(() => locateStateDirectory(env, repository));
      expect(error.code).toBe('state_unavailable');
      expect(error.message).toContain('TELIC_STATE_DIR');
      expect(error.message).toContain('HOME');
      expect(error.nextSteps.join()).toContain('TELIC_STATE_DIR');
    }
  });
});

describe('a state directory that breaks a boundary', () => {
  const { folder, repository } = (() => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'telic-boundary-')));
    afterAll(() => rmSync(base, { recursive: true, force: true }));
    mkdirSync(join(base, 'outer', 'repository', 'sub'), { recursive: true });
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'outer', 'repository'), join(base, 'into'));
    symlinkSync(join(base, 'outer'), join(base, 'around'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'linked'));
    symlinkSync(join(base, 'nothing'), join(base, 'dangling'));
    mkdirSync(join(base, 'holdsLink'));
    symlinkSync(join(base, 'elsewhere', 'other.sqlite3'), join(base, 'holdsLink', 'ledger.sqlite3'));
    for (const name of ['ledger.sqlite3-wal', 'ledger.sqlite3-shm', 'active-session.json']) {
      mkdirSync(join(base, `holds-${name}`));
      symlinkSync('/dev/null', join(base, `holds-${name}`, name));
    }
    return { folder: base, repository: join(base, 'outer', 'repository') };
  })();

  for (const [what, path] of [
    ['the repository itself', 'outer/repository'],
    ['a folder in it', 'outer/repository/sub'],
    ['a folder in it that does not exist', 'outer/repository/.telic/state'],
    ['a path that leaves and comes back', 'elsewhere/../outer/repository/x'],
    ['a path through a link into it', 'into/state/deep'],
    ['its parent', 'outer'],
    ['its grandparent', '.'],
    ['a path through a link to its parent', 'around/repository/..'],
    ['a link to a good directory', 'linked'],
    ['a link to its parent', 'around'],
    ['a link that leads nowhere', 'dangling'],
    ['a directory whose database is a link', 'holdsLink'],
    ['a directory whose log is a link', 'holds-ledger.sqlite3-wal'],
    ['a directory whose shared memory is a link', 'holds-ledger.sqlite3-shm'],
    ['a directory whose session file is a link', 'holds-active-session.json'],
  ] as const)
    it(`is refused at the start and at the call, and nothing is written: ${what}`, () => {
      const state = locateStateDirectory({ TELIC_STATE_DIR: `${folder}/${path}` }, repository);
      const before = readdirSync(folder, { recursive: true });
      for (const call of [
        () => checkStateDirectory(state),
        () => openForWriting(state),
        () => openLedger(state).commit(commitOf('run-1', 0)),
      ]) {
        const error = thrownBy(call);
        expect(error.code).toBe('invalid_arguments');
        expect(error.message).toContain(state.path);
        expect(error.message).toContain('TELIC_STATE_DIR');
        expect(error.nextSteps.join()).toContain('TELIC_STATE_DIR');
      }
      expect(readdirSync(folder, { recursive: true })).toEqual(before);
    });

  it('is also found when the repository root itself is named by a link', () => {
    const state = locateStateDirectory(
      { TELIC_STATE_DIR: join(folder, 'outer', 'repository', 'x') },
      join(folder, 'into'),
    );
    expect(thrownBy(() => checkStateDirectory(state)).code).toBe('invalid_arguments');
  });

  it('is not seen in a neighbour whose name only begins alike', () => {
    for (const name of ['repository-state', '..state', 'repo']) {
      const state = locateStateDirectory({ TELIC_STATE_DIR: join(folder, 'outer', name) }, repository);
      expect(checkStateDirectory(state)).toEqual({ exists: false, hasLedger: false });
    }
  });

  it('is reached by a relative path, too', () => {
    const state = locateStateDirectory({ TELIC_STATE_DIR: relative(process.cwd(), repository) }, repository);
    expect(thrownBy(() => checkStateDirectory(state)).code).toBe('invalid_arguments');
  });
});

describe('a state directory that cannot be used', () => {
  it('because a file stands in its place is unavailable, with path and variable', () => {
    const { folder, repository } = withRepository();
    writeFileSync(join(folder, 'file'), '');
    for (const path of ['file', 'file/below', 'file/below/deeper']) {
      const state = locateStateDirectory({ TELIC_STATE_DIR: join(folder, path) }, repository);
      for (const call of [
        () => checkStateDirectory(state),
        () => openLedger(state).runs(1),
        () => openForWriting(state),
      ]) {
        const error = thrownBy(call);
        expect(error.code).toBe('state_unavailable');
        expect(error.message).toContain(state.path);
        expect(error.message).toContain('TELIC_STATE_DIR');
      }
    }
  });

  it('because a directory stands in place of the database is unavailable', () => {
    const state = newState();
    mkdirSync(state.database, { recursive: true });
    expect(thrownBy(() => checkStateDirectory(state)).message).toContain('ledger.sqlite3 is not a regular file');
    expect(thrownBy(() => openLedger(state).runs(1)).code).toBe('state_unavailable');
  });

  it('because its path loops or leads nowhere is unavailable', () => {
    const { folder, repository } = withRepository();
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('nothing', join(folder, 'dangling'));
    for (const path of ['loop/state', 'dangling/state']) {
      const state = locateStateDirectory({ TELIC_STATE_DIR: join(folder, path) }, repository);
      expect(thrownBy(() => openForWriting(state)).code).toBe('state_unavailable');
    }
  });

  it('works at the next call once it is mended', () => {
    const state = newState();
    writeFileSync(state.path, '');
    const ledger = openLedger(state);
    expect(thrownBy(() => ledger.commit(commitOf('run-1', 0))).code).toBe('state_unavailable');
    rmSync(state.path);
    expect(ledger.commit(commitOf('run-1', 0))).toBe(true);
    ledger.close();
  });

  it('passes the check when it exists, and tells whether it holds a ledger', () => {
    const state = newState();
    expect(checkStateDirectory(state)).toEqual({ exists: false, hasLedger: false });
    mkdirSync(state.path);
    expect(checkStateDirectory(state)).toEqual({ exists: true, hasLedger: false });
    ledgerWithRun(state);
    expect(checkStateDirectory(state)).toEqual({ exists: true, hasLedger: true });
  });
});
