// Writes the SQL that sorts the staged rows of a dataset. It packs the dimensions of a row into one integer to sort fast.
//
// 1. Find the texts of each dimension, and the first and last year.
// 2. Rank the texts of each dimension from 1 and the years from 0, and give the dimension the bits that its last rank
//    needs.
// 3. Put the ranks of a row side by side into one integer. The first dimension of the row order has the highest bits.
// 4. Sort by the integer, and turn its ranks into values again.

import {
  type DatasetName,
  type DimensionName,
  datasetOf,
  metricNames,
  rowOrder,
} from '../../../src/catalog/datasets.ts';
import { byCodePoints } from '../../../src/catalog/textOrder.ts';
import { type DuckDBConnection, literal, queryRows } from '../../../src/duckdb.ts';
import type { Staging } from './staging.ts';
import { stagingColumn } from './stagingTables.ts';

/** The smallest number of rows that are packed. Fewer rows are sorted sooner than the engine could list their texts. */
export const PACKED_FROM_ROWS = 100_000;

/**
 * The most texts of all dimensions together. The statement lists each text. With more texts, sorting the rows column by
 * column is faster.
 */
const MOST_TEXTS = 4_000;

/**
 * The most entries of the lists that give the rank of each code. The lists have gaps, because other dimensions use the
 * codes in between. The engine takes 0.6 s to plan a list of 36,000 entries. In the same time it sorts a million rows
 * column by column.
 */
const MOST_CODES = 20_000;

/** The most bits of a packed row: those of a BIGINT without its sign. */
const MOST_BITS = 63;

/**
 * Whether sorting the rows of a dataset takes little time: the rows are few, or their texts are few enough to pack them.
 */
export const isSortedFast = (staging: Staging, dataset: DatasetName): boolean =>
  staging.addedRows(dataset) < PACKED_FROM_ROWS || staging.textCount <= MOST_TEXTS;

/**
 * A SELECT of the rows of `facts` in row order, with texts as VARCHAR. `facts` is a SELECT of the staging table's
 * dimensions and metrics, one row for each fact. Null when the rows should be sorted column by column: they are few, have
 * very many texts, or have more values than fit into an integer. Queries use `connection`, which may be any connection to
 * the staging database.
 */
export async function packedRowsSelect(
  connection: DuckDBConnection,
  staging: Staging,
  dataset: DatasetName,
  facts: string,
): Promise<string | null> {
  if (staging.addedRows(dataset) < PACKED_FROM_ROWS) return null;
  const packings = await packedDimensions(connection, staging, dataset, facts);
  if (packings === null) return null;
  // The operator `|` is faster than `+`, which checks each row for an overflow.
  const packed = packings.map(({ packed }) => packed).join(' | ');
  const metrics = metricNames(dataset);
  const columns = datasetOf(dataset).dimensions.flatMap((dimension) => {
    const packing = packings.find((one) => one.dimension === dimension);
    return packing === undefined ? [] : [`${packing.unpacked} AS ${dimension}`];
  });
  return `SELECT ${[...columns, ...metrics].join(', ')} FROM (
    SELECT ${['packed', ...metrics].join(', ')} FROM (
      SELECT ${[`${packed} AS packed`, ...metrics].join(', ')} FROM (${facts})) ORDER BY packed)`;
}

/** A dimension that takes some bits of the integer. */
interface PackedDimension {
  readonly dimension: DimensionName;
  /** SQL that turns the column into its rank, shifted to the bits of the dimension. */
  readonly packed: string;
  /** SQL that turns these bits of `packed` into the value again. */
  readonly unpacked: string;
}

/**
 * All dimensions in row order; null when their ranks need too many bits, or when they have NULLs or too many texts or
 * codes.
 */
async function packedDimensions(
  connection: DuckDBConnection,
  staging: Staging,
  dataset: DatasetName,
  facts: string,
): Promise<readonly PackedDimension[] | null> {
  const order = rowOrder(dataset);
  const used = await usedValues(connection, order, facts);
  const lists = used.filter((values) => values !== null);
  const texts = lists.reduce((sum, values) => sum + values.length, 0);
  if (lists.length < used.length || texts > MOST_TEXTS) return null;
  const codes = lists.reduce((sum, values) => sum + Math.max(...values) - Math.min(...values) + 1, 0);
  if (codes > MOST_CODES) return null;
  const packings: PackedDimension[] = [];
  let shift = 0;
  // The last dimension comes first, because it has the lowest bits.
  for (const [i, dimension] of [...order.entries()].reverse()) {
    const values = lists[i] ?? [];
    const isText = stagingColumn(dimension) !== dimension;
    const lastRank = isText ? values.length : (values[1] ?? 0) - (values[0] ?? 0);
    const bits = lastRank.toString(2).length;
    const bitsOf = { lowestBit: 1n << BigInt(shift), rank: `((packed >> ${shift}) & ${2 ** bits - 1})` };
    packings.push(
      isText ? packedText(dimension, values, bitsOf, staging) : packedYear(dimension, values[0] ?? 0, bitsOf),
    );
    shift += bits;
  }
  return shift > MOST_BITS ? null : packings.reverse();
}

interface BitsOfDimension {
  /** The value of the lowest bit. */
  readonly lowestBit: bigint;
  /** SQL of the rank in a packed row. */
  readonly rank: string;
}

const packedYear = (
  year: DimensionName,
  first: number,
  { lowestBit, rank }: BitsOfDimension,
): PackedDimension => ({
  dimension: year,
  packed: `((${year} - ${first})::BIGINT * ${lowestBit})`,
  unpacked: `(${first} + ${rank})::INTEGER`,
});

/** Packs a dimension of texts. `codes` are the codes of all its texts. */
function packedText(
  dimension: DimensionName,
  codes: readonly number[],
  { lowestBit, rank }: BitsOfDimension,
  staging: Staging,
): PackedDimension {
  const ranked = codes
    .map((code) => ({ code, text: staging.text(code) }))
    .sort((a, b) => byCodePoints(a.text, b.text));
  const first = Math.min(...codes);
  const placed = Array<bigint | 'NULL'>(Math.max(...codes) - first + 1).fill('NULL');
  for (const [index, { code }] of ranked.entries()) placed[code - first] = BigInt(index + 1) * lowestBit;
  return {
    dimension,
    // A list is faster than a join.
    packed: `list_extract([${placed.join(', ')}]::BIGINT[], ${stagingColumn(dimension)} - ${first - 1})`,
    unpacked: `list_extract([${ranked.map(({ text }) => literal(text)).join(', ')}], ${rank})`,
  };
}

/** The codes of the texts of each dimension, or the first and last year; null for a dimension that is NULL in some row. */
async function usedValues(
  connection: DuckDBConnection,
  dimensions: readonly DimensionName[],
  facts: string,
): Promise<readonly (readonly number[] | null)[]> {
  const found = await queryRows(
    connection,
    dimensions
      .map((dimension, i) => {
        const column = stagingColumn(dimension);
        if (column !== dimension) return `SELECT ${i}, ${column} FROM (${facts}) GROUP BY ${column}`;
        return `SELECT ${i}, unnest([min(${column}), max(${column})]) FROM (${facts})`;
      })
      .join(' UNION ALL '),
  );
  const used = dimensions.map((): unknown[] => []);
  for (const [i, value] of found) used[Number(i)]?.push(value);
  return used.map((values) =>
    values.length > 0 && values.every((value) => typeof value === 'number') ? values : null,
  );
}
