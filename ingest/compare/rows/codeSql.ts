// Writes the SQL that turns the texts and years of a Parquet file into codes, packed into words, while the engine reads it.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { type DimensionName, isText } from '../../../src/catalog/datasets.ts';
import { literal } from '../../../src/duckdb.ts';
import type { Codes } from './codes.ts';
import { type CodeWord, codeWordSql, codeWordsOf } from './codeWords.ts';

/** The most values of a dimension that are looked up in a list. For more values, an ENUM is faster. */
const MOST_LISTED = 1000;

/**
 * From this number of rows on, of both sides, `sqlOf` writes a map of all values into the statement. Such a statement takes
 * longer to plan, but runs faster.
 */
const MAP_FROM_ROWS = 100_000;

/** A word, the SQL that packs it, and its weight in the key of a row. The weight is null if keys are not sums of words. */
export interface PackedWord extends CodeWord {
  readonly sql: string;
  readonly weight: number | null;
}

/** The statements that create the ENUM types that `packedWords` needs; usually none. */
export function codeTypes(codes: Codes): readonly string[] {
  return codes.dimensions
    .filter((dimension) => isText(dimension) && !isListed(codes, dimension))
    .map((dimension) => `CREATE TYPE ${typeOf(codes, dimension)} AS ENUM (${literals(codes, dimension)})`);
}

const known = new WeakMap<Codes, readonly PackedWord[]>();

/**
 * The words that hold the codes of all dimensions. They are made once for each `Codes`, because their SQL lists every
 * value.
 */
export function packedWords(codes: Codes): readonly PackedWord[] {
  return getOrInsert(known, codes, () =>
    codeWordsOf(codes.order, (dimension) => codes.size(dimension)).map((word) => ({
      ...word,
      sql: sqlOf(codes, word),
      weight: codes.keys.weightOfWord(word),
    })),
  );
}

/**
 * SQL of a word. For many rows it maps each value directly to its bits in the word. The engine evaluates this map once for
 * each entry of a Parquet file's dictionary, while arithmetic would take time in each row. Arithmetic remains only for rows
 * with a value that the map lacks.
 */
function sqlOf(codes: Codes, word: CodeWord): string {
  const computed = codeWordSql(word, (dimension) => column(codes, dimension));
  const isFound = word.fields.every(({ dimension }) => isListed(codes, dimension));
  if (!isFound || codes.rows < MAP_FROM_ROWS) return computed;
  const found = word.fields.map(({ dimension, shift }) => {
    const bits = codes
      .values(dimension)
      .map(
        (value, code) =>
          `${isText(dimension) ? literal(String(value)) : value}: ${(code + 1) * 2 ** shift}::UINTEGER`,
      );
    return `map_extract_value(MAP {${bits.join(', ')}}, ${dimension})`;
  });
  return `coalesce(${found.join(' | ')}, ${computed})`;
}

/** SQL of a dimension's code plus 1; 0 for a value without a code. */
function column(codes: Codes, dimension: DimensionName): string {
  const values = codes.values(dimension);
  if (!isText(dimension)) {
    const [first, last] = [Number(values[0] ?? 0), Number(values.at(-1) ?? 0)];
    return `(CASE WHEN ${dimension} BETWEEN ${first} AND ${last} THEN ${dimension} - ${first - 1} ELSE 0 END)::UINTEGER`;
  }
  // The engine looks up each entry of a Parquet file's dictionary once. A cast to ENUM would convert each row.
  return isListed(codes, dimension)
    ? `coalesce(list_position([${literals(codes, dimension)}], ${dimension}), 0)::UINTEGER`
    : `(enum_code(${dimension}::${typeOf(codes, dimension)})::UINTEGER + 1::UINTEGER)`;
}

/** Whether the values of a dimension are few enough to be looked up in a list. */
const isListed = (codes: Codes, dimension: DimensionName): boolean =>
  codes.values(dimension).length <= MOST_LISTED;

const literals = (codes: Codes, dimension: DimensionName): string =>
  codes
    .values(dimension)
    .map((value) => literal(String(value)))
    .join(', ');

const typeOf = (codes: Codes, dimension: DimensionName): string => `${codes.dataset}_${dimension}`;
