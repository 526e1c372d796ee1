// Leaves out merged cells of states that are empty, because their rows are about the country as a whole.

import type { CellRange, RawRow } from '../sources/readers/raw.ts';
import type { Placement } from './placement.ts';
import { isEmpty } from './values.ts';

/**
 * The ranges in `merged`, without those in the column `state` whose first cell is empty. Only this dimension may be empty.
 * It reads the rows again, because merged cells are known only after the last row.
 */
export async function withoutEmptyStates(
  merged: readonly CellRange[],
  { header }: Placement,
  rows: () => AsyncIterable<readonly RawRow[]>,
): Promise<readonly CellRange[]> {
  const isOfState = ({ columns: [first, last] }: CellRange) =>
    first === last && header.columns[first]?.name === 'state';
  const ofStates = merged.filter(isOfState);
  if (ofStates.length === 0) return merged;
  const filled = new Set<CellRange>();
  const byRow = new Map(ofStates.map((range) => [range.rows[0], range]));
  for await (const batch of rows())
    for (const { row, cells } of batch) {
      const range = byRow.get(row);
      if (range !== undefined && !isEmpty(cells[range.columns[0]])) filled.add(range);
    }
  return merged.filter((range) => !isOfState(range) || filled.has(range));
}
