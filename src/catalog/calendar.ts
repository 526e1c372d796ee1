// Recognises months and days of the calendar, and gives the ends of days.

/** The form of a month, such as `2026-11`. */
export const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Whether a text is a day that exists, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // For a day that does not exist, Date gives a later day (30 February) or is invalid (month 13).
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The end of a day `YYYY-MM-DD` in UTC, in epoch milliseconds; null when the text is not a day. */
export const endOfDayMs = (text: string): number | null =>
  isDay(text) ? Date.parse(`${text}T00:00:00Z`) + DAY_MS : null;

const DAY_MS = 24 * 60 * 60 * 1000;
