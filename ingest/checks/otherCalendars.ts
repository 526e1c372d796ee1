// Reports years of another calendar, such as 1402 of the Persian calendar and 2566 of the Buddhist calendar.

import { groupBy } from '../../src/basics/lists.ts';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { YearsChecked } from './checkedRows.ts';
import { placeOfYear, rowCount, yearPlaces } from './places.ts';

interface Calendar {
  readonly name: string;
  /**
   * The first and the last year of this calendar that figures may have. No figures are of the Gregorian years between them.
   */
  readonly first: number;
  readonly last: number;
}

const CALENDARS: readonly Calendar[] = [
  { name: 'Persian or the Islamic', first: 1300, last: 1500 },
  { name: 'Buddhist', first: 2450, last: 2700 },
  { name: 'Hebrew', first: 5600, last: 5900 },
];

/** The calendar, other than the Gregorian, whose range has a year; undefined when there is none. */
export const calendarOf = (year: number): Calendar | undefined =>
  CALENDARS.find(({ first, last }) => year >= first && year <= last);

/**
 * Reports the first year of each calendar among `years`. It is an error if `isWrong` holds for all years of the calendar,
 * because the other years of the dataset are then Gregorian. Otherwise, and for carried rows, it is a warning.
 */
export async function reportCalendars(
  { staging, carried, problems }: YearsChecked,
  dataset: DatasetName,
  years: readonly number[],
  isWrong: (year: number) => boolean,
): Promise<void> {
  const found = await yearPlaces(staging, dataset, years);
  for (const [calendar, all] of groupBy(found, ({ year }) => calendarOf(year))) {
    if (calendar === undefined) continue;
    const [{ place, year }] = all;
    const count = all.reduce((sum, { rows }) => sum + rows, 0);
    const isError = !carried.has(dataset) && all.every((one) => isWrong(one.year));
    problems.add(isError ? 'error' : 'warning', placeOfYear(staging, place), {
      problem: `year is ${year}${count > 1 ? `, the first of ${rowCount(count)} like it` : ''}: a year of the ${calendar.name} calendar`,
      remedy: 'write the year of the Gregorian calendar, such as 2023',
      kind: 'a year of another calendar',
    });
  }
}
