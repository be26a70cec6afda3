import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type DiagramFormat,
  type DiagramName,
  diagramFormats,
  diagramNames,
  diagramOf,
} from '../../machines/diagrams/index.ts';
import { systemCodeOf } from '../ledger/errors.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** `telic diagram`: a machine as a picture, made from its definition. */

export interface Diagram {
  readonly machine: DiagramName;
  readonly format: DiagramFormat;
  readonly text: string;
}

/** What was written, in place of the picture itself. */
export type WrittenDiagram = Omit<Diagram, 'text'> & Readonly<{ file: string; bytes: number }>;

const chosen = <T extends string>(what: string, words: readonly T[], said: string): T => {
  const word = words.find((one) => one === said);
  if (word === undefined) throw new CommandError(`${JSON.stringify(said)} is no ${what}: use ${words.join(', ')}.`);
  return word;
};

/** What the help of `diagram` says beside its options. */
export const machineNames = (): string => `Machines: ${diagramNames.join(', ')}\nFormats: ${diagramFormats.join(', ')}`;

/**
 * Draws a machine.
 *
 * @param name one of `diagramNames`
 * @param format one of `diagramFormats`
 * @throws CommandError for an unknown name or format; it names the known ones
 */
export const diagram = async (name = 'run', format = 'mermaid'): Promise<Diagram> => {
  const machine = chosen('machine', diagramNames, name);
  const as = chosen('format', diagramFormats, format);
  return { machine, format: as, text: await diagramOf(machine, as) };
};

/**
 * Writes a picture into a file; one that is there is replaced.
 *
 * @param file a path, relative to the working directory
 * @throws CommandError when it cannot be written
 */
export const writeDiagram = (terminal: Terminal, { text, ...about }: Diagram, file: string): WrittenDiagram => {
  try {
    writeFileSync(resolve(terminal.cwd, file), text);
  } catch (error) {
    if (systemCodeOf(error) === '') throw error;
    throw new CommandError(`${file} cannot be written: the system says ${systemCodeOf(error)}.`);
  }
  return { ...about, file, bytes: Buffer.byteLength(text) };
};
