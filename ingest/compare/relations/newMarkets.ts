// Finds markets whose turnover or size is implausible, and which their country has for the first time.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { upperMedian } from '../../../src/basics/medians.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import type { AmountKey } from './amountKeys.ts';
import { type Amounts, MARKET_DATASETS, type MarketDataset, NO_AMOUNTS } from './amounts.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { type BrokenInYear, LEAST_AMOUNT_OF_PART, MARKET_LEVEL } from './relationLevels.ts';

/** The range of plausible ratios of turnover to ggr. Rounding alone moves a ratio of 1 by less than 2 %. */
const LEAST_RATIO = 0.98;
const MOST_RATIO = 300;

/**
 * The new markets of a country whose turnover is below their ggr, or more than 300 times as large. No other relation finds
 * them, because the earlier side has no figures of them. In a new country every market is new, so the checks of a first
 * load examine new countries.
 */
export function implausibleNewMarkets(amounts: CollectedAmounts): BrokenInYear[] {
  const dataset = amounts.hasChanged('turnover') ? 'turnover' : 'ggr';
  const ggrAfter = amounts.markets('ggr');
  const isNew = newMarketsOf(amounts, MARKET_DATASETS);
  const found: BrokenInYear[] = [];
  for (const [place, ofPlace] of amounts.markets('turnover')) {
    const ggr = ggrAfter.get(place) ?? NO_AMOUNTS;
    for (const [key, turnover] of ofPlace) {
      const after = turnover / (ggr.get(key) ?? Number.NaN);
      const isImplausible = (after > 0 && after < LEAST_RATIO) || after > MOST_RATIO;
      if (!isImplausible || turnover < LEAST_AMOUNT_OF_PART) continue;
      const { country, year } = amounts.keys.decode(key);
      if (!isNew(place, country)) continue;
      const where = { dataset, country, year, level: MARKET_LEVEL, place } as const;
      found.push({ relation: 'new-market', ...where, before: Number.NaN, after });
    }
  }
  return found;
}

/**
 * Tells whether a market is new to a published country: the earlier side has no figures of it in one of these datasets.
 * Only years whose relations are checked count.
 */
function newMarketsOf(
  amounts: CollectedAmounts,
  datasets: readonly MarketDataset[],
): (place: string, country: string) => boolean {
  const countriesOf = (all: Amounts = NO_AMOUNTS) =>
    new Set(Array.from(all.keys(), (key) => amounts.keys.countryOf(key)));
  const published = countriesOf(amounts.totals('ggr', 'before'));
  const known = new Map<string, ReadonlySet<string>>();
  const has = (dataset: MarketDataset, place: string, country: string) =>
    getOrInsert(known, `${dataset} ${place}`, () =>
      countriesOf(amounts.ofLevel(MARKET_LEVEL, dataset, 'before').get(place)),
    ).has(country);
  return (place, country) =>
    published.has(country) && datasets.some((dataset) => !has(dataset, place, country));
}

/**
 * The share of a new market may be this many times smaller than in the median country. In the sample, it is at most 25
 * times smaller.
 */
const MOST_TIMES_SMALLER = 200;

/** A smaller share is found whatever it is in other countries, as in a first load. The smallest in the sample is 0.15 %. */
const LEAST_SHARE = 1 / 20_000;

/** From this number of other countries on, their shares of a market show what is usual. */
const FEWEST_COUNTRIES = 5;

/** A year of a new market, with the market's share of its country's ggr. */
interface SmallMarket {
  readonly key: AmountKey;
  readonly share: number;
}

/**
 * The new markets of a country whose share of the ggr is tiny, or more than 200 times smaller than in the median country.
 * Their figures are probably in thousands. If their turnover is in thousands as well, its ratio to ggr is plausible.
 */
export function smallNewMarkets(amounts: CollectedAmounts): BrokenInYear[] {
  const matched = amounts.matchedOf('ggr');
  if (matched === null) return [];
  const grown = countriesWithNewFigures(matched);
  if (grown.size === 0) return [];
  const isNew = newMarketsOf(amounts, ['ggr']);
  const totals = amounts.totals('ggr', 'after');
  const found: BrokenInYear[] = [];
  for (const [place, ofPlace] of amounts.markets('ggr')) {
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
      if (share >= LEAST_SHARE && !(share * MOST_TIMES_SMALLER < usual)) continue;
      const where = { dataset: 'ggr', country, year, level: MARKET_LEVEL, place } as const;
      found.push({ relation: 'small-market', ...where, before: usual, after: share });
    }
  }
  return found;
}

/** The countries with a figure that the earlier side lacks. No other country has a new market. */
function countriesWithNewFigures({ before, after, changed, codes }: MatchedRows): ReadonlySet<string> {
  const ggrBefore = before.values(0);
  const countries = after.codes('country');
  const found = new Set<number>();
  for (let i = 0; i < changed.count; i += 1) {
    const from = changed.before[i] as number;
    const to = changed.after[i] as number;
    if (to >= 0 && (from < 0 || Number.isNaN(ggrBefore[from]))) found.add(countries[to] as number);
  }
  return new Set([...found].map((code) => codes.textOf('country', code)));
}

/** The median share of a market in the other countries that have it in a year. NaN if too few have it. */
function usualShare(
  amounts: CollectedAmounts,
  { place, country, year }: { place: string; country: string; year: number },
): number {
  const totals = amounts.totals('ggr', 'after');
  const others = new Set([...totals.keys()].map((key) => amounts.keys.countryOf(key)));
  others.delete(country);
  const wanted = new Set([...others].map((other) => `${other} ${year}`));
  const shares = new Map<string, number>();
  for (const [key, ggr] of amounts.marketsIn('ggr', wanted).get(place) ?? []) {
    const share = ggr / (totals.get(key) ?? Number.NaN);
    if (share > 0) shares.set(amounts.keys.countryOf(key), share);
  }
  return shares.size < FEWEST_COUNTRIES ? Number.NaN : upperMedian([...shares.values()]);
}
