// The new rows that a comparison counts as introduced by a value that their country did not have.

import { describe, expect, it } from '@jest/globals';
import { aComparison } from '../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

async function introducedBetween(before: readonly Row[], after: readonly Row[]) {
  const { datasets } = await aComparison({ ggr: before }, { ggr: after });
  return datasets.ggr.introduced;
}

const years = (count: number, row: Row, size = 1000): Row[] =>
  Array.from({ length: count }, (_, i) => aRow('ggr', { year: 2010 + i, ggr: size + i, ...row }));

const KNOWN = ['Malta', 'Spain', 'Peru'].flatMap((country) => years(4, { country }));

describe('the rows that a value introduces', () => {
  it('are ten or more of known countries', async () => {
    const retail = (count: number) => years(count, { country: 'Malta', channel: 'Retail' });
    expect(await introducedBetween(KNOWN, [...KNOWN, ...retail(10)])).toMatchObject({
      rows: 10,
      values: [{ dimension: 'channel', value: 'Retail', countries: ['Malta'], rows: 10 }],
    });
    const nothing = { rows: 0, values: [], amounts: [] };
    expect(await introducedBetween(KNOWN, [...KNOWN, ...retail(9)])).toEqual(nothing);
    const ofNew = years(1, { country: 'Chile' });
    expect(await introducedBetween(KNOWN, [...KNOWN, ...retail(9), ...ofNew])).toEqual(nothing);
    expect(await introducedBetween(KNOWN, [...KNOWN, ...retail(10), ...ofNew])).toMatchObject({ rows: 10 });
  });

  it('do not come with values that their country had, or that were renamed', async () => {
    const retail = (count: number) =>
      ['Malta', 'Peru'].flatMap((country) => years(count, { country, channel: 'Retail' }));
    const before = [...KNOWN, ...retail(1)];
    const after = [...KNOWN, ...retail(12)];
    const bingo = years(2, { country: 'Spain', product: 'Bingo' });
    expect(await introducedBetween(before, after)).toEqual({ rows: 0, values: [], amounts: [] });
    expect(await introducedBetween(before, [...after, ...bingo])).toMatchObject({
      rows: 2,
      values: [{ dimension: 'product', value: 'Bingo', countries: ['Spain'], rows: 2 }],
    });
    // The channel Onlne is renamed to Online, and a product called Online is new. Only the product is found.
    const named = (channel: string) => KNOWN.map((row) => ({ ...row, channel }));
    const online = years(2, { country: 'Spain', product: 'Online', channel: 'Online' });
    const renamed = await introducedBetween(named('Onlne'), [...named('Online'), ...bingo, ...online]);
    expect(renamed.values.map(({ dimension, value }) => [dimension, value])).toEqual([
      ['product', 'Bingo'],
      ['product', 'Online'],
    ]);
  });

  it('do not count what was a forecast', async () => {
    const forecasts = years(12, { country: 'Malta', channel: 'Online' }).map((row) => ({
      ...row,
      temporal: 'Forecast',
    }));
    const before = [...KNOWN, ...forecasts.slice(4)];
    const reports = forecasts.slice(4).map((row) => ({ ...row, temporal: 'Current' }));
    const retail = years(9, { country: 'Malta', channel: 'Retail' });
    expect((await introducedBetween(before, [...KNOWN, ...reports, ...retail])).rows).toBe(0);
  });
});

describe('the values that bring rows', () => {
  it('are those with most rows first, and each row counts for one value', async () => {
    const retail = (country: string, count: number) => years(count, { country, channel: 'Retail' });
    const added = [
      ...retail('Spain', 5),
      ...retail('Malta', 4),
      // Spain's rows in GBP count for Retail, which brings more rows. Peru's rows in GBP count for the currency.
      ...years(2, { country: 'Spain', channel: 'Retail', fx: 'GBP' }),
      ...years(3, { country: 'Peru', fx: 'GBP' }),
      ...years(3, { country: 'Peru', product: 'Bingo' }),
      ...years(1, { country: 'Malta', state: 'Gozo' }),
    ];
    const { rows, values } = await introducedBetween(KNOWN, [...KNOWN, ...added]);
    expect(rows).toBe(18);
    expect(values).toEqual([
      { dimension: 'channel', value: 'Retail', countries: ['Malta', 'Spain'], rows: 11 },
      { dimension: 'product', value: 'Bingo', countries: ['Peru'], rows: 3 },
      { dimension: 'fx', value: 'GBP', countries: ['Peru'], rows: 3 },
      { dimension: 'state', value: 'Gozo', countries: ['Malta'], rows: 1 },
    ]);
  });
});

it('a category and a sub-channel bring rows, too', async () => {
  const added = [
    ...years(6, { country: 'Malta', category: 'Lottery' }),
    ...years(5, { country: 'Peru', sub_channel: 'Grey' }),
  ];
  const { values } = await introducedBetween(KNOWN, [...KNOWN, ...added]);
  expect(values.map(({ dimension }) => dimension)).toEqual(['category', 'sub_channel']);
});

it('a value that is new to one country explains no rows of another one that had it', async () => {
  const before = [...KNOWN, ...years(1, { country: 'Peru', channel: 'Retail' })];
  const added = [
    ...years(10, { country: 'Malta', channel: 'Retail' }),
    ...years(2, { country: 'Peru', channel: 'Retail', fx: 'GBP' }),
  ];
  expect((await introducedBetween(before, [...before, ...added])).values).toEqual([
    { dimension: 'channel', value: 'Retail', countries: ['Malta'], rows: 10 },
    { dimension: 'fx', value: 'GBP', countries: ['Peru'], rows: 2 },
  ]);
});

it('the amounts that they add are those of each country, currency and year, forecasts apart, states once', async () => {
  const retail = (country: string, row: Row) =>
    aRow('ggr', { country, channel: 'Retail', year: 2020, ...row });
  const added = [
    retail('Malta', { ggr: 100 }),
    retail('Malta', { ggr: 30, product: 'Bingo' }),
    retail('Malta', { ggr: 60, state: 'Gozo' }),
    retail('Malta', { ggr: 7, temporal: 'Forecast' }),
    retail('Malta', { ggr: 40, year: 2021, fx: 'GBP' }),
    retail('Spain', { ggr: 9, year: 2021 }),
    retail('Spain', { ggr: null, year: 2022 }),
    retail('Spain', { ggr: 20, year: 2023, state: 'Aragon' }),
    retail('Spain', { ggr: 30, year: 2023, state: 'Murcia' }),
    retail('Peru', { ggr: -5 }),
  ];
  const { amounts } = await introducedBetween(KNOWN, [...KNOWN, ...added]);
  const { fx } = aRow('ggr');
  const amountOf = (country: string, year: number, by: number, more: object = {}) => ({
    ...{ metric: 'ggr', country, fx, year, forecast: false, by },
    ...more,
  });
  const nameOf = ({ country, year, forecast, fx: currency }: (typeof amounts)[number]) =>
    [country, year, currency, forecast].join();
  expect(amounts.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))).toEqual([
    amountOf('Malta', 2020, 130),
    amountOf('Malta', 2020, 7, { forecast: true }),
    amountOf('Malta', 2021, 40, { fx: 'GBP' }),
    amountOf('Peru', 2020, -5),
    amountOf('Spain', 2021, 9),
    amountOf('Spain', 2023, 50),
  ]);
});
