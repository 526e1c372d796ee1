// A publish warns when a dataset has the rows of an older month again.

import { expect, it } from '@jest/globals';
import { itInDepth } from '../../../../support/depth.ts';
import { aMonth, csvOf } from '../../../../support/month.ts';
import { aRow, publishRows } from '../../../../support/snapshot.ts';

const reference = csvOf('country_reference', [
  aRow('country_reference', { country: 'Malta', region: 'Europe' }),
]);

/** The rows of each dataset. `number` decides their figures. */
const rowsOf = (number: number, turnover = number) => ({
  ggr: [2022, 2023, 2024].map((year) => aRow('ggr', { year, ggr: 5_000_000 + 900 * year + number })),
  turnover: [aRow('turnover', { year: 2024, turnover: 90_000_000 + turnover })],
});

/** The files of these rows. `order` writes the same rows as other bytes. */
const filesOf = (number: number, turnover = number, order: 1 | -1 = 1) => {
  const rows = rowsOf(number, turnover);
  return {
    'ggr.csv': csvOf('ggr', order === 1 ? rows.ggr : rows.ggr.toReversed()),
    'turnover.csv': csvOf('turnover', rows.turnover),
  };
};

async function started() {
  const month = await aMonth({ 'country-reference.csv': reference, ...filesOf(1) });
  /** The warnings of a publish of the month with this number. */
  const warningsOf = async (number: number, files: Parameters<typeof month.write>[0]) => {
    await month.write(files);
    const { status, problems } = await month.publish({ month: `2026-0${number}`, dryRun: true });
    expect(status).toBe('checked');
    return problems.flatMap(({ place, message }) =>
      message.includes('has all rows of') || message.includes('had replaced') ? [`${place}: ${message}`] : [],
    );
  };
  const publish = (number: number, rows: Parameters<typeof publishRows>[2]) =>
    publishRows(month.dataDir, `2026-0${number}.1`, rows);
  /** Publishes a month of files. */
  const publishFiles = async (number: number, files: Parameters<typeof month.write>[0]) => {
    await month.write(files);
    const { status } = await month.publish({ month: `2026-0${number}` });
    expect(status).toBe('published');
  };
  return { warningsOf, publish, publishFiles, remove: () => month.remove() };
}

it('a dataset that has the rows of an older month again is a warning', async () => {
  const { warningsOf, publish, remove } = await started();
  await publish(1, rowsOf(1));
  expect(await warningsOf(2, filesOf(2))).toEqual([]);
  await publish(2, rowsOf(2));
  expect(await warningsOf(3, filesOf(1, 3, -1))).toEqual([
    "ggr.csv: has all rows of ggr of 2026-01.1, which 2026-02.1 had replaced; put this month's file in its place, unless these figures are meant",
  ]);
  await remove();
});

itInDepth(
  'a dataset that always changed and has the rows of the month before is a warning, once',
  async () => {
    const { warningsOf, publish, remove } = await started();
    for (const number of [1, 2, 3]) await publish(number, rowsOf(number));
    expect(await warningsOf(4, filesOf(4))).toEqual([]);
    await publish(4, rowsOf(4));
    expect(await warningsOf(5, filesOf(4, 5, -1))).toEqual([
      "ggr.csv: has all rows of ggr of 2026-04.1, although they were new in each of the 3 months before; put this month's file in its place, unless these figures are meant",
    ]);
    await publish(5, rowsOf(4, 5));
    expect(await warningsOf(6, filesOf(4, 6))).toEqual([]);
    await remove();
  },
);

itInDepth(
  'a file of an older month that a later one had replaced is a warning, also beside new files',
  async () => {
    const { warningsOf, publishFiles, remove } = await started();
    await publishFiles(1, filesOf(1));
    await publishFiles(2, filesOf(2));
    const line =
      "ggr.csv: is the file of 2026-01.1, byte by byte, which 2026-02.1 had replaced; put this month's file in its place, unless these figures are meant";
    expect(await warningsOf(3, { ...filesOf(3), 'ggr.csv': filesOf(1)['ggr.csv'] })).toEqual([line]);
    expect(await warningsOf(3, filesOf(3))).toEqual([]);
    expect(await warningsOf(3, { ...filesOf(3), 'ggr.csv': filesOf(2)['ggr.csv'] })).toEqual([]);
    await remove();
  },
);
