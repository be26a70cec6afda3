import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { LedgerError } from '../../src/ledger/errors.ts';
import { explainLoadFailure, openDatabase } from '../../src/ledger/sqlite/driver.ts';
import { newState, temporaryFolder } from './fixtures.ts';
import { buildProgram, runProgram } from './program.ts';

const require = createRequire(import.meta.url);
const options = { readOnly: false, busyMilliseconds: 5000 };

/** A copy of the installed driver whose native file can be spoilt. */
const copiedDriver = (): Readonly<{ native: string; load: (id: string) => typeof Sqlite }> => {
  const modules = join(temporaryFolder(), 'node_modules');
  mkdirSync(modules);
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
    const from = dirname(require.resolve(`${name}/package.json`));
    cpSync(from, join(modules, name), {
      recursive: true,
      filter: (path) => !/\/(deps|src|obj|obj\.target|\.deps)(\/|$)/.test(path.slice(from.length)),
    });
  }
  return {
    native: join(modules, 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node'),
    load: createRequire(join(modules, 'from.js')),
  };
};

const failureOf = (load: (id: string) => typeof Sqlite): LedgerError => {
  try {
    openDatabase(newState().database, options, load);
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('the driver was loaded');
};

const running = `Node ${process.versions.node} (module version ${process.versions.modules})`;

/** Turns a native file into one for another module version: the version in its name of entry and in its head. */
const madeForOtherNode = (native: string, version: number): void => {
  const own = Number(process.versions.modules);
  const bytes = readFileSync(native);
  const entry = `node_register_module_v${own}`;
  for (let at = bytes.indexOf(entry); at >= 0; at = bytes.indexOf(entry, at + 1))
    bytes.write(
      entry.replace(/.$/, (digit) => (digit === '9' ? '8' : '9')),
      at,
    );
  const head = Buffer.alloc(16);
  head.writeInt32LE(own);
  for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1)) bytes.writeInt32LE(version, at);
  rmSync(native);
  writeFileSync(native, bytes, { mode: 0o755 });
};

describe('a native module that does not fit', () => {
  // The one platform whose library files the test knows how to change.
  it.runIf(process.platform === 'linux')(
    'because it was really built for another Node is refused with both names',
    () => {
      const { native, load } = copiedDriver();
      madeForOtherNode(native, 127 + Number(process.versions.modules === '127') * 10);
      const { code, message } = failureOf(load);
      expect(code).toBe('state_unavailable');
      expect(message).toMatch(/built for Node 2\d \(module version 1[23]7\)/);
      expect(message).toContain(`but this is ${running}`);
      expect(message).toContain('npm rebuild better-sqlite3');
      expect(message).not.toContain('\n');
    },
  );

  it('because it was built for another Node is one line: built for, running, the command', () => {
    const path = '/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node';
    const said = Object.assign(
      new Error(
        `The module '${path}'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 127. This version of Node.js requires\nNODE_MODULE_VERSION ${process.versions.modules}. Please try re-compiling or re-installing\nthe module (for instance, using \`npm rebuild\` or \`npm install\`).`,
      ),
      { code: 'ERR_DLOPEN_FAILED' },
    );
    const error = explainLoadFailure(said);
    expect(error).toMatchObject({ code: 'state_unavailable' });
    expect(error?.message).toContain('built for Node 22 (module version 127)');
    expect(error?.message).toContain(running);
    expect(error?.message).toContain('npm rebuild better-sqlite3');
    expect(error?.message).not.toContain('\n');
  });

  it('because the file is broken names the command, too', () => {
    const { native, load } = copiedDriver();
    writeFileSync(native, 'not a library');
    const { code, message } = failureOf(load);
    expect(code).toBe('state_unavailable');
    expect(message).toContain(`cannot be loaded by ${running}`);
    expect(message).toContain('npm rebuild better-sqlite3');
  });

  it('because it was never built names the command, too', () => {
    const { native, load } = copiedDriver();
    rmSync(native);
    const { code, message } = failureOf(load);
    expect(code).toBe('state_unavailable');
    expect(message).toContain(`not built for ${running}`);
    expect(message).not.toContain('\n');
  });

  it('is not blamed for a database that cannot be opened', () => {
    expect(() => openDatabase(newState().database, options, copiedDriver().load)).toThrow(
      expect.not.objectContaining({ name: 'LedgerError' }),
    );
    expect(readFileSync(copiedDriver().native).length).toBeGreaterThan(100_000);
  });
});

describe('the native module', () => {
  it('is not loaded before the first call that needs it', async () => {
    const program = buildProgram('lazy');
    try {
      const { stdout, stderr } = await runProgram(program.path, [newState().repositoryRoot], {
        env: { ...process.env, TELIC_STATE_DIR: newState().path },
      });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual({ imported: false, asked: false, committed: true });
    } finally {
      program.remove();
    }
  });
});
