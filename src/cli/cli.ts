import { CommanderError, Command as Parser } from 'commander';
import type { Command, Options } from './command.ts';
import { commands } from './commands.ts';
import { narrowHelp } from './narrowHelp.ts';
import { CommandError, processTerminal, type Terminal } from './terminal.ts';
import { wrapLine } from './wrapLine.ts';

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

/** What help assumes where nothing tells how wide it may be. */
const usualColumns = 80;

/** The parser that refused, so that usage can be told of the command that was meant. */
type Refused = (parser: Parser) => void;

const parserFor = (
  terminal: Terminal,
  more: ReadonlyMap<string, string>,
  done: (exit: number) => void,
  refused: Refused,
): Parser => {
  const program = new Parser('telic')
    .description('The deterministic controller beside a coding agent.')
    .option('--repo <path>', 'the repository (default: the working directory)')
    .option('--json', 'print one compact line of JSON')
    .version(TELIC_VERSION, '--version', 'print the version')
    .helpCommand('help [command]', 'show how a command is used')
    .configureHelp({ showGlobalOptions: true, ...narrowHelp(terminal.columns ?? usualColumns) })
    // Messages are ours: a usage error is told by `runCli`, everything else in one line.
    .configureOutput({
      writeOut: terminal.out,
      writeErr: () => {},
      getOutHasColors: () => terminal.colours,
      getOutHelpWidth: () => terminal.columns ?? usualColumns,
    });
  telling(program, refused);
  for (const command of commands) {
    const parser = telling(add(program, command, terminal, done), refused);
    const text = more.get(command.name);
    if (text !== undefined) {
      const lines = text.split('\n').map((line) => wrapLine(line, terminal.columns));
      parser.addHelpText('after', `\n${lines.join('\n')}`);
    }
  }
  return program;
};

const telling = (parser: Parser, refused: Refused): Parser =>
  parser.exitOverride((error) => {
    refused(parser);
    throw error;
  });

/** Takes the value of an option that may stand once. */
const onlyOnce =
  (flags: string) =>
  (value: string, before: string | undefined): string => {
    const [name = ''] = flags.split(' ');
    if (before !== undefined) throw new CommandError(`${name} is given twice: which one is meant cannot be told.`);
    return value;
  };

const add = (program: Parser, command: Command, terminal: Terminal, done: (exit: number) => void): Parser => {
  const parser = program.command(command.name).summary(command.summary).description(command.summary);
  for (const name of command.takes) parser.argument(name);
  for (const { flags, summary, once } of command.options ?? [])
    once ? parser.option(flags, summary, onlyOnce(flags)) : parser.option(flags, summary);
  parser.allowExcessArguments(false).action(async () => {
    const options: Options = parser.optsWithGlobals();
    const { print, text, exit } = await command.run(terminal, options, parser.args);
    if (text !== undefined && options.json !== true) terminal.out(text);
    else if (print) terminal.out(json(print, options.json === true));
    done(exit);
  });
  return parser;
};

/** How a command is called, and where the rest stands. */
const usageOf = (parser: Parser): string => {
  const asked = parser.parent === null ? 'telic --help' : `telic ${parser.name()} --help`;
  return `Usage: ${parser.createHelp().commandUsage(parser)} (see ${asked})`;
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
  let refusing: Parser | null = null;
  const program = parserFor(
    terminal,
    await moreHelp(argv),
    (code) => {
      exit = code;
    },
    (parser) => {
      refusing = parser;
    },
  );
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
    terminal.err(`\n${usageOf(refusing ?? program)}\n`);
    return 2;
  }
};
