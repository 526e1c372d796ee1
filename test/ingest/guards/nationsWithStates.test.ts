// Guards weigh a figure once, though both a nation and its states have it.

import { describe, expect, it } from '@jest/globals';
import { some } from '../../support/depth.ts';
import { C, type Change, ggr, isForecast, told } from '../../support/plainMonth.ts';
import type { Row, Rows } from '../../support/snapshot.ts';

const SHARES = { North: 0.6, South: 0.4 };

/** The plain month, in which Country C also has states that come to the nation. */
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

/** Findings about Country C, without counts of cells. */
const toldOfC = async (world: (change: Change) => Rows, change: Change) =>
  (
    await told(
      world(change),
      world((row) => row),
    )
  )
    .filter((one) => one.includes(`${C}, product`))
    .map((one) => one.replaceAll(/\d+ values/g, 'values'));

describe('a country with states', () => {
  it.each(some([1.16, 1.24, 1.6, 0], 2))(
    'is judged as one without them where a product is × %d',
    async (factor) => {
      const change = times(factor, isPoker);
      expect(await toldOfC(withStates, change)).toEqual(await toldOfC(withoutStates, change));
    },
  );

  it('is judged by its states where they moved further than the nation', async () => {
    const ofNorth = times(1.8, (row) => isPoker(row) && row.state === 'North');
    const both = (row: Row) => times(1.1, (one) => isPoker(one) && one.state === '')(ofNorth(row));
    const ofAll = times(1.1, isPoker);
    expect(await toldOfC(withStates, ofAll)).toEqual([]);
    expect(
      await told(
        withStates(both),
        withStates((row) => row),
      ),
    ).toContainEqual(
      expect.stringMatching(/^warn ggr: Country C.* values of closed years moved by 10 % or more/),
    );
  });
});

describe('a state that moved by one factor', () => {
  const north = (factor: number, isIn: (row: Row) => boolean = isPoker) =>
    times(factor, (row) => isIn(row) && row.state === 'North');
  const world = (change: Change) =>
    told(
      withStates(change),
      withStates((row) => row),
    );

  it('is a warning where its nation stayed, and one for all of its markets', async () => {
    const line = (place: string, by: string) =>
      `warn ggr: Country C, ${place}: the reported figures of 2016–2025 moved by one factor (${by}), and those of the nation did not`;
    expect(await world(north(0.95))).toEqual([line('North / Poker / Online / Onshore', '−5 %')]);
    expect(await world(north(0.95, () => true))).toEqual([line('North', '−5 %')]);
    // A market that is too small to judge is no other market of the state.
    const small: Change = (row) =>
      row.state === 'North' && row.product === 'Lotto' ? { ...row, ggr: 10 } : row;
    expect(
      await told(
        withStates((row) => small(north(0.95, () => true)(row))),
        withStates(small),
      ),
    ).toEqual([line('North', '−5 %')]);
  });

  it('is a warning where all its figures of one year moved by one factor, however far', async () => {
    const in2020 = (factor: number) => north(factor, ({ year }) => year === 2020);
    const line = (by: string) =>
      `warn ggr: Country C, North: the reported figures of 2020 moved by one factor (${by}), and those of the nation did not`;
    expect(await world(in2020(0.95))).toEqual([line('−5 %')]);
    // Two figures that moved by a factor that nobody chose may have done so by chance.
    const ofLotto = (change: Change) => ({
      ggr: withStates(change).ggr?.filter(({ state, product }) => state === '' || product === 'Lotto') ?? [],
    });
    const same: Change = (row) => row;
    const alike = (texts: readonly string[]) => texts.filter((text) => text.includes('one factor'));
    expect(alike(await told(ofLotto(in2020(0.943719)), ofLotto(same)))).toEqual([]);
    expect(alike(await told(ofLotto(in2020(0.95)), ofLotto(same)))).toEqual([line('−5 %')]);
    // Values that matter to the country are told one by one.
    const small: Change = (row) =>
      row.country === C && row.state === '' ? { ...row, ggr: 400 * Number(row.ggr) } : row;
    const ofSmall = (change: Change) =>
      told(
        withStates((row) => small(change(row))),
        withStates(small),
      );
    expect(await ofSmall(in2020(1.3))).toEqual([line('+30 %')]);
    expect(await ofSmall(north(1.3, (row) => isPoker(row) && row.year === 2020))).toEqual([]);
  });

  it('is not a finding where its nation moved with it', async () => {
    const both: Change = (row) =>
      times(1 - 0.0437 * 0.6, (one) => isPoker(one) && one.state === '')(north(1 - 0.0437)(row));
    expect(await world(both)).toEqual([]);
  });
});

describe('a nation that was the sum of its states', () => {
  const world = (change: Change) =>
    told(
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
