import { lowest, median, quantile } from './figures.ts';

export const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

const isFigure = (cell: string): boolean => /^[-+≈]?[\d.,]/.test(cell);

/** One table: words to the left, figures to the right. */
export const printTable = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): void => {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const right = isFigure(cell) || (column > 0 && rows.some((row) => isFigure(row[column] ?? '')));
        return right ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  print();
  print(title);
  print(line(head));
  print(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) print(line(row));
};

const inMilliseconds = (value: number): string => value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 1);

export const timeHead = ['lowest ms', 'p50 ms', 'p95 ms', 'runs'] as const;

/** Lowest, p50, p95 and the number of samples in milliseconds. */
export const timeCells = (samples: readonly number[]): readonly string[] => [
  inMilliseconds(lowest(samples)),
  inMilliseconds(median(samples)),
  inMilliseconds(quantile(samples, 0.95)),
  String(samples.length),
];

export const ratio = (value: number, base: number): string => (value / base).toFixed(2);
