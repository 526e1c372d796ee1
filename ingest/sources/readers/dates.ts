// Turns the day numbers of spreadsheets into calendar dates, and back.

import type { CellOf } from './rawFile.ts';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** Day 0 of the 1900 system for serials above 60. Serial 60 is 29 February 1900, a day that did not exist. */
const EPOCH_1900_MS = Date.UTC(1899, 11, 30);
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
/** The day after 31 December 9999, which is the last day that a spreadsheet program can show. */
const END_MS = Date.UTC(10_000, 0, 1);

/**
 * The date of a serial as `YYYY-MM-DD`, or as `YYYY-MM-DDTHH:MM:SS` when the serial has a time of day. A serial below 1 is
 * only a time of day: `THH:MM:SS`.
 *
 * Null when the serial is not a date: it is negative, after the year 9999, or 29 February 1900.
 */
export function isoFromSerial(serial: number, date1904: boolean): string | null {
  if (!(serial >= 0) || (!date1904 && Math.floor(serial) === 60)) return null;
  // Serials below 60, the day that did not exist, are one less than the days since the epoch.
  const shiftMs = !date1904 && serial < 60 ? DAY_MS : 0;
  const epochMs = date1904 ? EPOCH_1904_MS : EPOCH_1900_MS;
  const timeMs = epochMs + shiftMs + roundedInDay(serial * DAY_SECONDS) * 1000;
  if (timeMs >= END_MS) return null;
  const isTimeAlone = serial < 1 && (serial > 0 || !date1904);
  return isTimeAlone ? timeOf(timeMs) : dateOf(timeMs);
}

/**
 * The seconds rounded to a whole one of the same day. 31 December, 23:59:59.997, is the last time of a year in SQL Server,
 * and programs show its year. A serial is an inexact double, so a ten-thousandth of a second below midnight is midnight.
 */
function roundedInDay(seconds: number): number {
  const rounded = Math.round(seconds);
  return rounded % DAY_SECONDS === 0 && rounded - seconds > 1e-4 ? rounded - 1 : rounded;
}

/** The date that an ISO 8601 text names, in the form of `isoFromSerial`; null when the text is not a date. */
export function isoFromText(text: string): string | null {
  const found = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d:\d\d)?(\.\d+)?Z?$/.exec(text.trim()) ?? [];
  const [, day, time, fraction = ''] = found;
  if (day === undefined && time === undefined) return null;
  const timeMs = Date.parse(`${day ?? '1970-01-01'}T${time ?? '00:00:00'}Z`);
  // `Date` reads 30 February as 1 March, and 24:00:00 as the next day. Such a text is not a date.
  if (Number.isNaN(timeMs) || (day !== undefined && dateOf(timeMs).slice(0, 10) !== day)) return null;
  const roundedMs = roundedInDay(timeMs / 1000 + Number(`0${fraction}`)) * 1000;
  if (roundedMs >= END_MS) return null;
  return day === undefined ? timeOf(roundedMs) : dateOf(roundedMs);
}

/** The serial of a date written `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS`; throws a RangeError for any other text. */
export function serialFromIso(iso: string, date1904: boolean): number {
  const timeMs = Date.parse(iso.length === 10 ? `${iso}T00:00:00Z` : `${iso}Z`);
  if (Number.isNaN(timeMs)) throw new RangeError(`"${iso}" is not a date; write YYYY-MM-DD`);
  if (date1904) return (timeMs - EPOCH_1904_MS) / DAY_MS;
  const serial = (timeMs - EPOCH_1900_MS) / DAY_MS;
  return serial < 61 ? serial - 1 : serial;
}

const timeOf = (timeMs: number) => new Date(timeMs).toISOString().slice(10, 19);

function dateOf(timeMs: number): string {
  const iso = new Date(timeMs).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19);
}

/**
 * The cell for a date whose format shows only the year. When somebody types 2023 into such a cell, it holds the date of day
 * 2023 and shows 1905, so it is a marked year.
 */
export function yearOfDate(iso: string, serial: number): CellOf<'dated year' | 'marked year'> {
  const year = Number(iso.slice(0, 4));
  return Number.isInteger(serial) && serial >= 1900 && serial <= 2100
    ? { kind: 'marked year', value: serial, shown: `${year}` }
    : { kind: 'dated year', value: year, iso };
}
