// Decides which years were complete when the earlier side was published, and which rows are forecasts.

/** The value of `temporal` that marks a forecast, which is meant to move. */
export const isForecast = (temporal: string): boolean => /forecast/i.test(temporal);

export class Years {
  /** The year of the previous month: all earlier years had ended by then. */
  readonly closedBefore: number;

  /**
   * The previous month is the month before the later side's, or the earlier side's month when that is older still. What
   * was published then could not include the whole of a year that had not ended.
   */
  constructor(monthBefore: string, monthAfter: string) {
    const previous = monthAfter.endsWith('-01') ? yearOf(monthAfter) - 1 : yearOf(monthAfter);
    this.closedBefore = Math.min(previous, yearOf(monthBefore));
  }

  isClosed(year: number): boolean {
    return year < this.closedBefore;
  }
}

const yearOf = (month: string) => Number(month.slice(0, 4));
