// Reads the rows of a dataset's Parquet file into memory, in the order in which both sides are matched.

import path from 'node:path';
import { type DimensionName, metricNames } from '../../../src/catalog/datasets.ts';
import { type Chunk, numbersOf, parquetRows } from '../../../src/duckdb.ts';
import type { ComparisonEngine } from '../comparisonEngine.ts';
import type { PartialSide } from '../side.ts';
import { type CodeArray, compareRows, Rows } from './codedRows.ts';
import { type PackedWord, packedWords } from './codeSql.ts';
import type { Codes } from './codes.ts';
import { addCodeWords, unpackCodes } from './codeWords.ts';
import { sharedFloats } from './sharedArrays.ts';

/**
 * The rows of a dataset's Parquet file, sorted by `codes.order`. The files of snapshots already have that order. Other
 * files are sorted here.
 *
 * @throws {Error} when the file has another number of rows than the manifest, or a value that the manifest does not list.
 */
export async function readRows(
  engine: ComparisonEngine,
  codes: Codes,
  { directory, datasets }: Pick<PartialSide, 'directory' | 'datasets'>,
  side: 0 | 1,
): Promise<Rows> {
  const described = datasets[codes.dataset];
  if (described === undefined) throw new Error(`a snapshot without ${codes.dataset}`);
  const { file, rows: count } = described;
  const columns = new Map(
    codes.dimensions.map((one): [DimensionName, CodeArray] => [one, codes.arrayFor(one, count)]),
  );
  const values = metricNames(codes.dataset).map(() => sharedFloats(count));
  const words = packedWords(codes);
  const hasKeys = words.every(({ weight }) => weight !== null);
  const sums = sharedFloats(hasKeys ? count : 0);
  if (count > 0) {
    const selected = [
      ...words.map(({ sql }) => sql),
      ...metricNames(codes.dataset).map((metric) => `coalesce(${metric}, 'NaN'::DOUBLE)`),
    ];
    const into = { file, words, columns, values, sums };
    let read = 0;
    const select = `SELECT ${selected.join(', ')} FROM ${parquetRows(path.join(directory, file))}`;
    for await (const chunk of engine.chunks(select, side, count)) {
      if (read + chunk.rowCount > count) throw miscounted(file, count);
      takeChunk(chunk, into, read);
      read += chunk.rowCount;
    }
    if (read !== count) throw miscounted(file, count);
  }
  const rows = new Rows(count, columns, values);
  if (hasKeys) codes.keys.cacheSums(rows, sums);
  return isSorted(rows, codes) ? rows : sorted(rows, codes);
}

interface RowArrays {
  /** The file from which the rows are read. */
  readonly file: string;
  readonly words: readonly PackedWord[];
  readonly columns: ReadonlyMap<DimensionName, CodeArray>;
  /** For each metric, the value of each row. */
  readonly values: readonly Float64Array[];
  /** For each row, the sum of its weighted words. Empty if keys are not such sums. */
  readonly sums: Float64Array;
}

/** Copies the rows of a chunk into the arrays, from row `at` on. */
function takeChunk(chunk: Chunk, { file, words, columns, values, sums }: RowArrays, at: number): void {
  for (const [i, { fields, weight }] of words.entries()) {
    const numbers = numbersOf(chunk, i);
    for (const field of fields) {
      const { dimension } = field;
      if (!unpackCodes(columns.get(dimension) as CodeArray, at, numbers, field))
        throw unlisted(file, dimension);
    }
    if (weight !== null) addCodeWords(sums, at, numbers, weight);
  }
  for (const [i, column] of values.entries()) column.set(numbersOf(chunk, words.length + i), at);
}

const unlisted = (file: string, dimension: string) =>
  new Error(`${file} holds a ${dimension} that its manifest does not list`);

const miscounted = (file: string, count: number) =>
  new Error(`${file} holds another number of rows than ${count}, which its manifest says`);

function isSorted(rows: Rows, codes: Codes): boolean {
  const keys = codes.keys.whole(rows);
  if (keys !== null) {
    for (let i = 1; i < keys.length; i += 1) if ((keys[i - 1] as number) > (keys[i] as number)) return false;
    return true;
  }
  const compare = compareRows(codes.order, rows, rows);
  for (let i = 1; i < rows.count; i += 1) if (compare(i - 1, i) > 0) return false;
  return true;
}

function sorted(rows: Rows, codes: Codes): Rows {
  const compare = compareRows(codes.order, rows, rows);
  const order = Uint32Array.from({ length: rows.count }, (_, i) => i).sort(compare);
  const moved = <T extends CodeArray | Float64Array>(from: T, to: T): T => {
    for (let i = 0; i < order.length; i += 1) to[i] = from[order[i] as number] as number;
    return to;
  };
  return new Rows(
    rows.count,
    new Map(codes.dimensions.map((d) => [d, moved(rows.codes(d), codes.arrayFor(d, rows.count))])),
    metricNames(codes.dataset).map((_, i) => moved(rows.values(i), sharedFloats(rows.count))),
  );
}
