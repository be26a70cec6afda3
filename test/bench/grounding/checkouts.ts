import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';

export type CheckoutName = 'zod' | 'pino' | 'resolve';

export interface Checkout {
  readonly name: CheckoutName;
  readonly version: string;
  readonly root: string;
  readonly files: number;
}

/**
 * Packages that carry their sources and their tests, at the versions that the lock file pins by integrity: the cases
 * quote them. What their build made is not in their repositories either.
 */
const packages: Readonly<
  Record<CheckoutName, { readonly version: string; readonly keeps: (path: string) => boolean }>
> = {
  zod: { version: '4.6.7', keeps: (path) => /^(?:src(?:\/.*)?|package\.json|README\.md|LICENSE)$/.test(path) },
  pino: { version: '9.14.0', keeps: (path) => !path.startsWith('node_modules') },
  resolve: { version: '1.22.14', keeps: (path) => !path.startsWith('node_modules') },
};

export const checkoutNames: readonly CheckoutName[] = ['zod', 'pino', 'resolve'];

const Manifest = z.object({ version: z.string() });

/** Makes a Git repository of one installed package. Throws when another version is installed than the cases are for. */
export function makeCheckout(name: CheckoutName): Checkout {
  const source = join(process.cwd(), 'node_modules', name);
  const { version, keeps } = packages[name];
  const installed = Manifest.parse(JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))).version;
  if (installed !== version) throw new Error(`The cases are for ${name} ${version}, and ${installed} is installed.`);
  const root = mkdtempSync(join(tmpdir(), `telic-bench-${name}-`));
  cpSync(source, root, {
    recursive: true,
    filter: (from) => {
      const path = relative(source, from).split(sep).join('/');
      return path === '' || keeps(path);
    },
  });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '-q');
  git('add', '--all', '--force');
  git('commit', '-q', '-m', `${name} ${version}`);
  const files = git('ls-files').split('\n').length - 1;
  return { name, version, root, files };
}

export function removeCheckout({ root }: Checkout): void {
  rmSync(root, { recursive: true, force: true });
}

export const holds = ({ root }: Checkout, path: string): boolean => existsSync(join(root, path));
