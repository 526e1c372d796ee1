// Numbers the values of every dimension. Millions of rows are then stored and matched as small integers.

import { getOrInsert } from '../../../src/basics/maps.ts';
import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  rowOrder,
} from '../../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../../src/catalog/manifest.ts';
import { byCodePoints } from '../../../src/catalog/textOrder.ts';
import type { RowDimensions } from '../revision.ts';
import type { CodeArray, Rows } from './codedRows.ts';
import { RowKeys } from './rowKeys.ts';
import { sharedNarrowCodes, sharedWideCodes } from './sharedArrays.ts';

/** For each row, the code of a dimension; and the value of each code. */
interface Column {
  readonly dimension: DimensionName;
  readonly codes: CodeArray;
  readonly values: readonly (string | number)[];
}

/**
 * The codes of a dataset's values. The manifests list the values of both sides. The code of a value is its index among all
 * of them, sorted. So codes sort as values do in snapshots, and mean the same on both sides.
 */
export class Codes {
  readonly dataset: DatasetName;
  /** The number of rows of both sides. */
  readonly rows: number;
  /** In catalog order. */
  readonly dimensions: readonly DimensionName[];
  readonly keys: RowKeys;
  readonly #values: ReadonlyMap<DimensionName, readonly (string | number)[]>;
  readonly #codes = new Map<DimensionName, ReadonlyMap<string | number, number>>();
  readonly #columns = new WeakMap<Rows, readonly Column[]>();

  constructor(dataset: DatasetName, before: DatasetManifest, after: DatasetManifest) {
    this.dataset = dataset;
    this.rows = before.rows + after.rows;
    this.dimensions = datasetOf(dataset).dimensions;
    this.#values = new Map(this.dimensions.map((one) => [one, valuesOf(one, before, after)]));
    this.keys = new RowKeys(this.dimensions, this.order, (dimension) => this.size(dimension));
  }

  /** The dimensions by which rows are sorted, the most significant first. */
  get order(): readonly DimensionName[] {
    return rowOrder(this.dataset);
  }

  arrayFor(dimension: DimensionName, rows: number): CodeArray {
    return this.#isNarrow(dimension) ? sharedNarrowCodes(rows) : sharedWideCodes(rows);
  }

  has(dimension: DimensionName): boolean {
    return this.#values.has(dimension);
  }

  /** All values, in the order of their codes. */
  values(dimension: DimensionName): readonly (string | number)[] {
    const values = this.#values.get(dimension);
    if (values === undefined) throw new Error(`${this.dataset} has no dimension ${dimension}`);
    return values;
  }

  /** The number of codes. It is at least 1, so that keys can be multiplied by it. */
  size(dimension: DimensionName): number {
    return Math.max(1, this.values(dimension).length);
  }

  /** The number of currencies; 1 when the dataset has no such dimension, so that keys can be multiplied by it. */
  get currencies(): number {
    return this.has('fx') ? this.size('fx') : 1;
  }

  /** The code of `state` in rows of whole countries; undefined when there are none. */
  get nation(): number | undefined {
    return this.codeOf('state', '');
  }

  /** The code of a value; undefined when neither side has the value. */
  codeOf(dimension: DimensionName, value: string | number): number | undefined {
    const codes = getOrInsert(
      this.#codes,
      dimension,
      () => new Map(this.values(dimension).map((one, code) => [one, code])),
    );
    return codes.get(value);
  }

  valueOf(dimension: DimensionName, code: number): string | number {
    const value = this.values(dimension)[code];
    if (value === undefined) throw new Error(`${this.dataset}: no ${dimension} has the code ${code}`);
    return value;
  }

  textOf(dimension: DimensionName, code: number): string {
    return String(this.valueOf(dimension, code));
  }

  yearAt(code: number): number {
    return Number(this.valueOf('year', code));
  }

  yearOf(rows: Rows, row: number): number {
    return this.yearAt(rows.code('year', row));
  }

  countryOf(rows: Rows, row: number): string {
    return this.textOf('country', rows.code('country', row));
  }

  /** For each code of a dimension, whether its value passes a test; empty when the dataset lacks the dimension. */
  flags(dimension: DimensionName, holds: (value: string | number) => boolean): readonly boolean[] {
    return this.has(dimension) ? this.values(dimension).map(holds) : [];
  }

  /** The dimensions of a row as text and numbers, in catalog order. */
  dimensionsOf(rows: Rows, row: number): RowDimensions {
    const key: Partial<Record<DimensionName, string | number>> = {};
    for (const { dimension, codes, values } of this.#columnsOf(rows)) {
      const code = codes[row] as number;
      key[dimension] = values[code] ?? this.valueOf(dimension, code);
    }
    return key;
  }

  /** The columns of the dimensions of these rows. They are cached, because a comparison lists thousands of rows. */
  #columnsOf(rows: Rows): readonly Column[] {
    return getOrInsert(this.#columns, rows, () =>
      this.dimensions.map((dimension) => ({
        dimension,
        codes: rows.codes(dimension),
        values: this.values(dimension),
      })),
    );
  }

  /**
   * Whether codes fit into 16 bits. Those of most dimensions do. Dimensions with few values get no arrays of 8 bits,
   * because arrays of one type let V8 share machine code.
   */
  #isNarrow(dimension: DimensionName): boolean {
    return this.size(dimension) < 65_536;
  }
}

/** All values of both sides, sorted. For years, all years from the first to the last. */
function valuesOf(
  dimension: DimensionName,
  before: DatasetManifest,
  after: DatasetManifest,
): readonly (string | number)[] {
  if (dimensionOf(dimension).type === 'integer') {
    const years = [...before.years, ...after.years];
    if (years.length === 0) return [];
    const first = Math.min(...years);
    return Array.from({ length: Math.max(...years) - first + 1 }, (_, i) => first + i);
  }
  const texts = [before, after].flatMap(({ dimensions }) => dimensions[dimension] ?? []);
  return [...new Set(texts.map(({ value }) => value))].sort(byCodePoints);
}
