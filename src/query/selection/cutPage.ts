// Cuts a page out of a selection: a limited number of rows after a position (rulings 11 and 12).

import { positionsBetween } from '../gather.ts';
import { lowerBound } from './masks.ts';

/** The rows that a query selects, by position in the published order. */
export interface Selection {
  readonly rows: number;
  /** Ascending; null when the selection is all rows from 0 to `rows - 1`. */
  readonly positions: Uint32Array | null;
}

export interface Page {
  readonly positions: Uint32Array;
  readonly hasMore: boolean;
}

export interface PageRequest {
  /** The page begins after this position: the last row of the page before, or -1 for the first page. */
  readonly after: number;
  readonly limitRows: number;
}

/** The page of at most `limitRows` selected rows after position `after`. */
export function pageOf({ rows, positions }: Selection, { after, limitRows }: PageRequest): Page {
  const first = positions ? lowerBound(positions, after + 1) : after + 1;
  const end = Math.max(first, Math.min(first + limitRows, rows));
  return {
    positions: positions?.subarray(first, end) ?? positionsBetween(first, end),
    hasMore: end < rows,
  };
}
