// Finds markets that a published country has for the first time, and whose ggr is far too small beside the country's.

import { getOrInsert } from '../../../src/maps.ts';
import { upperMedian } from '../../../src/medians.ts';
import type { Matched } from '../rows/matchedRows.ts';
import type { AmountKey } from './amountKeys.ts';
import { NO_AMOUNTS } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { type Broken, MARKETS } from './relationLevels.ts';

/** How many times smaller than in the median country the share of a market may be. In the sample, it is at most 25 times smaller. */
const MOST_TIMES_SMALLER = 200;

/** The fewest other countries whose shares of a market show what is usual. */
const FEWEST_COUNTRIES = 5;

/** The share of its country, and the place, of a new market in one year. */
interface SmallMarket {
  readonly key: AmountKey;
  readonly share: number;
}

/**
 * The new markets of a country whose share of its ggr is 200 times smaller than that of the same market in the median country.
 * Their figures are probably in thousands. If turnover is in thousands as well, its ratio to ggr shows nothing.
 */
export function smallNewMarkets(amounts: CollectedAmounts): Broken[] {
  const matched = amounts.matchedOf('ggr');
  if (matched === null) return [];
  const grown = countriesWithNewFigures(matched);
  if (grown.size === 0) return [];
  const isNew = newMarketsOf(amounts);
  const totals = amounts.totals('ggr', 'after');
  const found: Broken[] = [];
  for (const [place, ofPlace] of amounts.at(MARKETS, 'ggr', 'after')) {
    const largest = new Map<string, SmallMarket>();
    for (const [key, ggr] of ofPlace) {
      const country = amounts.keys.countryOf(key);
      if (!grown.has(country)) continue;
      const share = ggr / (totals.get(key) ?? Number.NaN);
      if (share > (largest.get(country)?.share ?? 0)) largest.set(country, { key, share });
    }
    for (const [country, { key, share }] of largest) {
      if (share * MOST_TIMES_SMALLER >= 1 || !isNew(place, country)) continue;
      const { year } = amounts.keys.decode(key);
      const usual = usualShare(amounts, { place, country, year });
      if (usual === null || share * MOST_TIMES_SMALLER >= usual) continue;
      const where = { dataset: 'ggr', country, year, currency: null, level: MARKETS, place } as const;
      found.push({ relation: 'small-market', ...where, before: usual, after: share });
    }
  }
  return found;
}

/** The countries with a figure that the earlier side lacks. No other country has a new market. */
function countriesWithNewFigures({ before, after, changed, codes }: Matched): ReadonlySet<string> {
  const ggrBefore = before.values(0);
  const countries = after.codes('country');
  const found = new Set<number>();
  for (let i = 0; i < changed.count; i += 1) {
    const from = changed.before[i] as number;
    const to = changed.after[i] as number;
    if (to >= 0 && (from < 0 || Number.isNaN(ggrBefore[from]))) found.add(countries[to] as number);
  }
  return new Set([...found].map((code) => String(codes.values('country')[code])));
}

/** Tells whether a published country had no ggr of a market in any year that concerns it. */
function newMarketsOf(amounts: CollectedAmounts): (place: string, country: string) => boolean {
  const countriesOf = (all: Iterable<number>) => new Set([...all].map((key) => amounts.keys.countryOf(key)));
  const published = countriesOf(amounts.totals('ggr', 'before').keys());
  const withMarket = new Map<string, ReadonlySet<string>>();
  return (place, country) => {
    if (!published.has(country)) return false;
    const known = getOrInsert(withMarket, place, () =>
      countriesOf((amounts.at(MARKETS, 'ggr', 'before').get(place) ?? NO_AMOUNTS).keys()),
    );
    return !known.has(country);
  };
}

/** The median share of a market in the other countries that have it in a year; null if too few have it. */
function usualShare(
  amounts: CollectedAmounts,
  { place, country, year }: { place: string; country: string; year: number },
): number | null {
  const totals = amounts.totals('ggr', 'after');
  const others = new Set([...totals.keys()].map((key) => amounts.keys.countryOf(key)));
  others.delete(country);
  const wanted = new Set([...others].map((other) => `${other} ${year}`));
  const shares = new Map<string, number>();
  for (const [key, ggr] of amounts.marketsIn('ggr', wanted).get(place) ?? []) {
    const share = ggr / (totals.get(key) ?? Number.NaN);
    if (share > 0) shares.set(amounts.keys.countryOf(key), share);
  }
  return shares.size < FEWEST_COUNTRIES ? null : upperMedian([...shares.values()]);
}
