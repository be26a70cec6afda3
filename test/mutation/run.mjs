// Plants faults in the law and counts those that the tests see: npm run mutate [-- shard … --share 0.1 --seed 1]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/** A shard is a part of the law and the rooms of tests that must notice a fault in it. */
const shards = {
  schemas: {
    mutate: ['schemas/artifacts/*.ts', 'schemas/bodyRules.ts', 'schemas/primitives.ts', 'schemas/permissions.ts'],
    rooms: ['test/schemas'],
    // What a schema says when it is loaded (fields, bounds) is told by types and conformance; here its refinements count.
    ignoreStatic: true,
  },
  permissions: { mutate: ['machines/permissions/*.ts'], rooms: ['test/permissions'] },
  rules: { mutate: ['machines/rules/**/*.ts'], rooms: ['test/rules'] },
  phases: {
    mutate: ['machines/phases/*.ts', 'machines/{kit,changes,run,situation}.ts'],
    rooms: ['test/machines'],
  },
  projection: { mutate: ['machines/projection/*.ts'], rooms: ['test/projection'] },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', multiple: true },
  },
});
const named = positionals.length > 0 ? positionals : Object.keys(shards);
for (const name of named) {
  if (!Object.hasOwn(shards, name)) throw new Error(`No shard "${name}"; there are ${Object.keys(shards).join(', ')}.`);
}

const seen = new Set(['Killed', 'Timeout']);
const missed = new Set(['Survived', 'NoCoverage']);
const project = join(import.meta.dirname, '..', '..');
const folder = join(project, 'node_modules', '.cache', 'telic-mutation');
mkdirSync(folder, { recursive: true });
// Outside of node_modules, whose files vitest does not transform.
const sandbox = mkdtempSync(join(tmpdir(), 'telic-mutation-'));
const lines = [];
const total = { seen: 0, missed: 0 };
const told = (name, { seen, missed }, seconds) =>
  `${name.padEnd(12)} ${`${seen + missed}`.padStart(6)} planted ${`${seen}`.padStart(6)} seen ${`${missed}`.padStart(5)} missed  ` +
  `${((100 * seen) / (seen + missed)).toFixed(1).padStart(5)} %  ${seconds} s`;

for (const name of named) {
  const { mutate, rooms, ignoreStatic = false } = shards[name];
  process.env.TELIC_MUTATE_TESTS = rooms.join(' ');
  const from = process.hrtime.bigint();
  const results = await new Stryker({
    mutate: values.file ?? mutate,
    ignoreStatic,
    sample: { share: Number(values.share), seed: Number(values.seed) },
    tempDirName: sandbox,
    jsonReporter: { fileName: join(folder, `${name}.json`) },
    thresholds: { high: 95, low: 85, break: null },
  }).runMutationTest();
  const seconds = Number((process.hrtime.bigint() - from) / 1_000_000_000n);
  // A fault that keeps a test file from loading leaves no failed test behind, only fewer tests than others leave.
  const tests = Math.max(...results.map((result) => (result.static ? (result.testsCompleted ?? 0) : 0)));
  const isSeen = (result) => seen.has(result.status) || (result.static && result.testsCompleted < tests);
  const isMissed = (result) => missed.has(result.status) && !isSeen(result);
  const survivors = results.filter(isMissed);
  const counted = { seen: results.filter(isSeen).length, missed: survivors.length };
  total.seen += counted.seen;
  total.missed += counted.missed;
  lines.push(told(name, counted, seconds));
  const rows = survivors.map(({ fileName, location: { start }, mutatorName, replacement, status }) => {
    const file = fileName.slice(fileName.lastIndexOf(mutate[0].split('/')[0]));
    return `${[`${file}:${start.line}:${start.column}`, status, mutatorName, replacement.replaceAll(/\s+/g, ' ').slice(0, 120)].join('\t')}\n`;
  });
  writeFileSync(join(folder, `${name}.survivors.tsv`), rows.join(''));
}

rmSync(sandbox, { recursive: true, force: true });
const score = (100 * total.seen) / (total.seen + total.missed);
process.stdout.write(`\n${lines.join('\n')}\n${told('all', total, '-')}\n`);
process.exitCode = score >= 85 ? 0 : 1;
