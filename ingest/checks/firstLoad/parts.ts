// Warns of parts of a country that contradict the rest.
//
// These are series in another unit, a product in two categories, forecasts before reported figures, and states above their nation.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { amount, count, counted, spans } from '../../messages/numbers.ts';
import type { StagingView } from '../../staging/database/staging.ts';
import { placeOfNumber } from '../places.ts';
import type { StagedRows } from '../stagedRows.ts';
import type { Pair } from './equalFigures.ts';
import type { Figures } from './figures.ts';
import type { SeriesYears } from './seriesYears.ts';

/** A step is a change by about a thousand or a million: its decimal logarithm is this near to 3 or 6. */
const NEAR_POWER = 0.3;
const LEAST_STEP = 10 ** (3 - NEAR_POWER);
/** The years on either side of a step agree with each other within this factor. */
const AGREEING_FACTOR = 5;

/** From this share of the series of a country on, `seriesUnits.ts` reports the step. */
const MOST_SHARE = 0.9;

/** Reports series that become a thousand or a million times larger or smaller and stay so, where most of the country's do not. */
export function checkUnitsOfSeries(
  { staging, problems, metric, rows, series }: Figures,
  years: SeriesYears,
): void {
  const values = rows.values(metric);
  const countries = rows.dimension('country');
  const steps: { row: number; at: number; times: number }[] = [];
  for (let one = 0; one < series.count; one += 1)
    for (let at = 0; at < years.count; at += 1) {
      const row = years.row(one, at);
      if (row < 0) continue;
      const value = values[row] as number;
      const before = years.figure(values, one, at, -1);
      const times = value / before;
      // Nearly all figures end here, before the logarithm.
      if (!(times > LEAST_STEP || (times > 0 && times < 1 / LEAST_STEP)) || before <= 0) continue;
      const size = Math.abs(Math.log10(times));
      if (Math.min(Math.abs(size - 3), Math.abs(size - 6)) > NEAR_POWER) continue;
      if (
        !agree(before, years.figure(values, one, at, -2)) ||
        !agree(value, years.figure(values, one, at, 1))
      )
        continue;
      steps.push({ row, at, times });
    }
  /** How many series of a country have a figure in a year and the one before. */
  const comparedOf = (code: number | undefined, at: number) => {
    let n = 0;
    for (let one = 0; one < series.count; one += 1)
      if (
        countries[years.row(one, at)] === code &&
        years.figure(values, one, at) > 0 &&
        years.figure(values, one, at, -1) > 0
      )
        n += 1;
    return n;
  };
  for (const all of groupBy(steps, ({ row, at }) => `${countries[row]} ${at}`).values()) {
    const [{ row, at, times }] = all;
    const compared = comparedOf(countries[row], at);
    if (all.length >= MOST_SHARE * compared) continue;
    const country = staging.text(countries[row]);
    const power = 10 ** Math.round(Math.abs(Math.log10(times)));
    problems.add('warning', placeOfNumber(staging, rows.placeOf(row), metric), {
      problem: `${metric} of ${country} is about ${amount(power)} times ${times > 1 ? 'larger' : 'smaller'} from ${years.yearOf(at)} on than before in ${count(all.length)} of ${count(compared)} series${exampleOf(', such as ', staging, rows, row)}`,
      remedy: 'check the unit of the figures of these years',
      kind: `${metric} of some series changes its unit from one year to the next`,
      country,
    });
  }
}

/** The product of a row behind some words; '' where the dataset has no products. */
const exampleOf = (words: string, staging: StagingView, rows: StagedRows, row: number): string =>
  rows.has('product') ? `${words}${staging.text(rows.dimension('product')[row])}` : '';

const agree = (a: number, b: number): boolean => a > 0 && b > 0 && Math.max(a / b, b / a) <= AGREEING_FACTOR;

/** How many rows of one product must be the same in two categories. */
const FEWEST_REPEATED = 3;

/** Reports products whose figures are in two categories. */
export function checkRepeatedProducts(
  { staging, problems, metric, rows }: Figures,
  equal: readonly Pair[],
): void {
  if (!rows.has('product') || !rows.has('category')) return;
  const [products, categories] = [rows.dimension('product'), rows.dimension('category')];
  const same = (['country', 'state', 'product', 'channel', 'sub_channel'] as const)
    .filter((name) => rows.has(name))
    .map((name) => rows.dimension(name));
  const repeated = equal.filter(
    ({ row, other }) =>
      categories[row] !== categories[other] && same.every((codes) => codes[row] === codes[other]),
  );
  const alike = groupBy(
    repeated,
    ({ row, other }) => `${products[row]} ${categories[row]} ${categories[other]}`,
  );
  for (const pairs of alike.values()) {
    const [{ row, other }] = pairs;
    if (pairs.length < FEWEST_REPEATED) continue;
    const countries = new Set(pairs.map((pair) => rows.dimension('country')[pair.row]));
    const [only] = countries;
    problems.add('warning', placeOfNumber(staging, rows.placeOf(other), 'category'), {
      problem: `${metric} of product "${staging.text(products[row])}" in category "${staging.text(categories[other])}" is that in "${staging.text(categories[row])}" in ${counted(pairs.length, 'row')}`,
      remedy: 'delete the rows of one category: they would be counted twice',
      kind: 'a product with the same figures in two categories',
      ...(countries.size === 1 ? { country: staging.text(only) } : {}),
    });
  }
}

/** In how many years a country must have a forecast before a reported figure of the same series. One year may be a gap. */
const FEWEST_FORECAST_YEARS = 2;

/** Reports countries with forecasts of years before the last reported one of the same series. */
export function checkForecastsBefore({ staging, problems, metric, rows, series }: Figures): void {
  const [years, temporals] = [rows.dimension('year'), rows.dimension('temporal')];
  const [current, forecast] = [staging.code('Current'), staging.code('Forecast')];
  const lastReported = new Int32Array(series.count).fill(-1);
  for (let row = 0; row < rows.count; row += 1) {
    const one = series.numbers[row] as number;
    if (temporals[row] === current)
      lastReported[one] = Math.max(lastReported[one] as number, years[row] as number);
  }
  const early: number[] = [];
  for (let row = 0; row < rows.count; row += 1)
    if (
      temporals[row] === forecast &&
      (years[row] as number) < (lastReported[series.numbers[row] as number] as number)
    )
      early.push(row);
  for (const [code, all] of groupBy(early, (row) => rows.dimension('country')[row])) {
    const inYears = ascending(all.map((row) => years[row] as number));
    if (inYears.length < FEWEST_FORECAST_YEARS) continue;
    const country = staging.text(code);
    problems.add('warning', placeOfNumber(staging, rows.placeOf(all[0]), 'temporal'), {
      problem: `${metric} of ${country} has forecasts of ${spans(inYears)} before reported figures of the same series`,
      remedy: 'write Current for reported figures and Forecast for the others, unless it is meant',
      kind: `${metric} has forecasts before reported figures`,
      country,
    });
  }
}

/** Turnover of states and of their nation may be estimated by holds of their own. Fewer figures may be one that was typed wrong. */
const MOST_OF_NATION = 1.25;
const FEWEST_ABOVE = 3;

/** Reports countries whose states come to more than the nation. */
export function checkStatesOfNation({ staging, problems, metric, rows }: Figures): void {
  const [values, states] = [rows.values(metric), rows.dimension('state')];
  if (rows.numbered('state').count < 2) return;
  const groups = rows.groupsWithout(['state']);
  const [nation, sums] = [new Float64Array(groups.count), new Float64Array(groups.count)];
  const first = new Int32Array(groups.count).fill(-1);
  const noState = staging.code('');
  for (let row = 0; row < rows.count; row += 1) {
    const group = groups.numbers[row] as number;
    const value = Number.isNaN(values[row]) ? 0 : (values[row] as number);
    if (states[row] === noState) nation[group] = (nation[group] as number) + value;
    else {
      sums[group] = (sums[group] as number) + value;
      if (first[group] === -1) first[group] = row;
    }
  }
  const ratioOf = (row: number) => {
    const group = groups.numbers[row] as number;
    return (nation[group] as number) > 0 ? (sums[group] as number) / (nation[group] as number) : 0;
  };
  const withStates = [...first].filter((row) => row >= 0 && ratioOf(row) > 0);
  for (const [code, all] of groupBy(withStates, (row) => rows.dimension('country')[row])) {
    const above = all.filter((row) => ratioOf(row) > MOST_OF_NATION);
    if (above.length < FEWEST_ABOVE) continue;
    const country = staging.text(code);
    const worst = above.reduce((most, row) => (ratioOf(row) > ratioOf(most) ? row : most));
    problems.add('warning', placeOfNumber(staging, rows.placeOf(worst), metric), {
      problem: `${metric} of the states of ${country} comes to more than that of the nation in ${count(above.length)} of ${count(all.length)} figures, at most to ${amount(ratioOf(worst))} times as much${exampleOf(': ', staging, rows, worst)} in ${rows.dimension('year')[worst]}`,
      remedy: 'check the unit of the states and of the nation, and that no state is there twice',
      kind: `${metric} of states above that of their nation`,
      country,
    });
  }
}
