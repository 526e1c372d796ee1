// Finds products and markets that moved alike in most countries in a new year, for example because of a double count.

import { groupBy } from '../../../../src/basics/lists.ts';
import { getOrInsert } from '../../../../src/basics/maps.ts';
import { upperMedian } from '../../../../src/basics/medians.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import { logDistance, nearestToOne } from '../../ratios.ts';
import type { YearPattern } from '../patternTypes.ts';
import { type MovedYear, togetherPattern } from './movedTogether.ts';
import type { CountryFigures, FigureOfBothYears, NewYear, YearRows } from './yearRows.ts';

/** The number of countries that must have the product. Fewer prove nothing about all countries. */
const FEWEST_COUNTRIES = 10;

/**
 * From this factor on, a move of the median country is suspicious. It must also differ by this factor from the move a year
 * earlier.
 */
const MEDIAN_MOVE_FACTOR = 1.25;

/**
 * Places whose median country moved by this factor are left out, because each of these countries has a pattern of its own.
 */
const LEAP_FACTOR = 7;

/** The places that are examined: products, then the markets of products that did not move as a whole. */
const PLACES: readonly (readonly DimensionName[])[] = [['product'], ['product', 'channel', 'sub_channel']];

/** A product or market that moved in several countries. `ratio` is its move in the median country. */
interface MovedPlace {
  readonly place: number;
  readonly first: FigureOfBothYears;
  readonly countries: readonly number[];
  readonly ratio: number;
}

/**
 * The patterns of products and markets that moved alike in most countries.
 *
 * @param totals The moves of the totals of countries. If most totals moved, they explain the moves of products.
 */
export function productsTogether(
  rows: YearRows,
  all: readonly CountryFigures[],
  totals: readonly MovedYear[],
): YearPattern[] {
  const { codes } = rows.matched;
  const { nation } = codes;
  const alike = groupBy(all, ({ newYear: { year, comparedYear } }) => `${year} ${comparedYear}`);
  return [...alike.values()].flatMap((ofYear) => {
    const { year, comparedYear } = ofYear[0].newYear;
    const moves = totals.filter(
      ({ newYear }) => newYear.year === year && newYear.comparedYear === comparedYear,
    );
    if (ofYear.length < FEWEST_COUNTRIES || hasMoved(upperMedian(moves.map(({ ratio }) => ratio)))) return [];
    const nations = ofYear.map(({ newYear, figures }) => ({
      newYear,
      figures: figures.filter(({ item }) => rows.code('state', item) === nation),
    }));
    const products = new Set<number>();
    return PLACES.flatMap((by) => {
      const productOf = ({ first }: MovedPlace) => rows.code('product', first.item);
      const moved = apartFromTrend(rows, movedPlaces(rows, nations, by), by, comparedYear).filter(
        (place) => !products.has(productOf(place)),
      );
      for (const place of moved) products.add(productOf(place));
      return moved.map((place) => patternOf(rows, place, by, { year, comparedYear }));
    });
  });
}

const hasMoved = (ratio: number) => logDistance(ratio) >= Math.log(MEDIAN_MOVE_FACTOR);

/** A function that numbers the products or markets of rows. Numbers are much faster than texts. */
function placesBy(
  { matched: { codes, after } }: YearRows,
  by: readonly DimensionName[],
): (row: number) => number {
  const columns = by.map((one) => ({ codes: after.codes(one), size: codes.size(one) }));
  return (row) => {
    let place = 0;
    for (const column of columns) place = place * column.size + (column.codes[row] as number);
    return place;
  };
}

/** The products or markets that moved far in the median country, but by less than `LEAP_FACTOR`. */
function movedPlaces(
  rows: YearRows,
  nations: readonly CountryFigures[],
  by: readonly DimensionName[],
): MovedPlace[] {
  const found = new Map<number, { first: FigureOfBothYears; ratios: number[]; countries: number[] }>();
  for (const { newYear, figures } of nations) {
    for (const [place, { first, ratio }] of leastMoved(rows, figures, by)) {
      const known = getOrInsert(found, place, () => ({ first, ratios: [], countries: [] }));
      known.ratios.push(ratio);
      known.countries.push(newYear.country);
    }
  }
  return [...found].flatMap(([place, { first, ratios, countries }]) => {
    const ratio = upperMedian(ratios);
    const isLeap = logDistance(ratio) >= Math.log(LEAP_FACTOR);
    return ratios.length < FEWEST_COUNTRIES || !hasMoved(ratio) || isLeap
      ? []
      : [{ place, first, ratio, countries }];
  });
}

/**
 * For each product or market of a country, its sum in the new year ÷ the year before, in the currency in which it moved
 * least.
 */
function leastMoved(
  rows: YearRows,
  figures: readonly FigureOfBothYears[],
  by: readonly DimensionName[],
): ReadonlyMap<number, { readonly first: FigureOfBothYears; readonly ratio: number }> {
  const { codes, after } = rows.matched;
  const [placeOf, fx, currencies] = [placesBy(rows, by), after.codes('fx'), codes.size('fx')];
  const sums = new Map<number, { readonly first: FigureOfBothYears; now: number; old: number }>();
  for (const figure of figures) {
    const row = rows.row(figure.item);
    const key = placeOf(row) * currencies + (fx[row] as number);
    const sum = getOrInsert(sums, key, () => ({ first: figure, now: 0, old: 0 }));
    sum.now += figure.now;
    sum.old += figure.old;
  }
  const least = new Map<number, { readonly first: FigureOfBothYears; readonly ratio: number }>();
  for (const [key, { first, now, old }] of sums) {
    const place = Math.floor(key / currencies);
    const known = least.get(place);
    if (known === undefined || logDistance(now, old) < logDistance(known.ratio))
      least.set(place, { first, ratio: now / old });
  }
  return least;
}

/**
 * Leaves out places that moved nearly as much in the year before, because the markets of a young channel grow for years. If
 * too few countries have figures of the year before, all places that grew are left out.
 */
function apartFromTrend(
  rows: YearRows,
  moved: readonly MovedPlace[],
  by: readonly DimensionName[],
  comparedYear: number,
): readonly MovedPlace[] {
  if (moved.length === 0) return [];
  const ofPlaces = earlierMoves(rows, new Set(moved.map(({ place }) => place)), by, comparedYear);
  return moved.filter(({ place, ratio }) => {
    const ofCountries = groupBy(ofPlaces.get(place) ?? [], ({ country }) => country);
    const ratios = [...ofCountries.values()].flatMap(
      (currencies) => nearestToOne(currencies.map(({ now, old }) => now / old)) ?? [],
    );
    const trend = ratios.length < FEWEST_COUNTRIES ? Math.max(ratio, 1) : upperMedian(ratios);
    return hasMoved(ratio / trend);
  });
}

/**
 * A product or market of a country in one currency, with its sums in the compared year (`now`) and in the year before that
 * (`old`).
 */
interface EarlierMove {
  readonly place: number;
  readonly country: number;
  now: number;
  old: number;
}

/** For each place, its moves from the year before the compared year to the compared year, in each country and currency. */
function earlierMoves(
  rows: YearRows,
  wanted: ReadonlySet<number>,
  by: readonly DimensionName[],
  comparedYear: number,
): ReadonlyMap<number, readonly EarlierMove[]> {
  const { codes, after } = rows.matched;
  const placeOf = placesBy(rows, by);
  const { nation } = codes;
  const [years, states] = [after.codes('year'), after.codes('state')];
  const values = after.values(0);
  const sums = new Map<string, EarlierMove>();
  for (let row = 0; row < after.count; row += 1) {
    const year = years[row] as number;
    if (
      (year !== comparedYear && year !== comparedYear - 1) ||
      states[row] !== nation ||
      !((values[row] as number) > 0)
    )
      continue;
    const place = placeOf(row);
    if (!wanted.has(place)) continue;
    const [country, fx] = [after.code('country', row), after.code('fx', row)];
    const key = `${place} ${country} ${fx}`;
    const sum = getOrInsert(sums, key, () => ({ place, country, now: 0, old: 0 }));
    sum[year === comparedYear ? 'now' : 'old'] += values[row] as number;
  }
  return groupBy(
    [...sums.values()].filter(({ now, old }) => now > 0 && old > 0),
    ({ place }) => place,
  );
}

function patternOf(
  rows: YearRows,
  { first, countries, ratio }: MovedPlace,
  by: readonly DimensionName[],
  years: Pick<NewYear, 'year' | 'comparedYear'>,
): YearPattern {
  const { codes, metrics } = rows.matched;
  return togetherPattern(rows, years, {
    metric: metrics[0] ?? null,
    place: Object.fromEntries(by.map((one) => [one, codes.valueOf(one, rows.code(one, first.item))])),
    forecast: rows.isForecast(first.item),
    countries,
    ratio,
  });
}
