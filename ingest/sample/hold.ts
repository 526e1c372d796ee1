// The hold (a term of the industry): the share of stakes that operators retain, ggr / turnover.

import type { Fact } from './model.ts';
import { draw, swing } from './random.ts';
import { isAmalgamated } from './tables/countries.ts';
import { productOf } from './tables/taxonomy.ts';

/** The hold of a market in a year, as a fraction inside its product's range; `null` where stakes are not known. */
export function holdOf({ country, state, key, subChannel, year }: Fact): number | null {
  const { holdPercent } = productOf(key);
  if (holdPercent === null || isAmalgamated(country)) return null;
  const [low, high] = holdPercent;
  const usual = low + (high - low) * (0.2 + 0.6 * draw('hold', country.name, key, subChannel));
  const percent = usual * (1 + 0.04 * swing('hold', country.name, state, key, subChannel, year));
  return Math.min(high, Math.max(low, percent)) / 100;
}
