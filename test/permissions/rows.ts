import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { DecisionDetail, DecisionReason } from '../../schemas/permissions.ts';
import { IntentMode, RecordStatus, WorkPhase } from '../../schemas/vocabulary.ts';

/** The shapes of `test/conformance/permissions.json`, as far as tests read them. */

const list = z.array(z.string()).default([]);
const flag = z.boolean().default(false);
const count = z.number().default(0);

/** A sparse patch over the empty set; looser than the schema, since some rows hold what the schema refuses. */
const Patch = z.strictObject({
  repository: z.strictObject({ read: list, write: list, delete: list }).prefault({}),
  shell: z.strictObject({ inspect: flag, executeAllowlist: list }).prefault({}),
  runtime: z.strictObject({ inspect: list, restart: list }).prefault({}),
  browser: z.strictObject({ inspect: flag, mutateState: flag }).prefault({}),
  network: z.strictObject({ readDomains: list, externalWrite: flag }).prefault({}),
  subagents: z.strictObject({ spawn: flag, maximumChildren: count, maximumDepth: count }).prefault({}),
});

const Request = z.object({ capability: z.string(), target: z.string().optional() });
const strings = z.array(z.string());

const Rows = z.object({
  modeCeilings: z.record(IntentMode, strings),
  defaultGrants: z.record(IntentMode, strings),
  capabilities: strings,
  inspectTargets: strings,
  reasonCodes: strings,
  detailCodes: strings,
  fixture: z.object({
    files: z.record(z.string(), z.string()),
    outside: z.record(z.string(), z.string()),
    symlinks: z.record(z.string(), z.string()),
  }),
  decide: z.array(
    z.object({
      id: z.string(),
      mode: IntentMode,
      permissions: Patch,
      request: Request,
      context: z
        .strictObject({
          runStatus: RecordStatus.optional(),
          childrenUsed: z.number().optional(),
          depth: z.number().optional(),
        })
        .prefault({}),
      expect: z.strictObject({ allowed: z.boolean(), reasonCode: DecisionReason, detailCode: DecisionDetail }),
    }),
  ),
  hostEntries: z.array(z.object({ id: z.string(), input: z.string(), expect: z.string().nullable() })),
  commandEntries: z.array(
    z.object({ id: z.string(), input: z.string(), expect: z.object({ valid: z.boolean(), detailCode: z.string() }) }),
  ),
  subset: z.array(z.object({ id: z.string(), requested: Patch, allowed: Patch, expect: z.boolean() })),
  intersect: z.array(
    z.object({ id: z.string(), mode: IntentMode, granted: Patch, denied: Patch, expectEffective: Patch }),
  ),
  startRun: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      arguments: z.strictObject({
        mode: IntentMode,
        original_request: z.string().optional(),
        host_capabilities: z.union([z.literal('ALL'), strings]).optional(),
        authorization_granted: strings.optional(),
        authorization_denied: strings.optional(),
        shell_execute_allowlist: z.union([z.literal('257 distinct commands'), strings]).optional(),
        network_read_domains: strings.optional(),
        native_subagents: z.enum(['available', 'unavailable', 'unknown']).optional(),
      }),
      expect: z.discriminatedUnion('ok', [
        z.object({
          ok: z.literal(true),
          granted: Patch,
          denied: Patch,
          effective: Patch,
          budgets: z.object({ maximumParallelWorkers: z.number(), maximumSubagentDepth: z.number() }),
        }),
        z.object({ ok: z.literal(false), channel: z.string() }),
      ]),
    }),
  ),
  phase: z.array(
    z.object({
      id: z.string(),
      mode: IntentMode,
      phase: WorkPhase,
      runPermissions: Patch,
      nodePermissions: Patch.optional(),
      request: Request,
      expect: z.object({
        envelopeScope: z.object({ allowed: z.boolean() }),
        actionScope: z.object({ allowed: z.boolean(), detailCode: z.string() }),
      }),
    }),
  ),
  recordedScope: z.array(
    z.object({
      id: z.string(),
      capability: z.string(),
      target: z.string().optional(),
      targetLength: z.number().optional(),
      scope: z.string().optional(),
      scopeMaxLength: z.number().optional(),
    }),
  ),
});

/** The conformance rows of permissions. */
export const rows = Rows.parse(
  JSON.parse(readFileSync(new URL('../conformance/permissions.json', import.meta.url), 'utf8')),
);

/** What stands for the absolute root in a row. */
export const rootMark = '$' + '{ROOT}';

/** Lays the fixture down in a new temporary folder; gives the folder and the root of the repository in it. */
export const buildFixture = (): Readonly<{ folder: string; root: string }> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telic-permissions-')));
  const write = (base: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(base, name)), { recursive: true });
      writeFileSync(join(base, name), text);
    }
  };
  const root = join(folder, 'repo');
  write(root, rows.fixture.files);
  write(join(folder, 'outside'), rows.fixture.outside);
  for (const [name, target] of Object.entries(rows.fixture.symlinks)) symlinkSync(target, join(root, name));
  return { folder, root };
};
