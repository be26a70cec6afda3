import type { Answer } from '../sdk/connectStdio.ts';
import type { Bench } from './bench.ts';
import type { Difference } from './compare.ts';
import type { Client } from './world.ts';

/** Ways to ask a server that turn silence and nonsense into differences. */
export interface Asking {
  send(client: Client, tool: string, args: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** What `read` gives; its failure is that of the answer, which is not what the protocol describes. */
  parse<T>(field: string, read: () => T): T;
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 400);

/** @param diverge throws the divergence that differences make */
export const asking = ({ world, tally }: Bench, diverge: (differences: readonly Difference[]) => never): Asking => ({
  send: async (client, tool, args) => {
    tally.calls += 1;
    try {
      return await world.call(client, tool, args);
    } catch (error) {
      return diverge([{ field: tool, expected: 'an answer', actual: said(error) }]);
    }
  },
  parse: (field, read) => {
    try {
      return read();
    } catch (error) {
      return diverge([{ field, expected: 'an answer as the protocol describes it', actual: said(error) }]);
    }
  },
});
