import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { repository, temporary, write } from './repository.ts';

/**
 * Settings that name a program, each with the plain command that runs it. The six of T25 come first; the others are
 * reached through what a command of ours might start: a fetch, a question for a password, a commit.
 */
const plainCommands = {
  'core.fsmonitor': ['status'],
  'core.hooksPath': ['commit', '--allow-empty', '-m', 'second'],
  'diff.external': ['diff'],
  'filter.evil.clean': ['status'],
  'core.sshCommand': ['ls-remote', 'ssh://host/x'],
  'core.pager': ['log'],
  'core.gitProxy': ['ls-remote', 'git://host/x'],
  'core.askPass': ['credential', 'fill'],
  'credential.helper': ['credential', 'fill'],
  'gpg.program': ['commit', '-S', '--allow-empty', '-m', 'third'],
  'core.editor': ['commit', '--allow-empty'],
  'core.alternateRefsCommand': ['fetch', 'other'],
  'pager.status': ['status'],
  'pager.ls-files': ['ls-files'],
} as const;

const isPager = (setting: string): boolean => setting === 'core.pager' || setting.startsWith('pager.');

export type Setting = keyof typeof plainCommands;

/** The six that the trap names. */
export const settingsOfTrap: readonly Setting[] = [
  'core.fsmonitor',
  'core.hooksPath',
  'diff.external',
  'filter.evil.clean',
  'core.sshCommand',
  'core.pager',
];
export const allSettings: readonly Setting[] = [
  ...settingsOfTrap,
  'core.gitProxy',
  'core.askPass',
  'credential.helper',
  'gpg.program',
  'core.editor',
  'core.alternateRefsCommand',
  'pager.status',
  'pager.ls-files',
];

export interface NamedPrograms {
  readonly root: string;
  /** The settings whose programs have run. */
  readonly ran: () => readonly string[];
  /** Runs the plain command of a setting, with nothing that keeps it from the program. */
  readonly runPlainly: (setting: Setting) => void;
}

/** Writes a setting, of one section or with a name in it, into the configuration of a repository. */
function configure(root: string, setting: string, value: string): void {
  const [section, ...rest] = setting.split('.');
  const key = rest.pop();
  const name = rest.length > 0 ? ` "${rest.join('.')}"` : '';
  appendFileSync(join(root, '.git/config'), `[${section}${name}]\n\t${key} = ${value}\n`);
}

/** A repository whose own configuration names a program of its own, which leaves a mark, in each of the settings. */
export function repositoryOfPrograms(settings: readonly Setting[]): NamedPrograms {
  const place = temporary('programs-');
  const mark = join(place, 'ran');
  const root = repository({
    '.gitattributes': '* filter=evil\n',
    'a.ts': 'export const a = 1;\n',
    'c.ts': 'export const c = 1;\n',
  });
  if (settings.includes('core.alternateRefsCommand')) {
    // A fetch asks which objects of the other store it has already.
    const other = repository({ other: 'other' });
    configure(root, 'remote.other.url', other);
    write(root, { '.git/objects/info/alternates': `${join(other, '.git/objects')}\n` });
  }
  for (const setting of settings) {
    // A directory of hooks: those of a change of the index and of a commit.
    const hooks = setting === 'core.hooksPath' ? ['post-index-change', 'pre-commit'] : null;
    const files = (hooks ?? ['program']).map((name) => `${setting}/${name}`);
    for (const file of files) {
      write(place, { [file]: `#!/bin/sh\necho '${setting}' >> '${mark}'\nexit ${hooks === null ? 1 : 0}\n` });
      chmodSync(join(place, file), 0o755);
    }
    configure(root, setting, join(place, hooks === null ? `${setting}/program` : setting));
  }
  // Git must look at the contents again, and has something to tell of them.
  utimesSync(join(root, 'a.ts'), new Date(1_600_000_000_000), new Date(1_600_000_000_000));
  write(root, { 'b.ts': 'export const b = 2;\n', 'c.ts': 'export const c = 3;\n' });
  return {
    root,
    ran: () => (existsSync(mark) ? [...new Set(readFileSync(mark, 'utf8').trim().split('\n'))] : []),
    runPlainly: (setting) => {
      const words = ['git', '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...plainCommands[setting]];
      // Git asks for a pager where it writes to a terminal.
      const [program = '', ...args] = isPager(setting) ? ['script', '-qc', words.join(' '), '/dev/null'] : words;
      spawnSync(program, args, {
        cwd: root,
        // `script` waits for seconds behind the end of an input that it was given.
        ...(isPager(setting) ? { stdio: 'ignore' } : { input: 'protocol=https\nhost=host\n\n' }),
        env: { PATH: process.env.PATH, HOME: '/nonexistent', TERM: 'xterm' },
      });
    },
  };
}

/** Whether this machine has the program that gives another one a terminal. */
export const hasTerminals: boolean = spawnSync('script', ['-qc', 'true', '/dev/null']).status === 0;

/** The settings for which a plain command can be shown to run the program here. */
export const provable = (settings: readonly Setting[]): readonly Setting[] =>
  settings.filter((setting) => hasTerminals || !isPager(setting));
