import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { findProgram, programDirectories } from '../../grounding/git/command.ts';
import type { Terminal } from './terminal.ts';

/**
 * The program that opens a link where there is a screen; null where there is none. Whatever the folder in which the
 * command was given brings along is not started.
 */
export const openerOf = ({
  env,
  platform,
  cwd,
}: Pick<Terminal, 'env' | 'platform' | 'cwd'>): readonly string[] | null => {
  if (platform === 'darwin') return ['/usr/bin/open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  const screen = [env.DISPLAY, env.WAYLAND_DISPLAY].some((value) => value !== undefined && value !== '');
  const program = screen ? findProgram('xdg-open', programDirectories(env, cwd), cwd) : null;
  return program === null ? null : [program];
};

/** Opens a link in the browser and does not wait for it; true when one was started. */
export const openInBrowser = (terminal: Terminal, link: string): boolean => {
  const [program, ...words] = openerOf(terminal) ?? [];
  if (program === undefined) return false;
  // It finds its own helpers by the same path.
  const env = { ...terminal.env, PATH: programDirectories(terminal.env, terminal.cwd).join(delimiter) };
  const child = spawn(program, [...words, link], { detached: true, stdio: 'ignore', env });
  // The link is printed in any case, so nothing is lost.
  child.on('error', (error) => terminal.err(`telic: The browser could not be opened: ${error.message}\n`));
  child.unref();
  return true;
};
