import type { Controller } from '../controller/api.ts';
import { TelicError } from '../controller/telicError.ts';
import { resolveRepositoryRoot } from '../grounding/root.ts';
import { LedgerError } from '../ledger/errors.ts';
import { explainLoadFailure } from '../ledger/sqlite/driver.ts';
import { checkStateDirectory, locateStateDirectory, type StateDirectory } from '../ledger/stateDirectory.ts';
import { type Budget, budgetSet } from './fit/budget.ts';
import { createMoves, type Moves } from './moves.ts';
import type { ProtocolOutput } from './protectOutput.ts';
import { reportToStderr as report } from './report.ts';
import { createSurface } from './server.ts';
import { stdioTransport } from './stdio.ts';

declare const TELIC_VERSION: string;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a server works, or what every tool says instead. */
type Place = Readonly<{ ok: true; state: StateDirectory }> | Readonly<{ ok: false; error: Error }>;

/**
 * Finds repository and state. A broken boundary is thrown: a server must not start with it. Every other fault is for the
 * tools to tell, so that `initialize` and the lists answer (mcp-surface section 1).
 */
const findPlace = (env: Environment, cwd: string): Place => {
  const found = resolveRepositoryRoot(env, cwd);
  if (!found.ok) {
    const { code, message, nextSteps } = found;
    return { ok: false, error: new TelicError(code, message, { nextSteps }) };
  }
  let state: StateDirectory | null = null;
  try {
    state = locateStateDirectory(env, found.root);
    checkStateDirectory(state);
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code === 'invalid_arguments') throw error;
    if (state === null) return { ok: false, error };
    // The ledger looks at the directory again in each call, so mending it needs no new start.
    report(error.message);
  }
  return { ok: true, state };
};

/** Milliseconds that calls may take to end after the host has left, and after they were aborted: together under one second. */
const grace = { answer: 600, abort: 200 } as const;

const within = async (milliseconds: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
};

/** The controller of this process, opened at the first call; what failed to open fails every call alike. */
const controllerOf = (place: Place, env: Environment, moves: Moves) => {
  let opening: Promise<Controller> | null = null;
  let opened: Controller | null = null;
  return {
    open: (): Promise<Controller> => {
      if (!place.ok) return Promise.reject(place.error);
      const { state } = place;
      opening ??= import('../controller/openController.ts').then(({ openController }) => {
        opened = openController(state, env, report, moves.tell);
        return opened;
      });
      return opening;
    },
    close: (): void => opened?.close(),
  };
};

/** Tells an unusable state once on standard error, and whether it is for good: a module built for another Node (T19). */
const stateWatch = () => {
  const told = new Set<string>();
  let broken = false;
  return {
    see: (error: unknown): void => {
      if (!(error instanceof LedgerError) || error.code !== 'state_unavailable') return;
      if (explainLoadFailure(error.cause) !== null) broken = true;
      if (told.has(error.message)) return;
      told.add(error.message);
      report(error.message);
    },
    isBroken: (): boolean => broken,
  };
};

/**
 * Runs the MCP server of one repository over standard input and output until the host leaves, a signal comes or the
 * output is closed. Nothing is created on disk before the first run (mcp-surface section 1).
 *
 * @param output the protected standard output; nothing else may write there
 */
export const serve = async (output: ProtocolOutput): Promise<void> => {
  const { env } = process;
  process.umask(0o077);
  let place: Place;
  let budget: Budget | null;
  try {
    place = findPlace(env, process.cwd());
    budget = budgetSet(env.TELIC_ANSWER_BUDGET);
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
    return;
  }

  const moves = createMoves();
  const controller = controllerOf(place, env, moves);
  const watch = stateWatch();
  const surface = createSurface({
    version: TELIC_VERSION,
    controller: controller.open,
    report,
    budget,
    moves,
    onError: watch.see,
  });

  let stopping = false;
  const stop = async (code: 0 | 1, patience: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    transport.stopReading();
    if (patience > 0) await within(patience, transport.idle());
    await surface.close();
    await within(grace.abort, surface.settled());
    controller.close();
    process.exit(watch.isBroken() ? 1 : code);
  };

  const transport = stdioTransport({
    input: process.stdin,
    output,
    report,
    // What was asked before the end of input is answered; nobody reads what follows a closed output.
    onEnd: (reason) => void stop(0, reason === 'end of input' ? grace.answer : 0),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0, 0));
  process.on('uncaughtException', (error) => {
    report(`fault: ${error.stack ?? error.message}`);
    void stop(1, 0);
  });

  await surface.connect(transport);
  report(
    place.ok
      ? `${TELIC_VERSION} is ready for ${place.state.repositoryRoot}, state in ${place.state.path}`
      : `${TELIC_VERSION} is ready, but no tool can work: ${place.error.message}`,
  );
};
