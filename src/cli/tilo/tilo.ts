import { CommanderError, Command as Parser } from 'commander';
import { processTerminal, type Terminal } from '../terminal.ts';
import { commands, type TiloCommand } from './commands.ts';
import { described, type Options, readValue } from './options.ts';
import type { Told } from './told.ts';
import { UsageError } from './usageError.ts';

/** The command line of workspace-wire section 2.5: a client of the wire for people and scripts. */

declare const TELIC_VERSION: string;

const usualUrl = 'http://127.0.0.1:4747';
const usualWorkspace = 'home';

const after = `
The token is read from TILO_TOKEN; \`telic workspace token create\` makes one. Prints what agents read, or with
--json the typed answer on one line.

Exit codes:
  0  done
  1  failed, or the host cannot be reached
  2  no such command, option or argument
  3  pending: it still runs, waits for its person, or is a preview that waits for --confirm`;

const spaceFor = async ({ url, workspace, account }: Options, { env }: Terminal) => {
  const token = env.TILO_TOKEN;
  if (!token) throw new UsageError('TILO_TOKEN is not set: it holds the token that the host takes.');
  if (account === true && workspace !== undefined) throw new UsageError('Give --account or --workspace, not both.');
  const address = url ?? (env.TILO_URL || usualUrl);
  if (!URL.canParse(address)) throw new UsageError(`${JSON.stringify(address)} is no address of a host.`);
  const { connect } = await import('../../sdk/workspace/connect.ts');
  // Without a session of its own: so all calls of a token are one connection, and one command undoes what another did.
  const host = await connect({ url: address, token, session: null });
  const name = workspace ?? (env.TILO_WORKSPACE || usualWorkspace);
  return { calls: account === true ? host : host.workspace(name), close: () => host.close() };
};

/** What is told of a failure. Nothing is served for a workspace that is not there, and the usual one is easily meant. */
const toldOf = (error: unknown, { account }: Options): unknown => {
  if (account === true || !(error instanceof Error) || !('httpStatus' in error) || error.httpStatus !== 404)
    return error;
  const hint = 'Name the workspace with --workspace or TILO_WORKSPACE; tilo --account ls lists those that there are.';
  return new Error(`${error.message} ${hint}`, { cause: error });
};

const add = (program: Parser, command: TiloCommand, terminal: Terminal, done: (exit: number) => void): void => {
  const parser = program.command(command.name).summary(command.summary).description(command.summary);
  for (const name of command.takes) parser.argument(name);
  for (const option of command.options) {
    if (option.value) parser.option(option.flags, described(option), readValue(option.value));
    else parser.option(option.flags, option.summary);
  }
  parser.allowExcessArguments(false).action(async () => {
    const options: Options = parser.optsWithGlobals();
    const print = ({ answer, text }: Told): void => {
      const line = options.json === true ? JSON.stringify(answer) : text;
      if (line !== '') terminal.out(`${line}\n`);
    };
    const { calls, close } = await spaceFor(options, terminal);
    try {
      const told = await command.run({ calls, words: parser.args, options, terminal, print });
      print(told);
      done(told.exit);
    } catch (error) {
      throw toldOf(error, options);
    } finally {
      await close();
    }
  });
};

const parserFor = (terminal: Terminal, done: (exit: number) => void): Parser => {
  const program = new Parser('tilo')
    .description('Work in a workspace: list, read, find, run actions, watch.')
    .option('--url <url>', `the host (default: TILO_URL, else ${usualUrl})`)
    .option('--workspace <name>', `the workspace (default: TILO_WORKSPACE, else ${usualWorkspace})`)
    .option('--account', 'all workspaces: paths begin with the name of theirs')
    .option('--json', 'print the typed answer on one line')
    .version(TELIC_VERSION, '--version', 'print the version')
    .helpCommand('help [command]', 'show how a command is used')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', after)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: () => {}, getOutHasColors: () => terminal.colours });
  for (const command of commands) add(program, command, terminal, done);
  return program;
};

/**
 * Runs one command of `tilo`.
 *
 * @param argv the words after the name of the program
 * @returns the exit code, as the help says it
 */
export const runTilo = async (argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> => {
  let exit = 0;
  const program = parserFor(terminal, (code) => {
    exit = code;
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const said = (error instanceof Error ? error.message : String(error))
      .replace(/^error: /, '')
      .replace('(outputHelp)', 'There is no such command to show the help of.');
    terminal.err(`tilo: ${said}\n`);
    return error instanceof CommanderError || error instanceof UsageError ? 2 : 1;
  }
};
