import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { ground } from '../../../src/grounding/ground.ts';
import { lowest } from '../figures.ts';
import { print, printTable } from '../table.ts';
import { makeScaleRepository, removeScaleRepository, type ScaleRepository } from './scaleRepository.ts';

const defaultSizes = [5_000, 50_000];
const rounds = 5;
/** Against what Git itself takes to list the files and to tell the state of the work tree. */
const mostTimesGit = 2;
const judgedFrom = 50_000;
/** Milliseconds of the content pass. */
const mostContent = 2000;
/** Of resident memory, from the first size to the second. */
const mostGrowth = 40 * 1024 * 1024;
const megabyte = 1024 * 1024;

const request =
  'Closing an invoice twice throws "The invoice 1234 is closed: no currency can be made of it". Refund and discount should stay open, see invoiceToRefund.';

const Once = z.object({
  milliseconds: z.number(),
  peakBytes: z.number(),
  listed: z.number(),
  selected: z.number(),
  warnings: z.array(z.string()),
});
type Once = z.infer<typeof Once>;

/** Grounds one request; the peak is that of the whole process until then. */
export async function groundOnce(root: string, content: boolean): Promise<Once> {
  const from = performance.now();
  const { wire } = await ground(
    { runId: 'bench', request, repositoryRoot: root, activePaths: [], excludedRoots: [] },
    { content },
  );
  return {
    milliseconds: performance.now() - from,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    listed: wire.budget.candidate_files,
    selected: wire.budget.selected_files,
    warnings: wire.warnings,
  };
}

async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(program, [...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${program} ended with ${status}.`);
  return Buffer.concat(pieces).toString('utf8');
}

async function timed(args: readonly string[], cwd: string): Promise<number> {
  const from = performance.now();
  await output('git', args, cwd);
  return performance.now() - from;
}

async function inOwnProcess(root: string): Promise<Once> {
  const text = await output(process.execPath, [process.argv[1] ?? '', 'once', root], process.cwd());
  return Once.parse(JSON.parse(text));
}

interface Measured {
  readonly files: number;
  readonly git: number;
  readonly paths: number;
  readonly content: number;
  /** The first grounding of a process, with the content pass. */
  readonly first: number;
  readonly peakBytes: number;
  readonly last: Once;
}

/** Everything in turn, round by round, so that all meet the same load. */
async function measure({ root, files }: ScaleRepository): Promise<Measured> {
  const list: number[] = [];
  const status: number[] = [];
  const paths: number[] = [];
  const content: number[] = [];
  const fresh: Once[] = [];
  for (let round = 0; round < rounds; round += 1) {
    list.push(await timed(['ls-files', '-co', '--exclude-standard', '-z'], root));
    status.push(await timed(['status', '--porcelain=v1', '-z', '--untracked-files=all'], root));
    paths.push((await groundOnce(root, false)).milliseconds);
    content.push((await groundOnce(root, true)).milliseconds);
    fresh.push(await inOwnProcess(root));
  }
  const last = fresh.at(-1);
  if (last === undefined) throw new Error('Nothing was measured.');
  return {
    files,
    git: lowest(list) + lowest(status),
    paths: lowest(paths),
    content: lowest(content),
    first: lowest(fresh.map(({ milliseconds }) => milliseconds)),
    peakBytes: lowest(fresh.map(({ peakBytes }) => peakBytes)),
    last,
  };
}

/**
 * Grounds repositories of growing size and prints time against Git's own, and peak memory in a process of its own. Takes further sizes; gives whether all bounds hold.
 */
export async function measureScale(further: readonly number[]): Promise<boolean> {
  if (!further.every((size) => Number.isInteger(size) && size > 0)) throw new Error('A size is a number of files.');
  const measured: Measured[] = [];
  for (const size of [...defaultSizes, ...further]) {
    const repository = await makeScaleRepository(size);
    try {
      measured.push(await measure(repository));
    } finally {
      removeScaleRepository(repository);
    }
  }
  printTable(
    `Grounding at scale, lowest of ${rounds} (ms); the first of a process, and its peak memory, in a process of its own`,
    ['files', 'Git alone', 'grounding', 'times Git', 'content pass', 'first of a process', 'peak MB', 'selected'],
    measured.map(({ files, git, paths, content, first, peakBytes, last }) => [
      String(files),
      git.toFixed(0),
      paths.toFixed(0),
      (paths / git).toFixed(2),
      (content - paths).toFixed(0),
      first.toFixed(0),
      (peakBytes / megabyte).toFixed(1),
      String(last.selected),
    ]),
  );
  let good = true;
  const judge = (what: string, reached: boolean): void => {
    good &&= reached;
    print(`${what}: ${reached ? 'reached' : 'MISSED'}`);
  };
  for (const { files, git, paths, content, last } of measured) {
    for (const warning of last.warnings) print(`${files}: ${warning}`);
    const ratio = `${files}: without the content pass ${(paths / git).toFixed(2)} times Git`;
    // A small repository is grounded in what a few processes take to start.
    if (files >= judgedFrom) judge(`${ratio} (at most ${mostTimesGit})`, paths <= git * mostTimesGit);
    else print(ratio);
    const pass = content - paths;
    judge(`${files}: the content pass ${pass.toFixed(0)} ms (at most ${mostContent})`, pass <= mostContent);
    judge(`${files}: all files listed, ${last.listed}`, last.listed === files);
    const cut = last.warnings.some((warning) => warning.includes('max_inventory_files'));
    judge(`${files}: a cut is told if there is one`, cut === files > 20_000);
  }
  const [small, large] = measured;
  if (small !== undefined && large !== undefined) {
    const growth = large.peakBytes - small.peakBytes;
    judge(
      `memory: ${(growth / megabyte).toFixed(1)} MB more from ${small.files} to ${large.files} files (below ${mostGrowth / megabyte})`,
      growth < mostGrowth,
    );
  }
  return good;
}
