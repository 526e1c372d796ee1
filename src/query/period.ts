// Reads a period: every year that it touches (ruling 8).

import type { HelpTopic } from '../errors.ts';

/** Every year a `period` touches, ends included (ruling 8). */
export interface Period {
  readonly firstYear: number;
  readonly lastYear: number;
}

/** The years of `YYYY-MM-DD:YYYY-MM-DD`, or the topic that explains what is wrong with it. */
export function yearsOf(text: string): Period | HelpTopic {
  const [, start, end] = PERIOD.exec(text) ?? [];
  if (start === undefined || end === undefined) return 'period-format';
  if (!isDay(start) || !isDay(end)) return 'period-day';
  if (start > end) return 'period-turned-round';
  return { firstYear: Number(start.slice(0, 4)), lastYear: Number(end.slice(0, 4)) };
}

const PERIOD = /^(\d{4}-\d{2}-\d{2}):(\d{4}-\d{2}-\d{2})$/;

/** Whether `YYYY-MM-DD` is a day of the calendar. */
export function isDay(text: string): boolean {
  // Date moves a day that does not exist forward (30 February) or is invalid (month 13).
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
