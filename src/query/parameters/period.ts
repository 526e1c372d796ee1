// Parses a period, and tells whether it touches a year (ruling 8).

import { isDay } from '../../catalog/calendar.ts';
import type { HelpTopic } from '../../errors.ts';

/** The years that a period touches, from the first to the last. */
export interface Period {
  readonly firstYear: number;
  readonly lastYear: number;
}

/** The years of `YYYY-MM-DD:YYYY-MM-DD`, or the topic that explains what is wrong with it. */
export function parsePeriod(text: string): Period | HelpTopic {
  const [, start, end] = PERIOD.exec(text) ?? [];
  if (start === undefined || end === undefined) return 'period-format';
  if (!isDay(start) || !isDay(end)) return 'period-day';
  if (start > end) return 'period-turned-round';
  return { firstYear: Number(start.slice(0, 4)), lastYear: Number(end.slice(0, 4)) };
}

const PERIOD = /^(\d{4}-\d{2}-\d{2}):(\d{4}-\d{2}-\d{2})$/;

/** Whether a period touches a year. */
export const isInPeriod = ({ firstYear, lastYear }: Period, year: string | undefined): boolean =>
  Number(year) >= firstYear && Number(year) <= lastYear;
