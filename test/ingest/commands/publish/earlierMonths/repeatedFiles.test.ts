// A publish warns when a source is last month's file although a new one was expected.

import { expect, it } from '@jest/globals';
import { itInDepth } from '../../../../support/depth.ts';
import { aMonth, csvOf, type Month } from '../../../../support/month.ts';
import { aRow, countryReference } from '../../../../support/snapshot.ts';

/** A file of one country. Its figure belongs to a month. */
const fileOf = (country: string, month: number) =>
  csvOf('ggr', [aRow('ggr', { country, ggr: 1_000_000 + month })]);

const reference = csvOf('country_reference', countryReference(['Malta', 'Spain']));

const started = () => aMonth({ 'country-reference.csv': reference });

/** The warnings about repeated files when files are added and the month is published. */
async function warningsOf(month: Month, number: number, files: Readonly<Record<string, string>>) {
  await month.write(files);
  const { problems } = await month.publish({ month: `2026-${String(number).padStart(2, '0')}` });
  return problems.flatMap(({ place, message }) =>
    message.includes('byte by byte') ? [`${place}: ${message}`] : [],
  );
}

/** The same warnings without publishing the month, for the last expectation of a test. */
async function dryWarningsOf(month: Month, number: number, files: Readonly<Record<string, string>>) {
  await month.write(files);
  const problems = await month.problems({ month: `2026-${String(number).padStart(2, '0')}` });
  return problems.flatMap((text) => (text.includes('byte by byte') ? [text.replace(/^warning /, '')] : []));
}

const both = (malta: number, spain: number) => ({
  'ggr.csv': fileOf('Malta', malta),
  'ggr-spain.csv': fileOf('Spain', spain),
});

it('one of several files of a dataset that is last month’s is a warning, the first time', async () => {
  const month = await started();
  expect(await warningsOf(month, 1, both(1, 1))).toEqual([]);
  expect(await warningsOf(month, 2, both(2, 1))).toEqual([
    "ggr-spain.csv: is the file of 2026-01.1, byte by byte, although other files of ggr are new; put this month's file in its place, unless nothing in it changed",
  ]);
  // This file has already repeated once. So it counts as a file that does not change every month, and causes no warning.
  expect(await warningsOf(month, 3, both(3, 1))).toEqual([]);
  expect(await warningsOf(month, 4, both(4, 4))).toEqual([]);
  expect(await dryWarningsOf(month, 5, both(5, 4))).toEqual([]);
  await month.remove();
});

itInDepth(
  'last month’s file is a warning under another name, too, and none in a second try of the month',
  async () => {
    const month = await started();
    await warningsOf(month, 1, both(1, 1));
    await warningsOf(month, 2, both(2, 2));
    expect(await warningsOf(month, 2, both(3, 2))).toEqual([]);
    expect(
      await dryWarningsOf(month, 3, {
        ...both(4, 3),
        'ggr.csv': fileOf('Spain', 2),
        'ggr-spain.csv': fileOf('Malta', 4),
      }),
    ).toEqual([
      "ggr.csv: is the file of 2026-02.2, byte by byte, although other files of ggr are new; put this month's file in its place, unless nothing in it changed",
    ]);
    await month.remove();
  },
);

itInDepth(
  'the only file of a dataset is a warning where a new one came in each of three months',
  async () => {
    const month = await started();
    const rates = (number: number) => csvOf('fx', [aRow('fx', { fx_current_usd: 1 + number / 1000 })]);
    for (const number of [1, 2, 3, 4])
      expect(await warningsOf(month, number, { ...both(number, number), 'fx.csv': rates(number) })).toEqual(
        [],
      );
    expect(await warningsOf(month, 5, both(5, 5))).toEqual([
      "fx.csv: is the file of 2026-04.1, byte by byte, although a new one came in each of the 3 months before; put this month's file in its place, unless nothing in it changed",
    ]);
    // No warning: files that never change, such as that of country_reference, and a month that repeats another one
    // completely.
    expect(await dryWarningsOf(month, 6, {})).toEqual([]);
    await month.remove();
  },
);
