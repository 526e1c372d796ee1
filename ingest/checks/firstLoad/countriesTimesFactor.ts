// Warns of a country whose figures are another country's times factors: it was converted, or got another name.

import { groupBy } from '../../../src/basics/lists.ts';
import { hasDigits } from '../../figures/digits.ts';
import { countriesTimesFactor, FEWEST_DIGITS } from '../../figures/timesFactor.ts';
import { count } from '../../messages/numbers.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';

/** Warns once of each country that is another one times factors. */
export function checkCountriesTimesFactor(figures: CheckedFigures): void {
  const { staging, metric, rows, markets } = figures;
  const [values, names, numbered] = [
    rows.values(metric),
    rows.dimension('country'),
    rows.numbered('country'),
  ];
  const compared = rowsOfOneCurrency(figures).filter((row) =>
    hasDigits(values[row] as number, FEWEST_DIGITS),
  );
  const { numbers: cellOf } = rows.groupsWithout(['country', 'region', 'temporal']);
  const rowsOfCell = groupBy(compared, (row) => cellOf[row] as number);
  const compare = {
    values,
    countries: numbered.numbers,
    countryCount: numbered.count,
    years: rows.dimension('year'),
    products: rows.has('product') ? rows.dimension('product') : new Int32Array(rows.count),
    markets: markets.numbers,
    counterparts: (row: number) => rowsOfCell.get(cellOf[row] as number) ?? [],
  };
  const found = countriesTimesFactor(compare, compared, (source, country) => source < country);
  for (const { country, source, per, factor, figures: alike, compared: all } of found) {
    // Equal figures have a check of their own, which asks for more digits.
    if (factor === 1) continue;
    const rowOf = (number: number) => compared.find((row) => numbered.numbers[row] === number) ?? 0;
    const nameOf = (number: number) => staging.text(names[rowOf(number)]);
    const [one, other] = [nameOf(source), nameOf(country)];
    const by = factor === null ? `one factor per ${per}` : Number(factor.toPrecision(5));
    warnOfRow(figures, rowOf(country), {
      problem: `${metric} of ${other} is that of ${one} × ${by} in ${count(alike)} of ${count(all)} figures`,
      remedy: 'check whether both are one country, or one was estimated from the other',
      kind: `${metric} of a country is that of another one times a factor`,
      country: other,
    });
  }
}

/** The rows in the currency that most rows have. The other currencies repeat its factors. */
function rowsOfOneCurrency({ rows }: CheckedFigures): Int32Array {
  const currencies = rows.dimension('fx');
  const byCurrency = groupBy(currencies.keys(), (row) => currencies[row]);
  const [largest = []] = [...byCurrency.values()].sort((a, b) => b.length - a.length);
  return Int32Array.from(largest);
}
