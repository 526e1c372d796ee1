// Finds the rows beside new rows: those that may be the parts of a new total, or the total of new parts.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { Rows } from '../rows/codedRows.ts';
import { GroupNumbers, NO_GROUP } from '../rows/groupNumbers.ts';
import type { Change, PatternSearch } from './cellChanges.ts';

/** The dimensions that form the place of a row. A total and its parts are in one place. */
export const PLACE_DIMENSIONS: readonly DimensionName[] = ['country', 'year', 'fx', 'state'];

/** The places of new rows, and the other rows with a value in them. */
export interface NewRowPlaces {
  /** The place of each new row. */
  readonly ofFresh: Int32Array;
  readonly count: number;
  readonly list: Int32Array;
  /** The place of each row of `list`. */
  readonly placeOf: Int32Array;
}

/** The places of these new rows, and those of `siblings` that are in one of them. */
export function newRowPlaces(
  { matched, changes }: PatternSearch,
  fresh: readonly Change[],
  siblings: Int32Array,
): NewRowPlaces {
  const groups = new GroupNumbers(matched.codes, PLACE_DIMENSIONS);
  const ofFresh = changes.addToGroups(groups, fresh);
  // Siblings in places without new rows are left out.
  const [list, placeOf] = [new Int32Array(siblings.length), new Int32Array(siblings.length)];
  let length = 0;
  groups.eachBatch(matched.after, siblings, (batch, groupOf) => {
    length += takeGrouped(list.subarray(length), placeOf.subarray(length), batch, groupOf);
  });
  return {
    ofFresh,
    count: groups.count,
    list: list.subarray(0, length),
    placeOf: placeOf.subarray(0, length),
  };
}

/** Writes the listed rows that are in some group, and their groups, and returns their number. */
function takeGrouped(found: Int32Array, places: Int32Array, list: Int32Array, groupOf: Int32Array): number {
  let count = 0;
  for (let i = 0; i < list.length; i += 1) {
    const group = groupOf[i] as number;
    if (group === NO_GROUP) continue;
    found[count] = list[i] as number;
    places[count] = group;
    count += 1;
  }
  return count;
}

/** The rows of the later side that have a value, in the countries and years of these new rows, without the new rows. */
export function rowsBesideNewRows({ matched, changes }: PatternSearch, fresh: readonly Change[]): Int32Array {
  const { codes, after } = matched;
  const years = codes.size('year');
  const hasFresh = new Uint8Array(codes.size('country') * years);
  const isFresh = new Uint8Array(after.count);
  for (const change of fresh) {
    const [rows, row] = changes.rowOf(change);
    hasFresh[rows.code('country', row) * years + rows.code('year', row)] = 1;
    if (rows === after) isFresh[row] = 1;
  }
  return othersIn(after, years, hasFresh, isFresh);
}

/** The rows with a value in the years of countries that have new rows, without the new rows. */
function othersIn(rows: Rows, years: number, hasFresh: Uint8Array, isFresh: Uint8Array): Int32Array {
  const [countryCodes, yearCodes, values] = [rows.codes('country'), rows.codes('year'), rows.values(0)];
  const found = new Int32Array(values.length);
  let count = 0;
  for (let row = 0; row < values.length; row += 1) {
    const pair = (countryCodes[row] as number) * years + (yearCodes[row] as number);
    if (hasFresh[pair] === 0 || isFresh[row] === 1 || Number.isNaN(values[row])) continue;
    found[count] = row;
    count += 1;
  }
  return found.subarray(0, count);
}
