import type { Terminal } from '../terminal.ts';

export interface Paint {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
}

/** Colours for people at a terminal; plain text for everybody else. */
export const paintFor = ({ colours }: Terminal): Paint => {
  const by =
    (on: number, off: number) =>
    (text: string): string =>
      colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { strong: by(1, 22), faint: by(2, 22), good: by(32, 39), bad: by(31, 39) };
};
