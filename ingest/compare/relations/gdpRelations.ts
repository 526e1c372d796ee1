// Finds countries whose GDP in USD no longer equals GDP in local currency at the rates of fx, also in new years.

import { type BrokenOfKind, brokenRelation } from '../brokenRelation.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { addedRows } from '../rows/rowLists.ts';
import type { SideName, Sides } from '../side.ts';
import type { AmountKeys } from './amountKeys.ts';
import {
  type CloseFigure,
  DRIFTED_DISTANCE,
  extentOf,
  FEWEST_DRIFTED_YEARS,
  hasDrifted,
  whereMostAgree,
} from './drift.ts';
import { AGREEING_DISTANCE, CLOSE_DISTANCE, distanceFromCurrent } from './rateDistances.ts';
import type { Rates } from './ratesOfCountries.ts';
import { type BrokenInYear, mergedByCountry } from './relationLevels.ts';

export interface GdpAndRates {
  /** The dataset `country`. */
  readonly matched: MatchedRows;
  readonly keys: AmountKeys;
  readonly rates: Sides<Rates>;
  readonly forecast: boolean;
}

/** The countries whose two GDPs disagree: by more than 2 %, or by a little. */
export function brokenGdpRelations(indicators: GdpAndRates): BrokenOfKind[] {
  const { matched } = indicators;
  const sides = { before: gdpOf(indicators, 'before'), after: gdpOf(indicators, 'after') };
  const apart = [...apartInRevisedYears(matched, sides), ...apartInNewYears(matched, sides)];
  return [...mergedByCountry(apart, Math.max), ...driftedGdp(matched, sides)];
}

interface Gdp {
  readonly isOfNation: (row: number) => boolean;
  readonly isOfKind: (row: number) => boolean;
  /** GDP in USD divided by GDP in local currency: the USD for one unit. */
  readonly quotient: (row: number) => number;
  /**
   * The distance of this quotient from the current rate of the row's country and year; infinite where the rate is unknown.
   */
  readonly distance: (row: number) => number;
  /** The part of a broken relation that names the country and the year of a row. */
  readonly where: (row: number) => Omit<BrokenInYear, 'before' | 'after'>;
}

function gdpOf({ matched, keys, rates, forecast }: GdpAndRates, side: SideName): Gdp {
  const { codes, metrics, [side]: rows } = matched;
  const [inUsd, inLocal] = ['gdp_usd', 'gdp_local_currency'].map((metric) =>
    rows.values(metrics.indexOf(metric)),
  ) as [Float64Array, Float64Array];
  const { nation } = codes;
  const states = rows.codes('state');
  const forecasts = matched.flags[side].forecast;
  const quotient = (row: number) => (inUsd[row] as number) / (inLocal[row] as number);
  const keyOf = (row: number) =>
    keys.encode(keys.country(codes.countryOf(rows, row)), 'USD', codes.yearOf(rows, row));
  return {
    isOfNation: (row) => states[row] === nation,
    isOfKind: (row) => forecasts[row] === Number(forecast),
    quotient,
    distance: (row) => distanceFromCurrent(rates[side].get(keyOf(row)), quotient(row)),
    where: (row) => ({
      ...{ relation: 'currencies-apart', dataset: 'country', currency: 'USD', level: 0, place: 'GDP' },
      ...{ country: codes.countryOf(rows, row), year: codes.yearOf(rows, row) },
    }),
  };
}

/** Whether a distance is known, and too large for rounding. */
const isApart = (distance: number): boolean =>
  distance > AGREEING_DISTANCE && distance < Number.POSITIVE_INFINITY;

/** The share by which the quotient of a row moved. */
const moveOf = ({ before, after }: Sides<Gdp>, old: number, fresh: number): number =>
  Math.abs(after.quotient(fresh) / before.quotient(old) - 1);

/**
 * The years in which both GDPs agreed before, and no longer do because one of them was revised. Years in which only the
 * rate moved are left out, because the source of GDP uses rates of its own.
 */
function apartInRevisedYears({ changed }: MatchedRows, sides: Sides<Gdp>): BrokenInYear[] {
  const found: BrokenInYear[] = [];
  for (let i = 0; i < changed.count; i += 1) {
    const old = changed.before[i] as number;
    const fresh = changed.after[i] as number;
    if (old < 0 || fresh < 0 || !sides.before.isOfKind(old) || !sides.before.isOfNation(old)) continue;
    if (!(moveOf(sides, old, fresh) > AGREEING_DISTANCE)) continue;
    const [before, after] = [sides.before.distance(old), sides.after.distance(fresh)];
    if (before <= AGREEING_DISTANCE && isApart(after))
      found.push({ ...sides.before.where(old), before, after });
  }
  return found;
}

/**
 * The added rows whose GDPs disagree, although they agree in the year before. A row whose `calculation` changed is an added
 * row, too.
 */
function apartInNewYears({ changed, after: rows }: MatchedRows, { after: gdp }: Sides<Gdp>): BrokenInYear[] {
  const added = [...addedRows(changed)].filter((row) => gdp.isOfNation(row) && gdp.isOfKind(row));
  const apart = added.filter((row) => isApart(gdp.distance(row)));
  if (apart.length === 0) return [];
  const distances = new Map<string, number>();
  const yearOf = (row: number, by = 0) => {
    const { country, year } = gdp.where(row);
    return `${country} ${year + by}`;
  };
  for (let row = 0; row < rows.count; row += 1)
    if (gdp.isOfNation(row)) distances.set(yearOf(row), gdp.distance(row));
  return apart.flatMap((row): BrokenInYear[] => {
    const before = distances.get(yearOf(row, -1)) ?? Number.NaN;
    return before <= DRIFTED_DISTANCE ? [{ ...gdp.where(row), before, after: gdp.distance(row) }] : [];
  });
}

/** A year of a country in which GDP in USD agreed closely with the rates on the earlier side. */
interface CloseYear extends CloseFigure {
  readonly country: string;
  /** Whether GDP in USD moved against GDP in local currency. */
  readonly hasMoved: boolean;
}

/**
 * Finds countries whose GDPs agreed closely, and now deviate by 0.5 % to 2 %. If GDP in USD moved against GDP in local
 * currency, one year is enough, otherwise three. Finds none where most countries deviate.
 */
function driftedGdp(matched: MatchedRows, sides: Sides<Gdp>): BrokenOfKind[] {
  if (!hasMovedApart(matched, sides)) return [];
  return whereMostAgree(closeYears(matched, sides), ({ country }) => country).flatMap(([country, all]) => {
    const apart = all.filter(hasDrifted);
    if (apart.length < FEWEST_DRIFTED_YEARS && !apart.some(({ hasMoved }) => hasMoved)) return [];
    const where = { dataset: 'country', country, places: ['GDP'], currency: 'USD' } as const;
    return [brokenRelation({ relation: 'currencies-drifted', ...where, ...extentOf(apart) })];
  });
}

/** Whether the quotient of both GDPs moved in some row. In most months it moves in none, and the search ends. */
function hasMovedApart({ changed }: MatchedRows, sides: Sides<Gdp>): boolean {
  for (let i = 0; i < changed.count; i += 1) {
    const [old, fresh] = [changed.before[i] as number, changed.after[i] as number];
    if (old < 0 || fresh < 0 || !sides.before.isOfKind(old)) continue;
    if (moveOf(sides, old, fresh) >= DRIFTED_DISTANCE / 2) return true;
  }
  return false;
}

function closeYears({ codes, before: olds, after: news }: MatchedRows, sides: Sides<Gdp>): CloseYear[] {
  const keyOf = codes.keys.by(['country', 'year']);
  const rowsAfter = new Map<number | string, number>();
  for (let row = 0; row < news.count; row += 1)
    if (sides.after.isOfNation(row)) rowsAfter.set(keyOf(news, row), row);
  const known: CloseYear[] = [];
  for (let row = 0; row < olds.count; row += 1) {
    if (!sides.before.isOfNation(row) || !sides.before.isOfKind(row)) continue;
    const fresh = rowsAfter.get(keyOf(olds, row));
    if (fresh === undefined) continue;
    const [before, after] = [sides.before.distance(row), sides.after.distance(fresh)];
    if (!(before <= CLOSE_DISTANCE) || !(after < Number.POSITIVE_INFINITY)) continue;
    const { country, year } = sides.before.where(row);
    known.push({ country, year, before, after, hasMoved: moveOf(sides, row, fresh) >= DRIFTED_DISTANCE / 2 });
  }
  return known;
}
