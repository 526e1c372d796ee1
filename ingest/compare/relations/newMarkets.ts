// Finds markets that a published country has for the first time, and whose turnover is implausible beside their ggr.

import { type Amounts, MARKET_DATASETS, NO_AMOUNTS } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { type Broken, MARKETS, SMALLEST_PART } from './relationLevels.ts';

/** The range of plausible ratios of turnover to ggr. Rounding alone moves a ratio of 1 by less than 2 %. */
const LEAST_RATIO = 0.98;
const MOST_RATIO = 300;

/**
 * The new markets of a country with turnover below ggr, or more than 300 times as much. No other relation finds these, because
 * the earlier side has nothing that held. All markets of a new country are new, so the checks of a first load look at it.
 */
export function implausibleNewMarkets(amounts: CollectedAmounts): Broken[] {
  const dataset = amounts.hasChanged('turnover') ? 'turnover' : 'ggr';
  const ggrAfter = amounts.at(MARKETS, 'ggr', 'after');
  const found: Broken[] = [];
  for (const [place, ofPlace] of amounts.at(MARKETS, 'turnover', 'after')) {
    const ggr = ggrAfter.get(place) ?? NO_AMOUNTS;
    for (const [key, turnover] of ofPlace) {
      const after = turnover / (ggr.get(key) ?? Number.NaN);
      const isImplausible = (after > 0 && after < LEAST_RATIO) || after > MOST_RATIO;
      if (!isImplausible || turnover < SMALLEST_PART) continue;
      const { country, year } = amounts.keys.decode(key);
      if (!isNewMarket(amounts, place, country)) continue;
      const where = { dataset, country, year, currency: null, level: MARKETS, place } as const;
      found.push({ relation: 'new-market', ...where, before: Number.NaN, after });
    }
  }
  return found;
}

/** Whether the country was published, and had no ggr or no turnover of the market in any year that concerns it. */
function isNewMarket(amounts: CollectedAmounts, place: string, country: string): boolean {
  const has = (all: Amounts) => [...all.keys()].some((key) => amounts.keys.countryOf(key) === country);
  return (
    has(amounts.totals('ggr', 'before')) &&
    MARKET_DATASETS.some((dataset) => !has(amounts.at(MARKETS, dataset, 'before').get(place) ?? NO_AMOUNTS))
  );
}
