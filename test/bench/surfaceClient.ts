import { closeSync, openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Controller } from '../../src/controller/api.ts';
import type { Budget } from '../../src/mcp/fit/budget.ts';
import { createSurface } from '../../src/mcp/server.ts';
import type { CallTool } from '../../src/sdk/index.ts';
import { complain } from './benchWorld.ts';

/** One call as the server saw it. */
export interface Measured {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** From the parsed request to the written answer. */
  readonly milliseconds: number;
  /** Bytes of the whole line that was written: the text and the structure. */
  readonly wireBytes: number;
  /** Bytes of the answer once, as its text. */
  readonly answerBytes: number;
  /** Characters of the answer once, as its text. */
  readonly answerCharacters: number;
}

export interface SurfaceClient {
  readonly call: CallTool;
  readonly calls: Measured[];
  /** Any request; gives its result and the bytes of its line. */
  readonly request: (
    method: string,
    params?: Record<string, unknown>,
  ) => Promise<Readonly<{ result: unknown; bytes: number }>>;
  readonly close: () => Promise<void>;
}

const Answered = z.looseObject({ id: z.number(), result: z.unknown().optional() });
const Result = z.looseObject({
  structuredContent: z.record(z.string(), z.unknown()),
  content: z.tuple([z.looseObject({ text: z.string() })], z.looseObject({ type: z.literal('resource_link') })),
});

/**
 * The MCP surface of this process, spoken to without a pipe: what is measured is the server alone, from the parsed
 * request until its line is handed to the system (into the null device).
 * @param budget of the host that asks; that of an unknown host when absent
 */
export const connectSurface = async (controller: Controller, budget: Budget | null = null): Promise<SurfaceClient> => {
  const sink = openSync(devNull, 'w');
  const calls: Measured[] = [];
  const waiting = new Map<number, (answer: Readonly<{ result: unknown; bytes: number; at: number }>) => void>();
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async (message: JSONRPCMessage) => {
      const line = `${JSON.stringify(message)}\n`;
      writeSync(sink, line);
      const at = performance.now();
      const { id, result } = Answered.parse(message);
      waiting.get(id)?.({ result, bytes: Buffer.byteLength(line), at });
      waiting.delete(id);
    },
  };
  const surface = createSurface({
    version: '0',
    controller: async () => controller,
    report: complain,
    budget,
  });
  await surface.connect(transport);

  let last = 0;
  const send = async (method: string, params: Record<string, unknown>) => {
    last += 1;
    const id = last;
    let from = 0;
    const answer = await new Promise<Readonly<{ result: unknown; bytes: number; at: number }>>((resolve) => {
      waiting.set(id, resolve);
      from = performance.now();
      transport.onmessage?.({ jsonrpc: '2.0', id, method, params });
    });
    return { ...answer, milliseconds: answer.at - from };
  };

  await send('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  });
  return {
    calls,
    call: async (tool, args) => {
      const { result, bytes, milliseconds } = await send('tools/call', { name: tool, arguments: args });
      const { structuredContent, content } = Result.parse(result);
      const [{ text }] = content;
      calls.push({
        tool,
        args,
        milliseconds,
        wireBytes: bytes,
        answerBytes: Buffer.byteLength(text),
        answerCharacters: text.length,
      });
      return structuredContent;
    },
    request: async (method, params = {}) => send(method, params),
    close: async () => {
      await surface.close();
      closeSync(sink);
    },
  };
};
