// The amounts of countries and their parts by currency and year, under names that all datasets share.

import type { DatasetName, DimensionName } from '../../../src/catalog/datasets.ts';
import { type CountrySums, isCountedOnce, Sums } from '../countrySums.ts';
import type { Arrivals } from '../rowChanges.ts';
import { Groups, rowsWhere } from '../rows/groups.ts';
import type { Matched } from '../rows/matched.ts';
import type { Rows } from '../rows/rows.ts';
import type { SideName } from '../side.ts';
import { partName } from './relationLevels.ts';

/** Amounts by the name of country, currency and year. */
export type Amounts = ReadonlyMap<number, number>;

export const NO_AMOUNTS: Amounts = new Map();

/** The amounts of parts of countries, such as products, by the name of the part; `''` is the whole country. */
export type AmountsByPlace = ReadonlyMap<string, Amounts>;

/** The datasets whose rows are of markets. */
export type MarketDataset = 'ggr' | 'turnover';

export const MARKET_DATASETS: readonly MarketDataset[] = ['ggr', 'turnover'];

export const isMarketDataset = (dataset: DatasetName): dataset is MarketDataset =>
  dataset === 'ggr' || dataset === 'turnover';

/** What relations ask of the amounts that were collected. */
export interface AmountSources {
  readonly names: AmountNames;
  /** The amounts of a level: countries, products or markets. */
  at(level: number, dataset: MarketDataset, side: SideName): AmountsByPlace;
  /** Whether a country has amounts of a currency and year, as names say, that the earlier side has none of. */
  isBegun(dataset: MarketDataset, name: number): boolean;
  /** Whether a row of the dataset differs. Findings name a dataset that changed, because guards check no other. */
  hasChanged(dataset: DatasetName): boolean;
}

/** The amount that this one is compared with: the earlier side's, or that of the year before for a new year. */
export const earlierAmount = (name: number, isNew: boolean): { side: SideName; name: number } =>
  isNew ? { side: 'after', name: name - 1 } : { side: 'before', name };

/** The parts of a matched dataset from which amounts are read. */
export interface CollectedDataset {
  readonly matched: Matched;
  readonly arrivals: Arrivals;
  readonly sums: Readonly<Record<SideName, CountrySums>>;
}

/** Numbers countries and currencies across datasets, whose own codes differ. */
export class AmountNames {
  readonly #countries = new Names();
  readonly #currencies = new Names();
  /** Countries with a currency, numbered in the order of their first use; so that names are small integers. */
  readonly #pairs: { readonly country: number; readonly currency: number }[] = [];
  readonly #pairNumbers = new Map<number, number>();

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

  /** Returns a function that turns a dataset's codes into names. */
  ofCodes(codes: Matched['codes']): (country: number, fx: number, year: number) => number {
    const countries = codes.values('country').map((country) => this.country(country));
    const currencies = codes.values('fx').map((fx) => this.#currencies.codeOf(String(fx)));
    const first = Number(codes.values('year')[0] ?? 0);
    return (country, fx, year) =>
      this.#pairOf(countries[country] as number, currencies[fx] as number) * MOST_YEARS + first + year;
  }
}

const MOST_CURRENCIES = 100_000;
/** Years are below this number, so that one number holds a year and another number. */
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
 * The reported figures of whole countries, those that were forecasts before included; or the forecasts, without countries
 * and years in which some became reported figures.
 */
export function amountsOfCountries(
  { matched: { codes, stateRows, after }, sums: both, arrivals }: CollectedDataset,
  side: SideName,
  names: AmountNames,
  forecast: boolean,
): Amounts {
  const sums = both[side];
  const nameOfCodes = names.ofCodes(codes);
  const found = new Map<number, number>();
  for (let i = 0; i < sums.count; i += 1) {
    const total = sums.sum(0, i);
    if (sums.forecast[i] !== Number(forecast) || Number.isNaN(total)) continue;
    const [country, fx, year] = [sums.country[i], sums.fx[i], sums.year[i]];
    found.set(nameOfCodes(country as number, fx as number, year as number), total);
  }
  if (side === 'before') return found;
  // `CountrySums` counts arrived rows among the forecasts.
  const isCounted = isCountedOnce(after, stateRows.after);
  for (const row of arrivals.forecastOf.keys()) {
    const value = after.value(0, row);
    if (Number.isNaN(value) || !isCounted(row)) continue;
    const [country, fx, year] = (['country', 'fx', 'year'] as const).map((one) => after.code(one, row));
    const name = nameOfCodes(country as number, fx as number, year as number);
    if (forecast) found.delete(name);
    else found.set(name, (found.get(name) ?? 0) + value);
  }
  return found;
}

/**
 * The rows of reported figures or of forecasts, in row order.
 *
 * @param isConcerned By country code and year code: whether these figures are read.
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
  for (const [country, ofYears] of isConcerned.entries())
    for (const [year, isIn] of ofYears.entries()) concerned[country * years + year] = Number(isIn);
  const found = new Int32Array(rows.count);
  const count = takeConcerned(found, rows, concerned, {
    years,
    isForecast: matched.flags[side].forecast,
    wanted: Number(forecast),
  });
  const isCounted = isCountedOnce(rows, stateRows[side]);
  return rowsWhere(found.subarray(0, count), isCounted);
}

/** Writes the rows of concerned years into `list`, the forecasts alone or all but these; returns their number. */
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

/**
 * Figures of countries by further dimensions, such as products. The key is the name of the part.
 *
 * @param list The rows that are added up, as `figureRows` gives them.
 */
export function amountsOfParts(
  { matched }: CollectedDataset,
  side: SideName,
  parts: readonly DimensionName[],
  names: AmountNames,
  list: Int32Array,
): AmountsByPlace {
  const { codes, [side]: rows } = matched;
  const countries = rows.codes('country');
  const groups = new Groups(codes, ['country', 'fx', 'year', ...parts]);
  const groupOf = groups.addRows(rows, list);
  const [sums, values] = [new Sums(groups.count), rows.values(0)];
  const first = new Int32Array(groups.count).fill(-1);
  for (let i = 0; i < list.length; i += 1) {
    const [group, row] = [groupOf[i] as number, list[i] as number];
    if (first[group] === -1) first[group] = row;
    sums.add(group, values[row] as number);
  }
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
