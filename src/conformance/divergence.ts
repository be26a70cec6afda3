import type { ToolCall } from './calls.ts';
import type { Difference } from './compare.ts';

/** One way in which a server is not what our machine says, with the calls that show it. */
export interface Divergence {
  /** Which part found it. */
  readonly part: 'paths' | 'faults' | 'sequences';
  /** What the run was: mode and topology, or the words of the start. */
  readonly run: string;
  /** The phase in which it showed. */
  readonly phase: string;
  /** The rule that our machine names, when it refuses. */
  readonly rule: string | null;
  readonly differences: readonly Difference[];
  /** What was done, in words, from the start to the call that diverges. */
  readonly steps: readonly string[];
  /** The same as calls, bodies included. */
  readonly calls: readonly ToolCall[];
  /** What the server said on standard error. */
  readonly stderr: string;
}

export type Found = Omit<Divergence, 'part' | 'run' | 'stderr'>;

/** Thrown where server and machine part; nothing after it could be judged. */
export class DivergenceError extends Error {
  override readonly name = 'DivergenceError';
  readonly found: Found;

  constructor(found: Found) {
    const [first] = found.differences;
    super(
      `${first?.field ?? 'answer'}: expected ${JSON.stringify(first?.expected)}, got ${JSON.stringify(first?.actual)}`,
    );
    this.found = found;
  }
}
