// Packs the dimensions of a row into whole numbers, so that millions of rows are matched by integers, exactly.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  rowOrder,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { literal } from '../../src/duckdb.ts';
import type { Key } from './types.ts';

/** What a key column may count up to: BIGINT with room to spare. */
const MOST = 2n ** 62n;

interface Place {
  /** The key column in which the dimension is a digit. */
  readonly column: string;
  /** The worth of one in this digit. */
  readonly stride: bigint;
  readonly values: readonly (string | number)[];
}

/**
 * The packed keys of a dataset: each dimension is a digit, its code the place of its value among all values of
 * both sides. Keys sort as the rows do (ruling 13), and two rows have the same key when they agree in everything.
 */
export class Keys {
  /** `k0`, and more where the dimensions have too many values for one number. */
  readonly columns: readonly string[];
  readonly #dataset: DatasetName;
  readonly #places: ReadonlyMap<DimensionName, Place>;

  constructor(dataset: DatasetName, before: DatasetManifest, after: DatasetManifest) {
    this.#dataset = dataset;
    const places = new Map<DimensionName, Place>();
    let column = 0;
    let stride = 1n;
    // From the last digit up, so that the first key column holds the first dimensions.
    for (const dimension of rowOrder(dataset).toReversed()) {
      const values = valuesOf(dimension, before, after);
      const size = BigInt(Math.max(1, values.length));
      if (stride * size > MOST) {
        column += 1;
        stride = 1n;
      }
      places.set(dimension, { column: `k${column}`, stride, values });
      stride *= size;
    }
    this.#places = places;
    this.columns = Array.from({ length: column + 1 }, (_, i) => `k${column - i}`);
  }

  /** The statements that make the types which `packed` needs, and those that drop them. */
  get types(): { readonly create: readonly string[]; readonly drop: readonly string[] } {
    const texts = [...this.#places].filter(([dimension]) => dimensionOf(dimension).type === 'text');
    return {
      create: texts.map(
        ([dimension, { values }]) =>
          `CREATE TYPE ${typeOf(dimension)} AS ENUM (${values.map((value) => literal(String(value))).join(', ')})`,
      ),
      drop: texts.map(([dimension]) => `DROP TYPE ${typeOf(dimension)}`),
    };
  }

  /** The key columns as expressions over the dimensions of a Parquet file. */
  get packed(): string {
    return this.columns
      .map((column) => {
        const digits = [...this.#places].filter(([, place]) => place.column === column);
        const worth = digits.map(([dimension, { values, stride }]) =>
          dimensionOf(dimension).type === 'text'
            ? `enum_code(${dimension}::${typeOf(dimension)})::BIGINT * ${stride}`
            : // Years are few and close together: their code is counted from the first.
              `(${dimension} - ${values[0] ?? 0})::BIGINT * ${stride}`,
        );
        return `${worth.join(' + ')} AS ${column}`;
      })
      .join(', ');
  }

  has(dimension: DimensionName): boolean {
    return this.#places.has(dimension);
  }

  /** The code of a dimension, out of the key columns of a row. */
  code(dimension: DimensionName, row = ''): string {
    const { column, stride, values } = this.#at(dimension);
    return `(${row}${column} // ${stride} % ${Math.max(1, values.length)})::INTEGER`;
  }

  /** The key columns of the row that agrees in all but this dimension, where its code is 0. */
  without(dimension: DimensionName, row = ''): readonly string[] {
    const { column, stride } = this.#at(dimension);
    return this.columns.map((name) =>
      name === column ? `${row}${name} - ${this.code(dimension, row)}::BIGINT * ${stride}` : `${row}${name}`,
    );
  }

  /** A value's code; undefined for a value that neither side has. */
  codeOf(dimension: DimensionName, value: string | number): number | undefined {
    const code = this.#at(dimension).values.indexOf(value);
    return code < 0 ? undefined : code;
  }

  valueOf(dimension: DimensionName, code: unknown): string | number {
    const value = this.#at(dimension).values[Number(code)];
    if (value === undefined) throw new Error(`${this.#dataset}: no ${dimension} has the code ${code}`);
    return value;
  }

  /** The codes of all dimensions in catalog order, which `keyOf` turns into a row's dimensions. */
  codes(row = ''): string {
    return datasetOf(this.#dataset)
      .dimensions.map((dimension) => this.code(dimension, row))
      .join(', ');
  }

  keyOf(codes: readonly unknown[]): Key {
    const { dimensions } = datasetOf(this.#dataset);
    return Object.fromEntries(
      dimensions.map((dimension, i) => [dimension, this.valueOf(dimension, codes[i])]),
    );
  }

  /** The codes of the values that a test holds for. */
  codesWhere(dimension: DimensionName, holds: (value: string | number) => boolean): readonly number[] {
    return this.#at(dimension).values.flatMap((value, code) => (holds(value) ? [code] : []));
  }

  #at(dimension: DimensionName): Place {
    const place = this.#places.get(dimension);
    if (place === undefined) throw new Error(`${this.#dataset} has no dimension ${dimension}`);
    return place;
  }
}

const typeOf = (dimension: DimensionName) => `text_of_${dimension}`;

/** All values of both sides, sorted; of years every one from the first to the last. */
function valuesOf(
  dimension: DimensionName,
  before: DatasetManifest,
  after: DatasetManifest,
): readonly (string | number)[] {
  if (dimensionOf(dimension).type === 'integer') {
    const years = [...before.years, ...after.years];
    const first = Math.min(...years);
    return years.length === 0
      ? []
      : Array.from({ length: Math.max(...years) - first + 1 }, (_, i) => first + i);
  }
  const texts = [before, after].flatMap(({ dimensions }) => dimensions[dimension] ?? []);
  return [...new Set(texts.map(({ value }) => value))].sort(byCodePoint);
}

/** As DuckDB and the API sort text; UTF-16 order differs beyond U+FFFF. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
