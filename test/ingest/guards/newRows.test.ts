// Guards judge new rows: labels that no row had, states whose figures are too small, and reports under a new name.

import { describe, expect, it } from '@jest/globals';
import type { Row, Rows } from '../../support/snapshot.ts';
import { C, type Change, findingsIn, ggr, indicators, isForecast, month } from './plainMonth.ts';

describe('a new product in a category, or a sub-channel in a channel, that no row had', () => {
  const isPokerOfC = ({ country, product }: Row) => country === C && product === 'Poker';
  const without = (isLost: (row: Row) => boolean): Rows => ({ ggr: ggr().filter((row) => !isLost(row)) });
  const filed = (changes: Row, isFiled = isPokerOfC) =>
    findingsIn({ ggr: ggr((row) => (isFiled(row) ? { ...row, ...changes } : row)) }, without(isFiled));

  it('is a warning', async () => {
    expect(await filed({ category: 'Lottery' })).toContain(
      'warn ggr: Country C, product Poker: 30 new rows have category "Lottery", and all rows of before have "Betting"',
    );
    expect(await filed({ channel: 'Land' })).toContain(
      'warn ggr: Country C, sub-channel Onshore: 30 new rows have channel "Land", and all rows of before have "Online"',
    );
  });

  it('is not a finding about the other new rows of the product', async () => {
    const isPoker = ({ country, product }: Row) =>
      product === 'Poker' && (country === C || country === 'Country D');
    const after = ggr((row) => (isPokerOfC(row) ? { ...row, category: 'Lottery' } : row));
    const found = await findingsIn({ ggr: after }, without(isPoker));
    expect(found.filter((one) => one.includes('have category'))).toEqual([
      'warn ggr: Country C, product Poker: 30 new rows have category "Lottery", and all rows of before have "Betting"',
    ]);
  });

  it('is one warning for many countries', async () => {
    const isLost = (row: Row) => row.product === 'Poker' && Number(row.year) > 2024 && !isForecast(row);
    expect(
      (await filed({ category: 'Lottery' }, isLost)).filter((one) => one.includes('have category')),
    ).toEqual([
      'warn ggr: all countries, product Poker: 24 new rows have category "Lottery", and all rows of before have "Betting"',
    ]);
  });

  it('is not a finding where few countries have the product, or where some row had the label', async () => {
    const isFew = (row: Row) =>
      isPokerOfC(row) || (row.product === 'Poker' && String(row.country) > 'Country B');
    const few = ggr().filter((row) => !isFew(row));
    const after = [
      ...few,
      ...ggr()
        .filter(isPokerOfC)
        .map((row) => ({ ...row, category: 'Lottery' })),
    ];
    expect(
      (await findingsIn({ ggr: after }, { ggr: few })).filter((one) => one.includes('have category')),
    ).toEqual([]);
    const some: Change = (row) =>
      row.product === 'Poker' && row.country === 'Country A' ? { ...row, category: 'Lottery' } : row;
    const before = ggr(some).filter((row) => !isPokerOfC(row));
    const filedAlike = ggr((row) => (isPokerOfC(row) ? { ...row, category: 'Lottery' } : some(row)));
    expect(
      (await findingsIn({ ggr: filedAlike }, { ggr: before })).filter((one) => one.includes('have category')),
    ).toEqual([]);
  });
});

describe('a new state of a published country', () => {
  const SHARES = { East: 0.5, North: 0.3, South: 0.2 };
  const ofStates = (rows: readonly Row[], share: (row: Row, share: number) => Row): Row[] =>
    rows.flatMap((row) => [
      row,
      ...(row.country === C
        ? Object.entries(SHARES).map(([state, part]) => share({ ...row, state }, part))
        : []),
    ]);
  const country = ofStates(indicators(), (row, share) => ({
    ...row,
    adult_population: Math.round(Number(row.adult_population) * share),
  }));
  const withStates = (ofNorth: number): Row[] =>
    ofStates(ggr(), (row, share) => ({
      ...row,
      ggr: Math.round(Number(row.ggr) * share * (row.state === 'North' ? ofNorth : 1)),
    }));
  const before = { ...month(), country, ggr: withStates(1).filter((row) => row.state !== 'North') };
  /** The findings where the state has these rows on both sides, beside its new ones. */
  const small = async (ofNorth: number, known: readonly Row[] = []) => {
    const later = { ...before, ggr: [...withStates(ofNorth), ...known] };
    const found = await findingsIn(later, { ...before, ggr: [...before.ggr, ...known] });
    return found.filter((one) => one.includes('the market is new in the state'));
  };

  it('is a warning where its figures are in thousands', async () => {
    expect(await small(0.001)).toEqual([
      "warn ggr: Country C, North / Bingo / Online / Onshore, North / Lotto / Online / Onshore and North / Poker / Online / Onshore: the market is new in the state, and its ggr is 0.03 % of the nation's in 2025, beside 30 % of the adults: check its unit",
    ]);
  });

  it('is not a finding where it is small or as large as its adults', async () => {
    expect(await small(0.05)).toEqual([]);
    expect(await small(1)).toEqual([]);
  });

  it('is not a finding where the state had its markets in another category', async () => {
    const ofNorth = withStates(1).filter((row) => row.state === 'North' && row.year === 2020);
    expect(
      await small(
        0.001,
        ofNorth.map((row) => ({ ...row, category: 'Other' })),
      ),
    ).toEqual([]);
  });
});

it('a product that is renamed in the month of late reports is refused as renamed alone', async () => {
  const isLate = ({ country, year }: Row) => year === 2025 && String(country) < 'Country G';
  const before = ggr((row) => (isLate(row) ? { ...row, temporal: 'Forecast' } : row));
  const after = ggr((row) => ({
    ...row,
    ...(row.product === 'Lotto' ? { product: 'Draw Games' } : {}),
    ...(isLate(row) ? { ggr: Math.round(Number(row.ggr) * 1.03) } : {}),
  }));
  const found = await findingsIn({ ggr: after }, { ggr: before });
  expect(found.filter((one) => one.startsWith('refuse'))).toEqual([
    expect.stringMatching(/^refuse ggr: a value was renamed: product "Lotto" → "Draw Games"/),
  ]);
});
