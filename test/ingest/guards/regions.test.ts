// Figures of all countries of a region in another unit: one finding that names the region.

import { describe, expect, it } from '@jest/globals';
import type { Row, Rows } from '../../support/snapshot.ts';
import { COUNTRIES, findingsIn, ggr } from './plainMonth.ts';

const AFRICAN: readonly unknown[] = COUNTRIES.slice(0, 5);
const region = (country: unknown) => (AFRICAN.includes(country) ? 'Africa' : 'Europe');
const inRegions = ggr((row) => ({ ...row, region: region(row.country) }));
const turnover = inRegions.map(({ ggr: amount, ...row }) => ({ ...row, turnover: Number(amount) * 8 }));
const month = (isScaled: (row: Row) => boolean = () => false, factor = 1 / 1000): Rows => ({
  ggr: inRegions.map((row) => (isScaled(row) ? { ...row, ggr: Number(row.ggr) * factor } : row)),
  turnover,
});

it('a region in thousands is one finding, which names no country, and there is no warning as well', async () => {
  expect(
    await findingsIn(
      month(({ country }) => region(country) === 'Africa'),
      month(),
    ),
  ).toEqual(['refuse ggr: all countries of region Africa: all 450 values of ggr are what they were ÷ 1,000']);
});

it('countries in thousands are named where another one of their region stayed', async () => {
  const found = await findingsIn(
    month(({ country }) => AFRICAN.slice(1).includes(country)),
    month(),
  );
  expect(found.join('\n')).toContain('Country B: all 90 values of ggr are what they were ÷ 1,000');
  expect(found.join('\n')).not.toContain('region Africa');
});

it.each([1.2, 0.7, 3])('a region × %s is one finding, which names no country', async (factor) => {
  const scaled = month(({ country }) => region(country) === 'Africa', factor);
  expect(await findingsIn(scaled, month())).toEqual([
    expect.stringMatching(
      /^refuse ggr: all countries of region Africa: all 300 values of closed years moved by 10 % or more, together /,
    ),
  ]);
});

it('a country of a region with another factor than the others is named', async () => {
  const factorOf = ({ country }: Row) => (country === AFRICAN[0] ? 1.07 : 1.2);
  const scaled = month();
  const ggrOfAfrica = inRegions.map((row) =>
    region(row.country) === 'Africa' ? { ...row, ggr: Number(row.ggr) * factorOf(row) } : row,
  );
  const found = await findingsIn({ ...scaled, ggr: ggrOfAfrica }, month());
  expect(found.filter((text) => text.includes('Country A'))).not.toEqual([]);
});

describe('a region × 1.06, less than values are checked for', () => {
  const LARGE: readonly unknown[] = COUNTRIES.slice(0, 7);
  const regionOf = (country: unknown) => (LARGE.includes(country) ? 'Africa' : 'Europe');
  /**
   * Three countries of the region share XAF, which no country outside it has. So only the region moves the total in XAF.
   */
  const currencyOf = ({ country, fx }: Row) => {
    const at = LARGE.indexOf(country);
    if (fx === 'USD' || at < 0) return fx ?? '';
    return at < 3 ? 'XAF' : `XA${'DEFGHIJ'[at]}`;
  };
  const rows = ggr((row) => ({ ...row, region: regionOf(row.country), fx: currencyOf(row) }));
  const multiplied = (factorOf: (row: Row) => number) => ({
    ggr: rows.map((row) => ({ ...row, ggr: Math.round(Number(row.ggr) * factorOf(row)) })),
  });
  const ofRegion = ({ country }: Row) => (LARGE.includes(country) ? 1.06 : 1);

  it('is one finding, which is refused because totals by currency would be', async () => {
    expect(await findingsIn(multiplied(ofRegion), { ggr: rows })).toEqual([
      expect.stringMatching(
        /^refuse ggr: all countries of region Africa: \d+ reported values moved by one factor/,
      ),
    ]);
  });

  it('explains no total that moved further', async () => {
    const isFurther = ({ fx, year }: Row) => fx === 'XAF' && year === 2019;
    const found = await findingsIn(
      multiplied((row) => ofRegion(row) * (isFurther(row) ? 1.08 : 1)),
      { ggr: rows },
    );
    expect(found).toContainEqual(expect.stringMatching(/^refuse ggr: .*total.* ggr in XAF 2019/));
  });
});
