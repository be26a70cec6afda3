import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ScaleRepository {
  readonly root: string;
  readonly files: number;
}

const nouns =
  'order invoice customer payment shipment basket ledger account session token cache queue worker report export import ' +
  'filter parser render layout theme locale address currency discount refund stock supplier route guard schema index';
const words = nouns.split(' ');
const word = (number: number): string => words[number % words.length] ?? 'order';

const perFolder = 40;
const foldersPerPackage = 25;

function pathOf(index: number): string {
  const folder = Math.floor(index / perFolder);
  const pack = Math.floor(folder / foldersPerPackage);
  return `packages/p${pack}/src/${word(folder * 7)}${folder}/${word(index * 13 + 5)}${index}.ts`;
}

/** Every file has other bytes, so that none ends as a duplicate; about 500 bytes, as many source files have. */
function contentOf(index: number): string {
  const subject = word(index * 5 + 1);
  const other = word(index * 11 + 3);
  return `import { ${other}Of } from '../${other}.ts';

/** Takes a ${subject} and gives its ${other}; throws when the ${subject} is closed. */
export function ${subject}To${other}${index}(${subject}: { readonly id: number; readonly open: boolean }): number {
  if (!${subject}.open) throw new Error('The ${subject} ${index} is closed: no ${other} can be made of it.');
  const found = ${other}Of(${subject}.id, ${index});
  return found === undefined ? ${index % 97} : found.value + ${index % 89};
}
`;
}

/** Builds a repository with its work tree by one import, a commit, and an index that knows the time of every file. */
export async function makeScaleRepository(files: number): Promise<ScaleRepository> {
  const root = mkdtempSync(join(tmpdir(), `telic-bench-scale-${files}-`));
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'checkout.workers=0', ...args], { cwd: root, stdio: 'ignore' });
  };
  git('init', '-q');
  const fast = spawn('git', ['fast-import', '--quiet'], { cwd: root, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(fast, 'close');
  const write = async (text: string): Promise<void> => {
    if (!fast.stdin.write(text)) await once(fast.stdin, 'drain');
  };
  await write('commit refs/heads/main\ncommitter Bench <bench@example.org> 1700000000 +0000\ndata 5\nStart\n');
  for (let index = 0; index < files; index += 1) {
    const content = contentOf(index);
    await write(`M 100644 inline ${pathOf(index)}\ndata ${Buffer.byteLength(content)}\n${content}\n`);
  }
  fast.stdin.end();
  const [status] = await ended;
  if (status !== 0) throw new Error(`git fast-import ended with ${status}.`);
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  git('reset', '-q', '--hard');
  // Files as young as the index are compared by content on every status: the index must be younger than all of them.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  git('update-index', '--really-refresh');
  git('status', '--porcelain');
  return { root, files };
}

export function removeScaleRepository({ root }: ScaleRepository): void {
  rmSync(root, { recursive: true, force: true });
}
