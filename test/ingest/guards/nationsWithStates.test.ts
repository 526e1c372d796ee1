// Guards count a figure once, although both a nation and its states have it.

import { describe, expect, it } from '@jest/globals';
import { some } from '../../support/depth.ts';
import type { Row, Rows } from '../../support/snapshot.ts';
import { C, type Change, findingsIn, ggr, isForecast } from './plainMonth.ts';

const SHARES = { North: 0.6, South: 0.4 };

/** The plain month, with additional states of Country C that add up to the nation. */
const withStates = (change: Change): Rows => ({
  ggr: ggr().flatMap((row) => [
    change(row),
    ...(row.country === C
      ? Object.entries(SHARES).map(([state, share]) =>
          change({ ...row, state, ggr: Math.round(Number(row.ggr) * share) }),
        )
      : []),
  ]),
});

const withoutStates = (change: Change): Rows => ({ ggr: ggr(change) });

const times =
  (factor: number, isIn: (row: Row) => boolean): Change =>
  (row) =>
    row.country === C && isIn(row) && !isForecast(row)
      ? { ...row, ggr: Math.round(Number(row.ggr) * factor) }
      : row;

const isPoker = ({ product }: Row) => product === 'Poker';

/** The findings about products of Country C, without the numbers of values. */
const findingsOnC = async (world: (change: Change) => Rows, change: Change) =>
  (
    await findingsIn(
      world(change),
      world((row) => row),
    )
  )
    .filter((one) => one.includes(`${C}, product`))
    .map((one) => one.replaceAll(/\d+ (reported )?values/g, 'values'));

describe('a country with states', () => {
  it.each(some([1.16, 1.24, 1.6, 0], 2))(
    'is judged as one without them where a product is × %d',
    async (factor) => {
      const change = times(factor, isPoker);
      expect(await findingsOnC(withStates, change)).toEqual(await findingsOnC(withoutStates, change));
    },
  );

  it('is judged by its states where they moved further than the nation', async () => {
    const ofNorth = times(1.8, (row) => isPoker(row) && row.state === 'North');
    const both = (row: Row) => times(1.1, (one) => isPoker(one) && one.state === '')(ofNorth(row));
    const ofAll = times(1.1, isPoker);
    expect(await findingsOnC(withStates, ofAll)).toEqual([]);
    expect(
      await findingsIn(
        withStates(both),
        withStates((row) => row),
      ),
    ).toContainEqual(
      expect.stringMatching(/^warn ggr: Country C.* values of closed years moved by 10 % or more/),
    );
  });
});

describe('a nation that was the sum of its states', () => {
  const world = (change: Change) =>
    findingsIn(
      withStates(change),
      withStates((row) => row),
    );

  it('is a warning where it is not any more', async () => {
    const line = (place: string, by: string, years: string) =>
      `warn ggr: Country C, ${place} / Online / Onshore: its states equalled the nation, and come to ${by} in ${years}`;
    const ofNation = times(1.03, (row) => isPoker(row) && row.state === '' && Number(row.year) < 2018);
    expect(await world(ofNation)).toEqual([line('Poker', 'less now (−2.91 %)', '2016–2017')]);
    const ofSouth = times(1.02, (row) => !isPoker(row) && row.state === 'South' && row.year === 2020);
    expect(await world(ofSouth)).toEqual([
      'warn ggr: Country C, Bingo / Online / Onshore and Lotto / Online / Onshore: its states equalled the nation, and come to more now (+0.8 %) in 2020',
    ]);
  });

  it('is not a finding where they differ by less than half a percent', async () => {
    expect(await world(times(1.004, (row) => isPoker(row) && row.state === ''))).toEqual([]);
  });
});
