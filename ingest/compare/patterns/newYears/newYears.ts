// Finds the patterns of years that a country begins: years without rows on the earlier side, compared with the year before.

import { groupBy } from '../../../../src/basics/lists.ts';
import { getOrInsert } from '../../../../src/basics/maps.ts';
import { datasetOf } from '../../../../src/catalog/datasets.ts';
import type { CoverageChange } from '../../comparisonTypes.ts';
import type { CountrySums } from '../../countrySums.ts';
import type { MatchedRows } from '../../rows/matchedRows.ts';
import type { YearFamily, YearPattern } from '../patternTypes.ts';
import { absentCountries, absentValues } from './absentValues.ts';
import { findCountryCopies } from './countryCopies.ts';
import { endedMarkets } from './endedMarkets.ts';
import { findExchangedFigures } from './exchangedFigures.ts';
import { MetricYear } from './metricYear.ts';
import { type MovedYear, movedTogether } from './movedTogether.ts';
import { findOwnCopies } from './ownCopies.ts';
import { productsTogether } from './productsTogether.ts';
import { repeatedIndicators } from './repeatedIndicators.ts';
import { staleYears } from './staleYears.ts';
import { statesMoved } from './statesMoved.ts';
import {
  type CountryYear,
  countryYear,
  FALL_FACTOR_OF_TOTAL,
  figuresOfBoth,
  type Item,
  type NewYear,
  newYearsOf,
  RISE_FACTOR_OF_TOTAL,
  YearRows,
} from './yearRows.ts';

/** A rise of a market since the year before is a leap from this factor on. It must be a leap in every currency. */
const RISE_FACTOR_OF_MARKETS = 6;

/** A fall is a leap from this factor on. In a pandemic, a market may honestly fall to nearly a seventh. */
const FALL_FACTOR_OF_MARKETS = 7;

/** A move of a rate or an indicator is a leap from this factor on. High inflation moves them by less. */
const LEAP_FACTOR = 20;

/**
 * A move of a population is a leap from this factor per year on. There are at least 1.12 times as many persons as adults,
 * so a new year that counts all persons instead of adults is a leap. Since 1970, one country in 240 moved as far in a year.
 */
const LEAP_FACTOR_OF_PERSONS = 1.12;

/** The share of the country's figures that patterns must concern. Then they explain why the total moved. */
const EXPLAINING_SHARE = 0.4;

/**
 * The patterns of the years that countries begin. Step 2 leaves out missing rows that step 1 explains. Otherwise a cell may
 * be in patterns of several steps:
 *
 * 1. Of the dataset: countries without rows of a year that the dataset begins, and values of a dimension that nearly all
 *    countries lost in that year.
 * 2. Of each country: figures of markets that ended in ggr, too; rows that are missing, currencies that ended, zeros,
 *    changed signs, values that leapt.
 * 3. Of each country: totals that moved, unless step 1 or 2 explains the move, and states that moved apart from their
 *    nation.
 * 4. Totals and products that moved alike in most countries.
 * 5. Figures that were exchanged between countries, products or states, or that equal those of another country, market or
 *    state, or of the year before.
 *
 * @param sums The sums of countries on the later side.
 * @param ggr The rows of ggr when the dataset is turnover, which show the markets that ended. Null for any other dataset.
 */
export function findNewYears(
  matched: MatchedRows,
  coverage: readonly CoverageChange[],
  sums: CountrySums,
  ggr: MatchedRows | null,
): readonly YearPattern[] {
  const newYears = newYearsOf(matched.codes, coverage);
  if (newYears.length === 0 || matched.metrics.length === 0) return [];
  const rows = new YearRows(matched, newYears);
  const absent = absentValues(rows, newYears);
  const hasEnded = ggr === null ? () => false : endedMarkets(ggr, rows, newYears);
  const moved: MovedYear[] = [];
  const ofCountries = newYears.flatMap((year) =>
    patternsOf(countryYear(rows, year), { absent: absent.items, hasEnded }, moved),
  );
  const isOfMarkets = matched.codes.has('fx');
  const inBothYears = isOfMarkets ? newYears.map((year) => figuresOfBoth(rows, year)) : [];
  const products = productsTogether(rows, inBothYears, moved);
  // Products that moved explain why the total moved.
  const together = movedTogether(rows, moved).filter(
    ({ place }) => !products.some((product) => product.place.year === place.year),
  );
  return [
    ...absentCountries(matched.codes, coverage, sums),
    ...absent.patterns,
    ...ofCountries,
    ...together,
    ...products,
    ...findExchangedFigures(rows, inBothYears),
    ...(isOfMarkets ? findCountryCopies(rows, newYears) : []),
    ...(isOfMarkets ? newYears.flatMap((year) => findOwnCopies(rows, year)) : []),
    ...staleYears(rows, inBothYears, ggr),
    ...repeatedIndicators(rows, newYears),
  ];
}

/** The reasons in the whole dataset for which a country's new year may lack rows. */
interface Losses {
  /** Items with a value, such as a channel or a currency, that nearly no country has in the new year. */
  readonly absent: ReadonlySet<Item>;
  /** Whether the market of an item ended in ggr as well. False if the dataset is not turnover. */
  readonly hasEnded: (item: Item, newYear: NewYear) => boolean;
}

/** The patterns of a country's new year. Also adds to `moved` how far its totals moved. */
function patternsOf(year: CountryYear, losses: Losses, moved: MovedYear[]): YearPattern[] {
  const { rows, newYear, forecast } = year;
  const { codes, metrics } = rows.matched;
  return metrics.flatMap((metric, metricIndex) => {
    const { unit, addsUp } = datasetOf(codes.dataset).metrics[metric] ?? {};
    if (unit === 'percent') return [];
    const metricYear = new MetricYear(year, metric, metricIndex);
    const changes = changesOf(year, metricIndex);
    const patterns = patternsOfItems(metricYear, changes, losses);
    if (addsUp !== true) return patterns;
    const ratio = metricYear.ratio();
    if (ratio !== null) moved.push({ newYear, metric, forecast, ratio });
    const absent = changes.missing.filter((item) => losses.absent.has(item));
    const explaining = [...patterns, ...metricYear.pattern('year-missing', absent)];
    const isExplained = explaining.reduce((sum, { effect }) => sum + effect, 0) >= EXPLAINING_SHARE;
    return [
      ...patterns,
      ...(isExplained ? [] : metricYear.moved(codes.has('fx') ? FALL_FACTOR_OF_TOTAL : RISE_FACTOR_OF_TOTAL)),
      ...statesMoved(metricYear),
    ];
  });
}

/** The patterns of items that the new year lacks, or has as zero, with another sign or after a leap. */
function patternsOfItems(
  metricYear: MetricYear,
  changes: YearChanges,
  { absent, hasEnded }: Losses,
): YearPattern[] {
  const { rows, newYear, newMarkets } = metricYear.year;
  const familyOf = (item: Item, otherwise: YearFamily): YearFamily => {
    if (hasEnded(item, newYear)) return 'year-ended';
    const hasMarket = newMarkets.has(rows.market[item] as number);
    return hasMarket && rows.isCurrencyOver(item, newYear.year) ? 'year-currency' : otherwise;
  };
  const lost = groupBy(
    [
      ...changes.missing.filter((item) => !absent.has(item)).map((item) => [item, 'year-missing'] as const),
      ...changes.zero.map((item) => [item, 'year-zero'] as const),
    ],
    ([item, otherwise]) => familyOf(item, otherwise),
  );
  const families = ['year-missing', 'year-currency', 'year-zero', 'year-ended'] as const;
  return [
    ...families.flatMap((family) => {
      const items = (lost.get(family) ?? []).map(([item]) => item);
      return metricYear.pattern(family, items);
    }),
    ...metricYear.pattern('year-sign', changes.sign),
    ...metricYear.pattern('year-leap', changes.leapt),
  ];
}

interface YearChanges {
  readonly missing: readonly Item[];
  readonly zero: readonly Item[];
  readonly sign: readonly Item[];
  readonly leapt: readonly Item[];
}

function changesOf(
  { rows, newYear, comparedItems, newItemOf }: CountryYear,
  metricIndex: number,
): YearChanges {
  const { series, market } = rows;
  const [missing, zero, sign]: [Item[], Item[], Item[]] = [[], [], []];
  const [rise, fall] = leapsOf(rows.matched, newYear, metricIndex);
  // For each market, its items and its move in the currency in which it moved least. The move is a multiple of the smallest
  // leap.
  const moved = new Map<number, { items: Item[]; least: number }>();
  for (const item of comparedItems) {
    const old = rows.value(metricIndex, item);
    if (Number.isNaN(old) || old === 0) continue;
    const newItem = newItemOf.get(series[item] as number);
    const value = newItem === undefined ? Number.NaN : rows.value(metricIndex, newItem);
    if (Number.isNaN(value)) {
      if (!newYear.isOfNewCountry) missing.push(item);
    } else if (value === 0) zero.push(item);
    else if (value * old < 0) sign.push(item);
    else {
      const logRatio = Math.log(value / old);
      const leaps = logRatio > 0 ? logRatio / Math.log(rise) : -logRatio / Math.log(fall);
      const ofMarket = getOrInsert(moved, market[item] as number, () => ({ items: [], least: leaps }));
      ofMarket.items.push(item);
      ofMarket.least = Math.min(ofMarket.least, leaps);
    }
  }
  const leapt = [...moved.values()].flatMap(({ items, least }) => (least >= 1 ? items : []));
  return { missing, zero, sign, leapt };
}

/** The factors from which on a rise and a fall of a metric are leaps, for the years that are compared. */
function leapsOf(
  { codes, metrics }: MatchedRows,
  { year, comparedYear }: NewYear,
  metricIndex: number,
): readonly [rise: number, fall: number] {
  if (codes.has('fx')) return [RISE_FACTOR_OF_MARKETS, FALL_FACTOR_OF_MARKETS];
  const isOfPersons = datasetOf(codes.dataset).metrics[metrics[metricIndex] ?? '']?.unit === 'persons';
  const leap = isOfPersons ? LEAP_FACTOR_OF_PERSONS ** Math.abs(year - comparedYear) : LEAP_FACTOR;
  return [leap, leap];
}
