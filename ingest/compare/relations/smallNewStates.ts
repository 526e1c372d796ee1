// Finds markets that are new in a state, and whose figures are far too small for the number of its adults.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { CodeArray } from '../rows/codedRows.ts';
import { MARKET, partName } from '../rows/countryParts.ts';
import { firstRowsOf, GroupNumbers } from '../rows/groupNumbers.ts';
import { isNonZero, type MatchedRows } from '../rows/matchedRows.ts';
import { addedRows, firstWhere } from '../rows/rowLists.ts';
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
  const list = Int32Array.from(fresh);
  const marketOf = markets.addRows(after, list);
  const known = Array.from(firstRowsOf(marketOf, list, markets.count), earlierMarketTest(matched));
  const adults = adultsOf(indicators);
  const largest = new Map<number, BrokenInYear>();
  for (const [i, row] of fresh.entries()) {
    const market = marketOf[i] as number;
    if (known[market] === true) continue;
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

/**
 * Tells whether the earlier side has the market of a state's row of the later side. Rows are sorted by country, state,
 * category and market first, so the market is looked up in each category.
 */
function earlierMarketTest({ codes, before, after }: MatchedRows): (row: number) => boolean {
  const sortedBy = codes.order.slice(0, codes.order.indexOf('sub_channel') + 1);
  const category = sortedBy.indexOf('category');
  const columns = sortedBy.map((dimension) => before.codes(dimension));
  return (row) => {
    const wanted = sortedBy.map((dimension) => after.code(dimension, row));
    return (
      hasRow(columns, wanted) ||
      codes.values('category').some((_, code) => hasRow(columns, wanted.with(category, code)))
    );
  };
}

/** Whether a row has these codes in these columns, by which the rows are sorted first. */
function hasRow(columns: readonly CodeArray[], wanted: readonly number[]): boolean {
  const distanceOf = (row: number) => {
    for (let i = 0; i < columns.length; i += 1) {
      const distance = (columns[i]?.[row] as number) - (wanted[i] as number);
      if (distance !== 0) return distance;
    }
    return 0;
  };
  const count = columns[0]?.length ?? 0;
  const row = firstWhere(count, (at) => distanceOf(at) >= 0);
  return row < count && distanceOf(row) === 0;
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
