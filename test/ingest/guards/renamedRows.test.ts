// Rows of a country that got another currency: one finding stands for the currency that is gone and the one that is new.

import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import type { Row } from '../../support/snapshot.ts';
import { C, type Change, findingsIn, ggr, isForecast } from './plainMonth.ts';

const OTHER = 'Country D';

/** Gives the local currency of Country C the name `fx`. That of the other countries stays XTS. */
const local =
  (fx: string): Change =>
  (row) =>
    row.country === C && row.fx === 'XTS' ? { ...row, fx } : row;
const inNok = ggr(local('NOK'));
const withNok = (change: (row: Row) => Row | null) => ({
  ggr: inNok.flatMap<Row>((row) => (row.country === C && row.fx === 'NOK' ? (change(row) ?? []) : row)),
});

describe('a currency that got another name in one country', () => {
  it('is one refusal, though the currency is gone from the dataset and the other is new to the country', async () => {
    expect(
      await findingsIn(
        withNok((row) => ({ ...row, fx: 'XTS' })),
        { ggr: inNok },
      ),
    ).toEqual([`refuse ggr: ${C}: currency "NOK" → "XTS", with the same numbers in 45 rows`]);
  });

  it('does not stand for rows of the currency that are gone or have other figures', async () => {
    const partly = withNok((row) => {
      if (row.product === 'Lotto') return null;
      return { ...row, fx: 'XTS', ggr: Number(row.ggr) * (row.product === 'Poker' ? 1.7 : 1) };
    });
    const found = await findingsIn(partly, { ggr: inNok });
    expect(found).toEqual(
      expect.arrayContaining([
        `refuse ggr: ${C}: currency NOK is gone, with 45 rows; the 30 new rows of ${C} are in XTS`,
        expect.stringMatching(/currency "XTS" is new there, in 30 rows/),
      ]),
    );
    // The renaming, which is the cause, is listed before the currency that is gone.
    expect(found.findIndex((one) => one.includes('→'))).toBeLessThan(
      found.findIndex((one) => one.includes('is gone')),
    );
  });

  it('does not stand for a currency that another country lost as well', async () => {
    const before = ggr((row) =>
      row.fx === 'XTS' && (row.country === C || row.country === OTHER) ? { ...row, fx: 'NOK' } : row,
    );
    const after = before.flatMap<Row>((row) =>
      row.fx !== 'NOK' ? row : row.country === C ? { ...row, fx: 'XTS' } : [],
    );
    expect(await findingsIn({ ggr: after }, { ggr: before })).toContain(
      `refuse ggr: ${C} and ${OTHER}: currency NOK is gone, with 90 rows`,
    );
  });

  it('is a finding about the whole country, and about no share of a total that is its own', async () => {
    const { findings } = await guarded(
      { ggr: inNok },
      withNok((row) => ({ ...row, fx: 'XTS' })),
    );
    const [first] = findings;
    expect(first?.pattern).toMatchObject({ family: 'renamed', countryShare: 1, datasetShare: null });
    expect(first?.message).toMatch(/\(100 % of the country's total in these years and currencies; 20\d\d /);
  });
});

it('rows of reported years and forecasts are compared with the total of both', async () => {
  const isPoker = ({ country, product }: Row) => country === C && product === 'Poker';
  const before = ggr();
  const after = ggr((row) => (isPoker(row) ? { ...row, channel: 'Land' } : row));
  const { findings } = await guarded({ ggr: before }, { ggr: after });
  const inUsd = (rows: readonly Row[]) =>
    rows.reduce((sum, row) => sum + (row.fx === 'USD' ? Number(row.ggr) : 0), 0);
  expect(before.some((row) => isPoker(row) && isForecast(row))).toBe(true);
  const share = findings.find(({ pattern }) => pattern?.family === 'renamed')?.pattern?.datasetShare;
  expect(share).toBeCloseTo(inUsd(before.filter(isPoker)) / inUsd(before), 6);
});
