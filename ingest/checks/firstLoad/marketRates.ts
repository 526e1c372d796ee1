// Warns of a market and year whose figures in two currencies have another ratio than the country's other markets.
//
// `impliedRates.ts` compares the ratios of whole countries with the rates of fx.

import { groupBy } from '../../../src/basics/lists.ts';
import { getOrInsert } from '../../../src/basics/maps.ts';
import { lowerMedian } from '../../../src/basics/medians.ts';
import { multiple, yearSpans } from '../../messages/numbers.ts';
import { rowCountText } from '../stagedPlaces.ts';
import { intersectedGroups } from '../stagedRows.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';

/**
 * A figure is reported if its ratio differs by more than this from the country's median ratio of the year, in logarithms.
 */
const APART_DISTANCE = Math.log(1.02);
/** A figure agrees with the median ratio if its ratio differs from it by less than this, in logarithms. */
const AGREEING_DISTANCE = Math.log(1.002);

/** The smallest compared figure. Rounding could change the ratio of a smaller one by more than `AGREEING_DISTANCE`. */
const LEAST_FIGURE = 10_000;

/** From this number of markets on, their median ratio counts as the rate of the year. */
const FEWEST_MARKETS = 3;
/** The smallest share of a country's figures that must agree with the median ratios of their years. */
const MAJORITY_SHARE = 0.8;

/** The logarithm of USD per unit of the figure's currency, and the row of the figure. */
interface Ratio {
  readonly row: number;
  readonly logOfUsd: number;
}

/** The ratios of a country in one currency, compared with the median of each year. */
interface Series {
  /** The number of ratios, and the number of ratios that agree with the median of their year. */
  all: number;
  agreeing: number;
  /** The figures to report. `distance` is the difference of logarithms between their ratio and the median ratio. */
  readonly apart: { readonly row: number; readonly distance: number }[];
}

/**
 * Reports figures that were converted from or to USD at another rate than the country's other figures of the year, once for
 * each country and currency. They are in another currency than their label says, or of another year.
 */
export function checkMarketRates(figures: CheckedFigures): void {
  const { staging, metric, rows } = figures;
  const [countries, currencies, years] = [
    rows.dimension('country'),
    rows.dimension('fx'),
    rows.dimension('year'),
  ];
  for (const { all, agreeing, apart } of seriesIn(figures)) {
    const [first] = apart.sort((a, b) => a.row - b.row);
    if (first === undefined || agreeing < MAJORITY_SHARE * all) continue;
    const { row, distance } = first;
    const country = staging.text(countries[row]);
    const inYears = yearSpans(apart.map((one) => years[one.row] as number));
    warnOfRow(figures, row, {
      problem: `${metric} of ${country} in ${staging.text(currencies[row])} and in USD have another ratio than the country's others of the year, by a factor of ${multiple(Math.exp(distance))} (${rowCountText(apart.length)} in ${inYears})`,
      remedy: 'check the currency and the year of the figures',
      kind: `${metric} of a market in another currency or year`,
      country,
    });
  }
}

function seriesIn(figures: CheckedFigures): Iterable<Series> {
  const { rows } = figures;
  const [countries, currencies] = [rows.dimension('country'), rows.dimension('fx')];
  const bySeries = new Map<string, Series>();
  for (const ratios of ratiosOfYears(figures)) {
    const [first] = ratios;
    if (first === undefined || ratios.length < FEWEST_MARKETS) continue;
    const usual = lowerMedian(ratios.map(({ logOfUsd }) => logOfUsd));
    const key = `${countries[first.row]} ${currencies[first.row]}`;
    const series = getOrInsert(bySeries, key, () => ({ all: 0, agreeing: 0, apart: [] }));
    for (const { row, logOfUsd } of ratios) {
      const distance = Math.abs(logOfUsd - usual);
      series.all += 1;
      if (distance < AGREEING_DISTANCE) series.agreeing += 1;
      if (distance > APART_DISTANCE) series.apart.push({ row, distance });
    }
  }
  return bySeries.values();
}

/** The ratios of all figures, one group for each country, currency and year. */
function ratiosOfYears(figures: CheckedFigures): Iterable<readonly Ratio[]> {
  const { rows } = figures;
  const cells = intersectedGroups(
    [rows.numbered('country'), rows.numbered('fx'), rows.numbered('year')],
    rows.count,
  );
  return groupBy(ratiosIn(figures), ({ row }) => cells.numbers[row]).values();
}

function ratiosIn({ staging, metric, rows }: CheckedFigures): readonly Ratio[] {
  const [values, currencies] = [rows.values(metric), rows.dimension('fx')];
  const facts = rows.groupsWithout(['fx']);
  const usd = staging.code('USD');
  const inUsd = new Float64Array(facts.count);
  for (let row = 0; row < rows.count; row += 1)
    if (currencies[row] === usd) inUsd[facts.numbers[row] as number] = values[row] as number;
  const ratios: Ratio[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    const [value, other] = [values[row] as number, inUsd[facts.numbers[row] as number] as number];
    if (currencies[row] !== usd && value >= LEAST_FIGURE && other >= LEAST_FIGURE)
      ratios.push({ row, logOfUsd: Math.log(other / value) });
  }
  return ratios;
}
