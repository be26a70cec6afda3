import { isJsonObject } from '../../../schemas/jsonObject.ts';
import type { ToolName } from '../../../schemas/tools.ts';
import type { Answer } from '../present.ts';
import type { Budget } from './budget.ts';

/** A call that brings what an answer left out. */
export interface Fetch {
  readonly tool: ToolName;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One part that an answer left out, by its path in the answer. */
export interface Omitted {
  readonly part: string;
  /** Null where nothing needs to be fetched: the part comes again by itself, or what stays says the same. */
  readonly fetch: Fetch | null;
}

/** An answer from which parts were left out. */
export interface Cut {
  readonly answer: Answer;
  readonly omitted: readonly Omitted[];
}

/** The call that is answered. */
export interface Asked {
  readonly tool: string;
  /** As sent, so of any form: what was refused is answered, too. */
  readonly arguments: unknown;
}

export interface Room extends Asked {
  readonly budget: Budget;
  /** By how much the answer is too long, as the host counts. */
  readonly excess: number;
}

/** Leaves one part out; null when the answer has none of it to spare. */
export type Step = (answer: Answer, room: Room) => Cut | null;

/** An argument of the call, if the call named it. */
export const argument = ({ arguments: sent }: Asked, name: string): unknown =>
  isJsonObject(sent) ? (sent[name] ?? undefined) : undefined;

/** Whether the call asked for a part of the action by name. */
export const asksFor = (asked: Asked, part: string): boolean => {
  const parts = argument(asked, 'parts');
  return Array.isArray(parts) && parts.includes(part);
};
