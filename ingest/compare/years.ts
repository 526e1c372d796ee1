// Which years were complete when the earlier side was published, and which rows are forecasts.

/** A row whose `temporal` says so is a forecast: it is meant to move. */
export const isForecast = (temporal: string): boolean => /forecast/i.test(temporal);

export class Years {
  /** The year of the previous month: all before it had ended by then. */
  readonly closedBefore: number;

  /**
   * The previous month is the one before the later side's; where the earlier side is older still, its own: what
   * was published then could not hold the whole of a year that had not ended.
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
