// The staged rows of a small dataset in memory: a walk through few rows takes less time than planning a query with many groups.

import { type DatasetName, type DimensionName, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { chunksOf, numbersOf } from '../../src/duckdb.ts';
import { type Staging, stagingColumn, stagingTable } from '../staging/staging.ts';

/** With more rows than this, queries are faster. */
const MANY_ROWS = 50_000;

/** The datasets whose rows are in memory. */
export type InMemory = ReadonlyMap<DatasetName, StagedRows>;

/** The rows of the small ones among these datasets. */
export async function inMemory(staging: Staging, datasets: readonly DatasetName[]): Promise<InMemory> {
  const found = new Map<DatasetName, StagedRows>();
  for (const dataset of datasets) {
    const rows = await StagedRows.of(staging, dataset);
    if (rows !== null) found.set(dataset, rows);
  }
  return found;
}

interface Numbered {
  readonly numbers: Int32Array;
  readonly count: number;
}

export class StagedRows {
  readonly count: number;
  readonly #dimensions: ReadonlyMap<DimensionName, Int32Array>;
  readonly #metrics: ReadonlyMap<string, Float64Array>;
  readonly #numbered = new Map<DimensionName, Numbered>();
  readonly #sources: Int32Array;
  /** By row: the number of its row in the source, and of its column. */
  readonly #within: Float64Array;
  /** By row: the only metric that it holds, or `EVERY_METRIC`. */
  readonly metric: Int32Array;

  private constructor(dataset: DatasetName, columns: readonly Float64Array[], count: number) {
    const [sources, rows, places, metric, ...values] = columns.map((column) => column.subarray(0, count));
    const { dimensions } = datasetOf(dataset);
    this.count = count;
    this.#sources = Int32Array.from(sources ?? []);
    this.#within = Float64Array.from(rows ?? [], (row, i) => row * COLUMNS + (places?.[i] ?? 0));
    this.metric = Int32Array.from(metric ?? []);
    this.#dimensions = new Map(dimensions.map((name, i) => [name, Int32Array.from(values[i] ?? [])]));
    this.#metrics = new Map(
      metricNames(dataset).map((name, i) => [name, values[dimensions.length + i] ?? new Float64Array(count)]),
    );
  }

  /** The rows of a dataset; null when they are many. */
  static async of(staging: Staging, dataset: DatasetName): Promise<StagedRows | null> {
    const most = staging.added(dataset);
    if (most > MANY_ROWS) return null;
    const selected = [
      ...['_source', '_row', '_column', '_metric'].map((name) => `${name}::DOUBLE`),
      ...datasetOf(dataset).dimensions.map((name) => `coalesce(${stagingColumn(name)}, ${NOTHING})::DOUBLE`),
      ...metricNames(dataset).map((name) => `coalesce(${name}, 'NaN'::DOUBLE)`),
    ];
    const columns = selected.map(() => new Float64Array(most));
    let count = 0;
    const select = `SELECT ${selected.join(', ')} FROM ${stagingTable(dataset)}`;
    for await (const chunk of chunksOf(staging.connection, select)) {
      for (const [i, column] of columns.entries()) column.set(numbersOf(chunk, i), count);
      count += chunk.rowCount;
    }
    return new StagedRows(dataset, columns, count);
  }

  /** The years or the codes of texts of a dimension, by row; `NOTHING` where there is none. */
  dimension(name: DimensionName): Int32Array {
    const column = this.#dimensions.get(name);
    if (column === undefined) throw new Error(`staged rows have no dimension ${name}`);
    return column;
  }

  /** The same as numbers from 0 in the order of their first rows, and how many there are. */
  numbered(name: DimensionName): Numbered {
    const known = this.#numbered.get(name);
    if (known !== undefined) return known;
    const numbers = this.dimension(name).slice();
    const numbered = { numbers, count: renumber(numbers) };
    this.#numbered.set(name, numbered);
    return numbered;
  }

  /** The values of a metric, by row; NaN where there is none. */
  values(metric: string): Float64Array {
    const column = this.#metrics.get(metric);
    if (column === undefined) throw new Error(`staged rows have no metric ${metric}`);
    return column;
  }

  /** The index of a row's source. */
  source(row: number): number {
    return this.#sources[row] as number;
  }

  /** Negative when a row comes before another one in the order of `PLACE`. */
  comparePlaces(row: number, other: number): number {
    const difference = (this.#sources[row] as number) - (this.#sources[other] as number);
    return difference !== 0 ? difference : (this.#within[row] as number) - (this.#within[other] as number);
  }

  /** A row's place, as `PLACE` gives it. */
  placeOf(row: number): bigint {
    return (BigInt(this.#sources[row] as number) << 46n) | BigInt(this.#within[row] as number);
  }
}

/**
 * Replaces whole numbers by numbers from 0, in the order of their first places, and gives how many there are.
 *
 * It looks them up in a hash table with open addressing, which is at most half full: a Map takes longer.
 */
export function renumber(values: Int32Array | Float64Array): number {
  const mask = 2 ** Math.ceil(Math.log2(2 * values.length + 2)) - 1;
  const known = new Float64Array(mask + 1);
  /** By slot: the number of its value, from 1; 0 when the slot is free. */
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

/** In place of a code or a year that a row lacks. */
export const NOTHING = -1;

/** As many columns as a place has room for. */
const COLUMNS = 32_768;
