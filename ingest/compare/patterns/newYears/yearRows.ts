// Finds the years that a country begins, and collects the rows of these years and of the years compared with them.

import { groupBy } from '../../../../src/basics/lists.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import type { CoverageChange } from '../../comparisonTypes.ts';
import { type Revision, revisionOf } from '../../revision.ts';
import type { CodeArray } from '../../rows/codedRows.ts';
import type { Codes } from '../../rows/codes.ts';
import { GroupNumbers, groupedItems, NO_GROUP } from '../../rows/groupNumbers.ts';
import { isForecastRow, type MatchedRows } from '../../rows/matchedRows.ts';
import { MOST_EXAMPLES } from '../patternTypes.ts';

/** A new year of a country: the earlier side has no rows of it, or only forecasts. The country and the years are codes. */
export interface NewYear {
  readonly country: number;
  readonly year: number;
  /** The year of the country with which the new year is compared: the nearest year, nearly always the year before. */
  readonly comparedYear: number;
  /**
   * Whether the earlier side has no rows of the country at all. Missing rows are then not reported, because all its years
   * are new.
   */
  readonly isOfNewCountry: boolean;
}

/**
 * The factors from which on the move of a country's total is a pattern. If figures cover half a year and honestly rose by a
 * tenth, the total is divided by 1.8. Without a pandemic, honest totals are divided by less than 1.6.
 */
export const RISE_FACTOR_OF_TOTAL = 2;
export const FALL_FACTOR_OF_TOTAL = 1.6;

/** Years that are further apart are not compared, because they say little about each other. */
const FURTHEST_YEARS = 3;

/** The years that countries begin. A year is left out if the country has no other year near it. */
export function newYearsOf(codes: Codes, coverage: readonly CoverageChange[]): readonly NewYear[] {
  const newYears = coverage.filter(({ before }) => before === 0);
  const yearsOf = groupBy(
    coverage.filter(({ after }) => after > 0),
    ({ country }) => country,
  );
  return newYears.flatMap(({ country, year }) => {
    const years = yearsOf.get(country) ?? [];
    const comparedYear = nearest(year, years);
    const countryCode = codes.codeOf('country', country);
    const yearCode = codes.codeOf('year', year);
    const comparedCode = comparedYear && codes.codeOf('year', comparedYear);
    if (countryCode === undefined || yearCode === undefined || comparedCode === undefined) return [];
    const isOfNewCountry = years.every(({ before }) => before === 0);
    return [{ country: countryCode, year: yearCode, comparedYear: comparedCode, isOfNewCountry }];
  });
}

/**
 * The nearest other year. Of two equally near years, it is the one that the earlier side also has, else the earlier one.
 */
function nearest(year: number, years: readonly CoverageChange[]): number | undefined {
  const distance = (other: CoverageChange) => Math.abs(other.year - year) + (other.before === 0 ? 0.5 : 0);
  const [near] = years
    .filter((other) => other.year !== year && Math.abs(other.year - year) <= FURTHEST_YEARS)
    .sort((a, b) => distance(a) - distance(b) || a.year - b.year);
  return near?.year;
}

const CURRENCIES: readonly DimensionName[] = ['fx', 'fx_local_currency'];

/** An index in `YearRows.list`. */
export type Item = number;

/** The rows of the later side in all new and compared years. */
export class YearRows {
  readonly matched: MatchedRows;
  /** Row indexes. */
  readonly list: Int32Array;
  /** The series of each item. Rows of one series differ in `year`, `temporal` and `calculation` only. */
  readonly series: Int32Array;
  /** The market of each item. Rows of one market may also differ in their currency. */
  readonly market: Int32Array;
  /** The dimension whose values are currencies; null when there is none. */
  readonly currency: DimensionName | null;
  readonly #years: number;
  /** For each currency and year, 1 when any row has both. */
  readonly #used: Uint8Array;
  /** The slot of each country and year, or `NO_GROUP`. A slot numbers a new or compared year of a country. */
  readonly #slotOf: Int32Array;
  /** For each slot, the index in `#items` at which its items begin. */
  readonly #starts: Int32Array;
  readonly #items: Int32Array;

  constructor(matched: MatchedRows, newYears: readonly NewYear[]) {
    const { codes, after } = matched;
    this.matched = matched;
    this.#years = codes.size('year');
    this.#slotOf = new Int32Array(codes.size('country') * this.#years).fill(NO_GROUP);
    let slots = 0;
    for (const { country, year, comparedYear } of newYears)
      for (const one of [year, comparedYear]) {
        const pair = country * this.#years + one;
        if (this.#slotOf[pair] !== NO_GROUP) continue;
        this.#slotOf[pair] = slots;
        slots += 1;
      }
    const [countries, years] = [after.codes('country'), after.codes('year')];
    const { list, slotOf } = rowsInSlots(countries, years, this.#slotOf, this.#years);
    this.list = list;
    const lists = groupedItems(slotOf, slots);
    this.#starts = lists.starts;
    this.#items = lists.items;
    const groupsWithout = (...ignored: readonly (DimensionName | null)[]) =>
      GroupNumbers.without(codes, ...ignored).addRows(after, this.list);
    this.series = groupsWithout('year', 'temporal', 'calculation');
    this.currency = CURRENCIES.find((one) => codes.has(one)) ?? null;
    this.market =
      this.currency === null ? this.series : groupsWithout('year', 'temporal', 'calculation', this.currency);
    this.#used = new Uint8Array(this.#years * (this.currency === null ? 1 : codes.size(this.currency)));
    const currencies = this.currency === null ? null : after.codes(this.currency);
    for (let row = 0; row < after.count; row += 1)
      this.#used[(currencies?.[row] ?? 0) * this.#years + (years[row] as number)] = 1;
  }

  row(item: Item): number {
    return this.list[item] as number;
  }

  code(dimension: DimensionName, item: Item): number {
    return this.matched.after.code(dimension, this.row(item));
  }

  /** The value of an item's metric, by the metric's index; NaN when it is missing. */
  value(metric: number, item: Item): number {
    return this.matched.after.value(metric, this.row(item));
  }

  isForecast(item: Item): boolean {
    return isForecastRow(this.matched, this.matched.after, this.row(item));
  }

  /** A metric of an item, by the metric's index, as an example of a pattern. */
  example(metric: number, item: Item, from: number | null, to: number | null): Revision {
    const { codes, metrics, after } = this.matched;
    return revisionOf(codes.dimensionsOf(after, this.row(item)), metrics[metric] ?? '', from, to);
  }

  /** Whether no country has a row of the item's currency in a year. */
  isCurrencyOver(item: Item, year: number): boolean {
    if (this.currency === null) return false;
    return this.#used[this.code(this.currency, item) * this.#years + year] === 0;
  }

  /** The items of a country's year, in row order. */
  itemsOf(country: number, year: number): Int32Array {
    const slot = this.#slotOf[country * this.#years + year] as number;
    return this.#items.subarray(this.#starts[slot] as number, this.#starts[slot + 1] as number);
  }

  /** For each series of a country's year, its item. */
  itemBySeries(country: number, year: number): ReadonlyMap<number, Item> {
    const itemOf = new Map<number, Item>();
    for (const item of this.itemsOf(country, year)) itemOf.set(this.series[item] as number, item);
    return itemOf;
  }
}

/**
 * The rows whose country and year have a slot, and the slot of each. The loop calls no function, because it runs over every
 * row.
 *
 * @param slots The slot of each country and year, or `NO_GROUP`.
 */
function rowsInSlots(
  countries: CodeArray,
  years: CodeArray,
  slots: Int32Array,
  size: number,
): { readonly list: Int32Array; readonly slotOf: Int32Array } {
  const list = new Int32Array(countries.length);
  const slotOf = new Int32Array(countries.length);
  let count = 0;
  for (let row = 0; row < countries.length; row += 1) {
    const slot = slots[(countries[row] as number) * size + (years[row] as number)] as number;
    if (slot === NO_GROUP) continue;
    list[count] = row;
    slotOf[count] = slot;
    count += 1;
  }
  return { list: list.subarray(0, count), slotOf: slotOf.subarray(0, count) };
}

/** A year that a country begins, with its rows and those of the compared year. */
export interface CountryYear {
  readonly rows: YearRows;
  readonly newYear: NewYear;
  readonly newItems: Int32Array;
  readonly comparedItems: Int32Array;
  /** For each series, its item of the new year. */
  readonly newItemOf: ReadonlyMap<number, Item>;
  readonly newMarkets: ReadonlySet<number>;
  /** Whether most rows of the new year are forecasts. */
  readonly forecast: boolean;
}

/** The items of a country's new year beside those of the compared year. */
export function countryYear(rows: YearRows, newYear: NewYear): CountryYear {
  const newItems = rows.itemsOf(newYear.country, newYear.year);
  const forecasts = newItems.filter((item) => rows.isForecast(item));
  return {
    rows,
    newYear,
    newItems,
    comparedItems: rows.itemsOf(newYear.country, newYear.comparedYear),
    newItemOf: rows.itemBySeries(newYear.country, newYear.year),
    newMarkets: new Set(newItems.map((item) => rows.market[item] as number)),
    forecast: forecasts.length > newItems.length / 2,
  };
}

/** A figure above 0 of a new year, and the figure of the same series in the compared year. */
export interface FigureOfBothYears {
  readonly item: Item;
  readonly now: number;
  readonly old: number;
}

/** The figures that a country has both in its new year and in the compared year. */
export interface CountryFigures {
  readonly newYear: NewYear;
  readonly figures: readonly FigureOfBothYears[];
}

/** The figures of the first metric that both years have. */
export function figuresOfBoth(rows: YearRows, newYear: NewYear): CountryFigures {
  const comparedItemOf = rows.itemBySeries(newYear.country, newYear.comparedYear);
  const figures: FigureOfBothYears[] = [];
  for (const item of rows.itemsOf(newYear.country, newYear.year)) {
    const compared = comparedItemOf.get(rows.series[item] as number);
    if (compared === undefined) continue;
    const [now, old] = [rows.value(0, item), rows.value(0, compared)];
    if (now > 0 && old > 0) figures.push({ item, now, old });
  }
  return { newYear, figures };
}

/** The largest figures, as examples of a pattern. */
export const largestExamples = (rows: YearRows, figures: readonly FigureOfBothYears[]): readonly Revision[] =>
  figures
    .toSorted((a, b) => b.old - a.old)
    .slice(0, MOST_EXAMPLES)
    .map(({ item, old, now }) => rows.example(0, item, old, now));
