// Computes the hold of a market, which is the share of stakes that operators keep: ggr / turnover.

import type { Fact } from './model.ts';
import { draw, swing } from './random.ts';
import { isAmalgamated } from './tables/countries.ts';
import { productOf } from './tables/taxonomy.ts';

/** The hold of a market in a year, as a fraction within the range of its product; null when its stakes are unknown. */
export function holdOf({ country, state, key, subChannel, year }: Fact): number | null {
  const { holdPercent } = productOf(key);
  if (holdPercent === null || isAmalgamated(country)) return null;
  const [low, high] = holdPercent;
  const usual = low + (high - low) * (0.2 + 0.6 * draw('hold', country.name, key, subChannel));
  const percent = usual * (1 + 0.04 * swing('hold', country.name, state, key, subChannel, year));
  return Math.min(high, Math.max(low, percent)) / 100;
}
