import { z } from 'zod';
import { head, Refs, Summary, str, Text, Texts, Ts } from '../primitives.ts';

/** Something captured while a node was worked on (artifacts 8.4). */

export const EvidenceKind = z.enum([
  'repository',
  'runtime',
  'browser',
  'test',
  'diff',
  'tool_output',
  'log',
  'user_confirmation',
]);
export type EvidenceKind = z.infer<typeof EvidenceKind>;

export const Encoding = z.enum(['utf8', 'base64']);
export type Encoding = z.infer<typeof Encoding>;

export const Evidence = z.strictObject({
  ...head,
  kind: EvidenceKind,
  capturedAt: Ts,
  summary: Summary,
  contentType: str(1, 255),
  encoding: Encoding,
  content: Text,
  sourceRefs: Refs,
  redactions: Texts,
  rationaleSummary: Summary,
});
export type Evidence = z.infer<typeof Evidence>;
