// Warns of a country with the figures of another country, which were probably copied beside the wrong labels.
//
// Two states of one country are not compared. A formula that divides the estimate of a nation gives several states the same
// figures.

import { groupBy } from '../../../src/basics/lists.ts';
import { count, spans } from '../../messages/numbers.ts';
import { agreementIn, type Pair } from './equalFigures.ts';
import { type RowsOfMetric, warnOfRow } from './figures.ts';

/** From this number of different figures of many digits on, chance does not explain that two countries share them. */
const FEWEST_FIGURES = 4;

/**
 * Warns once of each pair of countries whose figures agree market by market. `equal` has the pairs of rows of one year and
 * currency with the same figure. Returns the names of the countries with the figures of another one.
 */
export function checkCopiedCountries(
  figures: RowsOfMetric,
  equal: readonly Pair[],
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
      problem: `${metric} of ${two} is that of ${one} in ${count(pairs.length)} figures of ${spans(years)}`,
      remedy: 'check which of the two they belong to',
      kind: `${metric} of a country that another one has, too`,
      country: two,
    });
    reported.add(two);
  }
  return reported;
}
