// Finds new rows that count a figure twice, because a row of the same series and year exists already.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import type { CodeArray, Rows } from '../rows/codedRows.ts';
import type { Codes } from '../rows/codes.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import { firstWhere } from '../rows/rowLists.ts';
import type { PatternSearch } from './cellChanges.ts';
import { patternsByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';

/** Finds new rows that differ from another row in `temporal` or `calculation` only. Sums count the figures of both. */
export function findCountedTwice(search: PatternSearch): Pattern[] {
  const { matched, changes } = search;
  const { codes, after } = matched;
  return (['temporal', 'calculation'] as const).flatMap((dimension) => {
    if (!codes.has(dimension) || codes.size(dimension) < 2) return [];
    const hasTwin = twinsIn(after, codes, dimension);
    const twice = changes.unexplained(CHANGE_KIND.added, (change) => hasTwin(changes.rowOf(change)[1]));
    return patternsByCountry(search, { family: 'twice' }, twice);
  });
}

/** A function that says whether a row has a twin: a row that differs from it in this dimension only. */
function twinsIn(rows: Rows, codes: Codes, dimension: DimensionName): (row: number) => boolean {
  const columns = codes.order.map((one) => rows.codes(one));
  const replaced = codes.order.indexOf(dimension);
  const ownCodes = rows.codes(dimension);
  const allCodes = Array.from({ length: codes.size(dimension) }, (_, code) => code);
  const order = (at: number, row: number, code: number) => {
    for (let i = 0; i < columns.length; i += 1) {
      const column = columns[i] as CodeArray;
      const wanted = i === replaced ? code : (column[row] as number);
      const difference = (column[at] as number) - wanted;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  // Rows are sorted by all dimensions, so a binary search finds a row.
  const hasRow = (row: number, code: number) => {
    const at = firstWhere(rows.count, (one) => order(one, row, code) >= 0);
    return at < rows.count && order(at, row, code) === 0;
  };
  return (row) => allCodes.some((code) => code !== ownCodes[row] && hasRow(row, code));
}
