import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Terminal } from './terminal.ts';

const isOnPath = (program: string, path: string): boolean =>
  path.split(delimiter).some((folder) => {
    if (folder === '') return false;
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Not in this folder.
      return false;
    }
  });

/** The program that opens a link where there is a screen; null where there is none. */
export const openerOf = ({ env, platform }: Pick<Terminal, 'env' | 'platform'>): readonly string[] | null => {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  const screen = [env.DISPLAY, env.WAYLAND_DISPLAY].some((value) => value !== undefined && value !== '');
  return screen && isOnPath('xdg-open', env.PATH ?? '') ? ['xdg-open'] : null;
};

/** Opens a link in the browser and does not wait for it; true when one was started. */
export const openInBrowser = (terminal: Terminal, link: string): boolean => {
  const [program, ...words] = openerOf(terminal) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...words, link], { detached: true, stdio: 'ignore', env: { ...terminal.env } });
  // The link is printed in any case, so nothing is lost.
  child.on('error', (error) => terminal.err(`telic: The browser could not be opened: ${error.message}\n`));
  child.unref();
  return true;
};
