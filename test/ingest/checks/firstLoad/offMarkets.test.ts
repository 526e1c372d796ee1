// Figures of a year count as misplaced when enough of its markets are off, and in different directions.

import { expect, it } from '@jest/globals';
import { OffMarketCounts } from '../../../../ingest/checks/firstLoad/offMarkets.ts';

/** The misplaced markets of a year, in which each market differs by one of these factors from the years beside it. */
function misplaced(factors: readonly number[]) {
  const markets = new OffMarketCounts();
  for (const [i, factor] of factors.entries()) markets.add(1, factor, 100 - i);
  expect(markets.misplaced(0)).toBeNull();
  return markets.misplaced(1);
}

const repeated = (times: number, factor: number) => Array<number>(times).fill(factor);

it('most markets must be off, some above and some below', () => {
  const still = (times: number) => repeated(times, 1.1);
  expect(misplaced([...still(4), ...repeated(3, 4), ...repeated(3, 0.2)])).toEqual({
    all: 10,
    off: 6,
    first: 91,
  });
  expect(misplaced([...still(5), ...repeated(3, 4), ...repeated(2, 0.2)])).toBeNull();
  expect(misplaced([...repeated(9, 4), ...repeated(1, 0.2)])).toBeNull();
  expect(misplaced([...repeated(10, 2.5), ...repeated(10, 0.4)])).toBeNull();
  expect(misplaced([...repeated(3, 4), ...repeated(2, 0.2)])).toBeNull();
});
