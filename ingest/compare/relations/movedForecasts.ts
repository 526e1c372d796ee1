// Lists the changes that may break a relation of forecasts.

import type { MatchedRows } from '../rows/matchedRows.ts';
import { AGREEING_DISTANCE } from './rateDistances.ts';

/**
 * The indexes in `changed` of the changes that may break a relation of forecasts. These are rows that were added or
 * removed, and values that moved by more than a relation tolerates. In most months forecasts move by less, so the list is
 * short. For rates, reported changes count as well, because a year may have reported rates and forecast figures.
 */
export function movedForecasts({ changed, before, after, metrics, flags }: MatchedRows): Int32Array {
  const isMoved = new Uint8Array(changed.count);
  for (let m = 0; m < metrics.length; m += 1) markMoved(isMoved, changed, before.values(m), after.values(m));
  if (metrics.length === 1) unmarkReported(isMoved, changed, flags);
  const found = new Int32Array(isMoved.length);
  let count = 0;
  for (let i = 0; i < isMoved.length; i += 1) {
    found[count] = i;
    count += isMoved[i] as number;
  }
  return found.subarray(0, count);
}

/** Marks the changes of one metric that are larger than a relation tolerates. */
function markMoved(
  isMoved: Uint8Array,
  { before: olds, after: news }: MatchedRows['changed'],
  before: Float64Array,
  after: Float64Array,
): void {
  for (let i = 0; i < isMoved.length; i += 1) {
    const old = olds[i] as number;
    const fresh = news[i] as number;
    // A missing row or value makes the ratio NaN. NaN counts as moved.
    const ratio = old < 0 || fresh < 0 ? Number.NaN : (after[fresh] as number) / (before[old] as number);
    if (!(Math.abs(ratio - 1) <= AGREEING_DISTANCE)) isMoved[i] = 1;
  }
}

/** Clears the marks of changes that are not about forecasts. */
function unmarkReported(
  isMoved: Uint8Array,
  { before: olds, after: news }: MatchedRows['changed'],
  { before, after }: MatchedRows['flags'],
): void {
  for (let i = 0; i < isMoved.length; i += 1) {
    const old = olds[i] as number;
    const isForecast = old >= 0 ? before.forecast[old] : after.forecast[news[i] as number];
    if (isForecast === 0) isMoved[i] = 0;
  }
}
