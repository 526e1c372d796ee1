// Which years were complete when the earlier side was published, and which rows are forecasts.

import type { Keys } from './keys.ts';

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

  /** SQL: whether a row's year was closed. */
  closed(keys: Keys, row = ''): string {
    return this.closedCodes(keys, keys.code('year', row));
  }

  /** SQL: whether the code of a year is a closed year's. */
  closedCodes(keys: Keys, code: string): string {
    return isOneOf(
      code,
      keys.codesWhere('year', (year) => this.isClosed(Number(year))),
    );
  }

  /** SQL: whether a row is a forecast. */
  isForecast(keys: Keys, row = ''): string {
    if (!keys.has('temporal')) return 'false';
    return isOneOf(
      keys.code('temporal', row),
      keys.codesWhere('temporal', (text) => isForecast(String(text))),
    );
  }
}

const yearOf = (month: string) => Number(month.slice(0, 4));

/** Neighbouring codes, as those of closed years are, make a range: a long list would be planned as a join. */
function isOneOf(code: string, codes: readonly number[]): string {
  const [first = 0] = codes;
  const last = codes.at(-1) ?? 0;
  if (codes.length === 0) return 'false';
  if (codes.length === last - first + 1) return `(${code} BETWEEN ${first} AND ${last})`;
  return `(${code} IN (${codes.join(', ')}))`;
}
