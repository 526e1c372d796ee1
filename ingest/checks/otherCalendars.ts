// Warns of years that are in another calendar: 1402 of the Persian one, 2566 of the Buddhist one.

import { type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { stagingTable } from '../staging/database/staging.ts';
import type { CheckedRows } from './checkedRows.ts';
import { PLACE, placeOfNumber, rowCount, rowsOf } from './places.ts';
import type { StagedRows } from './stagedRows.ts';

interface Calendar {
  readonly name: string;
  /** The years in it that data of the industry may be of. No figures of these Gregorian years exist. */
  readonly first: number;
  readonly last: number;
}

const CALENDARS: readonly Calendar[] = [
  { name: 'Persian or the Islamic', first: 1300, last: 1500 },
  { name: 'Buddhist', first: 2450, last: 2700 },
  { name: 'Hebrew', first: 5600, last: 5900 },
];

/** The rows with years of a calendar. */
interface Found {
  readonly rows: number;
  /** The place of the first one, as `PLACE` gives it, and its year. */
  readonly place: bigint;
  readonly year: number;
}

/** Reports years of other calendars: the first one of each calendar and dataset. */
export async function checkCalendars(
  checked: Pick<CheckedRows, 'staging' | 'datasets' | 'inMemory' | 'problems'>,
): Promise<void> {
  const { staging, datasets, inMemory, problems } = checked;
  for (const dataset of datasets.filter((name) => datasetOf(name).dimensions.includes('year'))) {
    const rows = inMemory.get(dataset);
    const found = rows ? yearsAmong(rows) : await yearsOf(checked, dataset);
    for (const [{ name }, { rows: count, place, year }] of found)
      problems.add('warning', placeOfNumber(staging, place, 'year'), {
        problem: `year is ${year}${count > 1 ? `, the first of ${rowCount(count)} like it` : ''}: a year of the ${name} calendar`,
        remedy: 'write the year of the Gregorian calendar, such as 2023',
        kind: 'a year of another calendar',
      });
  }
}

const calendarOf = (year: number): Calendar | undefined =>
  year > LATEST_BEFORE && year < EARLIEST_AFTER
    ? undefined
    : CALENDARS.find(({ first, last }) => year >= first && year <= last);

/** Years between these two are in no other calendar. */
const LATEST_BEFORE = 1500;
const EARLIEST_AFTER = 2450;

function yearsAmong(rows: StagedRows): ReadonlyMap<Calendar, Found> {
  const found = new Map<Calendar, Found>();
  const years = rows.dimension('year');
  for (let row = 0; row < rows.count; row += 1) {
    const year = years[row] as number;
    const calendar = calendarOf(year);
    if (calendar === undefined) continue;
    const before = found.get(calendar);
    found.set(
      calendar,
      before ? { ...before, rows: before.rows + 1 } : { rows: 1, place: rows.placeOf(row), year },
    );
  }
  return found;
}

async function yearsOf(
  { staging }: Pick<CheckedRows, 'staging'>,
  dataset: DatasetName,
): Promise<ReadonlyMap<Calendar, Found>> {
  const found = new Map<Calendar, Found>();
  const years = await rowsOf(
    staging,
    `SELECT year, count(*)::INTEGER, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
     WHERE year <= ${LATEST_BEFORE} OR year >= ${EARLIEST_AFTER} GROUP BY year ORDER BY place`,
  );
  for (const [year, rows, place] of years) {
    const calendar = calendarOf(Number(year));
    if (calendar === undefined) continue;
    const before = found.get(calendar);
    found.set(
      calendar,
      before
        ? { ...before, rows: before.rows + Number(rows) }
        : { rows: Number(rows), place: place as bigint, year: Number(year) },
    );
  }
  return found;
}
