// Finds new countries whose figures are those of another country times factors.

import { hasDigits } from '../figures/digits.ts';
import { countriesTimesFactor, FEWEST_DIGITS } from '../figures/timesFactor.ts';
import type { ProportionalCountry } from './comparisonTypes.ts';
import { GroupNumbers, groupedItems, NO_GROUP } from './rows/groupNumbers.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import { allRowsWhere } from './rows/rowLists.ts';

/**
 * Compares each country that ggr or turnover has for the first time with all others. Of two new countries with the same
 * figures, the second one is reported.
 */
export function proportionalCountries(matched: MatchedRows): readonly ProportionalCountry[] {
  const { codes, before, after, metrics } = matched;
  const [metric = ''] = metrics;
  if (!codes.has('fx')) return [];
  const known = new Uint8Array(codes.size('country'));
  for (const country of before.codes('country')) known[country] = 1;
  const [countries, values] = [after.codes('country'), after.values(0)];
  const isFigure = (row: number) => hasDigits(values[row] as number, FEWEST_DIGITS);
  const fresh = allRowsWhere(after, (row) => known[countries[row] as number] === 0 && isFigure(row));
  if (fresh.length === 0) return [];
  const groups = GroupNumbers.without(codes, 'country', 'region', 'temporal');
  groups.addRows(after, fresh);
  const groupOf = groups.ofRows(
    after,
    allRowsWhere(after, () => true),
  );
  for (let row = 0; row < groupOf.length; row += 1)
    if (groupOf[row] !== NO_GROUP && !isFigure(row)) groupOf[row] = NO_GROUP;
  const { starts, items } = groupedItems(groupOf, groups.count);
  const markets = new Int32Array(after.count);
  const marketOf = GroupNumbers.without(codes, 'year', 'region', 'temporal', 'fx').addRows(after, fresh);
  for (const [i, row] of fresh.entries()) markets[row] = marketOf[i] as number;
  const figures = {
    values,
    countries,
    countryCount: codes.size('country'),
    years: after.codes('year'),
    products: codes.has('product') ? after.codes('product') : new Uint8Array(after.count),
    markets,
    counterparts: (row: number) => {
      const group = groupOf[row] as number;
      return items.subarray(starts[group], starts[group + 1]);
    },
  };
  const mayBeSource = (source: number, country: number) => known[source] === 1 || source < country;
  return countriesTimesFactor(figures, fresh, mayBeSource).map(({ country, source, ...shared }) => ({
    metric,
    country: codes.textOf('country', country),
    of: codes.textOf('country', source),
    ...shared,
  }));
}
