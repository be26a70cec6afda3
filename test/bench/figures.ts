/** Sample statistics of a noisy machine: the lowest says what the code costs, the rest how it was disturbed. */

/** The value below which a part of the samples lies, by the nearest rank. */
export const quantile = (samples: readonly number[], part: number): number => {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] ?? Number.NaN;
};

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);
export const lowest = (samples: readonly number[]): number => quantile(samples, 0);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The least-squares slope of `y` over `x`. */
export const slopeOf = (points: readonly Readonly<{ x: number; y: number }>[]): number => {
  const x = mean(points.map((point) => point.x));
  const y = mean(points.map((point) => point.y));
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return over / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
};

/** A median with its standard error, estimated from the quartiles so that a few disturbed rounds do not carry it. */
export const estimate = (values: readonly number[]): Readonly<{ value: number; noise: number }> => {
  const spread = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349;
  return { value: median(values), noise: (1.2533 * spread) / Math.sqrt(values.length) };
};
