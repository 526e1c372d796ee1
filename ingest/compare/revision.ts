// The type of a revision: a value that differs between two snapshots, with the dimensions of its row.

import type { DimensionName } from '../../src/catalog/datasets.ts';

/** The dimensions of a row with their values, in catalog order. */
export type RowDimensions = Readonly<Partial<Record<DimensionName, string | number>>>;

/** A value that differs. `from` is null when the value was empty, `to` is null when it became empty. */
export interface Revision {
  readonly key: RowDimensions;
  readonly metric: string;
  readonly from: number | null;
  readonly to: number | null;
  /** (to − from) ÷ |from|; null when one is null or `from` is 0. */
  readonly relative: number | null;
}

/** A revision with its relative change. A missing value is NaN or null. */
export function revisionOf(
  key: RowDimensions,
  metric: string,
  from: number | null,
  to: number | null,
): Revision {
  const orNull = (value: number | null) => (Number.isNaN(value) ? null : value);
  const [old, now] = [orNull(from), orNull(to)];
  return { key, metric, from: old, to: now, relative: relativeChange(old, now) };
}

/** (after − before) ÷ |before|; null when one is missing or `before` is 0. */
export const relativeChange = (before: number | null, after: number | null): number | null =>
  before === null || after === null || before === 0 ? null : (after - before) / Math.abs(before);

/** The share from which on a move of a closed year's figure is suspicious. Honest revisions of this size are rare. */
export const SUSPICIOUS_MOVE = 0.1;
