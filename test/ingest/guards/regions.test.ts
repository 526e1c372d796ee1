// Figures of all countries of a region in another unit: one finding that names the region.

import { expect, it } from '@jest/globals';
import { COUNTRIES, ggr, told } from '../../support/plainMonth.ts';
import type { Row, Rows } from '../../support/snapshot.ts';

const AFRICAN: readonly unknown[] = COUNTRIES.slice(0, 5);
const region = (country: unknown) => (AFRICAN.includes(country) ? 'Africa' : 'Europe');
const inRegions = ggr((row) => ({ ...row, region: region(row.country) }));
const turnover = inRegions.map(({ ggr: amount, ...row }) => ({ ...row, turnover: Number(amount) * 8 }));
const month = (isScaled: (row: Row) => boolean = () => false): Rows => ({
  ggr: inRegions.map((row) => (isScaled(row) ? { ...row, ggr: Number(row.ggr) / 1000 } : row)),
  turnover,
});

it('a region in thousands is one finding, which names no country and has no warning beside it', async () => {
  expect(
    await told(
      month(({ country }) => region(country) === 'Africa'),
      month(),
    ),
  ).toEqual(['refuse ggr: all countries of region Africa: all 450 values of ggr are what they were ÷ 1,000']);
});

it('countries in thousands are named where another one of their region stayed', async () => {
  const found = await told(
    month(({ country }) => AFRICAN.slice(1).includes(country)),
    month(),
  );
  expect(found.join('\n')).toContain('Country B: all 90 values of ggr are what they were ÷ 1,000');
  expect(found.join('\n')).not.toContain('region Africa');
});
