import { describe, expect, it } from 'vitest';
import { type ConformanceReport, type Part, runConformance } from '../../src/conformance/conformance.ts';
import { reportText } from '../../src/conformance/reportText.ts';
import { type Rewrite, variantServer, without } from './variant.ts';

/** Builds and examinations of whole servers, on a machine that may be busy. */
const patience = 300_000;

const examine = async (
  rewrite: Rewrite,
  parts: readonly Part[],
  over: Readonly<{ strict?: boolean; runs?: number; types?: readonly string[] }> = {},
): Promise<ConformanceReport> => {
  const { strict = true, runs = 25, types } = over;
  const command = await variantServer(rewrite);
  const subject = { command, env: process.env, cwd: import.meta.dirname, strict };
  return runConformance({ ...subject, seed: 7, runs, parts, ...(types && { types }) });
};

const replacing = (file: string, before: string, after: string): Rewrite => ({
  file,
  change: (source) => source.replace(before, after),
});

describe('a server with a planted fault', () => {
  it.each([
    ['ADM-FRAME-04', 'ProblemFrame', 3],
    ['ADM-PLAN-28', 'WorkPlan', 6],
    ['ADM-QUALITY-11', 'QualityReview', 10],
  ])(
    'is found out by an artifact with one fault when it has lost %s',
    async (code, type, most) => {
      const { ok, divergences } = await examine(without(code), ['faults'], { types: [type] });
      expect(ok).toBe(false);
      const own = divergences.filter(({ rule }) => rule === code);
      expect(own.length).toBeGreaterThan(0);
      for (const { steps, differences } of own) {
        expect(JSON.stringify(differences[0]?.expected)).toContain(code);
        expect(JSON.stringify(differences[0]?.actual)).not.toContain(code);
        expect(steps.at(-1)).toContain(`submit ${type}`);
      }
      // Start, the way to the phase, what was spoiled, and the call itself.
      expect(Math.min(...own.map(({ steps }) => steps.length))).toBeLessThanOrEqual(most + 2);
    },
    patience,
  );

  it(
    'is found out by a path when a row of the routing table is wrong',
    async () => {
      const rewrite = replacing('/machines/run.ts', "otherwise('contract')", "otherwise('review')");
      const { divergences } = await examine(rewrite, ['paths'], { runs: 0 });
      const [first] = divergences;
      expect(first?.steps).toEqual([expect.stringMatching(/^start /), 'ground', 'submit ProblemFrame']);
      expect(first?.differences.map(({ field }) => field)).toContain('run.phase');
    },
    patience,
  );

  it(
    'is found out by a random sequence, shrunk to what it needs, when it forgets to judge tokens',
    async () => {
      const rewrite = replacing(
        '/machines/kit.ts',
        'stale: ({ context, event }) => refusal.isStale(context, sent(event))',
        'stale: () => false',
      );
      const report = await examine(rewrite, ['sequences'], { runs: 25 });
      const [shortest] = report.divergences.toSorted((one, other) => one.steps.length - other.steps.length);
      expect(shortest?.rule).toMatch(/^ADM-TR-0[23]$/);
      expect(shortest?.steps.length).toBeLessThanOrEqual(4);
      expect(reportText(report)).toContain(`: ${shortest?.rule}\n`);
    },
    patience,
  );

  it(
    'is found out when a call ends it',
    async () => {
      const rewrite = replacing(
        '/machines/broker.ts',
        'const { record, ',
        'if (event) process.exit(3);\n  const { record, ',
      );
      const { divergences } = await examine(rewrite, ['sequences'], { runs: 25 });
      const fields = divergences.flatMap(({ differences }) => differences.map(({ field }) => field));
      expect(fields).toContain('telic_check_tool_action');
    },
    patience,
  );
});

describe('a server that names no codes', () => {
  const rewrite = replacing(
    '/src/mcp/present.ts',
    'presentFailure = (failure: Failure): Answer => ({ ...failure })',
    'presentFailure = (failure: Failure): Answer => ({ ok: false, error: failure.error })',
  );

  it(
    'passes by what it accepts, and not to the letter',
    async () => {
      const loose = await examine(rewrite, ['sequences'], { strict: false, runs: 10 });
      expect(loose.divergences).toEqual([]);
      const strict = await examine(rewrite, ['sequences'], { strict: true, runs: 10 });
      expect(strict.divergences.map(({ differences }) => differences[0]?.field)).toContain('code');
    },
    patience,
  );
});
