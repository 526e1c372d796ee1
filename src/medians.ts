// Computes medians. Of an odd number of values, all three are the one in the middle; of no values, they are NaN.

/** The median: of an even number of values, the mean of the two middle ones. */
export const median = (values: readonly number[]): number => (lowerMedian(values) + upperMedian(values)) / 2;

/** The median that is always one of the values: of an even number of them, the lower of the two middle ones. */
export const lowerMedian = (values: readonly number[]): number =>
  sorted(values)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** The same, but the upper of the two. */
export const upperMedian = (values: readonly number[]): number =>
  sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
