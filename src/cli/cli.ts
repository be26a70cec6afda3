import { CommanderError, Command as Parser } from 'commander';
import type { Command, Options } from './command.ts';
import { commands } from './commands.ts';
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

const helpWords: readonly string[] = ['help', '--help', '-h'];

const json = (value: object, compact: boolean): string => `${JSON.stringify(value, null, compact ? 0 : 2)}\n`;

/** What the help of a command says below its options; loaded only where help may be asked for. */
const moreHelp = async (argv: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const more = new Map<string, string>();
  if (!argv.some((word) => helpWords.includes(word))) return more;
  for (const command of commands)
    if (command.more && argv.includes(command.name)) more.set(command.name, await command.more());
  return more;
};

const parserFor = (terminal: Terminal, more: ReadonlyMap<string, string>, done: (exit: number) => void): Parser => {
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
  for (const command of commands) {
    const parser = add(program, command, terminal, done);
    const text = more.get(command.name);
    if (text !== undefined) parser.addHelpText('after', `\n${text}`);
  }
  return program;
};

const add = (program: Parser, command: Command, terminal: Terminal, done: (exit: number) => void): Parser => {
  const parser = program.command(command.name).summary(command.summary).description(command.summary);
  for (const name of command.takes) parser.argument(name);
  for (const { flags, summary } of command.options ?? []) parser.option(flags, summary);
  parser.allowExcessArguments(false).action(async () => {
    const options: Options = parser.optsWithGlobals();
    const { print, text, exit } = await command.run(terminal, options, parser.args);
    if (text !== undefined && options.json !== true) terminal.out(text);
    else if (print) terminal.out(json(print, options.json === true));
    done(exit);
  });
  return parser;
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
  const program = parserFor(terminal, await moreHelp(argv), (code) => {
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
    // Options alone ask for nothing: the same as no word at all.
    if (error instanceof CommanderError && error.code === 'commander.help' && !argv.includes('help')) {
      terminal.out(program.helpInformation());
      return 0;
    }
    // Loaded here: it brings the vocabulary along, which usage can do without.
    const { shorten } = await import('../../machines/sentence.ts');
    const said = messageOf(error)
      .replace(/^error: /, '')
      .replace('(outputHelp)', 'no such command to show the help of');
    terminal.err(`telic: ${shorten(said, longestMessage)}\n`);
    if (!(error instanceof CommanderError) || !usageCodes.includes(error.code)) return 1;
    terminal.err(`\n${program.helpInformation()}`);
    return 2;
  }
};
