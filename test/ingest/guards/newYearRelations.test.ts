// Guards compare relations of a new year with those of earlier years:
// hold, products and states within a country, and which countries have which figures.

import { describe, expect, it } from '@jest/globals';
import { aRow, type Row } from '../../support/snapshot.ts';
import { isNew, newYearFindings } from './newYearFindings.ts';

const TEN = ['Chile', 'France', 'Ghana', 'Italy', 'Japan', 'Kenya', 'Malta', 'Norway', 'Peru', 'Spain'];
/** Ten further countries, with figures of their own. */
const TEN_MORE = ['Angola', 'Benin', 'Cuba', 'Egypt', 'Fiji', 'Gabon', 'Haiti', 'India', 'Laos', 'Mali'];
const YEARS = [2021, 2022, 2023, 2024];
const PRODUCTS = ['Bingo', 'Casino Slots', 'Casino Table Games', 'Poker'];

interface Facts {
  readonly countries?: readonly string[];
  readonly state?: string;
  readonly change?: (row: Row) => number;
}

/** Four markets in two currencies. Each has another size in each country. */
const facts = ({ countries = ['Malta'], state = '', change = () => 1 }: Facts = {}): Row[] =>
  countries.flatMap((country) =>
    YEARS.flatMap((year) =>
      PRODUCTS.flatMap((product, p) =>
        ['EUR', 'USD'].map((fx): Row => {
          const row = aRow('ggr', { country, state, year, product, category: 'Gaming', fx });
          const size =
            1_234_567 + 10_013 * (year - 2020) + 1_000_003 * [...TEN, ...TEN_MORE].indexOf(country);
          // When all figures stay within half a percent, they count as those of the year before. So this one grows by
          // more.
          const grown = product === 'Casino Table Games' && year === 2024 ? 1.006 : 1;
          const local = Math.round(size * (1 + 0.31 * p) * grown * change(row));
          return { ...row, ggr: fx === 'USD' ? Math.round(local * 1.1) : local };
        }),
      ),
    ),
  );

/** Turnover of the same markets: 20 times ggr, multiplied by `change`. */
const turnoverOf = (ggr: readonly Row[], change: (row: Row) => number = () => 1): Row[] =>
  ggr.map(({ ggr: value, ...row }) => ({ ...row, turnover: Math.round(Number(value) * 20 * change(row)) }));

const having = (wanted: Row) => (row: Row) =>
  Object.entries(wanted).every(([dimension, value]) => row[dimension] === value);

const startsOf = (texts: readonly string[]) => texts.map((text) => text.replace(/ \([^)]*;.*/, ''));

describe('figures that were exchanged in a new year', () => {
  /** The figures of the new year. A row for which `source` names another row gets that row's figure. */
  const taken = (all: readonly Row[], source: (row: Row) => Row | null): Row[] =>
    all.map((row) => {
      const wanted = isNew(row) ? source(row) : null;
      const from =
        wanted && all.find(having({ year: 2024, fx: row.fx ?? '', state: row.state ?? '', ...wanted }));
      return from ? { ...row, ggr: from.ggr ?? null } : row;
    });
  const exchanged = (product: string, one: string, other: string, change?: (row: Row) => number) =>
    taken(facts({ countries: TEN, ...(change && { change }) }), (row) => {
      if (row.product !== product) return null;
      if (row.country === one) return { country: other, product };
      return row.country === other ? { country: one, product } : null;
    });

  it('are a warning where two countries have each other’s figures of a product', async () => {
    expect(startsOf(await newYearFindings({ ggr: exchanged('Poker', 'Chile', 'France') }))).toEqual([
      'warn copies ggr: Chile, product Poker, 2024: both values are near those of France the year before, and the other way round: they may be exchanged',
    ]);
  });

  it('are a warning, too, where all figures recovered by a fifth', async () => {
    const ggr = exchanged('Poker', 'Chile', 'Ghana', (row) => (isNew(row) ? 1.23 : 1));
    expect(await newYearFindings({ ggr })).toEqual([
      expect.stringMatching(/^warn copies ggr: Chile, product Poker, 2024: .* those of Ghana /),
    ]);
  });

  it('are not a finding where they differ by less than three quarters', async () => {
    expect(await newYearFindings({ ggr: exchanged('Poker', 'Japan', 'Kenya') })).toEqual([]);
  });

  it('are not a finding where both countries moved, but not to each other’s figures', async () => {
    const grown = having({ country: 'Chile', product: 'Poker', year: 2024 });
    const shrunk = having({ country: 'Peru', product: 'Poker', year: 2024 });
    const ggr = facts({ countries: TEN, change: (row) => (grown(row) ? 3 : shrunk(row) ? 1 / 3 : 1) });
    expect(await newYearFindings({ ggr })).toEqual([]);
  });

  it('are a warning where two products of a country have each other’s figures', async () => {
    const ggr = taken(facts(), ({ product }) => {
      if (product === 'Bingo') return { product: 'Poker' };
      return product === 'Poker' ? { product: 'Bingo' } : null;
    });
    expect(startsOf(await newYearFindings({ ggr }))).toEqual([
      'warn copies ggr: Malta, product Bingo, 2024: both values are near those of Poker the year before, and the other way round: they may be exchanged',
    ]);
  });

  it('are a warning where two states have each other’s figures', async () => {
    const states = (year: number) =>
      [0.6, 0.2].map((share, i) => {
        const state = ['Gozo', 'Comino'][year === 2024 ? 1 - i : i] ?? '';
        return facts({ state, change: () => share }).filter((row) => row.year === year);
      });
    const ofStates = YEARS.flatMap((year) => states(year).flat());
    const found =
      'warn copies ggr: Malta, state Comino, 2024: all 8 values are near those of Gozo the year before, and the other way round: they may be exchanged';
    expect(startsOf(await newYearFindings({ ggr: [...facts(), ...ofStates] }))).toContain(found);
    // Without rows of the nation, its states stand for the country.
    const alone = await newYearFindings({ ggr: ofStates });
    expect(alone.join()).toContain(`${found} (75 % of the country's total;`);
  });
});

describe('one state of a new year', () => {
  const withStates = (change: (row: Row) => number, keep: (row: Row) => boolean = () => true) => ({
    ggr: [
      ...facts(),
      ...facts({ state: 'Gozo', change: () => 0.5 }),
      ...facts({ state: 'Comino', change: (row) => 0.1 * change(row) }).filter(keep),
    ],
  });

  it('is a warning where it moved by half more than its nation', async () => {
    expect(await newYearFindings(withStates((row) => (isNew(row) ? 2 : 1)))).toEqual([
      'warn relations ggr: Malta, state Comino, 2024: it comes to 2 times what it would if it had moved from 2023 as the nation did',
    ]);
    expect(await newYearFindings(withStates((row) => (isNew(row) ? 1.4 : 1)))).toEqual([]);
  });

  it('may grow manifold in the year after its markets opened', async () => {
    const opened = withStates(
      (row) => (isNew(row) ? 3 : 1),
      ({ year }) => Number(year) >= 2023,
    );
    const other = facts({ state: 'Sliema', change: () => 0.1 });
    expect(await newYearFindings({ ggr: [...opened.ggr, ...other] })).toEqual([]);
  });
});

describe('a product of a new year', () => {
  const isSlots = having({ product: 'Casino Slots' });
  const moved = (by: (row: Row) => number) => newYearFindings({ ggr: facts({ countries: TEN, change: by }) });

  it('is a warning where it moved alike in most countries', async () => {
    expect(await moved((row) => (isNew(row) && isSlots(row) ? 0.7 : 1))).toEqual([
      'warn totals ggr: 10 countries (Chile, France, Ghana and 7 more), product Casino Slots, 2024: the total of the median country is that of 2023 ÷ 1.43',
    ]);
    expect(await moved((row) => (isNew(row) && isSlots(row) ? 0.85 : 1))).toEqual([]);
  });

  it('explains why the totals fell, which are not reported as well', async () => {
    expect(await moved((row) => (isNew(row) ? 0.83 : 1))).toEqual([
      expect.stringMatching(/, 2024: the total of the median country is that of 2023 ÷ 1\.\d+$/),
    ]);
    expect(await moved((row) => (isNew(row) && isSlots(row) ? 0.4 : 1))).toEqual([
      expect.stringMatching(/, product Casino Slots, 2024: .* ÷ 2\.5$/),
    ]);
  });

  it('is not reported as well as totals that changed as much, nor where fewer than ten countries have it', async () => {
    expect(await moved((row) => (isNew(row) ? 0.7 : 1))).toEqual([
      expect.stringMatching(
        /^warn totals ggr: 10 countries .*, 2024: the total of the median country is .* ÷ 1\.42$/,
      ),
    ]);
    const few = facts({ countries: TEN, change: (row) => (isNew(row) && isSlots(row) ? 0.7 : 1) }).filter(
      (row) => !isSlots(row) || row.country !== 'Malta',
    );
    expect(await newYearFindings({ ggr: few })).toEqual([]);
  });

  it('is one warning with the others that did', async () => {
    expect(
      await moved((row) => (isNew(row) ? (isSlots(row) ? 0.6 : row.product === 'Poker' ? 1.5 : 1) : 1)),
    ).toEqual([
      'warn totals ggr: 10 countries, 2024: figures of the median country, beside those of 2023: Casino Slots ÷ 1.66 and Poker × 1.5',
    ]);
  });

  it('may grow by as much as in the year before', async () => {
    const growing = (row: Row) => (isSlots(row) ? 1.35 ** (Number(row.year) - 2021) : 1);
    expect(await moved(growing)).toEqual([]);
    expect(await moved((row) => (isSlots(row) && isNew(row) ? 1.35 : 1))).toHaveLength(1);
  });

  it('may grow by any factor, but not fall, where most countries have it since the year before', async () => {
    const moved = (by: number) =>
      newYearFindings({
        ggr: facts({ countries: TEN, change: (row) => (isSlots(row) && isNew(row) ? by : 1) }).filter(
          (row) => !isSlots(row) || Number(row.year) >= 2023 || row.country === 'Malta',
        ),
      });
    expect(await moved(1.35)).toEqual([]);
    expect(await moved(0.7)).toEqual([
      expect.stringMatching(/, product Casino Slots, 2024: the total of the median country is .* ÷ 1\.43$/),
    ]);
  });

  it('may grow by any factor also where other countries had it until the year before', async () => {
    const ggr = facts({
      countries: [...TEN, ...TEN_MORE],
      change: (row) => (isSlots(row) && isNew(row) ? 1.35 : 1),
    }).filter((row) => !isSlots(row) || Number(row.year) < 2023 === TEN_MORE.includes(String(row.country)));
    expect((await newYearFindings({ ggr })).filter((one) => one.includes('median country'))).toEqual([]);
  });

  it('may grow by as much as in the year before in the currency that moved least', async () => {
    const by = ({ fx }: Row) => (fx === 'EUR' ? 2 : 1.35);
    const growing = (row: Row) => (isSlots(row) ? by(row) ** (Number(row.year) - 2021) : 1);
    expect((await moved(growing)).filter((one) => one.includes('median country'))).toEqual([]);
  });

  it('is a warning where it is counted in another one, too', async () => {
    const ggr = facts({
      countries: TEN,
      change: ({ product }) => (product === 'Casino Table Games' ? 0.4 : 1),
    });
    const twice = ggr.map((row) => {
      const tables = ggr.find(
        (one) =>
          one.product === 'Casino Table Games' && ['country', 'year', 'fx'].every((d) => one[d] === row[d]),
      );
      return isNew(row) && isSlots(row) ? { ...row, ggr: Number(row.ggr) + Number(tables?.ggr) } : row;
    });
    expect(await newYearFindings({ ggr: twice })).toEqual([
      expect.stringMatching(/^warn totals ggr: 10 countries .*, product Casino Slots, 2024: .* × 1\.5$/),
    ]);
  });

  it('is a warning where it is 0, also where that is less than a hundredth of its country', async () => {
    const zero = (share: number) =>
      newYearFindings({
        ggr: facts({ change: (row) => (row.product === 'Bingo' ? (isNew(row) ? 0 : share) : 1) }),
      });
    expect(startsOf(await zero(0.02))).toEqual([
      'warn structure ggr: Malta, product Bingo, 2024: 2 of 8 values are 0, and were not in 2023',
    ]);
    expect(await zero(0.002)).toEqual([]);
  });
});

describe('the hold of a new year', () => {
  const isSlots = having({ product: 'Casino Slots' });
  const far = (share: string) =>
    `warn relations ggr: Malta, Casino Slots / Online / Onshore: ggr is 8 % of turnover in 2024, and was at most 5 % in earlier years (${share} of the country's ggr)`;

  it('is a warning where it is far from that of all earlier years', async () => {
    const honest = facts();
    const ggr = facts({ change: (row) => (isNew(row) && isSlots(row) ? 1.6 : 1) });
    expect(await newYearFindings({ ggr, turnover: turnoverOf(honest) })).toEqual([far('31 %')]);
    const smaller = facts({ change: (row) => (isNew(row) && isSlots(row) ? 1.4 : 1) });
    expect(await newYearFindings({ ggr: smaller, turnover: turnoverOf(honest) })).toEqual([]);
  });

  it('is not reported where it is near that of the year before in another currency', async () => {
    const isFar = (row: Row) => isNew(row) && isSlots(row) && row.fx === 'USD';
    const ggr = facts();
    const inDollars = await newYearFindings({
      ggr,
      turnover: turnoverOf(ggr, (row) => (isFar(row) ? 0.6 : 1)),
    });
    expect(inDollars.filter((text) => text.includes('of turnover in'))).toEqual([]);
  });

  it('is a finding of turnover where turnover moved', async () => {
    const ggr = facts();
    const turnover = turnoverOf(ggr, (row) => (isNew(row) && isSlots(row) ? 1 / 1.6 : 1));
    expect(await newYearFindings({ ggr, turnover })).toEqual([far('22 %').replace('ggr:', 'turnover:')]);
  });

  it('may be what it was in any of the four years before', async () => {
    const ggr = facts();
    const turnover = turnoverOf(ggr, (row) =>
      isSlots(row) && [2021, 2024].includes(Number(row.year)) ? 0.6 : 1,
    );
    expect(await newYearFindings({ ggr, turnover })).toEqual([]);
  });

  it('may be anything in markets that are less than a hundredth of the country', async () => {
    const tiny = (row: Row) => (isSlots(row) ? 0.01 : 1);
    const ggr = facts({ change: tiny });
    const turnover = turnoverOf(ggr, (row) => (isNew(row) && isSlots(row) ? 0.5 : 1));
    expect(await newYearFindings({ ggr, turnover })).toEqual([]);
  });

  it('is one finding where it is far in many countries', async () => {
    const ggr = facts({ countries: TEN });
    const turnover = turnoverOf(ggr, (row) => (isNew(row) ? 0.5 : 1));
    expect(await newYearFindings({ ggr, turnover })).toContainEqual(
      'warn relations turnover: 10 countries (Chile, France, Ghana and 7 more): ggr is 10 % of turnover in 2024, and was at most 5 % in earlier years',
    );
  });

  it('is one finding where it moved by a sixth in the median country of all or of a region', async () => {
    const moved = (by: number, isMoved: (country: unknown) => boolean) => {
      const others = TEN.map((country) => `${country} 2`);
      const change = ({ country }: Row) => 1 + 0.17 * (others.indexOf(String(country)) + 1);
      const all = facts({ countries: [...TEN, ...others], change }).map((row) => ({
        ...row,
        region: TEN.includes(String(row.country)) ? 'Asia' : 'Europe',
      }));
      const turnover = turnoverOf(all, (row) => (isNew(row) && isMoved(row.country) ? by : 1));
      return newYearFindings({ ggr: all, turnover });
    };
    const line = (countries: string) =>
      `warn relations turnover: ${countries}: ggr ÷ turnover of 2024 is that of the year before × 0.833 in the median country; check that both are defined as before and cover the whole year`;
    expect(await moved(1.2, () => true)).toEqual([line('20 countries (Chile, Chile 2, France and 17 more)')]);
    expect(await moved(1.2, (country) => TEN.includes(String(country)))).toEqual([
      line('10 countries (Chile, France, Ghana and 7 more)'),
    ]);
    expect(await moved(1.1, () => true)).toEqual([]);
  });
});
