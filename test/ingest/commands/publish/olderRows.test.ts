// A publish warns of a dataset that has the rows of an older month again.

import { expect, it } from '@jest/globals';
import { aMonth, csvOf } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';

const reference = csvOf('country_reference', [
  aRow('country_reference', { country: 'Malta', region: 'Europe' }),
]);

/** Figures of this number; `order` makes other bytes of the same rows. */
const ggr = (number: number, order: 1 | -1 = 1) => {
  const rows = [2022, 2023, 2024].map((year) => aRow('ggr', { year, ggr: 5_000_000 + 900 * year + number }));
  return { 'ggr.csv': csvOf('ggr', order === 1 ? rows : rows.toReversed()) };
};
const turnover = (number: number) => ({
  'turnover.csv': csvOf('turnover', [aRow('turnover', { year: 2024, turnover: 90_000_000 + number })]),
});

async function started() {
  const month = await aMonth({ 'country-reference.csv': reference, ...ggr(1), ...turnover(1) });
  const told = async (number: number, files: Parameters<typeof month.write>[0]) => {
    await month.write(files);
    const { status, problems } = await month.publish({ month: `2026-0${number}` });
    expect(status).toBe('published');
    return problems.flatMap(({ place, message }) =>
      message.includes('has all rows of') ? [`${place}: ${message}`] : [],
    );
  };
  return { told, remove: month.remove };
}

it('a dataset that has the rows of an older month again is a warning', async () => {
  const { told, remove } = await started();
  expect(await told(1, { ...ggr(1), ...turnover(1) })).toEqual([]);
  expect(await told(2, { ...ggr(2), ...turnover(2) })).toEqual([]);
  expect(await told(3, { ...ggr(1, -1), ...turnover(3) })).toEqual([
    "ggr.csv: has all rows of ggr of 2026-01.1, which 2026-02.1 had replaced; put this month's file in its place, unless these figures are meant",
  ]);
  await remove();
});

it('a dataset that always changed and has the rows of the month before is a warning, once', async () => {
  const { told, remove } = await started();
  for (const number of [1, 2, 3, 4])
    expect(await told(number, { ...ggr(number), ...turnover(number) })).toEqual([]);
  expect(await told(5, { ...ggr(4, -1), ...turnover(5) })).toEqual([
    "ggr.csv: has all rows of ggr of 2026-04.1, although they were new in each of the 3 months before; put this month's file in its place, unless these figures are meant",
  ]);
  expect(await told(6, { ...ggr(4), ...turnover(6) })).toEqual([]);
  await remove();
});
