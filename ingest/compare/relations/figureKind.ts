// The two kinds of figures whose relations are checked apart from each other: reported ones and forecasts.

import { isForecastRow, type Matched } from '../rows/matchedRows.ts';
import type { Rows } from '../rows/rows.ts';

export type FigureKind = 'reported' | 'forecasts';

export const FIGURE_KINDS: readonly FigureKind[] = ['reported', 'forecasts'];

/** Whether a row has figures of a kind. */
export const isOfKind = (kind: FigureKind, matched: Matched, rows: Rows, row: number): boolean =>
  isForecastRow(matched, rows, row) === (kind === 'forecasts');

/** The value that `RowFlags.forecast` has in rows with figures of a kind. */
export const forecastFlag = (kind: FigureKind): 0 | 1 => (kind === 'forecasts' ? 1 : 0);
