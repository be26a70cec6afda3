import { CommanderError, Command as Parser } from 'commander';
import { type Command, commands, type Options, type Outcome } from './table.ts';
import { CommandError, processTerminal, type Terminal } from './terminal.ts';

/**
 * The command line `telic workspace …` (workspace-wire 2.5). Exit 0: done. 1: an error, one line. 2: no such command or
 * option. 3: another process serves the data directory.
 */

const longestMessage = 800;

/** Refused before anything runs: what is meant cannot be told. */
const usageCodes: readonly string[] = [
  'commander.unknownCommand',
  'commander.unknownOption',
  'commander.excessArguments',
  'commander.missingArgument',
  'commander.optionMissingArgument',
  // Asked for the help of something that is no command.
  'commander.help',
];

const collected = (value: string, previous: readonly string[] | undefined): readonly string[] => [
  ...(previous ?? []),
  value,
];

const show = (terminal: Terminal, { text, print }: Outcome, json: boolean): void =>
  terminal.out(json ? `${JSON.stringify(print)}\n` : text);

const add = (parent: Parser, command: Command, terminal: Terminal, done: (exit: number) => void): void => {
  const word = command.name.split(' ').at(-1) ?? command.name;
  const parser = parent.command(word).summary(command.summary).description(command.summary);
  for (const name of command.takes) parser.argument(name);
  for (const { flags, summary, many } of command.options) {
    if (many === true) parser.option(flags, summary, collected);
    else parser.option(flags, summary);
  }
  parser.allowExcessArguments(false).action(async () => {
    const options: Options = parser.optsWithGlobals();
    const { dataDirectory } = await import('./dataDirectory.ts');
    const came = await command.run(terminal, dataDirectory(terminal, options.data), options, parser.args);
    if (typeof came !== 'number') show(terminal, came, options.json === true);
    done(typeof came === 'number' ? came : 0);
  });
};

const parserFor = (terminal: Terminal, done: (exit: number) => void): Parser => {
  const program = new Parser('telic workspace')
    .description('Workspaces that programs and agents work in over MCP, and the page where their person decides.')
    .option('--data <directory>', 'the data directory (default: $TELIC_WORKSPACE_DATA, else that of the user)')
    .option('--json', 'print one compact line of JSON')
    .helpCommand('help [command]', 'show how a command is used')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    // Messages are ours: a usage error is told by `runWorkspace`, everything else in one line.
    .configureOutput({ writeOut: terminal.out, writeErr: () => {} });
  const tokens = program.command('token').summary('make, list and revoke tokens').description('Tokens for clients.');
  for (const command of commands) add(command.name.startsWith('token ') ? tokens : program, command, terminal, done);
  return program;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Where usage is shown for: the command that was meant, as far as its words lead. */
const meant = (program: Parser, argv: readonly string[]): Parser => {
  const [word, ...rest] = argv.filter((one) => !one.startsWith('-'));
  const next = program.commands.find((command) => command.name() === word);
  return next ? meant(next, rest) : program;
};

/**
 * Runs one command of `telic workspace`.
 *
 * @param argv the words after `workspace`
 * @returns the exit code; nothing stands on standard output when it is 2 or 3, or 1 for an error
 */
export const runWorkspace = async (
  argv: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> => {
  let exit = 0;
  const program = parserFor(terminal, (code) => {
    exit = code;
  });
  if (argv.length === 0) {
    terminal.out(program.helpInformation());
    return 0;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { shorten } = await import('../../../machines/sentence.ts');
    const said = messageOf(error)
      .replace(/^error: /, '')
      .replace('(outputHelp)', 'a command is missing, or there is none of this name');
    terminal.err(`telic: ${shorten(said, longestMessage)}\n`);
    if (error instanceof CommandError && error.exit !== 2) return error.exit;
    const isUsage =
      error instanceof CommandError || (error instanceof CommanderError && usageCodes.includes(error.code));
    if (!isUsage) return 1;
    terminal.err(`\n${meant(program, argv).helpInformation()}`);
    return 2;
  }
};
