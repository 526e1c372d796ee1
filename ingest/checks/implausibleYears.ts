// Reports years that are far from all other years of their dataset, and years of another calendar, such as 1402 and 2566.

import { groupBy } from '../../src/basics/lists.ts';
import { type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { stagingTable } from '../staging/database/stagingTables.ts';
import type { YearCheckInput } from './checkInput.ts';
import { type FarYear, farYears, reportFarYears } from './farYears.ts';
import { placeOfYearAt, queryStaging, rowCountText, type UsedYear, yearPlaces } from './stagedPlaces.ts';
import { sizesOf } from './stagedRows.ts';

/** Reports the implausible years of all datasets. */
export async function checkYears(input: YearCheckInput): Promise<void> {
  for (const dataset of input.datasets.filter((name) => datasetOf(name).dimensions.includes('year'))) {
    const years = await yearsOf(input, dataset);
    const far = farYears(years);
    // A far year may be one of another calendar. That explains it better than a typing mistake, unless a year of the
    // dataset is written nearly alike, or a person accepts the year.
    const isOfCalendar = (year: number): boolean =>
      calendarOf(year) !== undefined &&
      !far.some(
        (one) =>
          one.year === year &&
          (one.likelyYears.length > 0 || input.acceptedYears.of(dataset, year) !== undefined),
      );
    const ofCalendars = years.map(({ year }) => year).filter(isOfCalendar);
    await reportFarYears(
      input,
      dataset,
      far.filter(({ year }) => !isOfCalendar(year)),
    );
    await reportCalendars(input, dataset, ofCalendars, far);
  }
}

/** The years of a dataset in ascending order. */
async function yearsOf(
  { staging, rowsInMemory }: YearCheckInput,
  dataset: DatasetName,
): Promise<readonly UsedYear[]> {
  const rows = rowsInMemory.get(dataset);
  if (rows === undefined) {
    const found = await queryStaging(
      staging,
      `SELECT year, count(*)::INTEGER FROM ${stagingTable(dataset)} GROUP BY year ORDER BY year`,
    );
    return found.map(([year, n]) => ({ year: Number(year), rows: Number(n) }));
  }
  const years = rows.dimension('year');
  const sizes = sizesOf(rows.numbered('year'));
  return Array.from(sizes.first, (row, at) => ({
    year: years[row] as number,
    rows: sizes.rows[at] as number,
  })).sort((a, b) => a.year - b.year);
}

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
const calendarOf = (year: number): Calendar | undefined =>
  CALENDARS.find(({ first, last }) => year >= first && year <= last);

/**
 * Reports the first year of each calendar among `years`. It is an error if all years of the calendar are far and probably
 * wrong, because the other years of the dataset are then Gregorian. Otherwise, and for carried rows, it is a warning.
 */
async function reportCalendars(
  { staging, carried, problems }: YearCheckInput,
  dataset: DatasetName,
  years: readonly number[],
  far: readonly FarYear[],
): Promise<void> {
  const wrong = new Set(far.filter(({ isWrong }) => isWrong).map(({ year }) => year));
  const found = await yearPlaces(staging, dataset, years);
  for (const [calendar, all] of groupBy(found, ({ year }) => calendarOf(year))) {
    if (calendar === undefined) continue;
    const [{ place, year }] = all;
    const count = all.reduce((sum, { rows }) => sum + rows, 0);
    const isError = !carried.has(dataset) && all.every((one) => wrong.has(one.year));
    problems.add(isError ? 'error' : 'warning', placeOfYearAt(staging, place), {
      problem: `year is ${year}${count > 1 ? `, the first of ${rowCountText(count)} like it` : ''}: a year of the ${calendar.name} calendar`,
      remedy: 'write the year of the Gregorian calendar, such as 2023',
      kind: 'a year of another calendar',
    });
  }
}
