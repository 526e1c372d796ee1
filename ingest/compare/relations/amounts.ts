// Adds up the amounts of countries and their parts by currency and year.

import { addTo } from '../../../src/basics/maps.ts';
import type { DatasetName, DimensionName } from '../../../src/catalog/datasets.ts';
import { type CountrySums, countedOnceTest } from '../countrySums.ts';
import { GroupSums } from '../groupSums.ts';
import type { Arrivals } from '../rowChanges.ts';
import type { Rows } from '../rows/codedRows.ts';
import { partName } from '../rows/countryParts.ts';
import { firstRowsOf, GroupNumbers } from '../rows/groupNumbers.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { rowsWhere } from '../rows/rowLists.ts';
import type { SideName, Sides } from '../side.ts';
import type { AmountKey, AmountKeys } from './amountKeys.ts';

/** The amount of each country, currency and year. */
export type Amounts = ReadonlyMap<AmountKey, number>;

export const NO_AMOUNTS: Amounts = new Map();

/** For the name of each part of countries, such as `Poker`, its amounts. The name `''` stands for the whole country. */
export type AmountsByPlace = ReadonlyMap<string, Amounts>;

/** The datasets whose rows are figures of markets. */
export type MarketDataset = 'ggr' | 'turnover';

export const MARKET_DATASETS: readonly MarketDataset[] = ['ggr', 'turnover'];

/** Whether the rows of a dataset are figures of markets. */
export const isMarketDataset = (dataset: DatasetName): dataset is MarketDataset =>
  dataset === 'ggr' || dataset === 'turnover';

/**
 * Where to find the amount with which an amount is compared: under the same key on the earlier side, or for a new year
 * under the key of the year before on the later side.
 */
export const whereEarlierAmountIs = (key: AmountKey, isNew: boolean): { side: SideName; key: AmountKey } =>
  isNew ? { side: 'after', key: key - 1 } : { side: 'before', key };

/** A dataset from which amounts are added up. */
export interface CollectedDataset {
  readonly matched: MatchedRows;
  readonly arrivals: Arrivals;
  readonly sums: Sides<CountrySums>;
}

/**
 * The amounts of whole countries. Figures that were forecasts before count as reported. Countries and years in which some
 * forecasts became reported have no amount of forecasts.
 */
export function amountsOfCountries(
  collected: CollectedDataset,
  side: SideName,
  keys: AmountKeys,
  forecast: boolean,
): Amounts {
  const encode = keys.encoderOf(collected.matched.codes);
  const found = countedAmounts(collected.sums[side], encode, forecast);
  if (side === 'after') countArrivals(found, collected, encode, forecast);
  return found;
}

type Encoder = ReturnType<AmountKeys['encoderOf']>;

// The two loops are functions of their own, without destructuring, because V8 takes 0.1 s to optimise them as one function.

/** The amounts as `CountrySums` has them: figures that became reported are still among the forecasts. */
function countedAmounts(sums: CountrySums, encode: Encoder, forecast: boolean): Map<number, number> {
  const found = new Map<number, number>();
  const { country, fx, year, forecast: isForecast, count } = sums;
  const wanted = Number(forecast);
  for (let i = 0; i < count; i += 1) {
    const total = sums.sum(0, i);
    if (isForecast[i] !== wanted || Number.isNaN(total)) continue;
    found.set(encode(country[i] as number, fx[i] as number, year[i] as number), total);
  }
  return found;
}

/**
 * Adds the figures that became reported to the reported amounts. `CountrySums` counts them among the forecasts, so amounts
 * of forecasts that include such a figure are removed.
 */
function countArrivals(
  found: Map<number, number>,
  { matched, arrivals }: CollectedDataset,
  encode: Encoder,
  forecast: boolean,
): void {
  const { after } = matched;
  const isCounted = countedOnceTest(matched, 'after');
  for (const row of arrivals.forecastOf.keys()) {
    const value = after.value(0, row);
    if (Number.isNaN(value) || !isCounted(row)) continue;
    const key = encode(after.code('country', row), after.code('fx', row), after.code('year', row));
    if (forecast) found.delete(key);
    else addTo(found, key, value);
  }
}

/**
 * The reported rows, or the forecasts, that count in the total of their country, in row order.
 *
 * @param isConcerned For each country code and year code, whether the figures are wanted.
 */
export function figureRows(
  { matched }: CollectedDataset,
  side: SideName,
  isConcerned: readonly (readonly boolean[])[],
  forecast: boolean,
): Int32Array {
  const { codes, [side]: rows } = matched;
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
  return rowsWhere(found.subarray(0, count), countedOnceTest(matched, side));
}

/** Writes the wanted rows in concerned years into `found`, and returns their number. */
function takeConcerned(
  found: Int32Array,
  rows: Rows,
  concerned: Uint8Array,
  { years, isForecast, wanted }: { years: number; isForecast: Uint8Array; wanted: number },
): number {
  const [countryCodes, yearCodes] = [rows.codes('country'), rows.codes('year')];
  let count = 0;
  for (let row = 0; row < isForecast.length; row += 1) {
    const pair = (countryCodes[row] as number) * years + (yearCodes[row] as number);
    if (concerned[pair] === 0 || isForecast[row] !== wanted) continue;
    found[count] = row;
    count += 1;
  }
  return count;
}

/** The rows of one side of a dataset that are added up. */
interface FigureRows {
  readonly side: SideName;
  /** The indexes of the reported rows, or of the forecasts, that count in the total of their country, in row order. */
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
  keys: AmountKeys,
): AmountsByPlace {
  const { codes, [side]: rows } = matched;
  const countries = rows.codes('country');
  const groups = new GroupNumbers(codes, ['country', 'fx', 'year', ...parts]);
  const groupOf = groups.addRows(rows, list);
  const sums = new GroupSums(groups.count);
  sums.addRows(list, groupOf, rows.values(0), false);
  const first = firstRowsOf(groupOf, list, groups.count);
  const encode = keys.encoderOf(codes);
  const places = new GroupNumbers(codes, parts);
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
    amounts.set(encode(countries[row] as number, rows.code('fx', row), rows.code('year', row)), total);
  }
  return amountsByPart;
}
