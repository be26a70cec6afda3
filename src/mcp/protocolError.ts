import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Failure, FailureKind } from '../../schemas/failure.ts';
import { found } from '../../schemas/found.ts';

/** An error of the protocol, not of a tool: the SDK sends its code, sentence and data as the JSON-RPC error. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A request whose parameters name nothing that there is (-32602). */
export const wrongParams = (message: string, data?: unknown): ProtocolError =>
  new ProtocolError(ErrorCode.InvalidParams, message, data);

/**
 * The parameters of a request, if they have the form that its method needs.
 * @throws ProtocolError -32602 naming each parameter that is missing or wrong
 */
export const paramsOf = <T>(method: string, schema: z.ZodType<T>, sent: unknown): T => {
  const parsed = schema.safeParse(sent ?? {});
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => ['params', ...path].join('.')))];
  throw wrongParams(`${found(method)} needs other parameters: ${wrong.join(', ')} missing or of the wrong type.`);
};

/** What the caller can mend by asking for something else. */
const ofTheCaller: readonly FailureKind[] = [
  'bad_input',
  'refused',
  'stale',
  'denied',
  'not_found',
  'conflict',
  'limit',
];

/** A failure where the protocol has no result to carry it. */
export const protocolErrorOf = ({ error, code, kind, next_steps }: Failure): ProtocolError =>
  new ProtocolError(ofTheCaller.includes(kind) ? ErrorCode.InvalidParams : ErrorCode.InternalError, error, {
    code,
    kind,
    next_steps,
  });
