// Adds up the amounts of countries and their parts by currency and year. Their names are numbers that all datasets share.

import type { DatasetName, DimensionName } from '../../../src/catalog/datasets.ts';
import { type CountrySums, isCountedOnce, Sums } from '../countrySums.ts';
import type { Arrivals } from '../rowChanges.ts';
import { Groups } from '../rows/groups.ts';
import type { Matched } from '../rows/matchedRows.ts';
import { rowsWhere } from '../rows/rowLists.ts';
import type { Rows } from '../rows/rows.ts';
import type { SideName } from '../side.ts';
import { partName } from './relationLevels.ts';

/** Amounts by their name, which stands for a country, a currency and a year. */
export type Amounts = ReadonlyMap<number, number>;

export const NO_AMOUNTS: Amounts = new Map();

/** A function that gives the quotient of both sides by name; NaN where one lacks it. */
export const ratios =
  (before: Amounts, after: Amounts) =>
  (name: number): number =>
    (after.get(name) ?? Number.NaN) / (before.get(name) ?? Number.NaN);

/** The amounts of parts of countries, by the name of the part, such as `Poker`; `''` is the whole country. */
export type AmountsByPlace = ReadonlyMap<string, Amounts>;

/** The datasets whose rows are figures of markets. */
export type MarketDataset = 'ggr' | 'turnover';

export const MARKET_DATASETS: readonly MarketDataset[] = ['ggr', 'turnover'];

/** Whether the rows of a dataset are figures of markets. */
export const isMarketDataset = (dataset: DatasetName): dataset is MarketDataset =>
  dataset === 'ggr' || dataset === 'turnover';

/** Where the amount to compare with is: on the earlier side, or for a new year, one year before on the later side. */
export const earlierAmount = (name: number, isNew: boolean): { side: SideName; name: number } =>
  isNew ? { side: 'after', name: name - 1 } : { side: 'before', name };

/** A dataset from which amounts are added up. */
export interface CollectedDataset {
  readonly matched: Matched;
  readonly arrivals: Arrivals;
  readonly sums: Readonly<Record<SideName, CountrySums>>;
}

/** Makes the names of amounts. Countries and currencies get numbers that all datasets share, because their codes differ. */
export class AmountNames {
  readonly #countries = new Names();
  readonly #currencies = new Names();
  /** Pairs of a country and a currency, numbered in the order of their first use, so that names are small integers. */
  readonly #pairs: { readonly country: number; readonly currency: number }[] = [];
  readonly #pairNumbers = new Map<number, number>();

  /** The number of a country. */
  country(text: string | number): number {
    return this.#countries.codeOf(String(text));
  }

  /** @param country A number that `country` returned. */
  nameOf(country: number, currency: string | number, year: number): number {
    return this.#pairOf(country, this.#currencies.codeOf(String(currency))) * MOST_YEARS + year;
  }

  /** The country of a name. */
  countryOf(name: number): string {
    return this.#countries.textOf(this.#pairs[Math.floor(name / MOST_YEARS)]?.country ?? 0);
  }

  placeOf(name: number): { country: string; fx: string; year: number } {
    const { country = 0, currency = 0 } = this.#pairs[Math.floor(name / MOST_YEARS)] ?? {};
    return {
      country: this.#countries.textOf(country),
      fx: this.#currencies.textOf(currency),
      year: name % MOST_YEARS,
    };
  }

  #pairOf(country: number, currency: number): number {
    const key = country * MOST_CURRENCIES + currency;
    let pair = this.#pairNumbers.get(key);
    if (pair === undefined) {
      pair = this.#pairs.length;
      this.#pairNumbers.set(key, pair);
      this.#pairs.push({ country, currency });
    }
    return pair;
  }

  /** A function that turns the codes of a dataset into names. */
  ofCodes(codes: Matched['codes']): (country: number, fx: number, year: number) => number {
    const countries = codes.values('country').map((country) => this.country(country));
    const currencies = codes.values('fx').map((fx) => this.#currencies.codeOf(String(fx)));
    const first = Number(codes.values('year')[0] ?? 0);
    return (country, fx, year) =>
      this.#pairOf(countries[country] as number, currencies[fx] as number) * MOST_YEARS + first + year;
  }
}

const MOST_CURRENCIES = 100_000;
/** Years are below this number, so a number times this number, plus a year, holds both. */
export const MOST_YEARS = 10_000;

/** Numbers texts in the order of their first use, across datasets. */
class Names {
  readonly #texts: string[] = [];
  readonly #codes = new Map<string, number>();

  codeOf(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.#texts.length;
      this.#texts.push(text);
      this.#codes.set(text, code);
    }
    return code;
  }

  textOf(code: number): string {
    return this.#texts[code] ?? '';
  }
}

/**
 * The amounts of whole countries. Reported amounts include those that were forecasts before. Forecasts leave out countries and
 * years in which some became reported.
 */
export function amountsOfCountries(
  collected: CollectedDataset,
  side: SideName,
  names: AmountNames,
  forecast: boolean,
): Amounts {
  const nameOfCodes = names.ofCodes(collected.matched.codes);
  const found = countedAmounts(collected.sums[side], nameOfCodes, forecast);
  if (side === 'after') countArrivals(found, collected, nameOfCodes, forecast);
  return found;
}

type NameOfCodes = ReturnType<AmountNames['ofCodes']>;

// The two loops are functions of their own, without destructuring, because V8 takes 0.1 s to optimise them as one function.

/** The amounts of countries, either the forecasts or all others. */
function countedAmounts(sums: CountrySums, nameOfCodes: NameOfCodes, forecast: boolean): Map<number, number> {
  const found = new Map<number, number>();
  const { country, fx, year, forecast: isForecast, count } = sums;
  const wanted = Number(forecast);
  for (let i = 0; i < count; i += 1) {
    const total = sums.sum(0, i);
    if (isForecast[i] !== wanted || Number.isNaN(total)) continue;
    found.set(nameOfCodes(country[i] as number, fx[i] as number, year[i] as number), total);
  }
  return found;
}

/** Counts rows that were forecasts before as reported. `CountrySums` counts them among the forecasts. */
function countArrivals(
  found: Map<number, number>,
  { matched: { stateRows, after }, arrivals }: CollectedDataset,
  nameOfCodes: NameOfCodes,
  forecast: boolean,
): void {
  const isCounted = isCountedOnce(after, stateRows.after);
  for (const row of arrivals.forecastOf.keys()) {
    const value = after.value(0, row);
    if (Number.isNaN(value) || !isCounted(row)) continue;
    const name = nameOfCodes(after.code('country', row), after.code('fx', row), after.code('year', row));
    if (forecast) found.delete(name);
    else found.set(name, (found.get(name) ?? 0) + value);
  }
}

/**
 * The rows whose figures are added up, in row order: reported figures or forecasts that count once in their country.
 *
 * @param isConcerned For each country code and year code, whether its figures are wanted.
 */
export function figureRows(
  { matched }: CollectedDataset,
  side: SideName,
  isConcerned: readonly (readonly boolean[])[],
  forecast: boolean,
): Int32Array {
  const { codes, stateRows, [side]: rows } = matched;
  const years = codes.size('year');
  const concerned = new Uint8Array(codes.size('country') * years);
  for (let country = 0; country < isConcerned.length; country += 1)
    for (let year = 0; year < years; year += 1)
      if (isConcerned[country]?.[year] === true) concerned[country * years + year] = 1;
  const found = new Int32Array(rows.count);
  const count = takeConcerned(found, rows, concerned, {
    years,
    isForecast: matched.flags[side].forecast,
    wanted: Number(forecast),
  });
  const isCounted = isCountedOnce(rows, stateRows[side]);
  return rowsWhere(found.subarray(0, count), isCounted);
}

/** Writes the rows of concerned years into `found`, either the forecasts or all others, and returns their number. */
function takeConcerned(
  found: Int32Array,
  rows: Rows,
  concerned: Uint8Array,
  { years, isForecast, wanted }: { years: number; isForecast: Uint8Array; wanted: number },
): number {
  const [countryCodes, yearCodes] = [rows.codes('country'), rows.codes('year')];
  let count = 0;
  for (let row = 0; row < isForecast.length; row += 1) {
    const at = (countryCodes[row] as number) * years + (yearCodes[row] as number);
    if (concerned[at] === 0 || isForecast[row] !== wanted) continue;
    found[count] = row;
    count += 1;
  }
  return count;
}

/** Rows of one side of a dataset that are added up. */
export interface FigureRows {
  readonly side: SideName;
  /** The rows, as `figureRows` gives them. */
  readonly list: Int32Array;
}

/**
 * The amounts of parts of countries, such as products.
 *
 * @param parts The dimensions that distinguish the parts of a country.
 */
export function amountsOfParts(
  { matched }: CollectedDataset,
  { side, list }: FigureRows,
  parts: readonly DimensionName[],
  names: AmountNames,
): AmountsByPlace {
  const { codes, [side]: rows } = matched;
  const countries = rows.codes('country');
  const groups = new Groups(codes, ['country', 'fx', 'year', ...parts]);
  const groupOf = groups.addRows(rows, list);
  const sums = new Sums(groups.count);
  sums.addRows(list, groupOf, rows.values(0), false);
  const first = firstRows(groupOf, list, groups.count);
  const nameOfCodes = names.ofCodes(codes);
  const places = new Groups(codes, parts);
  const byPlace: Map<number, number>[] = [];
  const amountsByPart = new Map<string, Amounts>();
  for (let group = 0; group < first.length; group += 1) {
    const row = first[group] as number;
    const total = sums.at(group);
    if (Number.isNaN(total)) continue;
    const place = places.add(rows, row);
    const amounts = byPlace[place] ?? new Map<number, number>();
    if (place === byPlace.length) {
      byPlace.push(amounts);
      amountsByPart.set(partName(matched, rows, row, parts), amounts);
    }
    amounts.set(nameOfCodes(countries[row] as number, rows.code('fx', row), rows.code('year', row)), total);
  }
  return amountsByPart;
}

/** The first row of each group. */
function firstRows(groupOf: Int32Array, list: Int32Array, groups: number): Int32Array {
  const first = new Int32Array(groups);
  for (let i = list.length - 1; i >= 0; i -= 1) first[groupOf[i] as number] = list[i] as number;
  return first;
}
