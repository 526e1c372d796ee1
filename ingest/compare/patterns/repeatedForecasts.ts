// Finds a few forecasts of a percentage that repeat other years or another country, where chance hardly explains it.

import { groupBy } from '../../../src/basics/lists.ts';
import { getOrInsert } from '../../../src/basics/maps.ts';
import type { Rows } from '../rows/codedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import type { Repeat } from './repeatedPercentages.ts';

/** The number of forecasts that must be equal. Fewer may be equal by chance, whatever their digits. */
const FEWEST_FORECASTS = 4;

/**
 * A country's changed forecasts must have at least this many different figures, and at least this many different
 * revisions. Forecasts that all fall by a tenth of a point may equal those of the next year by chance.
 */
const FEWEST_DIFFERENT = 3;

/** The highest probability with which chance may explain the forecasts of some country in an honest month. */
const BY_CHANCE = 0.01;

/** For the code of each year, the value of a country on the earlier side. */
type Series = ReadonlyMap<number, number>;

type Figure = readonly [year: number, value: number];

/**
 * The changed forecasts of each country, if all of them repeat another country in the same years, or the country's own
 * figures of a fixed number of years earlier or later. Countries for which `chanceOf` makes a coincidence likely are left
 * out.
 */
export function repeatedForecasts(
  search: PatternSearch,
  metricIndex: number,
  changed: readonly Change[],
): Repeat[] {
  const { matched, changes } = search;
  const { nation } = matched.codes;
  const forecasts = changed.filter(
    (change) =>
      changes.forecast[change] === 1 &&
      changes.isExplained[change] === 0 &&
      changes.code('state', change) === nation,
  );
  const countries = [...groupBy(forecasts, (change) => changes.code('country', change))].filter(
    ([, own]) => own.length >= FEWEST_FORECASTS,
  );
  if (nation === undefined || countries.length === 0) return [];
  const series = seriesOf(matched.before, metricIndex, nation);
  const yearCount = matched.codes.size('year');
  // Each changed country is compared with every other country and at every distance in years, so chance has as many tries.
  const tries = (series.size + yearCount) * countries.length;
  return countries.flatMap(([country, own]): Repeat[] => {
    const sorted = own.toSorted((a, b) => changes.code('year', a) - changes.code('year', b));
    const figures = sorted.map((change): Figure => [changes.code('year', change), changes.now(change)]);
    const source = sourceOf(figures, country, series, yearCount);
    if (source === null) return [];
    const revisions = sorted.map((change) => changes.now(change) - changes.old(change));
    const least = Math.min(different(figures.map(([, value]) => value)), different(revisions));
    if (least < FEWEST_DIFFERENT || chanceOf(figures, series) * tries > BY_CHANCE) return [];
    return sorted.map((change) => {
      if (source.dimension === 'country') return { change, ...source, to: country };
      const to = changes.code('year', change);
      return { change, dimension: 'year', from: to + source.distance, to };
    });
  });
}

type Source =
  | { readonly dimension: 'country'; readonly from: number }
  | { readonly dimension: 'year'; readonly distance: number };

/** The source of a country's figures: another country, or its own years at one distance. Null if neither has them. */
function sourceOf(
  figures: readonly Figure[],
  country: number,
  series: ReadonlyMap<number, Series>,
  yearCount: number,
): Source | null {
  const isIn = (values: Series | undefined, distance: number) =>
    figures.every(([year, value]) => values?.get(year + distance) === value);
  const other = [...series].find(([code, values]) => code !== country && isIn(values, 0))?.[0];
  if (other !== undefined) return { dimension: 'country', from: other };
  const distances = Array.from({ length: 2 * yearCount - 1 }, (_, i) => i + 1 - yearCount);
  const distance = distances.find((one) => one !== 0 && isIn(series.get(country), one));
  return distance === undefined ? null : { dimension: 'year', distance };
}

function seriesOf(before: Rows, metricIndex: number, nation: number): ReadonlyMap<number, Series> {
  const series = new Map<number, Map<number, number>>();
  for (let row = 0; row < before.count; row += 1) {
    if (before.code('state', row) !== nation) continue;
    const country = before.code('country', row);
    const own = getOrInsert(series, country, () => new Map<number, number>());
    own.set(before.code('year', row), before.value(metricIndex, row));
  }
  return series;
}

/** A difference of two decimals, without the error that doubles add. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

const different = (values: readonly number[]) => new Set(values.map(rounded)).size;

/**
 * The estimated probability that a country has these figures by chance: the share of countries with the first figure, times
 * the share of countries with each step to the next figure.
 */
function chanceOf(figures: readonly Figure[], series: ReadonlyMap<number, Series>): number {
  const shareOf = (has: (own: Series) => boolean) =>
    Math.max(1, [...series.values()].filter(has).length) / Math.max(1, series.size);
  const shares = figures.map(([year, value], i) => {
    const earlier = figures[i - 1];
    if (earlier === undefined) return shareOf((own) => own.get(year) === value);
    const [yearBefore, valueBefore] = earlier;
    const step = (from = Number.NaN, to = Number.NaN) => rounded(to - from);
    return shareOf((own) => step(own.get(yearBefore), own.get(year)) === step(valueBefore, value));
  });
  return shares.reduce((chance, share) => chance * share, 1);
}
