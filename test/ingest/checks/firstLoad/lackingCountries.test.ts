// Warns of countries with ggr or turnover and without rates or indicators, in a first load and in new countries.

import { expect, it } from '@jest/globals';
import { aMonth, filesOf, problemsOf } from '../../../support/month.ts';
import { aRow, countryReference, publishRows, type Rows } from '../../../support/snapshot.ts';

const ECONOMIES = [
  ...['Malta', 'Spain', 'France', 'Italy', 'Greece', 'Norway', 'Sweden', 'Poland', 'Japan', 'Peru'],
  ...['Chile', 'Kenya'],
];
/** Places whose indicators few sources have. */
const PLACES = ['Guernsey', 'Alderney', 'Rest of Africa'];

const rows = (dataset: 'ggr' | 'turnover' | 'fx' | 'country', countries: readonly string[]) =>
  countries.map((country) => aRow(dataset, { country }));
const others = (lacking: number): Rows => ({
  fx: rows('fx', ECONOMIES.slice(lacking)),
  country: rows('country', ECONOMIES.slice(0, 12 - lacking)),
});
const lackingIn = (problems: readonly string[]) => problems.filter((text) => text.includes('and no rows in'));

it('countries of ggr or turnover without rates or indicators are one warning of each dataset', async () => {
  const amounts = {
    ggr: rows('ggr', [...ECONOMIES.slice(1), ...PLACES]),
    turnover: rows('turnover', ECONOMIES),
  };
  expect(lackingIn(await problemsOf(filesOf({ ...amounts, ...others(2) })))).toEqual([
    'warning ggr.csv › line 2, column country: Spain and Malta have ggr or turnover and no rows in fx, where most countries have some; add their rows to fx, or make sure that the source has none',
    'warning ggr.csv › line 11, column country: Chile and Kenya have ggr or turnover and no rows in country, where most countries have some; add their rows to country, or make sure that the source has none',
  ]);
  expect(lackingIn(await problemsOf(filesOf({ ...amounts, ...others(0) })))).toEqual([]);
  expect(lackingIn(await problemsOf(filesOf({ ...amounts, ...others(7) })))).toEqual([]);
  const few = { ggr: rows('ggr', ECONOMIES.slice(0, 9)), turnover: rows('turnover', ECONOMIES.slice(0, 9)) };
  expect(lackingIn(await problemsOf(filesOf({ ...few, ...others(2) })))).toEqual([]);
});

it('a new country without rates is a warning, and a published one is left to the guards', async () => {
  const { fx = [] } = others(2);
  const shared = { fx, country: rows('country', ECONOMIES), country_reference: countryReference(ECONOMIES) };
  const month = await aMonth(filesOf({ ggr: rows('ggr', ECONOMIES), ...shared }));
  try {
    const published = { ggr: rows('ggr', ECONOMIES.slice(1)), turnover: rows('turnover', ['Malta']) };
    await publishRows(month.dataDir, '2026-10.1', { ...published, ...shared });
    expect(lackingIn(await month.problems())).toEqual([
      expect.stringContaining('line 2, column country: Malta has ggr or turnover and no rows in fx'),
    ]);
  } finally {
    await month.remove();
  }
});
