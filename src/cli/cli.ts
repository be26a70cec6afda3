import { CommanderError, Command as Parser } from 'commander';
import { shorten } from '../../machines/sentence.ts';
import { type Command, commands, type Options } from './commands.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** The command line of mcp-surface section 8. Exit 0: done. 1: an error, one line. 2: no such command or option. */

declare const TELIC_VERSION: string;

const longestMessage = 800;

/** Refused before anything runs: what is meant cannot be told. */
const usageCodes: readonly string[] = [
  'commander.unknownCommand',
  'commander.unknownOption',
  'commander.excessArguments',
  'commander.optionMissingArgument',
  // Asked for the help of something that is no command.
  'commander.help',
];

const json = (value: object, compact: boolean): string => `${JSON.stringify(value, null, compact ? 0 : 2)}\n`;

const parserFor = (terminal: Terminal, done: (exit: number) => void): Parser => {
  const program = new Parser('telic')
    .description('The deterministic controller beside a coding agent.')
    .option('--repo <path>', 'the repository (default: the working directory)')
    .option('--json', 'print one compact line of JSON')
    .version(TELIC_VERSION, '--version', 'print the version')
    .helpCommand('help [command]', 'show how a command is used')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    // Messages are ours: a usage error is told by `runCli`, everything else in one line.
    .configureOutput({ writeOut: terminal.out, writeErr: () => {}, getOutHasColors: () => terminal.colours });
  for (const command of commands) add(program, command, terminal, done);
  return program;
};

const add = (program: Parser, command: Command, terminal: Terminal, done: (exit: number) => void): void => {
  const parser = program.command(command.name).summary(command.summary).description(command.summary);
  for (const name of command.takes) parser.argument(`<${name}>`);
  for (const { flags, summary } of command.options ?? []) parser.option(flags, summary);
  parser.allowExcessArguments(false).action(async () => {
    const options: Options = parser.optsWithGlobals();
    const { print, exit } = await command.run(terminal, options, parser.args);
    if (print) terminal.out(json(print, options.json === true));
    done(exit);
  });
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs one command of `telic`.
 *
 * @param argv the words after the name of the program
 * @returns the exit code; nothing stands on standard output when it is 1 for an error, or 2
 */
export const runCli = async (argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> => {
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
    const said = messageOf(error)
      .replace(/^error: /, '')
      .replace('(outputHelp)', 'no such command to show the help of');
    terminal.err(`telic: ${shorten(said, longestMessage)}\n`);
    if (!(error instanceof CommanderError) || !usageCodes.includes(error.code)) return 1;
    terminal.err(`\n${program.helpInformation()}`);
    return 2;
  }
};
