import type { ConformanceReport } from './conformance.ts';
import type { Divergence } from './divergence.ts';

/** A report for people. */

const longestValue = 300;

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
};

const columns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const coverLines = ({ covers }: ConformanceReport): readonly string[] =>
  columns([
    ['mode', 'topology', 'edges', 'closed by a rule', 'walks', 'whole paths'],
    ...covers.map(({ pair: [mode, topology], edges, covered, closed, walks, whole, stopped }) => {
      const rules = [...new Set(closed.map(({ rule }) => rule))].join(', ');
      return [
        mode,
        topology,
        `${covered} of ${edges}`,
        closed.length === 0 ? '-' : `${closed.length} (${rules})`,
        String(walks),
        stopped === 0 ? String(whole) : `${whole}, ${stopped} ended by a rule`,
      ];
    }),
  ]);

const divergenceLines = (divergence: Divergence, number: number): readonly string[] => {
  const { run, phase, rule, differences, steps, stderr } = divergence;
  const [first, ...others] = differences;
  return [
    `${number}. ${run}, in ${phase}${rule === null ? '' : `: ${rule}`}`,
    ...(first ? [`   ${first.field}: expected ${shown(first.expected)}, got ${shown(first.actual)}`] : []),
    ...(others.length > 0 ? [`   also: ${others.map(({ field }) => field).join(', ')}`] : []),
    ...steps.map((step, index) => `   ${String(index + 1).padStart(3)}  ${step}`),
    ...(stderr.trim() === '' ? [] : [`   it said: ${shown(stderr.trim().split('\n').at(-1) ?? '')}`]),
  ];
};

/** The table of what was covered, then each divergence with the steps that show it. */
export const reportText = (report: ConformanceReport): string => {
  const { counts, faults, sequences, rules, divergences, seed, runs, strict, cut } = report;
  const found = divergences.length === 1 ? '1 divergence' : `${divergences.length} divergences`;
  return [
    `server: ${report.server.join(' ')}`,
    `seed ${seed}, runs ${runs}, compared ${strict ? 'to the letter' : 'by what is accepted and where the run then stands'}`,
    '',
    ...coverLines(report),
    '',
    `artifacts with one fault: ${faults.sent} sent; ${faults.harmless} changes broke no rule`,
    `random sequences: ${sequences.sequences} with ${sequences.commands} commands`,
    `calls: ${counts.calls}; accepted ${counts.accepted}, refused ${counts.refused} by ${rules.length} rules`,
    '',
    divergences.length === 0 ? 'No divergence.' : `${found}${cut ? '; the rest was not tried' : ''}:`,
    ...divergences.flatMap((divergence, index) => ['', ...divergenceLines(divergence, index + 1)]),
    '',
  ].join('\n');
};
