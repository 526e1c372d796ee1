// Warns of products that have the same figures in two categories, because they would be counted twice.

import { groupBy, onlyOf } from '../../../src/basics/lists.ts';
import { counted } from '../../messages/numbers.ts';
import { agreementIn, type Pair } from './equalFigures.ts';
import { type Figures, warnOfRow } from './figures.ts';

/** The fewest rows of a product that are the same in two categories. */
const FEWEST_REPEATED = 3;

/**
 * Reports products with the same figures in two categories. `equal` has the pairs of rows of one year and currency with the
 * same figure.
 */
export function checkRepeatedProducts(figures: Figures, equal: readonly Pair[]): void {
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
