import { exportRun, writeNew } from './bundle.ts';
import { stateOf } from './repository.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** The options of the command, as they were written. */
type Asked = Readonly<{
  repo?: string | undefined;
  out?: string | undefined;
  statement?: boolean | undefined;
}>;

/**
 * `telic export`: the bundle or the statement, into a file or onto standard output.
 *
 * @throws CommandError when the run cannot be exported, has no report yet, or the file cannot be written
 */
export const exporting = (
  terminal: Terminal,
  { repo, out, statement: asStatement }: Asked,
  run: string,
): Readonly<{ print?: object; exit: number }> => {
  const { bytes, statement, ...about } = exportRun(stateOf(terminal, repo), run);
  if (asStatement !== true) {
    if (out !== undefined) {
      writeNew(terminal, out, bytes);
      return { print: { ...about, file: out, bytes: bytes.byteLength }, exit: 0 };
    }
    terminal.out(bytes.toString('utf8'));
    return { exit: 0 };
  }
  if (!statement) throw new CommandError(`Run ${run} has no final report yet, so there is nothing to state.`);
  if (out === undefined) return { print: statement, exit: 0 };
  const text = `${JSON.stringify(statement)}\n`;
  writeNew(terminal, out, text);
  return { print: { runId: about.runId, file: out, bytes: Buffer.byteLength(text) }, exit: 0 };
};
