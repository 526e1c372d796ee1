// Reports years that are far from all other years of their dataset, and years of another calendar.

import { type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { stagingTable } from '../staging/database/stagingTables.ts';
import type { YearsChecked } from './checkedRows.ts';
import { type FarYear, farYears, reportFarYears } from './farYears.ts';
import { calendarOf, reportCalendars } from './otherCalendars.ts';
import { rowsOf, type UsedYear } from './places.ts';
import { sizesOf } from './stagedRows.ts';

/** Reports the implausible years of all datasets. */
export async function checkYears(checked: YearsChecked): Promise<void> {
  for (const dataset of checked.datasets.filter((name) => datasetOf(name).dimensions.includes('year'))) {
    const years = await yearsOf(checked, dataset);
    const far = farYears(years);
    // A far year may be one of another calendar. That explains it better than a typing mistake, unless a year of the
    // dataset is written nearly alike, or a person accepts the year.
    const isOfCalendar = (year: number): boolean =>
      calendarOf(year) !== undefined &&
      !far.some(
        (one) =>
          one.year === year &&
          (one.meant.length > 0 || checked.acceptedYears.of(dataset, year) !== undefined),
      );
    const ofCalendars = years.map(({ year }) => year).filter(isOfCalendar);
    await reportFarYears(
      checked,
      dataset,
      far.filter(({ year }) => !isOfCalendar(year)),
    );
    await reportCalendars(checked, dataset, ofCalendars, isWrong(far));
  }
}

const isWrong =
  (far: readonly FarYear[]) =>
  (year: number): boolean =>
    far.some((one) => one.year === year && one.isWrong);

/** The years of a dataset in ascending order. */
async function yearsOf(
  { staging, inMemory }: YearsChecked,
  dataset: DatasetName,
): Promise<readonly UsedYear[]> {
  const rows = inMemory.get(dataset);
  if (rows === undefined) {
    const found = await rowsOf(
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
