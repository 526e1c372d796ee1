// Measures how far ratios are from 1, up and down alike.

/** How far two numbers are apart, or a ratio from 1: as the logarithm of their quotient. */
export const distance = (a: number, b = 1): number => Math.abs(Math.log(a / b));

/** Of the finite ratios above 0, the one nearest to 1, the first of several; null when there is none. */
export const nearestToOne = (ratios: Iterable<number>): number | null => {
  let nearest: number | null = null;
  for (const ratio of ratios)
    if (ratio > 0 && Number.isFinite(ratio) && (nearest === null || distance(ratio) < distance(nearest)))
      nearest = ratio;
  return nearest;
};
