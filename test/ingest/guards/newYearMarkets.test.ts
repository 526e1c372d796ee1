// Guards compare the markets, states and currencies of a new year with each other. Correct markets pass.

import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../support/snapshot.ts';
import { isNew, newYearFindings } from './newYearFindings.ts';

const YEARS = [2022, 2023, 2024];
const PRODUCTS = ['Bingo', 'Casino Slots', 'Draw Games', 'Poker'];

/** Four markets of Malta in two currencies. The first market is a twentieth of ggr. */
const facts = (change: (row: Row) => number = () => 1, state = ''): Row[] =>
  YEARS.flatMap((year) =>
    PRODUCTS.flatMap((product, p) =>
      ['EUR', 'USD'].map((fx): Row => {
        const row = aRow('ggr', { country: 'Malta', state, year, product, category: 'Gaming', fx });
        const local = Math.round((1_234_567 + 10_013 * (year - 2020)) * (p === 0 ? 1 : 6 + p) * change(row));
        return { ...row, ggr: fx === 'USD' ? Math.round(local * 1.1) : local };
      }),
    ),
  );

/** Turnover of the same markets. The first market has nearly all of it. */
const turnoverOf = (ggr: readonly Row[]): Row[] =>
  ggr.map(({ ggr: value, ...row }) => ({
    ...row,
    turnover: Math.round(Number(value) * (row.product === 'Bingo' ? 50 : 1.5)),
  }));

const isEnding = (row: Row) => isNew(row) && row.product === 'Bingo';

const startsOf = (texts: readonly string[]) => texts.map((text) => text.replace(/ \(.*/, ''));

describe('the turnover of a market that ended', () => {
  const ggr = facts();
  const ended =
    'warn vanished turnover: Malta, product Bingo, 2024: 2 of 8 values of 2023 are missing or 0, as those of ggr are';

  it('is a warning where ggr has ended, too, however much turnover that was', async () => {
    const left = ggr.filter((row) => !isEnding(row));
    expect(startsOf(await newYearFindings({ ggr: left, turnover: turnoverOf(left) }))).toEqual([
      'warn vanished ggr: Malta, product Bingo, 2024: 2 of 8 rows of 2023 are missing',
      ended,
    ]);
    const zeros = ggr.map((row) => (isEnding(row) ? { ...row, ggr: 0 } : row));
    expect(startsOf(await newYearFindings({ ggr: zeros, turnover: turnoverOf(zeros) }))).toEqual([
      ended,
      'warn structure ggr: Malta, product Bingo, 2024: 2 of 8 values are 0, and were not in 2023',
    ]);
  });

  it('is refused where its ggr goes on', async () => {
    const turnover = turnoverOf(ggr).filter((row) => !isEnding(row));
    expect(startsOf(await newYearFindings({ ggr, turnover }))).toEqual([
      'refuse vanished turnover: Malta, product Bingo, 2024: 2 of 8 rows of 2023 are missing',
    ]);
  });

  it('is refused where ggr has no figures of the country yet', async () => {
    const turnover = turnoverOf(ggr).filter((row) => !isEnding(row));
    const late = ggr.filter((row) => !isNew(row));
    expect(startsOf(await newYearFindings({ ggr: late, turnover }))).toEqual([
      'refuse vanished turnover: Malta, product Bingo, 2024: 2 of 8 rows of 2023 are missing',
    ]);
  });
});

describe('a market of a new year', () => {
  it('may fall to a seventh in a pandemic, but not rise sixfold, where it is most of its country', async () => {
    const moved = (by: number) => facts((row) => (isNew(row) && row.product !== 'Bingo' ? by : 1));
    expect(
      (await newYearFindings({ ggr: moved(1 / 6.5) })).filter((text) => text.startsWith('refuse')),
    ).toEqual([]);
    expect(startsOf(await newYearFindings({ ggr: moved(1 / 7.5) }))).toEqual([
      'refuse revisions ggr: Malta, 2024: 6 of 8 values are far from those of 2023, together ÷ 7.44',
    ]);
    expect(startsOf(await newYearFindings({ ggr: moved(6.5) }))).toEqual([
      'refuse revisions ggr: Malta, 2024: 6 of 8 values are far from those of 2023, together × 6.55',
    ]);
  });

  it('does not hide by its end that the total of the country moved', async () => {
    const ggr = facts((row) => (isNew(row) ? 2.5 : 1)).filter((row) => !isEnding(row));
    expect(startsOf(await newYearFindings({ ggr }))).toContain(
      'warn totals ggr: Malta, 2024: the total is that of 2023 × 2.42',
    );
  });

  it('is refused where it has the figures of another market, unless it had them the year before', async () => {
    const copying = (years: readonly number[]) =>
      facts().map((row, _, all) => {
        const source = all.find(
          ({ product, fx, year }) => product === 'Poker' && fx === row.fx && year === row.year,
        );
        const isCopy = row.product === 'Draw Games' && years.includes(Number(row.year));
        return isCopy ? { ...row, ggr: source?.ggr ?? null } : row;
      });
    expect(await newYearFindings({ ggr: copying([2024]) })).toEqual([
      expect.stringMatching(
        /^refuse structure ggr: Malta, product Draw Games, 2024: both values repeat another product's: Poker \(35 % of the country.s total; 2024 Gaming Online Onshore EUR: 10,116,848 → 11,471,571, 2024 .* USD: /,
      ),
    ]);
    expect(await newYearFindings({ ggr: copying(YEARS) })).toEqual([]);
  });

  it('may have the figures of another market in some of its currencies', async () => {
    const isCopy = ({ product, fx }: Row) => product === 'Draw Games' && fx !== 'GBP';
    const ggr = facts().flatMap((row) => (row.fx === 'EUR' ? [row, { ...row, fx: 'GBP' }] : [row]));
    const figureOf = (row: Row) =>
      ggr.find((one) => one.product === 'Poker' && one.fx === row.fx && one.year === row.year)?.ggr ?? null;
    const partly = ggr.map((row) => (isNew(row) && isCopy(row) ? { ...row, ggr: figureOf(row) } : row));
    expect(await newYearFindings({ ggr: partly })).not.toContainEqual(expect.stringContaining('repeat'));
  });
});

describe('the countries of a new year', () => {
  const ASIA = ['Ghana', 'Italy', 'Japan', 'Kenya', 'Malta', 'Norway', 'Peru', 'Qatar', 'Spain', 'Togo'];
  const EUROPE = ASIA.map((country) => `${country} 2`);
  const moved = (by: number, moving: readonly string[], all = moving) => ({
    ggr: all.flatMap((country, c) =>
      facts((row) => (1 + c / 6.7) * (isNew(row) && moving.indexOf(country) > 1 ? by : 1)).map((row) => ({
        ...row,
        country,
        region: EUROPE.includes(country) ? 'Europe' : 'Asia',
      })),
    ),
  });

  it('are warned of where most fell by a tenth, as figures of ten months do', async () => {
    expect(await newYearFindings(moved(0.92, ASIA))).toEqual([]);
    const found = await newYearFindings(moved(0.87, ASIA));
    expect(startsOf(found)).toEqual(['warn totals ggr: 10 countries']);
    expect(found[0]).toMatch(/, 2024: the total of the median country is that of 2023 ÷ 1\.1\d$/);
    expect(startsOf(await newYearFindings(moved(0.75, ASIA)))).toEqual(['warn totals ggr: 10 countries']);
  });

  it('may rise by a fifth', async () => {
    expect(await newYearFindings(moved(1.2, ASIA))).toEqual([]);
    expect(startsOf(await newYearFindings(moved(1.3, ASIA)))).toEqual(['warn totals ggr: 10 countries']);
    // A single region may rise further.
    expect(await newYearFindings(moved(1.3, EUROPE, [...ASIA, ...EUROPE]))).toEqual([]);
  });

  it('are warned of where those of one region fell', async () => {
    const found = await newYearFindings(moved(0.85, EUROPE, [...ASIA, ...EUROPE]));
    expect(found).toEqual([
      expect.stringMatching(
        /^warn totals ggr: 10 countries \(Ghana 2, Italy 2, Japan 2 and 7 more\), 2024: the total of the median country is that of 2023 ÷ 1\.1\d$/,
      ),
    ]);
  });
});

describe('the states of a new year', () => {
  const withStates = (change: (row: Row) => number) => ({
    ggr: [
      ...facts((row) => (isEnding(row) ? 3 : 1)),
      ...facts((row) => 0.3 * (isEnding(row) ? 3 : 1) * change(row), 'Gozo'),
    ],
  });

  it('are refused where one has the figures of another, unless it had them the year before', async () => {
    const states = (years: readonly number[]) => [
      ...facts(),
      ...facts(() => 0.3, 'Gozo'),
      ...facts((row) => (years.includes(Number(row.year)) ? 0.3 : 0.28), 'Comino'),
    ];
    expect(startsOf(await newYearFindings({ ggr: states([2024]) }))).toEqual([
      "refuse structure ggr: Malta, state Comino, 2024: 7 of 8 values repeat another state's: Gozo",
    ]);
    expect(await newYearFindings({ ggr: states(YEARS) })).toEqual([]);
  });

  it('are refused for copied figures also where the nation has the same ones', async () => {
    const ggr = [
      ...facts((row) => (isNew(row) ? 0.3 : 1)),
      ...facts(() => 0.3, 'Gozo'),
      ...facts((row) => (isNew(row) ? 0.3 : 0.28), 'Comino'),
    ];
    expect(startsOf(await newYearFindings({ ggr }))).toContain(
      "refuse structure ggr: Malta, state Comino, 2024: 7 of 8 values repeat another state's: Gozo",
    );
  });

  it('add nothing to the share of a market that their nation copies with them', async () => {
    const copying = (...args: Parameters<typeof facts>) =>
      facts(...args).map((row, _, all) => {
        const source = all.find(
          ({ product, fx, year }) => product === 'Poker' && fx === row.fx && year === row.year,
        );
        return isNew(row) && row.product === 'Draw Games' ? { ...row, ggr: source?.ggr ?? null } : row;
      });
    const shareOf = (texts: readonly string[]) =>
      texts.flatMap((text) => (/Draw Games.*repeat.*?\(([\d.]+ %) of the country/.exec(text) ?? []).slice(1));
    const alone = shareOf(await newYearFindings({ ggr: copying() }));
    const withState = [...copying(), ...copying(() => 0.6, 'Gozo')];
    expect(alone).toHaveLength(1);
    expect(shareOf(await newYearFindings({ ggr: withState }))).toEqual(alone);
  });

  it('move as their nation does, market by market', async () => {
    expect((await newYearFindings(withStates(() => 1))).filter((text) => text.startsWith('refuse'))).toEqual(
      [],
    );
    for (const [by, words] of [
      [2, '2'],
      [0.5, '0.5'],
    ] as const)
      expect(startsOf(await newYearFindings(withStates((row) => (isNew(row) ? by : 1))))).toContain(
        `refuse relations ggr: Malta, 2024: its states come to ${words} times what they would if they had moved from 2023 as the nation did`,
      );
  });
});

describe('the people of a new year', () => {
  const people = (by: number, { countries = ['Malta'], years = YEARS } = {}) => ({
    country: countries.flatMap((country, c) =>
      years.map((year) =>
        aRow('country', {
          country,
          year,
          adult_population: Math.round(450_001 * (c + 1) * (year === 2024 ? by : 1)),
        }),
      ),
    ),
  });

  it('are warned of where they are an eighth more or fewer than the year before', async () => {
    expect(await newYearFindings(people(1.11))).toEqual([]);
    expect(startsOf(await newYearFindings(people(1.14)))).toEqual([
      'warn revisions country: adult_population, Malta, 2024: the value is far from that of 2023, × 1.14',
    ]);
  });

  it('may be a quarter more than two years before', async () => {
    const found = await newYearFindings(people(1.24, { years: [2022, 2024] }));
    expect(found).not.toContainEqual(expect.stringContaining('adult_population'));
  });

  it('are compared with the nearest year, before a new one with one that the current snapshot has', async () => {
    const from = async (known: readonly number[], nearest: number) => {
      const after = people(1, { years: [...known, 2021, 2022] });
      const before = { country: after.country.filter(({ year }) => known.includes(Number(year))) };
      const wrong = after.country.map((row) =>
        row.year === 2022 ? { ...row, adult_population: 700_000 } : row,
      );
      const { findings } = await guarded(before, { country: wrong });
      expect(findings.map(({ message }) => message)).toContainEqual(
        expect.stringContaining(`, 2022: the value is far from that of ${nearest},`),
      );
    };
    await from([2020, 2023], 2023);
    await from([2020, 2025], 2021);
  });

  it('are warned of where they moved by a twentieth in the median country', async () => {
    const countries = Array.from({ length: 10 }, (_, i) => `Country ${i}`);
    expect(await newYearFindings(people(1.04, { countries }))).toEqual([]);
    expect(await newYearFindings(people(1.07, { countries }))).toEqual([
      expect.stringContaining(', 2024: the total of the median country is that of 2023 × 1.07'),
    ]);
  });
});

describe('GDP in USD of a new year', () => {
  const rate = (year: number) => 1.1 + 0.1 * (year - 2020);
  const fx = YEARS.map((year) => aRow('fx', { country: 'Malta', year, fx_current_usd: rate(year) }));
  const gdp = (by: (year: number) => number) =>
    YEARS.map((year) => {
      const local = 20_000_000_123 + 1_000_000_007 * (year - 2020);
      const usd = Math.round(local * rate(year) * by(year));
      return aRow('country', { country: 'Malta', year, gdp_local_currency: local, gdp_usd: usd });
    });

  it('is warned of where it disagrees with that in local currency, and that of the year before agrees', async () => {
    const findingsBy = (by: (year: number) => number) => newYearFindings({ fx, country: gdp(by) });
    expect(await findingsBy((year) => (year === 2024 ? 0.9 : 1))).toEqual([
      'warn relations country: Malta, GDP: figures in USD disagree with those in local currency at the rates of fx by up to 10 % in 2024',
    ]);
    expect(await findingsBy((year) => (year === 2024 ? 0.985 : 1))).toEqual([]);
    expect(await findingsBy((year) => (year >= 2023 ? 0.9 : 1))).toEqual([]);
  });

  it('is warned of as a forecast where it is one', async () => {
    const country = gdp((year) => (year === 2024 ? 0.9 : 1)).map((row) =>
      isNew(row) ? { ...row, temporal: 'Forecast' } : row,
    );
    expect(await newYearFindings({ fx, country })).toContainEqual(
      expect.stringMatching(/^warn relations country: Malta, GDP \(forecasts\): .* by up to 10 % in 2024$/),
    );
  });
});

describe('the currencies of a new year', () => {
  // At the constant rate, USD would be a third of its value at the current rate.
  const fx = YEARS.map((year) =>
    aRow('fx', { country: 'Malta', year, fx_current_usd: 1.1, fx_constant_usd: 0.4 }),
  );

  it('are converted at the rates of the year before, current or constant', async () => {
    const at = (rate: (row: Row) => number) =>
      facts().map((row) =>
        row.fx === 'USD' ? { ...row, ggr: Math.round((Number(row.ggr) / 1.1) * rate(row)) } : row,
      );
    const apart = (texts: readonly string[]) => startsOf(texts).filter((text) => text.includes('relations'));
    expect(await newYearFindings({ ggr: at(() => 1.1), fx })).toEqual([]);
    expect(await newYearFindings({ ggr: at(() => 0.4), fx })).toEqual([]);
    expect(apart(await newYearFindings({ ggr: at((row) => (isNew(row) ? 0.4 : 1.1)), fx }))).toEqual([
      'refuse relations ggr: Malta: figures in USD disagree with those in local currency at the rates of fx by up to 63.6 % in 2024',
    ]);
    expect(apart(await newYearFindings({ ggr: at((row) => (isNew(row) ? 1.1 : 0.4)), fx }))).toEqual([
      'refuse relations ggr: Malta: figures in USD disagree with those in local currency at the rates of fx by up to 175 % in 2024',
    ]);
  });
});

describe('the figures of a year that are nearly those of the year before', () => {
  const market = (p: number, year: number, moved: number): Row =>
    aRow('ggr', {
      country: 'Malta',
      year,
      product: `Product ${p}`,
      ggr: Math.round(1_234_567 * (p + 1) * moved),
    });
  const years = (markets: number, moved: (p: number) => number): Row[] =>
    Array.from({ length: markets }, (_, p) => [market(p, 2023, 1), market(p, 2024, moved(p))]).flat();
  const stale = async (markets: number, moved: (p: number) => number) =>
    startsOf(await newYearFindings({ ggr: years(markets, moved) })).filter((text) => text.includes('within'));

  it('are a warning where all of five markets moved by less than half a percent', async () => {
    expect(await stale(5, (p) => 1 + (p - 2) / 500)).toEqual([
      "warn copies ggr: Malta, currency EUR, 2024: all 5 values are within 0.5 % of those of 2023; they may be that year's figures",
    ]);
  });

  it('are a warning where the current snapshot has forecasts of the year', async () => {
    const after = years(5, (p) => 1 + (p - 2) / 500);
    const before = years(5, () => 1.04).map((row) => (isNew(row) ? { ...row, temporal: 'Forecast' } : row));
    const { findings } = await guarded({ ggr: before }, { ggr: after });
    expect(findings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Malta, currency EUR, 2024: all 5 values are within 0.5 % of those of 2023/),
    );
  });

  it('are a warning where three markets moved by less than a fifth of a percent', async () => {
    expect(await stale(3, (p) => 1 + (p - 1) / 600)).toEqual([
      expect.stringMatching(/^warn copies ggr: Malta, currency EUR, 2024: all 3 values are within 0.5 %/),
    ]);
    expect(await stale(2, (p) => 1 + (p + 1) / 2000)).toEqual([]);
  });

  it('are a warning where ggr and turnover have five together, not counting figures below a thousand', async () => {
    const small = [2023, 2024].map((year) =>
      aRow('ggr', { country: 'Malta', year, product: 'Small', ggr: year === 2023 ? 100 : 200 }),
    );
    const moved = (p: number) => 1 + (p - 1) / 250;
    const turnover = years(2, moved).map(({ ggr, ...row }) =>
      aRow('turnover', { ...row, turnover: 10 * Number(ggr) }),
    );
    const both = async (markets: number, ofGgr: (p: number) => number) =>
      startsOf(await newYearFindings({ ggr: [...years(markets, ofGgr), ...small], turnover })).filter(
        (text) => text.includes('within'),
      );
    expect(await both(3, moved)).toEqual([
      expect.stringMatching(/^warn copies turnover: Malta, currency EUR, 2024: both values are within 0.5 %/),
    ]);
    // The year before may be a forecast: its figures count, too.
    const forecast = (row: Row): Row => (isNew(row) ? row : { ...row, temporal: 'Forecast' });
    const ofForecasts = await newYearFindings({ ggr: years(3, moved).map(forecast), turnover });
    expect(ofForecasts.join()).toContain('turnover: Malta, currency EUR, 2024: both values are within 0.5 %');
    expect(await both(2, moved)).toEqual([]);
    expect(await both(4, (p) => (p === 0 ? 1.01 : 1.001))).toEqual([]);
  });

  it('are not a finding in four markets, where one moved by more, or where most are copies', async () => {
    expect(await stale(5, (p) => (p < 3 ? 1 : 1.001))).toEqual([]);
    expect(await stale(4, (p) => 1 + (p - 2) / 500)).toEqual([]);
    expect(await stale(5, (p) => (p === 0 ? 1.01 : 1.001))).toEqual([]);
  });
});
