// Computes medians. For an odd number of values, all three functions give the middle value. For no values they give NaN.

/** The median. For an even number of values, it is the mean of the two middle ones. */
export const median = (values: readonly number[]): number => (lowerMedian(values) + upperMedian(values)) / 2;

/** The median as one of the values. For an even number of values, it is the lower of the two middle ones. */
export const lowerMedian = (values: readonly number[]): number =>
  sorted(values)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** The median as one of the values. For an even number of values, it is the upper of the two middle ones. */
export const upperMedian = (values: readonly number[]): number =>
  sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
