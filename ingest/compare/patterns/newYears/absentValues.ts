// Finds countries without rows of a year that the dataset begins, and values that nearly all countries lost in that year.

import { groupBy, onlyOf } from '../../../../src/basics/lists.ts';
import { getOrInsert } from '../../../../src/basics/maps.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import type { CoverageChange } from '../../comparisonTypes.ts';
import type { CountrySums } from '../../countrySums.ts';
import type { Codes } from '../../rows/codes.ts';
import type { YearPattern } from '../patternTypes.ts';
import { yearPattern } from './yearPattern.ts';
import type { Item, NewYear, YearRows } from './yearRows.ts';

/** The dimensions of which a value may be absent, in the order of the search. */
const DIMENSIONS: readonly DimensionName[] = ['fx', 'channel', 'sub_channel', 'category', 'product'];

/** The number of countries that must have had a value. Fewer may rightly all lose it in the same year. */
const FEWEST_HOLDERS = 5;

/** The share of the countries with the value that must have lost it. */
const LOST_SHARE = 0.8;

/**
 * For each year that the whole dataset begins, a pattern of the countries that have rows of the year before and none of
 * this year.
 *
 * @param sums The sums of countries on the later side.
 */
export function absentCountries(
  codes: Codes,
  coverage: readonly CoverageChange[],
  sums: CountrySums,
): YearPattern[] {
  const byYear = groupBy(coverage, ({ year }) => year);
  const newYears = [...byYear].filter(([, all]) => all.every(({ before }) => before === 0));
  return newYears.flatMap(([year, all]) => {
    const before = (byYear.get(year - 1) ?? []).filter(({ after }) => after > 0);
    const present = new Set(all.flatMap(({ country, after }) => (after > 0 ? [country] : [])));
    const absent = before.filter(({ country }) => !present.has(country));
    if (present.size === 0 || absent.length === 0) return [];
    const countries = absent.map(({ country }) => country);
    const country = onlyOf(countries);
    return [
      yearPattern({
        family: 'year-absent',
        metric: null,
        place: country === null ? { year } : { country, year },
        forecast: isForecastYear(codes, year, sums),
        cells: absent.length,
        of: before.length,
        further: countries,
        datasetShare: shareOf(codes, countries, year - 1, sums),
        between: ['year', year - 1, year],
      }),
    ];
  });
}

/** The share of these countries in the total of a year, in the currency that most countries have. */
function shareOf(codes: Codes, countries: readonly string[], year: number, sums: CountrySums): number | null {
  const countryCodes = new Set(countries.map((country) => codes.codeOf('country', country)));
  const yearCode = codes.codeOf('year', year);
  const byCurrency = groupBy(
    Array.from({ length: sums.count }, (_, i) => i).filter((i) => sums.year[i] === yearCode),
    (i) => sums.fx[i] as number,
  );
  const [[, sumsInCurrency = []] = []] = [...byCurrency].sort(([, a], [, b]) => b.length - a.length);
  let [part, all] = [0, 0];
  for (const i of sumsInCurrency) {
    const sum = sums.sum(0, i);
    if (Number.isNaN(sum)) continue;
    all += Math.abs(sum);
    if (countryCodes.has(sums.country[i])) part += Math.abs(sum);
  }
  return all === 0 ? null : part / all;
}

function isForecastYear(codes: Codes, year: number, sums: CountrySums): boolean {
  const code = codes.codeOf('year', year);
  let [forecasts, all] = [0, 0];
  for (let i = 0; i < sums.count; i += 1) {
    if (sums.year[i] !== code) continue;
    all += 1;
    forecasts += sums.forecast[i] as number;
  }
  return forecasts > all / 2;
}

/** A country that lost a value, and its items of the year before with this value. */
interface LosingCountry {
  readonly country: number;
  readonly comparedYear: number;
  readonly items: readonly Item[];
}

/** A value of a dimension in a year that the dataset begins. */
interface ValueOfYear {
  readonly dimension: DimensionName;
  readonly value: number;
  readonly year: number;
  /** How many countries had the value in the year before. */
  holders: number;
  readonly losers: LosingCountry[];
}

/** Finds values that several countries had in the year before, and nearly none of them has in the new year. */
export function absentValues(
  rows: YearRows,
  newYears: readonly NewYear[],
): { readonly patterns: YearPattern[]; readonly items: ReadonlySet<Item> } {
  const { codes } = rows.matched;
  const explained = new Set<Item>();
  const patterns: YearPattern[] = [];
  const years = [...groupBy(newYears, ({ year }) => year).values()];
  for (const dimension of DIMENSIONS.filter((name) => codes.has(name)))
    for (const countries of years)
      for (const value of lostValues(rows, dimension, countries, explained).filter(isLostByMost)) {
        patterns.push(absentPattern(rows, value));
        for (const item of value.losers.flatMap(({ items }) => items)) explained.add(item);
      }
  return { patterns, items: explained };
}

const isLostByMost = ({ holders, losers }: ValueOfYear): boolean =>
  holders >= FEWEST_HOLDERS && losers.length >= LOST_SHARE * holders;

/** The values that some country lost in a year. Items that another absent value has explained do not count. */
function lostValues(
  rows: YearRows,
  dimension: DimensionName,
  countries: readonly NewYear[],
  explained: ReadonlySet<Item>,
): readonly ValueOfYear[] {
  const byValue = (items: Int32Array) => groupBy([...items], (item) => rows.code(dimension, item));
  const values = new Map<number, ValueOfYear>();
  const lost: ValueOfYear[] = [];
  for (const { country, year, comparedYear } of countries) {
    const newValues = byValue(rows.itemsOf(country, year));
    for (const [value, all] of byValue(rows.itemsOf(country, comparedYear))) {
      const items = all.filter((item) => !explained.has(item));
      if (items.length === 0) continue;
      const known = getOrInsert(values, value, () => ({ dimension, value, year, holders: 0, losers: [] }));
      known.holders += 1;
      if (newValues.has(value)) continue;
      if (known.losers.length === 0) lost.push(known);
      known.losers.push({ country, comparedYear, items });
    }
  }
  return lost;
}

function absentPattern(rows: YearRows, { dimension, value, year, losers }: ValueOfYear): YearPattern {
  const { codes } = rows.matched;
  const cells = losers.reduce((sum, { items }) => sum + items.length, 0);
  const [example] = losers;
  const [first] = rows.itemsOf(example?.country ?? 0, year);
  const from = codes.valueOf('year', example?.comparedYear ?? year);
  const to = codes.valueOf('year', year);
  return yearPattern({
    family: 'year-missing',
    metric: null,
    place: { [dimension]: codes.valueOf(dimension, value), year: to },
    forecast: first !== undefined && rows.isForecast(first),
    cells,
    further: losers.map(({ country }) => codes.textOf('country', country)),
    countryShare: 1,
    between: ['year', from, to],
  });
}
