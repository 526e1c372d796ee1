// Sums of countries by currency and year, reported figures apart from forecasts. A country and its states count once.

import { datasetOf } from '../../src/catalog/datasets.ts';
import { GroupSums } from './groupSums.ts';
import type { CodeArray, Rows } from './rows/codedRows.ts';
import type { Codes } from './rows/codes.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import { type NumberTable, numberTable } from './rows/numberTable.ts';
import { NO_ROW } from './rows/stateRows.ts';
import type { SideName } from './side.ts';

/** The sums of one side, as lists in the order of country, currency, year and forecast. Both sides have that order. */
export class CountrySums {
  readonly count: number;
  /** Codes. The code of the currency is 0 when the dataset has no such dimension. */
  readonly country: Uint32Array;
  readonly fx: Uint32Array;
  readonly year: Uint32Array;
  readonly forecast: Uint8Array;
  /**
   * For each metric, the sums by index; NaN without a value. Metrics that do not add up have the sums of the absolute
   * values, which only serve as weights.
   */
  readonly sums: readonly Float64Array[];
  /**
   * The keys of the sums, ascending. A key is ((country × currencies + fx) × years + year) × 2 + forecast, all of them
   * codes.
   */
  readonly keys: Float64Array;
  /** Has a number for each key, in the order of the first rows with the keys. */
  readonly #groups: NumberTable;
  /** The index of each sum in the lists, by the number of its key. */
  readonly #indexOf: Int32Array;
  readonly #codes: Codes;
  readonly #currencies: number;
  readonly #years: number;

  /**
   * @param groups Has a number for each key.
   * @param keys The keys, in the order of their numbers.
   * @param sums For each metric, the sum at the number of each key.
   */
  constructor(
    { codes }: Pick<MatchedRows, 'codes'>,
    groups: NumberTable,
    keys: ArrayLike<number>,
    sums: readonly Pick<GroupSums, 'at'>[],
  ) {
    this.#codes = codes;
    this.#currencies = codes.currencies;
    this.#years = codes.size('year');
    this.count = keys.length;
    this.country = new Uint32Array(this.count);
    this.fx = new Uint32Array(this.count);
    this.year = new Uint32Array(this.count);
    this.forecast = new Uint8Array(this.count);
    this.sums = sums.map(() => new Float64Array(this.count));
    this.#groups = groups;
    this.#indexOf = new Int32Array(this.count);
    this.keys = Float64Array.from(keys).sort();
    const groupOf = new Int32Array(this.count);
    groups.writeNumbers(this.keys, groupOf, false);
    for (let i = 0; i < groupOf.length; i += 1) this.#indexOf[groupOf[i] as number] = i;
    for (let m = 0; m < sums.length; m += 1)
      copySums(this.sums[m] as Float64Array, groupOf, sums[m] as Pick<GroupSums, 'at'>);
    this.#decodeKeys();
  }

  #decodeKeys(): void {
    const { keys, country, fx, year, forecast } = this;
    const years = this.#years;
    const currencies = this.#currencies;
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i] as number;
      // The operator % takes several times as long for doubles.
      const rest = Math.floor(key / 2);
      forecast[i] = key - rest * 2;
      const pair = Math.floor(rest / years);
      year[i] = rest - pair * years;
      country[i] = Math.floor(pair / currencies);
      fx[i] = pair - Math.floor(pair / currencies) * currencies;
    }
  }

  /** The index of the sum of these codes; -1 when there is none. */
  indexOf(country: number, fx: number, year: number, forecast: boolean): number {
    return this.#indexAt(((country * this.#currencies + fx) * this.#years + year) * 2 + (forecast ? 1 : 0));
  }

  /** The index of the sum of a row's country, currency and year; -1 when there is none. */
  indexOfRow(rows: Rows, row: number, forecast: boolean): number {
    const fx = this.#codes.has('fx') ? rows.code('fx', row) : 0;
    return this.indexOf(rows.code('country', row), fx, rows.code('year', row), forecast);
  }

  /**
   * The index of the sum that has the country, currency, year and kind of the sum of `other` at `index`; -1 when there is
   * none.
   */
  indexOfSame(other: CountrySums, index: number): number {
    return this.#indexAt(other.keys[index] as number);
  }

  #indexAt(key: number): number {
    const group = this.#groups.at(key);
    return group < 0 ? -1 : (this.#indexOf[group] as number);
  }

  /** The country, the currency and the year of a sum. The currency is null when the dataset has no such dimension. */
  dimensionsAt(index: number): {
    readonly country: string;
    readonly fx: string | null;
    readonly year: number;
  } {
    const codes = this.#codes;
    return {
      country: codes.textOf('country', this.country[index] as number),
      fx: codes.has('fx') ? codes.textOf('fx', this.fx[index] as number) : null,
      year: codes.yearAt(this.year[index] as number),
    };
  }

  /** The sum of a metric at an index; NaN without a value, and for the index -1. */
  sum(metric: number, index: number): number {
    return index < 0 ? Number.NaN : ((this.sums[metric] as Float64Array)[index] as number);
  }
}

/** Copies the sum of each group. It is a function of its own: inside its caller, V8 would optimise the whole caller again. */
function copySums(into: Float64Array, groupOf: Int32Array, sums: Pick<GroupSums, 'at'>): void {
  for (let i = 0; i < into.length; i += 1) into[i] = sums.at(groupOf[i] as number);
}

/** Restores the sums of another thread from the keys and values that the thread sent. */
export function receivedSums(
  { codes }: Pick<MatchedRows, 'codes'>,
  { keys, sums }: Pick<CountrySums, 'keys' | 'sums'>,
): CountrySums {
  const groups = tableOfKeys(codes);
  groups.writeNumbers(keys, new Int32Array(keys.length), true);
  const values = sums.map((ofMetric) => ({ at: (group: number) => ofMetric[group] as number }));
  return new CountrySums({ codes }, groups, keys, values);
}

const tableOfKeys = (codes: Codes): NumberTable =>
  numberTable(codes.size('country') * codes.currencies * codes.size('year') * 2, FEW_KEYS);

/** Up to this number of possible keys, a table with an entry for each takes at most 4 MB. */
const FEW_KEYS = 1_000_000;

/** The number of rows in a batch, which are added up together. Their keys and groups then fit into the processor's cache. */
const AT_ONCE = 8192;

/**
 * The sums of one side by country, currency and year, reported figures apart from forecasts.
 *
 * @param arrived The rows that were forecasts on the earlier side. They count as forecasts, because a late report replaces
 * a forecast and is no growth of the reported figures of its year.
 */
export function sumByCountry(
  matched: MatchedRows,
  side: SideName,
  arrived: ReadonlyMap<number, unknown> = new Map(),
): CountrySums {
  const { codes, metrics, [side]: rows } = matched;
  const groups = tableOfKeys(codes);
  const keys: number[] = [];
  const sums = metrics.map((metric) => ({
    isAbsolute: datasetOf(codes.dataset).metrics[metric]?.addsUp !== true,
    ofGroups: new GroupSums(0),
  }));
  const keyParts = keyPartsOf(matched, side, arrived);
  const nationRowOf = matched.nationRowOf[side];
  const states = nationRowOf === null ? null : rows.codes('state');
  const room = Math.min(AT_ONCE, rows.count);
  const [batch, keyOf, groupOf] = [new Int32Array(room), new Float64Array(room), new Int32Array(room)];
  for (let from = 0; from < rows.count; from += AT_ONCE) {
    const end = Math.min(from + AT_ONCE, rows.count);
    const list = batch.subarray(0, fillCountedOnce(batch, from, end, nationRowOf, states));
    const keysOfList = keyOf.subarray(0, list.length);
    const groupsOfList = groupOf.subarray(0, list.length);
    encodeKeys(keysOfList, list, keyParts);
    groups.writeNumbers(keysOfList, groupsOfList, true);
    addNewKeys(keys, groupsOfList, keysOfList);
    for (const [m, { isAbsolute, ofGroups }] of sums.entries()) {
      ofGroups.expect(keys.length);
      ofGroups.addRows(list, groupsOfList, rows.values(m), isAbsolute);
    }
  }
  return new CountrySums(
    matched,
    groups,
    keys,
    sums.map(({ ofGroups }) => ofGroups),
  );
}

/** For each row, the parts of the key of its sum; and how many currencies and years there are. */
interface KeyParts {
  readonly country: CodeArray;
  readonly fx: CodeArray | null;
  readonly year: CodeArray;
  readonly isForecast: Uint8Array;
  readonly currencies: number;
  readonly years: number;
}

function keyPartsOf(matched: MatchedRows, side: SideName, arrived: ReadonlyMap<number, unknown>): KeyParts {
  const { codes, [side]: rows } = matched;
  const { forecast } = matched.flags[side];
  const isForecast = arrived.size === 0 ? forecast : forecast.slice();
  for (const row of arrived.keys()) isForecast[row] = 1;
  return {
    country: rows.codes('country'),
    fx: codes.has('fx') ? rows.codes('fx') : null,
    year: rows.codes('year'),
    isForecast,
    currencies: codes.currencies,
    years: codes.size('year'),
  };
}

/** Writes the key of the sum to which each row in `list` belongs. */
function encodeKeys(keys: Float64Array, list: Int32Array, by: KeyParts): void {
  const { country, fx, year, isForecast, currencies, years } = by;
  for (let at = 0; at < list.length; at += 1) {
    const row = list[at] as number;
    const pair = (country[row] as number) * currencies + (fx === null ? 0 : (fx[row] as number));
    keys[at] = (pair * years + (year[row] as number)) * 2 + (isForecast[row] as number);
  }
}

/** Adds the keys of the groups that have no key yet. Groups are numbered in the order of their first rows. */
function addNewKeys(keys: number[], groupOf: Int32Array, keyOf: Float64Array): void {
  for (let at = 0; at < groupOf.length; at += 1)
    if (groupOf[at] === keys.length) keys.push(keyOf[at] as number);
}

/**
 * Fills `list` with the rows between `from` and `end` that count in a total, as `countedOnceTest` tells, and returns their
 * number.
 */
function fillCountedOnce(
  list: Int32Array,
  from: number,
  end: number,
  nationRowOf: Int32Array | null,
  states: CodeArray | null,
): number {
  let count = 0;
  for (let row = from; row < end; row += 1) {
    list[count] = row;
    if (nationRowOf === null || states === null || states[row] === 0 || nationRowOf[row] === NO_ROW)
      count += 1;
  }
  return count;
}

/**
 * Whether a row counts in a total. Rows of whole countries count, and rows of states whose country has no row that agrees
 * with them. `countedOnceSql.ts` has the same rule in SQL.
 */
export function countedOnceTest(matched: MatchedRows, side: SideName): (row: number) => boolean {
  const nationRowOf = matched.nationRowOf[side];
  if (nationRowOf === null) return () => true;
  const states = matched[side].codes('state');
  return (row) => states[row] === 0 || nationRowOf[row] === NO_ROW;
}
