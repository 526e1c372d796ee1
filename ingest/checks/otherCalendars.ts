// Warns of years of another calendar, such as 1402 of the Persian calendar and 2566 of the Buddhist calendar.

import { type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { groupBy } from '../../src/groupBy.ts';
import { stagingTable } from '../staging/database/stagingTables.ts';
import type { CheckedRows } from './checkedRows.ts';
import { PLACE, placeOfNumber, rowCount, rowsOf } from './places.ts';
import { type StagedRows, sizesOf } from './stagedRows.ts';

interface Calendar {
  readonly name: string;
  /** The years of this calendar that a month's figures may have. The Gregorian years with these numbers have no figures. */
  readonly first: number;
  readonly last: number;
}

const CALENDARS: readonly Calendar[] = [
  { name: 'Persian or the Islamic', first: 1300, last: 1500 },
  { name: 'Buddhist', first: 2450, last: 2700 },
  { name: 'Hebrew', first: 5600, last: 5900 },
];

/** A year, its number of rows, and the place of the first one, as `PLACE` gives it. */
interface Found {
  readonly year: number;
  readonly rows: number;
  readonly place: bigint;
}

/** Reports years of other calendars: the first one of each calendar and dataset. */
export async function checkCalendars(
  checked: Pick<CheckedRows, 'staging' | 'datasets' | 'inMemory' | 'problems'>,
): Promise<void> {
  const { staging, datasets, inMemory, problems } = checked;
  for (const dataset of datasets.filter((name) => datasetOf(name).dimensions.includes('year'))) {
    const years = await oddYears(checked, dataset, inMemory.get(dataset));
    for (const [calendar, all] of groupBy(years, ({ year }) => calendarOf(year))) {
      if (calendar === undefined) continue;
      const [{ place, year }] = all;
      const count = all.reduce((sum, { rows }) => sum + rows, 0);
      problems.add('warning', placeOfNumber(staging, place, 'year'), {
        problem: `year is ${year}${count > 1 ? `, the first of ${rowCount(count)} like it` : ''}: a year of the ${calendar.name} calendar`,
        remedy: 'write the year of the Gregorian calendar, such as 2023',
        kind: 'a year of another calendar',
      });
    }
  }
}

const calendarOf = (year: number): Calendar | undefined =>
  CALENDARS.find(({ first, last }) => year >= first && year <= last);

/** A year between these two is Gregorian, because it is in no calendar of `CALENDARS`. */
const LATEST_BEFORE = 1500;
const EARLIEST_AFTER = 2450;

/** The years of a dataset that may be of another calendar, in the order of their first rows. */
async function oddYears(
  { staging }: Pick<CheckedRows, 'staging'>,
  dataset: DatasetName,
  rows: StagedRows | undefined,
): Promise<readonly Found[]> {
  if (rows !== undefined) {
    const sizes = sizesOf(rows.numbered('year'));
    const years = rows.dimension('year');
    return Array.from(sizes.first, (row, at) => ({
      year: years[row] as number,
      rows: sizes.rows[at] as number,
      place: rows.placeOf(row),
    }));
  }
  const found = await rowsOf(
    staging,
    `SELECT year, count(*)::INTEGER, min(${PLACE}) AS place FROM ${stagingTable(dataset)}
     WHERE year <= ${LATEST_BEFORE} OR year >= ${EARLIEST_AFTER} GROUP BY year ORDER BY place`,
  );
  return found.map(([year, n, place]) => ({ year: Number(year), rows: Number(n), place: place as bigint }));
}
