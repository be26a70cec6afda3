import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The rows `hookMapping` and `gate` of `test/conformance/permissions.json`. */

const Mapping = z.object({
  id: z.string(),
  host: z.string(),
  input: z.unknown(),
  expect: z.object({
    kind: z.enum(['requests', 'pass', 'unknown', 'malformed']),
    requests: z.array(z.object({ capability: z.string(), target: z.string().optional() })).optional(),
  }),
});

const Session = z.enum([
  'none',
  'valid',
  'version_mismatch',
  'run_finished',
  'other_repository',
  'no_ledger',
  'malformed_file',
]);

const Gate = z.object({
  id: z.string(),
  strict: z.boolean(),
  permissive: z.boolean(),
  session: Session,
  input: z.unknown(),
  expect: z.object({ decision: z.enum(['allow', 'deny', 'ask_or_deny']) }),
  after: z.object({ traceReadable: z.literal(true) }).optional(),
});
export type GateRow = z.infer<typeof Gate>;

const Rows = z.object({ hookMapping: z.array(Mapping), gate: z.array(Gate) });

export const rows = Rows.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'conformance', 'permissions.json'), 'utf8')),
);
