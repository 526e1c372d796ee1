// Finds the factors that explain how figures moved: each figure is the one before times the factor, rounded.

/** A figure on both sides. */
export interface OldAndFresh {
  readonly old: number;
  readonly fresh: number;
}

/**
 * The factors that explain all of these figures: those from `least` to `most`, none where `least` is larger.
 *
 * @param rounding How far rounding moves a figure.
 */
export function factorsOf(
  figures: readonly OldAndFresh[],
  rounding: number,
): { readonly least: number; readonly most: number } {
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const { old, fresh } of figures) {
    least = Math.max(least, (fresh - rounding) / old);
    most = Math.min(most, (fresh + rounding) / old);
  }
  return { least, most };
}

/** The unit in which figures are rounded: a power of ten. */
export function unitOf(values: readonly number[]): number {
  let unit = 1;
  while (unit < LARGEST_UNIT && values.every((value) => value % (10 * unit) === 0)) unit *= 10;
  return unit;
}

const LARGEST_UNIT = 1_000_000;
