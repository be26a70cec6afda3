import { statSync } from 'node:fs';
import { join } from 'node:path';
import { budgetDefaults } from '../../../src/grounding/budget.ts';
import { ground } from '../../../src/grounding/ground.ts';
import { print, printTable } from '../table.ts';
import { type Case, cases } from './cases.ts';
import { type Checkout, checkoutNames, holds, makeCheckout, removeCheckout } from './checkouts.ts';

const head = 10;
/** How much better contents must be than names alone, in recall at ten files over all cases. */
const wantedGain = 0.15;

/** What one way of ranking made of one case. A first file that was not selected counts as one behind the budget. */
interface Outcome {
  readonly atHead: number;
  readonly atBudget: number;
  readonly firstRank: number;
}

interface Scored {
  readonly checkout: Checkout['name'];
  readonly request: string;
  readonly content: Outcome;
  readonly paths: Outcome;
}

async function outcomeOf({ request, expected }: Case, { root }: Checkout, content: boolean): Promise<Outcome> {
  const input = { runId: 'bench', request, repositoryRoot: root, activePaths: [], excludedRoots: [] };
  const { wire } = await ground(input, { content });
  const paths = wire.selected_sources.map(({ path }) => path);
  const ranks = expected.map((path) => paths.indexOf(path)).filter((rank) => rank >= 0);
  return {
    atHead: ranks.filter((rank) => rank < head).length / expected.length,
    atBudget: ranks.length / expected.length,
    firstRank: 1 + Math.min(budgetDefaults.max_files, ...ranks),
  };
}

function checkCases(checkout: Checkout): readonly Case[] {
  const own = cases.filter((each) => each.checkout === checkout.name);
  for (const path of own.flatMap(({ expected }) => expected)) {
    if (!holds(checkout, path)) throw new Error(`${checkout.name} ${checkout.version} has no ${path}.`);
    if (statSync(join(checkout.root, path)).size > budgetDefaults.max_file_bytes)
      throw new Error(`${path} of ${checkout.name} is too large to be selected by default.`);
  }
  return own;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const cells = (outcomes: readonly Outcome[]): readonly string[] => [
  mean(outcomes.map(({ atHead }) => atHead)).toFixed(3),
  mean(outcomes.map(({ atBudget }) => atBudget)).toFixed(3),
  mean(outcomes.map(({ firstRank }) => firstRank)).toFixed(1),
];

const gainOf = (scored: readonly Scored[]): number =>
  mean(scored.map(({ content }) => content.atHead)) - mean(scored.map(({ paths }) => paths.atHead));

/** Prints recall and rank with and without the contents; gives whether contents help as much as they must. */
export async function measureRecall(verbose: boolean): Promise<boolean> {
  const scored: Scored[] = [];
  const sizes = new Map<string, number>();
  for (const name of checkoutNames) {
    const checkout = makeCheckout(name);
    try {
      sizes.set(name, checkout.files);
      for (const each of checkCases(checkout)) {
        const content = await outcomeOf(each, checkout, true);
        const paths = await outcomeOf(each, checkout, false);
        scored.push({ checkout: name, request: each.request, content, paths });
      }
    } finally {
      removeCheckout(checkout);
    }
  }
  if (verbose) {
    printTable(
      'Cases',
      ['checkout', 'content @10', 'paths @10', 'content 1st', 'paths 1st', 'request'],
      scored.map(({ checkout, request, content, paths }) => [
        checkout,
        content.atHead.toFixed(2),
        paths.atHead.toFixed(2),
        String(content.firstRank),
        String(paths.firstRank),
        `"${request.slice(0, 60)}"`,
      ]),
    );
  }
  const groups = [
    ...checkoutNames.map((name) => ({ name: String(name), of: scored.filter(({ checkout }) => checkout === name) })),
    { name: 'all', of: scored },
  ];
  printTable(
    `Grounding of ${scored.length} requests: recall at ${head} files and at the default budget, mean rank of the first expected file`,
    ['checkout', 'files', 'cases', 'ranking', `recall @${head}`, 'recall @budget', 'first rank'],
    groups.flatMap(({ name, of }) => [
      [name, String(sizes.get(name) ?? ''), String(of.length), 'contents', ...cells(of.map(({ content }) => content))],
      ['', '', '', 'paths only', ...cells(of.map(({ paths }) => paths))],
    ]),
  );
  let good = true;
  for (const { name, of } of groups) {
    const gain = gainOf(of);
    const wanted = name === 'all' ? wantedGain : 0;
    const reached = gain >= wanted;
    good &&= reached;
    print(`${name}: gain at ${head} files ${gain.toFixed(3)} (at least ${wanted}): ${reached ? 'reached' : 'MISSED'}`);
  }
  return good;
}
