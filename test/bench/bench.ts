import { rmSync } from 'node:fs';
import { type Bench, newBench } from './benchWorld.ts';
import { measureBudgets } from './budgets.ts';
import { measureBytes } from './bytes.ts';
import { measureChecks } from './checks.ts';
import { measureColdStart } from './coldStart.ts';
import { measureDecisions } from './decisions.ts';
import { measureGrowth } from './growth.ts';
import { machineLine } from './machineLine.ts';
import { print } from './table.ts';
import { measureTools } from './tools.ts';
import { measureVerifying } from './verifying.ts';

/** Figures, no assertions: a noisy machine must never make a build red. */
const sections: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  cold: measureColdStart,
  tools: measureTools,
  growth: measureGrowth,
  bytes: measureBytes,
  graph: measureDecisions,
  verify: measureVerifying,
  budgets: measureBudgets,
  checks: measureChecks,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) {
  process.stderr.write(`No section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  print(machineLine());
  const bench = newBench();
  try {
    for (const [name, measure] of Object.entries(sections))
      if (asked.length === 0 || asked.includes(name)) await measure(bench);
  } finally {
    rmSync(bench.base, { recursive: true, force: true });
  }
  print(machineLine());
}
