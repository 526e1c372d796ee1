// Holds the staged rows of a small dataset in memory: a loop over a few rows is faster than planning a large query.

import { getOrInsert } from '../../src/basics/maps.ts';
import { type DatasetName, type DimensionName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { chunksOfWhole, numbersOf } from '../../src/duckdb.ts';
import { type ColumnsInMemory, MOST_ROWS_IN_MEMORY } from '../staging/database/rowsInMemory.ts';
import type { Staging } from '../staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';

/** The rows of the small datasets. Large datasets are missing. */
export type RowsInMemory = ReadonlyMap<DatasetName, StagedRows>;

/** Reads the rows of these datasets into memory, and leaves out large datasets. */
export async function readRowsInMemory(
  staging: Staging,
  datasets: readonly DatasetName[],
): Promise<RowsInMemory> {
  const found = new Map<DatasetName, StagedRows>();
  for (const dataset of datasets) {
    const rows = await StagedRows.of(staging, dataset);
    if (rows !== null) found.set(dataset, rows);
  }
  return found;
}

/** Groups of rows, numbered from 0 in the order of their first rows. */
export interface RowGroups {
  /** The group of each row. */
  readonly numbers: Int32Array;
  readonly count: number;
}

/** The rows of a dataset in the order of their places. */
export class StagedRows {
  readonly count: number;
  readonly #dimensions: ReadonlyMap<DimensionName, Int32Array>;
  readonly #metrics: ReadonlyMap<string, Float64Array>;
  readonly #numbered = new Map<DimensionName, RowGroups>();
  /** The names of all rows. They are undefined until they are needed, and null when doubles cannot hold them exactly. */
  #names: RowNames | null | undefined;
  readonly sources: Int32Array;
  /** The place of each row in its source: its row number times `COLUMNS`, plus its column number. */
  readonly #within: Float64Array;
  /** The metric that each row holds, or `EVERY_METRIC`. */
  readonly metric: Int32Array;

  private constructor(dataset: DatasetName, columns: readonly (Int32Array | Float64Array)[], count: number) {
    const { dimensions } = datasetOf(dataset);
    const [sources, metric, ...values] = columns.map((column) => column.subarray(0, count));
    const [within, ...metrics] = values.slice(dimensions.length) as Float64Array[];
    this.count = count;
    this.sources = sources as Int32Array;
    this.metric = metric as Int32Array;
    this.#within = within as Float64Array;
    this.#dimensions = new Map(dimensions.map((name, i) => [name, values[i] as Int32Array]));
    this.#metrics = new Map(metricNames(dataset).map((name, i) => [name, metrics[i] as Float64Array]));
  }

  /** All rows of a dataset; null when they are more than `MOST_ROWS_IN_MEMORY`. */
  static async of(staging: Staging, dataset: DatasetName): Promise<StagedRows | null> {
    return staging.addedRows(dataset) > MOST_ROWS_IN_MEMORY ? null : await StagedRows.first(staging, dataset);
  }

  /** The first `MOST_ROWS_IN_MEMORY` rows of a dataset. */
  static async first(staging: Staging, dataset: DatasetName): Promise<StagedRows> {
    const { columnsInMemory } = staging.buffer(dataset);
    const rows = columnsInMemory
      ? StagedRows.#ofRowsInMemory(columnsInMemory, dataset)
      : await StagedRows.#read(staging, dataset);
    // Rows are nearly always staged in the order of their places.
    if (rows.#areInOrder()) return rows;
    return await StagedRows.#read(staging, dataset, 'ORDER BY _source, _row, _column');
  }

  static #ofRowsInMemory(inMemory: ColumnsInMemory, dataset: DatasetName): StagedRows {
    const { count, sources, rowNumbers, placeColumns, metrics, dimensions, values } = inMemory;
    const within = new Float64Array(count);
    fillWithin(within, rowNumbers, placeColumns);
    const columns = [sources, new Int32Array(metrics.subarray(0, count)), ...dimensions, within, ...values];
    return new StagedRows(dataset, columns, count);
  }

  static async #read(staging: Staging, dataset: DatasetName, order = ''): Promise<StagedRows> {
    const integers = [
      '_source',
      '_metric::INTEGER',
      ...datasetOf(dataset).dimensions.map((name) => `coalesce(${stagingColumn(name)}, ${NO_CODE})`),
    ];
    const doubles = [
      `_row::DOUBLE * ${COLUMNS} + _column`,
      ...metricNames(dataset).map((name) => `coalesce(${name}, 'NaN'::DOUBLE)`),
    ];
    const most = Math.min(MOST_ROWS_IN_MEMORY, staging.addedRows(dataset));
    const columns = [
      ...integers.map(() => new Int32Array(most)),
      ...doubles.map(() => new Float64Array(most)),
    ];
    let count = 0;
    const select = `SELECT ${[...integers, ...doubles].join(', ')} FROM ${stagingTable(dataset)} ${order} LIMIT ${most}`;
    for await (const chunk of chunksOfWhole(staging.connection, select)) {
      for (const [i, column] of columns.entries()) column.set(numbersOf(chunk, i), count);
      count += chunk.rowCount;
    }
    return new StagedRows(dataset, columns, count);
  }

  has(name: DimensionName): boolean {
    return this.#dimensions.has(name);
  }

  /** The year or the code of the text of each row in a dimension; `NO_CODE` where a row has none. */
  dimension(name: DimensionName): Int32Array {
    const column = this.#dimensions.get(name);
    if (column === undefined) throw new Error(`staged rows have no dimension ${name}`);
    return column;
  }

  /** The groups of rows with equal values of a dimension. */
  numbered(name: DimensionName): RowGroups {
    return getOrInsert(this.#numbered, name, () => groupsByCode(this.dimension(name)));
  }

  /** The groups of rows that agree in all dimensions except these. */
  groupsWithout(dropped: readonly DimensionName[]): RowGroups {
    const dimensions = [...this.#dimensions.keys()];
    if (this.#names === undefined)
      this.#names = namesOf(new Map(dimensions.map((name) => [name, this.numbered(name)])), this.count);
    if (this.#names === null) {
      const grouped = dimensions.filter((name) => !dropped.includes(name));
      return intersectedGroups(
        grouped.map((name) => this.numbered(name)),
        this.count,
      );
    }
    const names = this.#names.byRow.slice();
    for (const name of dropped) {
      const weight = this.#names.weights.get(name);
      if (weight !== undefined) addDigit(names, this.numbered(name), -weight);
    }
    const count = renumber(names);
    return { numbers: new Int32Array(names), count };
  }

  /** The value of each row in a metric; NaN where a row has none. */
  values(metric: string): Float64Array {
    const column = this.#metrics.get(metric);
    if (column === undefined) throw new Error(`staged rows have no metric ${metric}`);
    return column;
  }

  /** The largest absolute value of a metric; 0 where there is none. */
  largest(metric: string): number {
    let largest = 0;
    for (const value of this.values(metric)) if (Math.abs(value) > largest) largest = Math.abs(value);
    return largest;
  }

  /** The place of a row, as `PLACE_SQL` gives it. */
  placeOf(row: number): bigint {
    return (BigInt(this.sources[row] as number) << 46n) | BigInt(this.#within[row] as number);
  }

  #areInOrder(): boolean {
    const [sources, within] = [this.sources, this.#within];
    for (let row = 1; row < this.count; row += 1) {
      const after = (sources[row] as number) - (sources[row - 1] as number);
      if (after < 0 || (after === 0 && (within[row] as number) < (within[row - 1] as number))) return false;
    }
    return true;
  }
}

function fillWithin(within: Float64Array, rows: Int32Array, places: Int32Array): void {
  for (let i = 0; i < within.length; i += 1)
    within[i] = (rows[i] as number) * COLUMNS + (places[i] as number);
}

/** The number of rows and the first row of each group. */
export function sizesOf({ numbers, count }: RowGroups): {
  readonly rows: Int32Array;
  readonly first: Int32Array;
} {
  const [rows, first] = [new Int32Array(count), new Int32Array(count)];
  for (let row = 0; row < numbers.length; row += 1) {
    const group = numbers[row] as number;
    if (rows[group] === 0) first[group] = row;
    rows[group] = (rows[group] as number) + 1;
  }
  return { rows, first };
}

/** Groups rows by codes or years. These are small numbers, so an array indexed by them is faster than a hash table. */
export function groupsByCode(codes: Int32Array): RowGroups {
  /** The number of the group of each code, plus 1; 0 for a code that no row had yet. The array begins with `NO_CODE`. */
  let known = new Int32Array(MOST_YEARS);
  const numbers = new Int32Array(codes.length);
  let count = 0;
  for (let row = 0; row < codes.length; row += 1) {
    const at = (codes[row] as number) - NO_CODE;
    if (at >= known.length) {
      const larger = new Int32Array(2 * at);
      larger.set(known);
      known = larger;
    }
    if (known[at] === 0) {
      count += 1;
      known[at] = count;
    }
    numbers[row] = (known[at] as number) - 1;
  }
  return { numbers, count };
}

/** More than any year, because years have four digits. */
const MOST_YEARS = 10_000;

/**
 * A number for each row. Rows that agree in all dimensions have the same number. It is a sum over the dimensions: the
 * number of the row's group times the weight of the dimension.
 */
interface RowNames {
  readonly byRow: Float64Array;
  readonly weights: ReadonlyMap<DimensionName, number>;
}

/** The names of all rows; null when doubles cannot hold them exactly. */
function namesOf(all: ReadonlyMap<DimensionName, RowGroups>, rows: number): RowNames | null {
  const byRow = new Float64Array(rows);
  const weights = new Map<DimensionName, number>();
  let size = 1;
  for (const [dimension, groups] of all) {
    addDigit(byRow, groups, size);
    weights.set(dimension, size);
    size *= Math.max(1, groups.count);
    if (size > Number.MAX_SAFE_INTEGER) return null;
  }
  return { byRow, weights };
}

function addDigit(names: Float64Array, { numbers, count }: RowGroups, weight: number): void {
  // A single group has the number 0, so there is nothing to add.
  if (count < 2) return;
  for (let row = 0; row < names.length; row += 1)
    names[row] = (names[row] as number) + (numbers[row] as number) * weight;
}

/** Two rows are in one group of the result if they are in one group of each of `all`. `rows` is the number of rows. */
export function intersectedGroups(all: readonly RowGroups[], rows: number): RowGroups {
  const names = new Float64Array(rows);
  let size = 1;
  for (const { numbers, count } of all) {
    // Renumbering makes the names small again before they become too large for a double to be exact.
    if (size * count > Number.MAX_SAFE_INTEGER) size = renumber(names);
    size *= count;
    for (let row = 0; row < names.length; row += 1)
      names[row] = (names[row] as number) * count + (numbers[row] as number);
  }
  const count = renumber(names);
  return { numbers: new Int32Array(names), count };
}

/**
 * Numbers the different values from 0, in the order of their first occurrence, and replaces each value by its number.
 * Returns how many different values there are. All values must be whole numbers.
 *
 * It uses a hash table with open addressing that is at most half full, because a `Map` is slower.
 */
export function renumber(values: Int32Array | Float64Array): number {
  const mask = 2 ** Math.ceil(Math.log2(2 * values.length + 2)) - 1;
  const known = new Float64Array(mask + 1);
  /** The number of the value in each slot, plus 1; 0 when the slot is free. */
  const numbers = new Int32Array(mask + 1);
  let count = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    const high = Math.floor(value / LOW);
    const hash = Math.imul(value - high * LOW, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (numbers[slot] !== 0 && known[slot] !== value) slot = (slot + 1) & mask;
    if (numbers[slot] === 0) {
      count += 1;
      known[slot] = value;
      numbers[slot] = count;
    }
    values[i] = (numbers[slot] as number) - 1;
  }
  return count;
}

const LOW = 2 ** 32;

/** Stands for the code or the year that a row does not have. */
export const NO_CODE = -1;

/** The number of columns that a place can distinguish. */
const COLUMNS = 32_768;
