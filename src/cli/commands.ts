import type { StateDirectory } from '../ledger/stateDirectory.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** The options that every command takes; `request` belongs to the tour. */
export interface Options {
  readonly repo?: string | undefined;
  readonly json?: boolean | undefined;
  readonly request?: string | undefined;
}

/** What a command prints and how it ends. */
export interface Outcome {
  /** Printed as JSON; nothing when the command has told all by itself. */
  readonly print?: object;
  readonly exit: number;
}

export interface Command {
  readonly name: string;
  /** Names of the arguments, all of them required. */
  readonly takes: readonly string[];
  readonly summary: string;
  readonly options?: readonly Readonly<{ flags: string; summary: string }>[];
  run(terminal: Terminal, options: Options, args: readonly string[]): Promise<Outcome>;
}

type ReadRun = typeof import('./readRun.ts');

/** Prints what is read of a run. Commands load what they need when they run: usage and errors come at once. */
const reading = async (
  terminal: Terminal,
  repo: string | undefined,
  read: (by: ReadRun, state: StateDirectory) => object,
): Promise<Outcome> => {
  const { stateOf } = await import('./repository.ts');
  return { print: read(await import('./readRun.ts'), stateOf(terminal, repo)), exit: 0 };
};

const [runId, artifactId] = ['RUN_ID', 'ARTIFACT_ID'];

/** The commands of `telic`, in the order in which help shows them; parsing and help are made from this table alone. */
export const commands: readonly Command[] = [
  {
    name: 'tour',
    takes: [],
    summary: 'drive one whole analysis run over MCP and show each step, the report and the trace',
    options: [{ flags: '--request <text>', summary: 'the request of the run' }],
    run: async (terminal, { repo, request, json = false }) => {
      const { tour } = await import('./tour/tour.ts');
      return { exit: await tour(terminal, { repo, request, json }) };
    },
  },
  {
    name: 'mcp',
    takes: [],
    summary: 'run the MCP server for this repository over standard input and output',
    // The entry point starts the server itself when `mcp` is the first word.
    run: async () => {
      throw new CommandError(
        'mcp has to be the first word: telic mcp. The server takes TELIC_REPOSITORY_ROOT, not --repo.',
      );
    },
  },
  {
    name: 'doctor',
    takes: [],
    summary: 'check Node, the repository, Git, ripgrep and the ledger; changes nothing',
    run: async (terminal, { repo }) => {
      const { diagnose } = await import('./doctor.ts');
      const diagnosis = await diagnose(terminal, repo);
      return { print: diagnosis, exit: diagnosis.ok ? 0 : 1 };
    },
  },
  {
    name: 'status',
    takes: [runId],
    summary: 'show a run and the metadata of its artifacts',
    run: async (terminal, { repo }, [run = '']) => reading(terminal, repo, ({ status }, state) => status(state, run)),
  },
  {
    name: 'trace',
    takes: [runId],
    summary: 'show every event of a run',
    run: async (terminal, { repo }, [run = '']) => reading(terminal, repo, ({ trace }, state) => trace(state, run)),
  },
  {
    name: 'artifact',
    takes: [runId, artifactId],
    summary: 'show one artifact with its body',
    run: async (terminal, { repo }, [run = '', id = '']) =>
      reading(terminal, repo, ({ artifact }, state) => artifact(state, run, id)),
  },
];
