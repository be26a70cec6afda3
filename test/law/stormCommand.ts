import { storm } from './storm.ts';

/** `npm run storm [-- seed [submissions]]`: prints what the submissions met; ends with 1 when anything went wrong. */
const [seed = '1', submissions = '20000'] = process.argv.slice(2);
const began = performance.now();
const { faults, codes, accepted, runs, submissions: sent } = await storm(Number(seed), Number(submissions));
const seconds = ((performance.now() - began) / 1000).toFixed(1);
const lines = [
  `${sent} submissions in ${runs} runs from seed ${seed}, ${seconds} s: ${accepted} taken, refused by ${codes.size} rules`,
  ...[...codes].toSorted(([, one], [, other]) => other - one).map(([code, count]) => `  ${code} ${count}`),
  ...faults.map((fault) => `WRONG ${fault}`),
  faults.length === 0 ? 'Nothing went wrong.' : `${faults.length} faults.`,
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
