import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { lineReader } from './lines.ts';
import type { MessageId } from './messageId.ts';
import type { ProtocolOutput } from './protectOutput.ts';
import type { Report } from './report.ts';

/** One 2 MiB body fits with room even when every character is escaped; a longer line is no message of ours. */
export const lineLimit = 16 * 1024 * 1024;

/** Answers that the host has not taken yet; above this nothing more is read from it, so that memory stays bounded. */
const outputLimit = 16 * 1024 * 1024;

export type EndReason = 'end of input' | 'output closed';

export interface StdioPorts {
  readonly input: NodeJS.ReadStream;
  readonly output: ProtocolOutput;
  readonly report: Report;
  /** Told once: the host has left. */
  readonly onEnd: (reason: EndReason) => void;
}

export interface StdioTransport extends Transport {
  /** Stops taking requests. */
  readonly stopReading: () => void;
  /** Settles when every request that was taken is answered and every answer handed on. */
  readonly idle: () => Promise<void>;
}

const Id = z.union([z.string(), z.number().int()]);
/** A message that somebody waits for. */
const Asked = z.looseObject({ id: Id, method: z.string() });
const Cancelled = z.looseObject({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: Id }),
});
const Answered = z.union([
  z.looseObject({ id: Id, result: z.unknown() }),
  z.looseObject({ id: Id, error: z.unknown() }),
]);

/**
 * Our own transport over standard input and output: the SDK's ends the connection at 10 MiB and does not notice the end
 * of input (mcp-surface sections 1 and 9). A malformed line is reported and skipped, an oversized one is answered with
 * one error; neither ends the server.
 */
export const stdioTransport = ({ input, output, report, onEnd }: StdioPorts): StdioTransport => {
  const waiting = new Set<MessageId>();
  let unwritten = 0;
  let idlers: (() => void)[] = [];
  let ended = false;
  const decoder = new TextDecoder('utf-8', { fatal: true });

  const settle = (): void => {
    if (waiting.size > 0 || unwritten > 0) return;
    for (const resolve of idlers) resolve();
    idlers = [];
  };
  const leave = (reason: EndReason): void => {
    if (ended) return;
    ended = true;
    onEnd(reason);
  };

  const write = (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      unwritten += 1;
      output.write(`${JSON.stringify(message)}\n`, (error) => {
        unwritten -= 1;
        if (input.isPaused() && !ended && output.stream.writableLength <= outputLimit) input.resume();
        settle();
        if (error) reject(error);
        else resolve();
      });
      if (output.stream.writableLength > outputLimit) input.pause();
    });
  const refuse = (id: MessageId | null, code: number, message: string): void => {
    // The stream's own error event tells that the output was closed.
    write({ jsonrpc: '2.0', id, error: { code, message } }).catch(() => {});
  };

  const take = (bytes: Buffer): void => {
    let value: unknown;
    try {
      value = JSON.parse(decoder.decode(bytes));
    } catch {
      // The engine's message may show a piece of the line; its length is enough to find it.
      report(`a line of ${bytes.length} bytes on standard input is not JSON in UTF-8; it was skipped`);
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    const asked = Asked.safeParse(value);
    if (!message.success) {
      report(`a line of ${bytes.length} bytes on standard input is no JSON-RPC message; it was skipped`);
      if (asked.success) refuse(asked.data.id, ErrorCode.InvalidRequest, 'This is no JSON-RPC 2.0 request.');
      return;
    }
    if (asked.success) waiting.add(asked.data.id);
    const cancelled = Cancelled.safeParse(value);
    // Nobody answers a cancelled request.
    if (cancelled.success) waiting.delete(cancelled.data.params.requestId);
    transport.onmessage?.(message.data);
  };

  const reader = lineReader(lineLimit, {
    line: take,
    oversized: (id, length) => {
      report(`a line of ${length} bytes on standard input is longer than ${lineLimit}; it was skipped`);
      refuse(id, ErrorCode.InvalidRequest, `The message has ${length} bytes; ${lineLimit} is the limit of one line.`);
    },
  });

  const onData = (piece: Buffer): void => reader.push(piece);
  const onInputEnd = (): void => {
    reader.end();
    leave('end of input');
  };
  const onInputError = (): void => leave('end of input');
  const onOutputEnd = (): void => leave('output closed');
  const stopReading = (): void => {
    input.off('data', onData);
    input.pause();
  };

  const transport: StdioTransport = {
    start: async () => {
      output.stream.on('error', onOutputEnd);
      output.stream.on('close', onOutputEnd);
      input.on('data', onData);
      input.on('end', onInputEnd);
      input.on('close', onInputEnd);
      input.on('error', onInputError);
    },
    send: async (message: JSONRPCMessage) => {
      const answered = Answered.safeParse(message);
      const written = write(message);
      if (answered.success) waiting.delete(answered.data.id);
      return written;
    },
    close: async () => {
      stopReading();
      transport.onclose?.();
    },
    stopReading,
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve);
        settle();
      }),
  };
  return transport;
};
