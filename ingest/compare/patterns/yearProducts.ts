// Finds products and markets whose figures moved alike in most countries that begin a year, such as figures counted twice.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { isForecastRow } from '../matched.ts';
import type { Pattern, YearFamily } from './types.ts';
import type { CountryFigures, Figure, YearRows } from './yearRows.ts';
import type { MovedYear } from './yearTogether.ts';

/** Fewer countries say nothing about all of them. */
const FEWEST = 10;

/** The median country's figures of a product move by less than this, apart from what they moved the year before. */
const TOGETHER = 1.25;

/** From this factor on, the leaps of countries are patterns of their own. */
const LEAP = 7;

/** Products, then the markets of those that did not move as a whole. */
const PLACES: readonly (readonly DimensionName[])[] = [['product'], ['product', 'channel', 'sub_channel']];

/** A place in several countries, by how much it moved in each. */
interface MovedPlace {
  readonly key: string;
  readonly first: Figure;
  readonly countries: readonly number[];
  readonly ratio: number;
}

/** @param totals How far totals of countries moved. Where those of most did, that explains products. */
export function productsTogether(
  rows: YearRows,
  all: readonly CountryFigures[],
  totals: readonly MovedYear[],
): Pattern<YearFamily>[] {
  const { codes, after } = rows.matched;
  if (!codes.has('product')) return [];
  const whole = codes.codeOf('state', '');
  const alike = groupBy(all, ({ begun: { year, than } }) => `${year} ${than}`);
  return [...alike.values()].flatMap((some) => {
    const { year, than } = some[0].begun;
    const moves = totals.filter(({ begun }) => begun.year === year && begun.than === than);
    if (some.length < FEWEST || hasMoved(median(moves.map(({ ratio }) => ratio)))) return [];
    const nations = some.map(({ begun, figures }) => ({
      begun,
      figures: figures.filter(({ item }) => after.code('state', rows.list[item] as number) === whole),
    }));
    const products = new Set<number>();
    return PLACES.flatMap((by) => {
      const productOf = ({ first }: MovedPlace) => after.code('product', rows.list[first.item] as number);
      const moved = apartFromTrend(rows, movedPlaces(rows, nations, by), by, than).filter(
        (place) => !products.has(productOf(place)),
      );
      for (const place of moved) products.add(productOf(place));
      return moved.map((place) => patternOf(rows, place, by, year, than));
    });
  });
}

const hasMoved = (ratio: number) => Math.abs(Math.log(ratio)) >= Math.log(TOGETHER);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** The places that moved by the factor in the median country. */
function movedPlaces(
  rows: YearRows,
  nations: readonly CountryFigures[],
  by: readonly DimensionName[],
): MovedPlace[] {
  const { after } = rows.matched;
  const nameOf = ({ item }: Figure, dimensions: readonly DimensionName[]) =>
    dimensions.map((one) => after.code(one, rows.list[item] as number)).join(' ');
  const found = nations.flatMap(({ begun: { country }, figures }) =>
    [...groupBy(figures, (figure) => nameOf(figure, by))].map(([key, of]) => ({
      key,
      country,
      first: of[0],
      ratio: leastRatio(groupBy(of, (figure) => nameOf(figure, ['fx'])).values()),
    })),
  );
  return [...groupBy(found, ({ key }) => key).values()].flatMap((of): MovedPlace[] => {
    const [{ key, first }] = of;
    const ratio = median(of.map((one) => one.ratio));
    const isLeap = Math.abs(Math.log(ratio)) >= Math.log(LEAP);
    return of.length < FEWEST || !hasMoved(ratio) || isLeap
      ? []
      : [{ key, first, ratio, countries: of.map(({ country }) => country) }];
  });
}

/** The quotient of the sums of both years, in the currency in which they moved least. */
function leastRatio(currencies: Iterable<readonly Pick<Figure, 'now' | 'old'>[]>): number {
  let least = Number.NaN;
  for (const figures of currencies) {
    let [now, old] = [0, 0];
    for (const figure of figures) {
      now += figure.now;
      old += figure.old;
    }
    const ratio = now / old;
    if (!(Math.abs(Math.log(ratio)) >= Math.abs(Math.log(least)))) least = ratio;
  }
  return least;
}

/**
 * Leaves out places that moved nearly as much in the year before: markets of a young channel grow for years. Where too few
 * countries have that year, growth is left out.
 */
function apartFromTrend(
  rows: YearRows,
  moved: readonly MovedPlace[],
  by: readonly DimensionName[],
  than: number,
): readonly MovedPlace[] {
  if (moved.length === 0) return [];
  const { codes, after } = rows.matched;
  const keys = new Set(moved.map(({ key }) => key));
  const [whole, years, states] = [codes.codeOf('state', ''), after.codes('year'), after.codes('state')];
  const values = after.values(0);
  const sums = new Map<string, { key: string; country: number; now: number; old: number }>();
  for (let row = 0; row < after.count; row += 1) {
    const year = years[row] as number;
    if ((year !== than && year !== than - 1) || states[row] !== whole || !((values[row] as number) > 0))
      continue;
    const key = by.map((one) => after.code(one, row)).join(' ');
    if (!keys.has(key)) continue;
    const [country, fx] = [after.code('country', row), after.code('fx', row)];
    const name = `${key} ${country} ${fx}`;
    const sum = sums.get(name) ?? { key, country, now: 0, old: 0 };
    sum[year === than ? 'now' : 'old'] += values[row] as number;
    sums.set(name, sum);
  }
  const ofPlaces = groupBy(sums.values(), ({ key }) => key);
  return moved.filter(({ key, ratio }) => {
    const ofCountries = groupBy(
      (ofPlaces.get(key) ?? []).filter(({ now, old }) => now > 0 && old > 0),
      ({ country }) => country,
    );
    const ratios = [...ofCountries.values()].map((currencies) => leastRatio(currencies.map((one) => [one])));
    const trend = ratios.length < FEWEST ? Math.max(ratio, 1) : median(ratios);
    return hasMoved(ratio / trend);
  });
}

function patternOf(
  { matched, list }: YearRows,
  { first, countries, ratio }: MovedPlace,
  by: readonly DimensionName[],
  year: number,
  than: number,
): Pattern<YearFamily> {
  const { codes, after, metrics } = matched;
  const row = list[first.item] as number;
  const [from, to] = [codes.valueOf('year', than), codes.valueOf('year', year)];
  const cells = countries.length;
  const place = Object.fromEntries(by.map((one) => [one, codes.valueOf(one, after.code(one, row))]));
  return {
    family: 'year-together',
    metric: metrics[0] ?? null,
    place: { ...place, year: to },
    forecast: isForecastRow(matched, after, row),
    cells,
    of: cells,
    further: countries.map((country) => String(codes.valueOf('country', country))),
    countryShare: 0,
    historyShare: 0,
    effect: 0,
    datasetShare: null,
    ratio,
    between: { dimension: 'year', pairs: [{ from, to, cells }] },
    examples: [],
  };
}
