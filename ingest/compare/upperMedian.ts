// Computes the median of ratios and factors, for comparisons.

/** The median. Of an even number of values, it is the upper of the two middle ones, so it is always a value; of no values, NaN. */
export const upperMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
