import { cpus, loadavg, totalmem } from 'node:os';

/** What the figures were taken on, and how busy it was. */
export const machineLine = (): string => {
  const [first] = cpus();
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
  return `machine: ${cpus().length} × ${first?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform}, Node ${process.versions.node}, load ${load}`;
};
