// Finds nations whose figures were the sums of their states before, and no longer are.

import { MARKET, partName } from '../rows/countryParts.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import { type BrokenInYear, LEAST_AMOUNT_OF_PART, MARKET_LEVEL } from './relationLevels.ts';
import { EXCEEDING_FACTOR } from './statesAboveNation.ts';
import { type StateSums, sumsOfStates } from './sumsOfStates.ts';

/** The largest distance between a nation and the sum of its states that rounding explains. */
const EQUAL_DISTANCE = 1e-4;

/** The smallest distance that counts. A single state that is revised later than its nation causes smaller distances. */
const APART_DISTANCE = 0.005;

/** The number of states that must have the market. A single state equals its nation without proving that states add up. */
const FEWEST_STATES = 2;

/**
 * The markets and years in which a nation equalled the sum of its states, and now differs from it by 0.5 % or more. States
 * that exceed their nation by more than 2 % are left out, because `statesAboveNation` finds them.
 */
export function statesApart(matched: MatchedRows, forecast: boolean): BrokenInYear[] {
  const { codes, before, after } = matched;
  const [then, now] = [sumsOfStates(matched, 'before'), sumsOfStates(matched, 'after')];
  if (then === null || now === null) return [];
  return [...equalNations(matched, then, forecast)].flatMap(([old, fresh]): BrokenInYear[] => {
    const total = after.value(0, fresh);
    const share = sumOf(now, fresh) / total;
    const isApart =
      (now.stateCounts[fresh] as number) >= (then.stateCounts[old] as number) &&
      Math.abs(total) >= LEAST_AMOUNT_OF_PART &&
      Math.abs(share - 1) >= APART_DISTANCE &&
      share <= EXCEEDING_FACTOR;
    if (!isApart) return [];
    const [country, year] = [codes.countryOf(before, old), codes.yearOf(before, old)];
    const where = { country, year, level: MARKET_LEVEL, place: partName(matched, before, old, MARKET) };
    return [{ relation: 'states-apart', dataset: codes.dataset, ...where, before: 1, after: share }];
  });
}

/**
 * The rows of nations that equalled the sum of their states, if the nation's row or a state's row changed. Maps each row of
 * the earlier side to the same row of the later side.
 */
function equalNations(
  { changed, before, flags, nationRowOf }: MatchedRows,
  then: StateSums,
  forecast: boolean,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const { before: olds, after: news } = nationRowOf;
  if (olds === null || news === null) return found;
  const [values, wanted] = [before.values(0), Number(forecast)];
  for (let i = 0; i < changed.count; i += 1) {
    const row = changed.before[i] as number;
    const now = changed.after[i] as number;
    if (row < 0 || now < 0) continue;
    const old = olds[row] as number;
    if (
      old === NO_ROW ||
      (then.stateCounts[old] as number) < FEWEST_STATES ||
      flags.before.forecast[old] !== wanted
    )
      continue;
    const isEqual = Math.abs(sumOf(then, old) / (values[old] as number) - 1) <= EQUAL_DISTANCE;
    if (isEqual && news[now] !== NO_ROW) found.set(old, news[now] as number);
  }
  return found;
}

/** The sum of a nation's states; NaN where a state has no value. */
const sumOf = ({ sums, stateCounts, valueCounts }: StateSums, nation: number): number =>
  stateCounts[nation] === valueCounts[nation] ? (sums[nation] as number) : Number.NaN;
