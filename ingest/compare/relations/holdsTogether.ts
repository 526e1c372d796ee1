// Finds new years in which the hold, ggr ÷ turnover, moved alike in most countries: ggr may now be net of taxes.

import { groupBy } from '../../../src/basics/lists.ts';
import { getOrInsert } from '../../../src/basics/maps.ts';
import { upperMedian } from '../../../src/basics/medians.ts';
import { type BrokenOfKind, brokenRelation } from '../brokenRelation.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import type { CollectedAmounts } from './collectedAmounts.ts';
import { FAR_HOLD_FACTOR } from './farHolds.ts';

/** The number of countries that must have begun the year. Fewer prove nothing about all countries. */
const FEWEST_COUNTRIES = 10;

/**
 * A move of the median country's hold by this factor is suspicious. In a region, the median hold honestly moves by at most
 * 1.11.
 */
const MEDIAN_MOVE_FACTOR = 1.15;

/** The moves of a country's figures since the year before: logarithms of the factors of its median market. */
interface MovedHold {
  readonly country: string;
  readonly year: number;
  readonly hold: number;
  readonly ggr: number;
  readonly turnover: number;
}

/**
 * Finds the groups of countries whose median hold moved: all countries, or else those of a region. Gives a broken relation
 * for each of the countries.
 */
export function holdsTogether(amounts: CollectedAmounts): BrokenOfKind[] {
  const byYear = groupBy(movedHolds(amounts), ({ year }) => year);
  return [...byYear.values()].flatMap((all) => {
    if (all.length < FEWEST_COUNTRIES) return [];
    const whole = brokenIn(all, amounts);
    if (whole.length > 0) return whole;
    const regions = regionsOf(amounts.matchedOf('ggr'));
    const byRegion = groupBy(all, ({ country }) => regions.get(country));
    return [...byRegion.values()].flatMap((ofRegion) => brokenIn(ofRegion, amounts));
  });
}

function regionsOf(matched: MatchedRows | null): ReadonlyMap<string, string> {
  if (matched === null) return new Map();
  const { codes, after } = matched;
  const [countries, regions] = [after.codes('country'), after.codes('region')];
  const regionOf = new Map<number, number>();
  for (let row = 0; row < after.count; row += 1)
    regionOf.set(countries[row] as number, regions[row] as number);
  return new Map(
    [...regionOf].map(([country, region]) => [
      codes.textOf('country', country),
      codes.textOf('region', region),
    ]),
  );
}

/**
 * A broken relation for each of these countries. None if the median move is so large that `farHolds.ts` finds each market.
 */
function brokenIn(all: readonly [MovedHold, ...MovedHold[]], { changed }: CollectedAmounts): BrokenOfKind[] {
  const hold = upperMedian(all.map((one) => one.hold));
  const by = Math.abs(hold);
  if (all.length < FEWEST_COUNTRIES || by < Math.log(MEDIAN_MOVE_FACTOR) || by >= Math.log(FAR_HOLD_FACTOR))
    return [];
  const [ggr, turnover] = [
    upperMedian(all.map((one) => one.ggr)),
    upperMedian(all.map((one) => one.turnover)),
  ];
  const moved = Math.abs(ggr) >= Math.abs(turnover) ? 'ggr' : 'turnover';
  const dataset = changed.includes(moved) ? moved : (changed[0] ?? moved);
  return all.map(({ country, year }) =>
    brokenRelation({ relation: 'holds-moved', dataset, country, years: [year], after: Math.exp(hold) }),
  );
}

/** The moves of the countries that begin a year. */
function movedHolds(amounts: CollectedAmounts): MovedHold[] {
  // Most months begin no year, so their markets are not read.
  const keys = [...amounts.totals('turnover', 'after').keys()];
  const newYearKeys = new Set(keys.filter((key) => amounts.isNewYearInAny(key)));
  if (newYearKeys.size < FEWEST_COUNTRIES) return [];
  const wins = amounts.markets('ggr');
  const found = new Map<number, { ggr: number[]; turnover: number[]; hold: number[] }>();
  for (const [place, stakes] of amounts.markets('turnover')) {
    const won = wins.get(place);
    if (won === undefined) continue;
    for (const [key, stake] of stakes) {
      if (!newYearKeys.has(key)) continue;
      const ggr = Math.log((won.get(key) ?? 0) / (won.get(key - 1) ?? 0));
      const turnover = Math.log(stake / (stakes.get(key - 1) ?? 0));
      if (!Number.isFinite(ggr) || !Number.isFinite(turnover)) continue;
      const known = getOrInsert(found, key, () => ({ ggr: [], turnover: [], hold: [] }));
      known.ggr.push(ggr);
      known.turnover.push(turnover);
      known.hold.push(ggr - turnover);
    }
  }
  const inCurrencies = [...found].map(([key, { ggr, turnover, hold }]) => ({
    ...amounts.keys.decode(key),
    ggr: upperMedian(ggr),
    turnover: upperMedian(turnover),
    hold: upperMedian(hold),
  }));
  const ofCountries = groupBy(inCurrencies, ({ country, year }) => `${country} ${year}`);
  // Each country is represented by the currency in which its hold moved least. A hold moves alike in all currencies, unless
  // the figures in one currency are wrong, which other relations find.
  return [...ofCountries.values()].map((all) =>
    all.reduce((a, b) => (Math.abs(b.hold) < Math.abs(a.hold) ? b : a)),
  );
}
