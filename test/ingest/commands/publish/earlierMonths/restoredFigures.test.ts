// A publish warns of countries whose figures became those of an earlier month again.

import { expect, it } from '@jest/globals';
import { aMonth, csvOf } from '../../../../support/month.ts';
import { aRow, countryReference, publishRows } from '../../../../support/snapshot.ts';

const YEARS = Array.from({ length: 12 }, (_, i) => 2012 + i);

/** The rows of ggr. `months` gives, for each country, the number of the month whose figures it has. Peru never changes. */
const rowsOf = (months: Readonly<Record<string, number>>) =>
  Object.entries({ ...months, Peru: 0 }).flatMap(([country, number], i) =>
    YEARS.map((year) => aRow('ggr', { country, year, ggr: 5_000_000 + 70_001 * i + 907 * year + number })),
  );

const reference = countryReference(['Malta', 'Spain', 'Italy', 'Peru']);

it('figures of a country that are those of an older month again are a warning', async () => {
  const month = await aMonth({ 'country-reference.csv': csvOf('country_reference', reference) });
  const publish = (number: number, ggr: ReturnType<typeof rowsOf>) =>
    publishRows(month.dataDir, `2026-0${number}.1`, { ggr, country_reference: reference });
  const warningsOf = async (number: number, ggr: ReturnType<typeof rowsOf>) => {
    await month.write({ 'ggr.csv': csvOf('ggr', ggr) });
    const { problems } = await month.publish({ month: `2026-0${number}`, dryRun: true });
    return problems.flatMap(({ place, message }) =>
      / again|has all rows/.test(message) ? [`${place}: ${message}`] : [],
    );
  };
  await publish(1, rowsOf({ Malta: 1, Spain: 1, Italy: 1 }));
  expect(await warningsOf(2, rowsOf({ Malta: 2, Spain: 2, Italy: 1 }))).toEqual([]);
  await publish(2, rowsOf({ Malta: 2, Spain: 2, Italy: 2 }));
  expect(await warningsOf(3, rowsOf({ Malta: 1, Spain: 3, Italy: 2 }))).toEqual([
    'ggr.csv: all 12 figures of ggr of Malta that differ from 2026-02.1 are those of 2026-01.1 again; check that they are not from an old file, unless those of 2026-02.1 were wrong',
  ]);
  expect(await warningsOf(3, rowsOf({ Malta: 1, Spain: 1, Italy: 2 }))).toEqual([
    expect.stringContaining('24 figures of ggr of Malta and Spain that'),
  ]);
  const newInPeru = rowsOf({ Malta: 1, Spain: 1, Italy: 1 }).map((row) =>
    row.country === 'Peru' && row.year === 2023 ? { ...row, ggr: 7 } : row,
  );
  expect(await warningsOf(3, newInPeru)).toEqual([
    expect.stringContaining('36 figures of ggr of Italy and 2 other countries that'),
  ]);
  // A dataset that is completely that of an older month has a warning of its own, and only that.
  expect(await warningsOf(3, rowsOf({ Malta: 1, Spain: 1, Italy: 1 }))).toEqual([
    "ggr.csv: has all rows of ggr of 2026-01.1, which 2026-02.1 had replaced; put this month's file in its place, unless these figures are meant",
  ]);
  // One figure of Malta is new, so not all its changed figures are those of the older month.
  const corrected = rowsOf({ Malta: 1, Spain: 3, Italy: 2 }).map((row, i) =>
    i === 5 ? { ...row, ggr: 5 } : row,
  );
  expect(await warningsOf(3, corrected)).toEqual([]);
  // A correction of the current month causes no warning when it restores the figures that this month had replaced.
  expect(await warningsOf(2, rowsOf({ Malta: 1, Spain: 3, Italy: 2 }))).toEqual([]);
  await month.remove();
});
