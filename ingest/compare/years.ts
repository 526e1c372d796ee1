// Decides which years were closed, that is complete, when the earlier side was published, and which rows are forecasts.

/** Whether a value of `temporal` marks a forecast. Forecasts are expected to change. */
export const isForecast = (temporal: string): boolean => /forecast/i.test(temporal);

/** The years of one comparison. */
export class Years {
  /** The year of the previous month. All years before it had ended by then. */
  readonly closedBefore: number;

  /**
   * The previous month is the month before that of the later side, or the month of the earlier side if that is older. A year that
   * had not ended by then could not have been published completely.
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
