// Adds up the rows of states for each row of their nation.

import { getOrInsert } from '../../../src/basics/maps.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { NO_ROW } from '../rows/stateRows.ts';
import type { SideName } from '../side.ts';

/** For each row of a nation, facts about the rows of its states. */
export interface StateSums {
  /** The sum of the first metric over the states. Missing values count as 0. */
  readonly sums: Float64Array;
  /** The number of states that have a row of the market and year; 0 for rows of states. */
  readonly stateCounts: Uint16Array;
  /** The number of states that have a value in that row. */
  readonly valueCounts: Uint16Array;
  /** The rows of nations that have rows of states. */
  readonly nations: Int32Array;
}

const known = new WeakMap<Int32Array, StateSums>();

/** The sums of one side; null when no country has states. They are cached, because several relations need them. */
export function sumsOfStates(matched: MatchedRows, side: SideName): StateSums | null {
  const nationRowOf = matched.nationRowOf[side];
  return nationRowOf && getOrInsert(known, nationRowOf, () => addedUp(nationRowOf, matched[side].values(0)));
}

function addedUp(nationRowOf: Int32Array, figures: Float64Array): StateSums {
  const sums = new Float64Array(nationRowOf.length);
  const [stateCounts, valueCounts] = [
    new Uint16Array(nationRowOf.length),
    new Uint16Array(nationRowOf.length),
  ];
  addStates({ sums, stateCounts, valueCounts }, nationRowOf, figures);
  return { sums, stateCounts, valueCounts, nations: nationsAmong(nationRowOf, stateCounts) };
}

/** Adds each state to its nation. It is a function of its own, so that V8 does not lose the optimised code of the loop. */
function addStates(
  { sums, stateCounts, valueCounts }: Omit<StateSums, 'nations'>,
  nationRowOf: Int32Array,
  figures: Float64Array,
): void {
  for (let row = 0; row < nationRowOf.length; row += 1) {
    const nation = nationRowOf[row] as number;
    if (nation === NO_ROW || nation === row) continue;
    stateCounts[nation] = (stateCounts[nation] as number) + 1;
    const figure = figures[row] as number;
    if (Number.isNaN(figure)) continue;
    sums[nation] = (sums[nation] as number) + figure;
    valueCounts[nation] = (valueCounts[nation] as number) + 1;
  }
}

/** The rows of nations that have rows of states, in row order. */
function nationsAmong(nationRowOf: Int32Array, stateCounts: Uint16Array): Int32Array {
  const found = new Int32Array(nationRowOf.length);
  let count = 0;
  // Reads counts of nations only. The other pages of the array then take no memory.
  for (let row = 0; row < nationRowOf.length; row += 1) {
    if (nationRowOf[row] !== row || stateCounts[row] === 0) continue;
    found[count] = row;
    count += 1;
  }
  return found.slice(0, count);
}
