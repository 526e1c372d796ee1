// Measures how far ratios are from 1, up and down alike.

/**
 * The distance between two numbers above 0: the absolute natural logarithm of their quotient. With one number, the distance
 * from 1.
 */
export const logDistance = (a: number, b = 1): number => Math.abs(Math.log(a / b));

/** The finite ratio above 0 that is nearest to 1. Of equally near ones, it is the first; null when there is none. */
export const nearestToOne = (ratios: Iterable<number>): number | null => {
  let nearest: number | null = null;
  for (const ratio of ratios)
    if (
      ratio > 0 &&
      Number.isFinite(ratio) &&
      (nearest === null || logDistance(ratio) < logDistance(nearest))
    )
      nearest = ratio;
  return nearest;
};
