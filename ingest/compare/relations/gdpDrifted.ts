// Finds countries whose GDP in USD now deviates a little from the rates of fx, while that of most countries does not.

import { ascending } from '../../../src/ascending.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { type BrokenOfKind, brokenOf } from '../brokenRelation.ts';
import type { Rows } from '../rows/rows.ts';
import { DRIFTED, FEWEST_COUNTRIES } from './currenciesDrifted.ts';
import { isOfKind } from './figureKind.ts';
import { type GdpAndRates, gdpKey, gdpQuotients } from './gdpAndRates.ts';
import { AGREEING_DISTANCE, CLOSE_DISTANCE, distanceFromCurrent } from './rateDistances.ts';

/** The number of years that must deviate where only the rate moved. A source may revise rates later than GDP in one or two years. */
const FEWEST_YEARS = 3;

/** A year of a country in which GDP in USD agreed closely with the rates before. */
interface Known {
  readonly country: number;
  readonly year: number;
  readonly before: number;
  readonly after: number;
  /** Whether GDP in USD moved against GDP in local currency. */
  readonly hasMoved: boolean;
}

/**
 * Finds countries whose GDP in USD agreed closely with GDP in local currency at the rates of fx, and now deviates by 0.5 % to 2 %.
 * One year is enough if GDP in USD moved against GDP in local currency; otherwise it takes three. Finds none where most countries
 * deviate.
 */
export function gdpDrifted(indicators: GdpAndRates): BrokenOfKind[] {
  if (!hasMovedApart(indicators)) return [];
  const { codes } = indicators.matched;
  const known = knownYears(indicators);
  const isDrifted = ({ after }: Known) => after >= DRIFTED && after <= AGREEING_DISTANCE;
  const countries = [...groupBy(known, ({ country }) => country)];
  const close = countries.filter(([, all]) => all.every(({ after }) => after <= CLOSE_DISTANCE)).length;
  if (close < FEWEST_COUNTRIES || close < countries.length / 2) return [];
  return countries.flatMap(([country, all]) => {
    const apart = all.filter(isDrifted);
    if (apart.length < FEWEST_YEARS && !apart.some(({ hasMoved }) => hasMoved)) return [];
    const years = ascending(apart.map(({ year }) => year));
    return [
      brokenOf({
        relation: 'currencies-drifted',
        dataset: 'country',
        country: String(codes.valueOf('country', country)),
        places: ['GDP'],
        currency: 'USD',
        years,
        before: Math.max(...apart.map((one) => one.before)),
        after: Math.max(...apart.map((one) => one.after)),
      }),
    ];
  });
}

/** Whether the quotient of both GDPs moved in some row. In most months it moves in none, which ends the search. */
function hasMovedApart({ matched, kind }: GdpAndRates): boolean {
  const { changed, before, after } = matched;
  const [was, is] = [gdpQuotients(matched, before), gdpQuotients(matched, after)];
  for (let i = 0; i < changed.count; i += 1) {
    const a = changed.before[i] as number;
    const b = changed.after[i] as number;
    if (a < 0 || b < 0 || !isOfKind(kind, matched, before, a)) continue;
    if (Math.abs(is(b) / was(a) - 1) >= DRIFTED / 2) return true;
  }
  return false;
}

function knownYears(indicators: GdpAndRates): Known[] {
  const { matched, rates, kind } = indicators;
  const { codes, before, after } = matched;
  const nation = codes.codeOf('state', '');
  const [was, is] = [gdpQuotients(matched, before), gdpQuotients(matched, after)];
  const cellOf = (rows: Rows, row: number) =>
    rows.code('country', row) * codes.size('year') + rows.code('year', row);
  const rowsAfter = new Map<number, number>();
  for (let row = 0; row < after.count; row += 1)
    if (after.code('state', row) === nation) rowsAfter.set(cellOf(after, row), row);
  const known: Known[] = [];
  for (let row = 0; row < before.count; row += 1) {
    if (before.code('state', row) !== nation || !isOfKind(kind, matched, before, row)) continue;
    const fresh = rowsAfter.get(cellOf(before, row));
    if (fresh === undefined) continue;
    const country = before.code('country', row);
    const year = codes.yearOf(before, row);
    const key = gdpKey(indicators, before, row);
    const then = distanceFromCurrent(rates.before.get(key), was(row));
    const now = distanceFromCurrent(rates.after.get(key), is(fresh));
    if (!(then <= CLOSE_DISTANCE) || !(now < Number.POSITIVE_INFINITY)) continue;
    const hasMoved = Math.abs(is(fresh) / was(row) - 1) >= DRIFTED / 2;
    known.push({ country, year, before: then, after: now, hasMoved });
  }
  return known;
}
