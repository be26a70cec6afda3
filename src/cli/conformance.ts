import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConformanceReport, runConformance } from '../conformance/conformance.ts';
import { reportText } from '../conformance/reportText.ts';
import { CommandLineError, splitCommand } from '../conformance/splitCommand.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** The options of `telic conformance`, as they were written. */
export interface ConformanceWords {
  readonly server?: string | undefined;
  readonly seed?: string | undefined;
  readonly runs?: string | undefined;
  readonly report?: string | undefined;
  readonly strict?: boolean | undefined;
}

const defaultSeed = 1;
const defaultRuns = 60;
const mostRuns = 100_000;
const mostSeed = 2_147_483_647;

const whole = (name: string, word: string | undefined, otherwise: number, most: number): number => {
  if (word === undefined) return otherwise;
  const number = /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN;
  if (Number.isNaN(number) || number > most)
    throw new CommandError(`--${name} takes a whole number from 0 to ${most}, not ${JSON.stringify(word)}.`);
  return number;
};

const commandOf = (line: string | undefined): readonly [string, ...string[]] => {
  if (line === undefined)
    throw new CommandError("--server is missing: give the command that starts the server, as in --server 'telic mcp'.");
  try {
    return splitCommand(line);
  } catch (error) {
    if (error instanceof CommandLineError) throw new CommandError(`--server: ${error.message}`);
    throw error;
  }
};

const save = (terminal: Terminal, path: string, report: ConformanceReport): void => {
  try {
    writeFileSync(resolve(terminal.cwd, path), `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(`The report was not written: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const ending = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * The first signal to end breaks off in order, for a server that still runs would write where nobody removes it; the
 * second does not wait for a server that answers nothing.
 */
const breakOnSignals = (): Readonly<{ broken: AbortSignal; code: () => number; release: () => void }> => {
  const breaking = new AbortController();
  let ended = 0;
  const handlers = Object.entries(ending).map(([signal, code]) => ({
    signal,
    handle: () => {
      if (breaking.signal.aborted) process.exit(code);
      ended = code;
      breaking.abort();
    },
  }));
  for (const { signal, handle } of handlers) process.on(signal, handle);
  return {
    broken: breaking.signal,
    code: () => ended,
    release: () => {
      for (const { signal, handle } of handlers) process.off(signal, handle);
    },
  };
};

/**
 * Examines a server and tells what was covered and where it differs from our machine.
 *
 * @returns the report for `--json`, the same for people, and 0 only without any divergence
 * @throws CommandError
 */
export const conformance = async (
  terminal: Terminal,
  words: ConformanceWords,
): Promise<Readonly<{ print: ConformanceReport; text: string; exit: number }>> => {
  const command = commandOf(words.server);
  const seed = whole('seed', words.seed, defaultSeed, mostSeed);
  const runs = whole('runs', words.runs, defaultRuns, mostRuns);
  const { broken, code, release } = breakOnSignals();
  const options = {
    command,
    env: terminal.env,
    cwd: terminal.cwd,
    strict: words.strict === true,
    seed,
    runs,
    onProgress: (doing: string) => terminal.err(`telic: ${doing}\n`),
    signal: broken,
  };
  try {
    const report = await runConformance(options);
    if (words.report !== undefined) save(terminal, words.report, report);
    return { print: report, text: reportText(report), exit: report.ok ? 0 : 1 };
  } catch (error) {
    if (broken.aborted) process.exit(code());
    throw error;
  } finally {
    release();
  }
};
