import { shorten } from '../../machines/sentence.ts';

/** Says one thing on standard error: one line, at most 800 characters, control characters replaced. */
export type Report = (text: string) => void;

export const reportToStderr: Report = (text) => {
  process.stderr.write(`${shorten(`telic: ${text}`)}\n`);
};
