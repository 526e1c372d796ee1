// Finds a few forecasts of a percentage that repeat another country or other years of their country, and hardly by chance.

import { groupBy } from '../../../src/groupBy.ts';
import type { Rows } from '../rows/rows.ts';
import type { Repeat } from './percentages.ts';
import type { Search, Shift } from './shifts.ts';

/** The number of forecasts that must be equal. Fewer may be equal by chance, whatever their digits. */
const FEWEST_FORECASTS = 4;

/**
 * The number of different figures that there must be, and of different revisions. Forecasts that all fall by a tenth of a point
 * may equal those of the next year by chance.
 */
const FEWEST_DIFFERENT = 3;

/** The highest probability that some country of an honest month has such forecasts by chance. */
const BY_CHANCE = 0.01;

/** The values of a country on the earlier side, by the code of the year. */
type Series = ReadonlyMap<number, number>;

type Figure = readonly [year: number, value: number];

/**
 * The changed forecasts of countries in which all of them repeat another country in the same years, or other years of the
 * country itself at one distance. The probability of chance is estimated from how many countries have the first figure, and how
 * many have the same steps from year to year.
 */
export function repeatedForecasts(search: Search, m: number, changed: readonly Shift[]): Repeat[] {
  const { matched, shifts } = search;
  const nation = matched.codes.codeOf('state', '');
  const forecasts = changed.filter(
    (i) => shifts.forecast[i] === 1 && shifts.isExplained[i] === 0 && shifts.code('state', i) === nation,
  );
  if (nation === undefined || forecasts.length < FEWEST_FORECASTS) return [];
  const rows = [...groupBy(forecasts, (i) => shifts.code('country', i))].filter(
    ([, own]) => own.length >= FEWEST_FORECASTS,
  );
  if (rows.length === 0) return [];
  const series = seriesOf(matched.before, m, nation);
  const yearCount = matched.codes.size('year');
  // Each changed country has been compared with every other country and at every distance in years, so chance has as many tries.
  const tried = (series.size + yearCount) * rows.length;
  return rows.flatMap(([country, own]): Repeat[] => {
    const years = [...own].sort((a, b) => shifts.code('year', a) - shifts.code('year', b));
    const values = years.map((i): Figure => [shifts.code('year', i), shifts.after[i] as number]);
    const isIn = (source: Series | undefined, by: number) =>
      values.every(([year, value]) => source?.get(year + by) === value);
    const other = [...series].find(([code, source]) => code !== country && isIn(source, 0))?.[0];
    const distances = Array.from({ length: 2 * yearCount - 1 }, (_, i) => i + 1 - yearCount);
    const by = distances.find((one) => one !== 0 && isIn(series.get(country), one));
    if (other === undefined && by === undefined) return [];
    const revisions = years.map((i) => (shifts.after[i] as number) - (shifts.before[i] as number));
    const least = Math.min(different(values.map(([, value]) => value)), different(revisions));
    if (least < FEWEST_DIFFERENT || chanceOf(values, series) * tried > BY_CHANCE) return [];
    return years.map((shift) => {
      if (other !== undefined) return { shift, dimension: 'country', from: other, to: country };
      const to = shifts.code('year', shift);
      return { shift, dimension: 'year', from: to + (by ?? 0), to };
    });
  });
}

function seriesOf(before: Rows, m: number, nation: number): ReadonlyMap<number, Series> {
  const series = new Map<number, Map<number, number>>();
  for (let row = 0; row < before.count; row += 1) {
    if (before.code('state', row) !== nation) continue;
    const country = before.code('country', row);
    const own = series.get(country) ?? new Map<number, number>();
    series.set(country, own);
    own.set(before.code('year', row), before.value(m, row));
  }
  return series;
}

/** A difference of two decimals, without the error that doubles add. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

const different = (values: readonly number[]) => new Set(values.map(rounded)).size;

/** The share of countries with the first figure, times the shares of countries with each step to the next figure. */
function chanceOf(values: readonly Figure[], series: ReadonlyMap<number, Series>) {
  const shareOf = (has: (own: Series) => boolean) =>
    Math.max(1, [...series.values()].filter(has).length) / Math.max(1, series.size);
  return values.reduce((chance, [year, value], i) => {
    const [yearBefore, valueBefore] = values[i - 1] ?? [year, Number.NaN];
    if (i === 0) return shareOf((own) => own.get(year) === value);
    const step = rounded(value - valueBefore);
    const hasStep = (own: Series) =>
      rounded((own.get(year) ?? Number.NaN) - (own.get(yearBefore) ?? Number.NaN)) === step;
    return chance * shareOf(hasStep);
  }, 1);
}
