// Connects each row of a state with its country's row that agrees in all dimensions but `state` and `calculation`.

import { dimensionsSharedWithCountry } from '../countedOnceSql.ts';
import { type CodeArray, compareRows, type Rows } from './codedRows.ts';
import type { Codes } from './codes.ts';
import { sharedIntegers } from './sharedArrays.ts';

/** Stands for the missing row of a nation. */
export const NO_ROW = -1;

/** The connections between the rows of one side, as `MatchedRows.nationRowOf` has them; null when no country has states. */
export function nationRowsOf(codes: Codes, rows: Rows): Int32Array | null {
  // The empty text sorts first, so the code of whole countries is 0.
  if (!codes.has('state') || codes.nation !== 0) return null;
  const states = rows.codes('state');
  const countries = rows.codes('country');
  let nationRowOf: Int32Array | null = null;
  const connect = connecting(codes, rows);
  // Rows are sorted by country, then by state. In each country, the rows of the whole country come first, then those of
  // each state.
  for (let start = 0, end = 0; start < rows.count; start = end) {
    end = endOfRun(countries, countries[start], start, rows.count);
    const first = endOfRun(states, 0, start, end);
    if (first === end) continue;
    nationRowOf ??= sharedIntegers(rows.count).fill(NO_ROW);
    for (let nation = start; nation < first; nation += 1) nationRowOf[nation] = nation;
    connect(nationRowOf, { start, first, end });
  }
  if (nationRowOf !== null && codes.has('calculation')) addOtherCalculations(codes, rows, nationRowOf);
  return nationRowOf;
}

/**
 * The index of the first row in a range whose code is another one; `end` if there is none. The loop is a function of its
 * own, so that V8 optimises it alone.
 */
function endOfRun(column: CodeArray, code: number | undefined, start: number, end: number): number {
  let at = start;
  while (at < end && column[at] === code) at += 1;
  return at;
}

/** Connects each state's row that has no row of its country yet with one that differs in `calculation`. */
function addOtherCalculations(codes: Codes, rows: Rows, nationRowOf: Int32Array): void {
  const shared = dimensionsSharedWithCountry(codes.order).map((dimension) => rows.codes(dimension));
  const keyOf = (row: number) => shared.map((column) => column[row]).join(' ');
  const [states, nations] = [rows.codes('state'), new Map<string, number>()];
  for (let row = 0; row < rows.count; row += 1) {
    if (states[row] === 0 && nationRowOf[row] === row && !nations.has(keyOf(row)))
      nations.set(keyOf(row), row);
  }
  for (let row = 0; row < rows.count; row += 1) {
    if (states[row] !== 0 && nationRowOf[row] === NO_ROW)
      nationRowOf[row] = nations.get(keyOf(row)) ?? NO_ROW;
  }
}

/**
 * The rows of a country with states: from `start` to `first` those of the whole country, from `first` to `end` those of its
 * states. The ends are exclusive.
 */
interface Range {
  readonly start: number;
  readonly first: number;
  readonly end: number;
}

/**
 * A function that connects the rows of a country's states with the country's own rows. Connected rows agree in all
 * dimensions that follow `state` in the order of rows.
 */
function connecting(codes: Codes, rows: Rows): (nationRowOf: Int32Array, range: Range) => void {
  const states = rows.codes('state');
  const [keys, weight] = [codes.keys.whole(rows), codes.keys.weightOf('state')];
  if (keys !== null && weight !== null) {
    const stateKeys = { keys, states, weight };
    return (nationRowOf, range) => connectByKey(nationRowOf, range, stateKeys);
  }
  const [, , ...rest] = codes.order;
  const compare = compareRows(rest, rows, rows);
  return (nationRowOf, { start, first, end }) => {
    let nation = start;
    for (let row = first; row < end; row += 1) {
      if (states[row] !== states[row - 1]) nation = start;
      while (nation < first && compare(nation, row) < 0) nation += 1;
      if (nation < first && compare(nation, row) === 0) nationRowOf[row] = nation;
    }
  };
}

interface StateKeys {
  readonly keys: Float64Array;
  readonly states: CodeArray;
  /** The weight of the state's code in a key. */
  readonly weight: number;
}

/** Connects the rows of states by their keys, which is faster. */
function connectByKey(
  nationRowOf: Int32Array,
  { start, first, end }: Range,
  { keys, states, weight }: StateKeys,
): void {
  let [nation, last] = [start, 0];
  for (let row = first; row < end; row += 1) {
    const state = states[row] as number;
    if (state !== last) nation = start;
    last = state;
    const key = (keys[row] as number) - state * weight;
    while (nation < first && (keys[nation] as number) < key) nation += 1;
    if (nation < first && keys[nation] === key) nationRowOf[row] = nation;
  }
}
