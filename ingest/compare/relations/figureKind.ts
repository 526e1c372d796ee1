// The two kinds of figures whose relations are checked apart from each other: reported ones and forecasts.

export type FigureKind = 'reported' | 'forecasts';

export const FIGURE_KINDS: readonly FigureKind[] = ['reported', 'forecasts'];

/** The value that `RowFlags.forecast` has in rows with figures of a kind. */
export const forecastFlag = (kind: FigureKind): 0 | 1 => (kind === 'forecasts' ? 1 : 0);
