// Connects the rows of states with the row of their whole country: they agree in all dimensions except `state`.

import type { Codes } from './codes.ts';
import { allRows, Groups, NO_GROUP, rowsWhere } from './groups.ts';
import type { Rows } from './rows.ts';

/** The rows of countries with states, in groups of rows that differ in `state` only. */
export interface StateRows {
  /** The group of each row; `NO_GROUP` in countries without states. */
  readonly groupOf: Int32Array;
  readonly groups: number;
}

/** Null when no country of the side has both states and rows of its own. */
export function stateRowsOf(codes: Codes, rows: Rows): StateRows | null {
  // The empty text sorts first, so the code of whole countries is 0.
  if (!codes.has('state') || codes.codeOf('state', '') !== 0) return null;
  const [states, countries] = [rows.codes('state'), rows.codes('country')];
  const hasStates = new Uint8Array(codes.size('country'));
  for (let row = 0; row < rows.count; row += 1)
    if (states[row] !== 0) hasStates[countries[row] as number] = 1;
  const told = rowsWhere(allRows(rows), (row) => hasStates[countries[row] as number] === 1);
  if (told.length === 0) return null;
  const groups = new Groups(
    codes,
    codes.dimensions.filter((dimension) => dimension !== 'state'),
  );
  const found = groups.addRows(rows, told);
  const groupOf = new Int32Array(rows.count).fill(NO_GROUP);
  for (let i = 0; i < told.length; i += 1) groupOf[told[i] as number] = found[i] as number;
  return { groupOf, groups: groups.count };
}
