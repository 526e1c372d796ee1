// Numbers the values of every dimension, so that millions of rows are stored and matched as small integers.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  rowOrder,
} from '../../src/catalog/datasets.ts';
import type { DatasetManifest } from '../../src/catalog/manifest.ts';
import { byCodePoints } from '../../src/catalog/textOrder.ts';
import { literal } from '../../src/duckdb.ts';
import { addDigits, type Digit, Naming, nameOfSides } from './naming.ts';
import type { Key } from './revision.ts';
import type { CodeArray, Rows } from './rows.ts';
import { bitsFor, type Word, wordSql, wordsOf } from './words.ts';

/** The largest product that is exact in a double. */
const EXACT = Number.MAX_SAFE_INTEGER;

/** With more values than this, an ENUM finds a text faster than a list does. */
const MOST_LISTED = 1000;

/** Statements over fewer rows, of both sides, take less time to run than longer ones to plan. */
const MANY_ROWS = 100_000;

/** A word, the SQL that packs it, and its weight in a row's name. The weight is null where names are not sums of words. */
export interface NamedWord extends Word {
  readonly sql: string;
  readonly weight: number | null;
}

/** Names a row by some of its dimensions. Rows that agree in them have the same name. */
export type RowName = (rows: Rows, row: number) => number | string;

/**
 * The code of a value is its index in the sorted values of both sides, which the manifests list. Codes sort as their
 * values do (ruling 13), and mean the same on both sides.
 */
export class Codes {
  readonly dataset: DatasetName;
  /** Rows of both sides. */
  readonly rows: number;
  /** In catalog order. */
  readonly dimensions: readonly DimensionName[];
  readonly #values: ReadonlyMap<DimensionName, readonly (string | number)[]>;
  readonly #codes = new Map<DimensionName, ReadonlyMap<string | number, number>>();
  /** Whether each dimension has its own bits in `wholeNames`, so that words can be added without splitting them. */
  readonly #namesHaveBits: boolean;
  /** The weight of each dimension in `wholeNames`. */
  readonly #weights: ReadonlyMap<DimensionName, number> | null;
  readonly #names = new WeakMap<Rows, Float64Array>();
  #words: readonly NamedWord[] | undefined;

  constructor(dataset: DatasetName, before: DatasetManifest, after: DatasetManifest) {
    this.dataset = dataset;
    this.rows = before.rows + after.rows;
    this.dimensions = datasetOf(dataset).dimensions;
    this.#values = new Map(this.dimensions.map((one) => [one, valuesOf(one, before, after)]));
    const bits = this.order.reduce((sum, dimension) => sum + bitsFor(this.size(dimension)), 0);
    this.#namesHaveBits = 2 ** bits <= EXACT;
    this.#weights = this.#namesHaveBits
      ? this.#weightsOf(this.order, (dimension) => 2 ** bitsFor(this.size(dimension)))
      : this.mostNames(this.dimensions) === Number.POSITIVE_INFINITY
        ? null
        : this.#weightsOf(this.order);
  }

  /** The statements that create the types which `columns` needs; mostly none. */
  get types(): readonly string[] {
    return this.dimensions
      .filter((dimension) => isText(dimension) && !this.#isListed(dimension))
      .map((dimension) => `CREATE TYPE ${this.#type(dimension)} AS ENUM (${this.#literals(dimension)})`);
  }

  /** The codes of all dimensions in words, over the columns of a Parquet file. Made once: their SQL lists every value. */
  get words(): readonly NamedWord[] {
    this.#words ??= wordsOf(this.order, (dimension) => this.size(dimension)).map((word) => ({
      ...word,
      sql: this.#wordSql(word),
      weight: this.#namesHaveBits
        ? (this.weightOf(word.fields.at(-1)?.dimension as DimensionName) ?? null)
        : null,
    }));
    return this.#words;
  }

  /**
   * The engine looks a value up once for each entry of a Parquet file's dictionary, and so its bits in the word. `coalesce` and
   * arithmetic would take time in each row. Only rows with a value that is not listed are computed.
   */
  #wordSql(word: Word): string {
    const computed = wordSql(word, (dimension) => this.#column(dimension));
    const isFound = word.fields.every(({ dimension }) => this.#isListed(dimension));
    if (!isFound || this.rows < MANY_ROWS) return computed;
    const found = word.fields.map(({ dimension, shift }) => {
      const bits = this.values(dimension).map(
        (value, code) =>
          `${isText(dimension) ? literal(String(value)) : value}: ${(code + 1) * 2 ** shift}::UINTEGER`,
      );
      return `map_extract_value(MAP {${bits.join(', ')}}, ${dimension})`;
    });
    return `coalesce(${found.join(' | ')}, ${computed})`;
  }

  /** SQL of a dimension's code plus 1; 0 for a value without a code. */
  #column(dimension: DimensionName): string {
    const values = this.values(dimension);
    if (!isText(dimension)) {
      const [first, last] = [Number(values[0] ?? 0), Number(values.at(-1) ?? 0)];
      return `(CASE WHEN ${dimension} BETWEEN ${first} AND ${last} THEN ${dimension} - ${first - 1} ELSE 0 END)::UINTEGER`;
    }
    // The engine looks up each entry of a Parquet file's dictionary once, where a cast to ENUM converts each row.
    return this.#isListed(dimension)
      ? `coalesce(list_position([${this.#literals(dimension)}], ${dimension}), 0)::UINTEGER`
      : `(enum_code(${dimension}::${this.#type(dimension)})::UINTEGER + 1::UINTEGER)`;
  }

  /** An array for the codes of that many rows. */
  arrayFor(dimension: DimensionName, rows: number): CodeArray {
    return this.#isNarrow(dimension) ? new Uint16Array(rows) : new Uint32Array(rows);
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

  /** The number of codes; at least 1, so that it can be a stride. */
  size(dimension: DimensionName): number {
    return Math.max(1, this.values(dimension).length);
  }

  /** The code of a value; undefined when neither side has the value. */
  codeOf(dimension: DimensionName, value: string | number): number | undefined {
    let codes = this.#codes.get(dimension);
    if (codes === undefined) {
      codes = new Map(this.values(dimension).map((one, code) => [one, code]));
      this.#codes.set(dimension, codes);
    }
    return codes.get(value);
  }

  valueOf(dimension: DimensionName, code: number): string | number {
    const value = this.values(dimension)[code];
    if (value === undefined) throw new Error(`${this.dataset}: no ${dimension} has the code ${code}`);
    return value;
  }

  /** By code of a dimension: whether its value passes a test. All false when the dataset lacks the dimension. */
  flags(dimension: DimensionName, holds: (value: string | number) => boolean): readonly boolean[] {
    return this.has(dimension) ? this.values(dimension).map(holds) : [];
  }

  /** The dimensions of a row as text and numbers, in catalog order. */
  keyOf(rows: Rows, row: number): Key {
    const key: Partial<Record<DimensionName, string | number>> = {};
    for (const dimension of this.dimensions)
      key[dimension] = this.valueOf(dimension, rows.code(dimension, row));
    return key;
  }

  /** The number of names that `nameBy` can return; infinite when they are texts. */
  mostNames(dimensions: readonly DimensionName[]): number {
    const most = dimensions.reduce((product, dimension) => product * this.size(dimension), 1);
    return most > EXACT ? Number.POSITIVE_INFINITY : most;
  }

  /** Names rows by these dimensions: a number when all names fit into one, else a text. */
  nameBy(dimensions: readonly DimensionName[]): RowName {
    if (this.mostNames(dimensions) === Number.POSITIVE_INFINITY)
      return (rows, row) => dimensions.map((dimension) => rows.code(dimension, row)).join(' ');
    return nameOfSides(this.namingBy(dimensions));
  }

  /**
   * How these dimensions name rows by numbers. Call it only where `mostNames` is finite.
   *
   * @param isDense Whether names are below `mostNames(dimensions)`.
   */
  namingBy(dimensions: readonly DimensionName[], isDense = false): Naming {
    const left = this.dimensions.filter((dimension) => !dimensions.includes(dimension));
    const digitsOf =
      (some: readonly DimensionName[], weights: ReadonlyMap<DimensionName, number>, sign = 1) =>
      (rows: Rows) =>
        some.map(
          (dimension): Digit => ({
            codes: rows.codes(dimension),
            weight: sign * (weights.get(dimension) as number),
          }),
        );
    const isShorter = !isDense && left.length < dimensions.length;
    if (isShorter && this.#weights !== null)
      return new Naming((rows) => this.wholeNames(rows), digitsOf(left, this.#weights, -1));
    return new Naming(() => null, digitsOf(dimensions, this.#weightsOf(dimensions)));
  }

  /** Names each row by all dimensions, by row: rows sort as these numbers do. Null when they are not exact in a double. */
  wholeNames(rows: Rows): Float64Array | null {
    if (this.#weights === null) return null;
    let names = this.#names.get(rows);
    if (names === undefined) {
      names = new Float64Array(rows.count);
      addDigits(
        names,
        [...this.#weights].map(([dimension, weight]) => ({ codes: rows.codes(dimension), weight })),
      );
      this.#names.set(rows, names);
    }
    return names;
  }

  /** Stores the names of rows that were computed as sums of words times weights. */
  keepNames(rows: Rows, sums: Float64Array): void {
    // Words hold codes plus 1.
    subtract(
      sums,
      [...(this.#weights?.values() ?? [])].reduce((sum, weight) => sum + weight, 0),
    );
    this.#names.set(rows, sums);
  }

  /** Stores the names that other codes gave to the same rows, if they are the same names. */
  keepNamesOf(rows: Rows, others: Codes, known: Rows): void {
    const names = others.#names.get(known);
    const isSame = (dimension: DimensionName) => this.weightOf(dimension) === others.weightOf(dimension);
    if (names !== undefined && this.dimensions.every(isSame)) this.#names.set(rows, names);
  }

  /** How much a name of `wholeNames` grows when the dimension's code grows by 1; null when there are no such names. */
  weightOf(dimension: DimensionName): number | null {
    return this.#weights?.get(dimension) ?? null;
  }

  /** Names rows by all dimensions except these. */
  nameWithout(...left: readonly DimensionName[]): RowName {
    return this.nameBy(this.dimensions.filter((dimension) => !left.includes(dimension)));
  }

  /** The dimensions by which rows are sorted, the most significant first. */
  get order(): readonly DimensionName[] {
    return rowOrder(this.dataset);
  }

  /** The weights of dimensions as digits of a number, the first the most significant. */
  #weightsOf(
    dimensions: readonly DimensionName[],
    placesOf = (dimension: DimensionName) => this.size(dimension),
  ): ReadonlyMap<DimensionName, number> {
    const weights = new Map<DimensionName, number>();
    let weight = 1;
    for (const dimension of dimensions.toReversed()) {
      weights.set(dimension, weight);
      weight *= placesOf(dimension);
    }
    return weights;
  }

  /** Most dimensions fit into this type. Columns of one type share the same machine code. */
  #isNarrow(dimension: DimensionName): boolean {
    return this.size(dimension) < 65_536;
  }

  /** Without a dictionary, a column's values are compared with each value of the list. */
  #isListed(dimension: DimensionName): boolean {
    return this.values(dimension).length <= MOST_LISTED;
  }

  #literals(dimension: DimensionName): string {
    return this.values(dimension)
      .map((value) => literal(String(value)))
      .join(', ');
  }

  #type(dimension: DimensionName): string {
    return `${this.dataset}_${dimension}`;
  }
}

const isText = (dimension: DimensionName): boolean => dimensionOf(dimension).type === 'text';

function subtract(numbers: Float64Array, less: number): void {
  for (let i = 0; i < numbers.length; i += 1) numbers[i] = (numbers[i] as number) - less;
}

/** All values of both sides, sorted. For years, all from the first to the last. */
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
