// Finds markets that are new in a state, and whose figures are far too small for the number of its adults.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { MARKET, partName } from '../rows/countryParts.ts';
import { GroupNumbers } from '../rows/groupNumbers.ts';
import { isNonZero, type MatchedRows } from '../rows/matchedRows.ts';
import { addedRows, allRowsWhere } from '../rows/rowLists.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import { type BrokenInYear, MARKET_LEVEL } from './relationLevels.ts';

/**
 * The share of a new market in that of its nation may be this many times smaller than the share of the state's adults. In
 * the sample it is at most 4 times smaller.
 */
const MOST_TIMES_SMALLER = 50;

/**
 * The new markets of states whose share in the nation's market is more than 50 times smaller than the state's share of the
 * adults. Their figures are probably in thousands.
 *
 * @param indicators The dataset `country`, which has the adults.
 */
export function smallNewStates(matched: MatchedRows, indicators: MatchedRows): BrokenInYear[] {
  const { codes, after, changed, flags, nationRowOf } = matched;
  const nations = nationRowOf.after;
  if (nations === null) return [];
  const fresh = Array.from(addedRows(changed)).filter((row) => {
    const nation = nations[row] as number;
    const isOfState = nation !== NO_ROW && nation !== row;
    return isOfState && flags.after.forecast[row] === 0 && isNonZero(after.value(0, row));
  });
  if (fresh.length === 0) return [];
  const markets = new GroupNumbers(codes, ['country', 'state', ...MARKET]);
  const marketOf = markets.addRows(after, Int32Array.from(fresh));
  const known = new Set(markets.ofRows(matched.before, rowsOfStates(matched)));
  const adults = adultsOf(indicators);
  const largest = new Map<number, BrokenInYear>();
  for (const [i, row] of fresh.entries()) {
    const market = marketOf[i] as number;
    if (known.has(market)) continue;
    const [country, year] = [codes.countryOf(after, row), codes.yearOf(after, row)];
    const state = codes.textOf('state', after.code('state', row));
    const share = after.value(0, row) / after.value(0, nations[row] as number);
    const usual = adults(country, state, year) / adults(country, '', year);
    if (!(share > 0 && usual > 0)) continue;
    const place = `${state} / ${partName(matched, after, row, MARKET)}`;
    const found = largest.get(market);
    if (found !== undefined && found.after / found.before >= share / usual) continue;
    const where = { dataset: codes.dataset, country, year, level: MARKET_LEVEL, place } as const;
    largest.set(market, { relation: 'small-state', ...where, before: usual, after: share });
  }
  return [...largest.values()].filter(({ before, after: share }) => share * MOST_TIMES_SMALLER < before);
}

/** The rows of states on the earlier side. */
function rowsOfStates({ codes, before }: MatchedRows): Int32Array {
  const [states, { nation }] = [before.codes('state'), codes];
  return allRowsWhere(before, (row) => states[row] !== nation);
}

/** The adults of a country or a state in a year. NaN if they are unknown. */
function adultsOf({ codes, metrics, after }: MatchedRows) {
  const values = after.values(metrics.indexOf('adult_population'));
  const known = new Map<string, number>();
  const keyOf = (country: string, state: string, year: number) => [country, state, year].join('\0');
  for (let row = 0; row < after.count; row += 1) {
    const state = codes.textOf('state', after.code('state', row));
    const key = keyOf(codes.countryOf(after, row), state, codes.yearOf(after, row));
    getOrInsert(known, key, () => values[row] as number);
  }
  return (country: string, state: string, year: number): number =>
    known.get(keyOf(country, state, year)) ?? Number.NaN;
}
