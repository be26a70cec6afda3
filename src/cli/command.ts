import type { Terminal } from './terminal.ts';

/** The options of every command, and those of some: the values as they were written. */
export interface Options {
  readonly repo?: string | undefined;
  readonly json?: boolean | undefined;
  readonly request?: string | undefined;
  readonly explain?: string | undefined;
  readonly limit?: string | undefined;
  readonly maxFiles?: string | undefined;
  readonly maxFileBytes?: string | undefined;
  readonly maxTotalBytes?: string | undefined;
  readonly maxInventoryFiles?: string | undefined;
  readonly format?: string | undefined;
  readonly output?: string | undefined;
  readonly server?: string | undefined;
  readonly seed?: string | undefined;
  readonly runs?: string | undefined;
  readonly report?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly host?: string | undefined;
  readonly scope?: string | undefined;
  readonly out?: string | undefined;
  readonly statement?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly olderThan?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** False with `--no-compact`. */
  readonly compact?: boolean | undefined;
}

/** What a command prints and how it ends. */
export interface Outcome {
  /** Printed as JSON; nothing when the command has told all by itself. */
  readonly print?: object;
  /** Printed as it is instead, unless `--json` is given. */
  readonly text?: string;
  readonly exit: number;
}

export interface CommandOption {
  readonly flags: string;
  readonly summary: string;
  /** Refused when it is given twice: the first value would be dropped unseen. */
  readonly once?: boolean;
}

export interface Command {
  readonly name: string;
  /** Its arguments: `<needed>`, `[optional]`, `<one or more...>`. */
  readonly takes: readonly string[];
  readonly summary: string;
  readonly options?: readonly CommandOption[];
  /** What its help says below the options. */
  more?(): Promise<string>;
  run(terminal: Terminal, options: Options, args: readonly string[]): Promise<Outcome>;
}
