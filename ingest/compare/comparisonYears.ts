// Tells which years are closed, because they had ended before the previous month, and which rows are forecasts.

/** Whether a value of `temporal` marks a forecast. Forecasts are expected to change. */
export const isForecast = (temporal: string): boolean => /forecast/i.test(temporal);

/** The years of one comparison. */
export class ComparisonYears {
  /** The year of the previous month. All years before it had ended by then. */
  readonly closedBefore: number;
  readonly #monthAfter: string;

  /**
   * The previous month is the month before that of the later side, or the month of the earlier side if that is older. A
   * year that had not ended before the previous month could not have been published completely.
   */
  constructor(monthBefore: string, monthAfter: string) {
    const previous = monthAfter.endsWith('-01') ? yearOf(monthAfter) - 1 : yearOf(monthAfter);
    this.closedBefore = Math.min(previous, yearOf(monthBefore));
    this.#monthAfter = monthAfter;
  }

  isClosed(year: number): boolean {
    return year < this.closedBefore;
  }

  /** Whether reported figures of a year may still come in with the month of the later side. */
  isRunning(year: number): boolean {
    return isRunningYear(year, this.#monthAfter);
  }
}

/** The last month in which sources that report late complete the year before. */
const LAST_LATE_MONTH = 3;

/**
 * Whether a month may bring further figures of a year. It may bring those of its own year, and until March those of the
 * year before.
 */
export const isRunningYear = (year: number, month: string): boolean =>
  year === yearOf(month) || (year === yearOf(month) - 1 && Number(month.slice(5, 7)) <= LAST_LATE_MONTH);

const yearOf = (month: string) => Number(month.slice(0, 4));
