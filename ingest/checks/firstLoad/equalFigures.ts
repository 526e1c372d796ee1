// Warns of a country with the figures of another one, and of products with the same figures in two categories.
//
// Two states of one country are not compared. A formula that divides the estimate of a nation gives several states the same
// figures.

import { groupBy, onlyOf } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { hasManyDigits } from '../../figures/digits.ts';
import { count, counted, yearSpans } from '../../messages/numbers.ts';
import type { StagedRows } from '../stagedRows.ts';
import { type CheckedFigures, type RowsOfMetric, warnOfRow } from './checkedFigures.ts';

/** Two rows of one year and currency with the same figure. `row` precedes `other`. */
export interface EqualPair {
  readonly row: number;
  readonly other: number;
}

/**
 * Returns a function that says whether two rows agree in these dimensions. It ignores dimensions that the dataset lacks.
 */
export function agreementIn(
  rows: StagedRows,
  dimensions: readonly DimensionName[],
): (row: number, other: number) => boolean {
  const columns = dimensions.filter((name) => rows.has(name)).map((name) => rows.dimension(name));
  return (row, other) => columns.every((column) => column[row] === column[other]);
}

/**
 * The pairs of rows of one year and currency with the same figure. Each row is compared with the nearest row above that has
 * its figure.
 */
export function equalFigures(rows: StagedRows, metric: string): readonly EqualPair[] {
  const values = rows.values(metric);
  const bits = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const isSameYear = agreementIn(rows, ['year', 'fx']);
  const pairs: EqualPair[] = [];
  // A hash table with open addressing is faster than a `Map` of doubles. A slot holds the index of the last row with a
  // value, plus 1. An empty slot holds 0.
  const mask = 2 ** Math.ceil(Math.log2(2 * values.length + 2)) - 1;
  const known = new Int32Array(mask + 1);
  for (let row = 0; row < rows.count; row += 1) {
    const value = values[row] as number;
    if (!(value > 0)) continue;
    const hash =
      Math.imul(bits[2 * row] as number, 0x9e3779b1) ^ Math.imul(bits[2 * row + 1] as number, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (known[slot] !== 0 && values[(known[slot] as number) - 1] !== value) slot = (slot + 1) & mask;
    const above = (known[slot] as number) - 1;
    known[slot] = row + 1;
    if (above < 0 || !isSameYear(row, above)) continue;
    if (hasManyDigits(value)) pairs.push({ row: above, other: row });
  }
  return pairs;
}

/** From this number of different figures of many digits on, chance does not explain that two countries share them. */
const FEWEST_FIGURES = 4;

/**
 * Warns once of each pair of countries whose figures agree market by market. `equal` has the pairs of rows of one year and
 * currency with the same figure. Returns the names of the countries with the figures of another one.
 */
export function checkCopiedCountries(
  figures: RowsOfMetric,
  equal: readonly EqualPair[],
): ReadonlySet<string | null> {
  const { staging, metric, rows } = figures;
  const countries = rows.dimension('country');
  const isSameMarket = agreementIn(rows, ['state', 'category', 'product', 'channel', 'sub_channel']);
  const copied = equal.filter(
    ({ row, other }) => countries[row] !== countries[other] && isSameMarket(row, other),
  );
  const [values, yearOf] = [rows.values(metric), rows.dimension('year')];
  const reported = new Set<string | null>();
  for (const pairs of groupBy(copied, ({ row, other }) => `${countries[row]} ${countries[other]}`).values()) {
    const [{ row, other }] = pairs;
    if (new Set(pairs.map((pair) => values[pair.row])).size < FEWEST_FIGURES) continue;
    const [one, two] = [staging.text(countries[row]), staging.text(countries[other])];
    const years = pairs.map((pair) => yearOf[pair.row] as number);
    warnOfRow(figures, other, {
      problem: `${metric} of ${two} is that of ${one} in ${count(pairs.length)} figures of ${yearSpans(years)}`,
      remedy: 'check which of the two they belong to',
      kind: `${metric} of a country that another one has, too`,
      country: two,
    });
    reported.add(two);
  }
  return reported;
}

const FEWEST_REPEATED = 3;

/**
 * Reports products with the same figures in two categories. `equal` has the pairs of rows of one year and currency with the
 * same figure.
 */
export function checkRepeatedProducts(figures: CheckedFigures, equal: readonly EqualPair[]): void {
  const { staging, metric, rows } = figures;
  if (!rows.has('product') || !rows.has('category')) return;
  const [products, categories] = [rows.dimension('product'), rows.dimension('category')];
  const isSameMarket = agreementIn(rows, ['country', 'state', 'product', 'channel', 'sub_channel']);
  const repeated = equal.filter(
    ({ row, other }) => categories[row] !== categories[other] && isSameMarket(row, other),
  );
  const alike = groupBy(
    repeated,
    ({ row, other }) => `${products[row]} ${categories[row]} ${categories[other]}`,
  );
  for (const pairs of alike.values()) {
    const [{ row, other }] = pairs;
    if (pairs.length < FEWEST_REPEATED) continue;
    const country = onlyOf(pairs.map((pair) => rows.dimension('country')[pair.row]));
    warnOfRow(
      figures,
      other,
      {
        problem: `${metric} of product "${staging.text(products[row])}" in category "${staging.text(categories[other])}" is the same as in "${staging.text(categories[row])}" in ${counted(pairs.length, 'row')}`,
        remedy: 'delete the rows of one category: they would be counted twice',
        kind: 'a product with the same figures in two categories',
        country: country === null ? null : staging.text(country),
      },
      'category',
    );
  }
}
