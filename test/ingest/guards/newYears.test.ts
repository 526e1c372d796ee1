// Guards compare a new year with the year before: they find every damage, and correct years pass.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guarded } from '../../support/comparedSnapshots.ts';
import { pickWith, type Target, targetsOf } from '../../support/corruptions.ts';
import { isDeep, itInDepth, some } from '../../support/depth.ts';
import { aGuardWorld, type GuardWorld } from '../../support/guardWorld.ts';
import { HONEST_YEARS, honestNewYear } from '../../support/honestNewYears.ts';
import { damageNewYear, NEW_YEAR_DAMAGES, type NewYearOutcome } from '../../support/newYearDamages.ts';
import { aRow, type Row, type Rows } from '../../support/snapshot.ts';

const YEAR = 2024;
const COUNTRIES = ['Malta', 'Norway', 'Brazil', 'Germany', 'Senegal', 'Kenya'];
const OTHERS = ['Spain', 'France', 'Italy', 'Sweden', 'Peru', 'Japan', 'Mexico', 'Chile', 'Poland', 'Ghana'];
const named = [...COUNTRIES, ...OTHERS].map((country) => `'${country}'`).join(', ');

/**
 * Damages that may cause only a warning in a small part of a country, because markets do close, begin and grow tenfold.
 * A missing country may cause only a warning, too: when few countries are missing, their reports may be late.
 */
const MAY_WARN: readonly string[] = [
  'a product missing',
  'a product of zeros',
  'a product × 10',
  'half of the markets missing',
  'half of the rows missing',
  'the country missing',
];

/** A damage that passes in one country where it adds little, because a market may grow that much. */
const MAY_PASS = 'slots include table games';

/** Damages that are reported for each country alone. */
const EACH_ALONE: readonly string[] = ['the year before copied', 'rates upside down'];

describe('a year that begins', () => {
  let world: GuardWorld;
  let targets: Target[];
  beforeAll(async () => {
    world = await aGuardWorld(`country IN (${named})`, YEAR - 2, YEAR);
    targets = (await targetsOf(world))
      .filter(({ country }) => COUNTRIES.includes(country))
      .map((target, i) => ({ ...target, other: OTHERS[i] ?? '' }));
  });
  afterAll(() => world.close());

  const ofOne = NEW_YEAR_DAMAGES.filter(({ isOfCountry }) => isOfCountry);
  const missed = (outcomes: readonly NewYearOutcome[]) =>
    outcomes
      .filter(({ kind, mayWarn, refused, noticed }) =>
        mayWarn || MAY_WARN.includes(kind) ? !noticed : !refused,
      )
      .map(({ kind, country }) => `${kind}: ${country}`);

  it('is refused or warned of when one country is damaged, and names it', async () => {
    const outcomes: NewYearOutcome[] = [];
    const step = isDeep ? 1 : targets.length;
    for (let i = 0; i < ofOne.length; i += step) {
      const cases = targets.flatMap((target, j) => {
        const damage = ofOne[(i + j) % ofOne.length];
        return damage === undefined ? [] : [{ damage, target }];
      });
      outcomes.push(...(await damageNewYear(world, YEAR, cases, pickWith(1))));
    }
    expect(outcomes.length).toBeGreaterThanOrEqual(0.85 * ofOne.length);
    expect(missed(outcomes).filter((text) => !text.startsWith(MAY_PASS))).toEqual([]);
  });

  itInDepth('is refused or warned of when all countries are damaged', async () => {
    const outcomes: NewYearOutcome[] = [];
    const kinds = some(
      NEW_YEAR_DAMAGES.filter(({ isOfCountry }) => !isOfCountry),
      6,
    );
    for (const damage of kinds)
      for (const target of targets.slice(-1))
        outcomes.push(...(await damageNewYear(world, YEAR, [{ damage, target }], pickWith(1))));
    expect(outcomes.length).toBeGreaterThanOrEqual(0.8 * kinds.length);
    expect(
      outcomes
        .filter(({ refused, mayWarn, noticed }) => !(mayWarn ? noticed : refused))
        .map(({ kind }) => kind),
    ).toEqual([]);
    // A damage of all countries is one finding, or one for each dataset.
    const many = outcomes.filter(({ kind, findings }) => !EACH_ALONE.includes(kind) && findings.length > 8);
    expect(many.map(({ kind, findings }) => `${kind}: ${findings.length}`)).toEqual([]);
  });

  it.each(some(HONEST_YEARS, 2))('passes when it is honest: %s', async (special) => {
    const { findings } = await honestNewYear(world, YEAR, HONEST_YEARS.indexOf(special));
    expect(findings.filter(({ severity }) => severity === 'refuse')).toEqual([]);
  });

  it('is documented with a figure for every damage', () => {
    const page = readFileSync('docs/guards.md', 'utf8');
    const undocumented = NEW_YEAR_DAMAGES.filter(({ kind }) => !page.includes(`| ${kind} |`));
    expect(undocumented.map(({ kind }) => kind)).toEqual([]);
  });
});

/** Rows of years and countries: two products in two currencies, each with 1,234,567 a year. */
const facts = (
  countries: readonly string[],
  years: readonly number[],
  change: (row: Row) => number = () => 1,
): Row[] =>
  countries.flatMap((country, c) =>
    years.flatMap((year) =>
      ['Casino Slots', 'Bingo'].flatMap((product, p) =>
        ['EUR', 'USD'].map((fx) => {
          const row = aRow('ggr', { country, year, product, category: 'Gaming', fx });
          const value = (1_234_567 + 10_007 * c + 1_013 * (year - 2020)) * (p === 0 ? 3 : 1);
          return { ...row, ggr: Math.round(value * (fx === 'USD' ? 1.1 : 1) * change(row)) };
        }),
      ),
    ),
  );

const months = { before: '2024-12.1', after: '2025-03.1' };

const findingsOf = async (before: Rows, after: Rows) =>
  (await guarded(before, after, months)).findings.map(({ severity, rule, dataset, message, accept }) => ({
    text: `${severity} ${rule} ${dataset}: ${message}`,
    accept,
  }));

const texts = async (before: Rows, after: Rows) => (await findingsOf(before, after)).map(({ text }) => text);

const TEN = ['Chile', 'France', 'Ghana', 'Italy', 'Japan', 'Kenya', 'Malta', 'Norway', 'Peru', 'Spain'];
const has = (row: Row, wanted: Row) =>
  Object.entries(wanted).every(([dimension, value]) => row[dimension] === value);

describe('the guards of a new year', () => {
  const before = { ggr: facts(TEN, [2022, 2023]) };
  const withYear = (change?: (row: Row) => number) => ({ ggr: facts(TEN, [2022, 2023, 2024], change) });

  it('report nothing where it is like the year before', async () => {
    expect(await texts(before, withYear())).toEqual([]);
  });

  it('name the country, the figures of both years and the option that accepts', async () => {
    const after = withYear((row) => (has(row, { country: 'Malta', year: 2024 }) ? 1000 : 1));
    expect(await findingsOf(before, after)).toEqual([
      {
        text: expect.stringMatching(
          /^refuse units ggr: Malta, 2024: all 4 values are far from those of 2023, together × 1,001 \(100 % of the country's total; 2023 → 2024 Gaming Casino Slots Online Onshore \w+: [\d,]+ → [\d,]+, /,
        ) as unknown as string,
        accept: '--accept units:ggr:Malta --reason "…"',
      },
    ]);
  });

  it('report one finding of the dataset where many countries share it', async () => {
    const [text, ...others] = await texts(
      before,
      withYear(({ year }) => (year === 2024 ? 0.001 : 1)),
    );
    expect(text).toMatch(
      /^refuse units ggr: 10 countries \(Chile, France, Ghana and 7 more\), 2024: all 40 values are far from those of 2023, together ÷ 999/,
    );
    expect(others).toEqual([]);
  });

  it('report which rows of the year before are missing', async () => {
    const lost = withYear().ggr.filter(
      (row) => !has(row, { country: 'Malta', year: 2024, product: 'Casino Slots' }),
    );
    expect(await texts(before, { ggr: lost })).toEqual([
      expect.stringMatching(
        /^refuse vanished ggr: Malta, product Casino Slots, 2024: 2 of 4 rows of 2023 are missing \(75 % of the country's total; /,
      ),
    ]);
    const small = withYear().ggr.filter(
      (row) => !has(row, { country: 'Malta', year: 2024, product: 'Bingo', fx: 'USD' }),
    );
    expect(await texts(before, { ggr: small })).toEqual([
      expect.stringMatching(
        /^warn rows ggr: Malta, 2024: 1 of 4 rows of 2023 is missing \(13 % of the country's total; /,
      ),
    ]);
  });

  it('refuse most rows of a country, though they are a small part of its figures', async () => {
    const products = ['Bingo', 'Casino Slots', 'Keno', 'Poker'];
    const rows = facts(TEN, [2022, 2023, 2024]).flatMap((row): Row[] =>
      row.product === 'Bingo'
        ? products.map((product) => ({
            ...row,
            product,
            ggr: Number(row.ggr) * (product === 'Casino Slots' ? 30 : 1) + product.length,
          }))
        : [],
    );
    const textsWithout = async (...missing: readonly string[]) => {
      const isMissing = (row: Row) =>
        has(row, { country: 'Malta', year: 2024 }) && missing.includes(String(row.product));
      const found = await texts(
        { ggr: rows.filter(({ year }) => year !== 2024) },
        { ggr: rows.filter((row) => !isMissing(row)) },
      );
      return found.filter((text) => text.includes('Malta')).map((text) => text.replace(/ \(.*/, ''));
    };
    expect(await textsWithout('Bingo', 'Keno', 'Poker')).toEqual([
      'refuse rows ggr: Malta, 2024: 6 of 8 rows of 2023 are missing',
    ]);
    expect(await textsWithout('Bingo')).toEqual([
      'warn vanished ggr: Malta, product Bingo, 2024: 2 of 8 rows of 2023 are missing',
    ]);
  });

  it('warn of markets that an earlier year lacks, because a history may begin with few of them', async () => {
    const rows = facts(TEN, [2022, 2023, 2024]);
    const isLate = (row: Row) => row.country === 'Malta' && row.year === 2022 && row.product !== 'Bingo';
    const found = await texts(
      { ggr: rows.filter((row) => !has(row, { country: 'Malta', year: 2022 })) },
      { ggr: rows.filter((row) => !isLate(row)) },
    );
    expect(found.filter((text) => text.includes('missing')).map((text) => text.replace(/ \(.*/, ''))).toEqual(
      [expect.stringMatching(/^warn (rows|vanished) ggr: Malta.*, 2022: .* rows of 2023 are missing$/)],
    );
  });

  it.each([
    ['product Bingo', { product: 'Bingo' }],
    ['currency USD', { fx: 'USD' }],
  ])('report once for all countries that nobody has %s', async (name, gone: Row) => {
    const rows = withYear().ggr.filter((row) => !has(row, { ...gone, year: 2024 }));
    const ofMissing = (await texts(before, { ggr: rows })).filter((text) => text.includes('missing'));
    expect(ofMissing.map((text) => text.replace(/ \((?!Chile).*/, ''))).toEqual([
      `refuse vanished ggr: 10 countries (Chile, France, Ghana and 7 more), ${name}, 2024: all 20 rows of 2023 are missing`,
    ]);
    // When four of ten countries lose it in the same year, that may be correct.
    const some = withYear().ggr.filter(
      (row) => !has(row, { ...gone, year: 2024 }) || TEN.indexOf(String(row.country)) >= 4,
    );
    expect(await texts(before, { ggr: some })).not.toContainEqual(expect.stringContaining('10 countries'));
  });

  it('report missing countries only where nearly all others have begun the year', async () => {
    const names = Array.from({ length: 21 }, (_, i) => `Country ${String.fromCharCode(65 + i)}`);
    const all = facts(names, [2022, 2023, 2024]);
    const without = (...missing: readonly string[]) =>
      texts(
        { ggr: all.filter(({ year }) => year !== 2024) },
        {
          ggr: all.filter(({ country, year }) => year !== 2024 || !missing.includes(String(country))),
        },
      );
    expect(await without('Country A')).toEqual([
      expect.stringMatching(
        /^refuse vanished ggr: 1 of the 21 countries with rows of 2023 has none of 2024: Country A \(/,
      ),
    ]);
    expect(await without(...names.slice(0, 8))).toEqual([
      expect.stringMatching(
        /^warn vanished ggr: 8 of the 21 countries with rows of 2023 have none of 2024: Country A, Country B, Country C and 5 more \(/,
      ),
    ]);
  });

  it('report the same of the new year of one country, where others had it before', async () => {
    const late = (row: Row) => has(row, { country: 'Malta', year: 2024 });
    const all = withYear().ggr;
    expect(await texts({ ggr: all.filter((row) => !late(row)) }, { ggr: all })).not.toContainEqual(
      expect.stringContaining('refuse'),
    );
    const after = all.map((row) => (late(row) ? { ...row, ggr: 0 } : row));
    expect(await texts({ ggr: all.filter((row) => !late(row)) }, { ggr: after })).toContainEqual(
      expect.stringMatching(/^refuse structure ggr: Malta, 2024: all 4 values are 0, and were not in 2023/),
    );
  });

  it('report nothing of the first year of a country', async () => {
    const all = facts([...TEN, 'Sweden'], [2023, 2024]);
    const known = (row: Row) => row.year === 2023 && row.country !== 'Sweden';
    expect(
      await texts({ ggr: all.filter(known) }, { ggr: all.filter((row) => known(row) || row.year === 2024) }),
    ).toEqual([]);
  });

  it('warn where a currency ended and its markets go on in others', async () => {
    const inKuna = (row: Row) =>
      row.country === 'Malta' && row.fx === 'EUR' && Number(row.year) < 2024 ? { ...row, fx: 'HRK' } : row;
    expect(await texts({ ggr: before.ggr.map(inKuna) }, { ggr: withYear().ggr.map(inKuna) })).toEqual([
      expect.stringMatching(
        /^warn vanished ggr: Malta, currency HRK, 2024: 2 rows of 2023 are in a currency that ended; other currencies go on /,
      ),
    ]);
  });

  it('warn of rates of a currency that lost its value, and refuse inverted rates', async () => {
    const rates = (latest: number) =>
      [2022, 2023, 2024].map((year) =>
        aRow('fx', {
          year,
          fx_local_currency: 'VES',
          fx_current_usd: year === 2024 ? latest : 0.02,
          fx_current_eur: null,
        }),
      );
    const textsOf = (latest: number) =>
      texts({ fx: rates(latest).filter(({ year }) => year !== 2024) }, { fx: rates(latest) });
    expect(await textsOf(0.018)).toEqual([]);
    expect(await textsOf(2e-7)).toEqual([
      expect.stringMatching(
        /^warn units fx: fx_current_usd, Malta, 2024: the value is far from that of 2023, ÷ 100,000/,
      ),
    ]);
    expect(await textsOf(48)).toEqual([
      expect.stringMatching(
        /^refuse units fx: fx_current_usd, Malta, 2024: the value is far from that of 2023, × 2,400/,
      ),
    ]);
  });

  it('report what is wrong in other years, too, and of another country', async () => {
    const change = (row: Row) => {
      if (has(row, { country: 'Malta', year: 2024 })) return 1000;
      return has(row, { country: 'Spain', year: 2023 }) ? 2 : 1;
    };
    const refused = (await texts(before, withYear(change))).filter((text) => text.startsWith('refuse'));
    expect(refused.map((text) => text.slice(0, 40))).toEqual([
      expect.stringContaining('Spain'),
      expect.stringContaining('Malta, 2024'),
    ]);
  });

  it('report that turnover is below ggr, or equal to it, and that currencies disagree with the rates', async () => {
    const turnover = (change: (row: Row) => number) =>
      facts(['Malta'], [2022, 2023, 2024], change).map(({ ggr, ...row }) => ({
        ...row,
        turnover: Math.round(Number(ggr) * 1.5),
      }));
    const rates = {
      fx: [2022, 2023, 2024].map((year) => aRow('fx', { year, fx_current_usd: 1.1, fx_constant_usd: 1.1 })),
    };
    const ggr = facts(['Malta'], [2022, 2023, 2024]);
    const until = (rows: readonly Row[]) => rows.filter(({ year }) => Number(year) < 2024);
    const textsOf = (after: readonly Row[], sums: (row: Row) => number) =>
      texts(
        { ggr: until(ggr), turnover: until(turnover(() => 1)), fx: until(rates.fx) },
        { ggr: after, turnover: turnover(sums), ...rates },
      );
    expect(await textsOf(ggr, () => 1)).toEqual([]);
    const isNew = ({ year }: Row) => year === 2024;
    expect(await textsOf(ggr, (row) => (isNew(row) ? 0.5 : 1))).toContainEqual(
      'refuse relations turnover: Malta, Bingo / Online / Onshore and Casino Slots / Online / Onshore: turnover is below ggr, at 75 % of it in 2024',
    );
    // A year that is refused as a whole has this finding alone.
    expect(await textsOf(ggr, (row) => (isNew(row) ? 0.001 : 1))).toEqual([
      expect.stringMatching(/^refuse units turnover: .*Malta, 2024/),
    ]);
    const halved = ggr.map((row) =>
      isNew(row) && row.fx === 'USD' ? { ...row, ggr: Math.round(Number(row.ggr) / 2) } : row,
    );
    expect(await textsOf(halved, () => 1)).toEqual([
      'refuse relations ggr: Malta: figures in USD disagree with those in local currency at the rates of fx by up to 50 % in 2024',
    ]);
  });

  it.each([
    ['Malta', 'Peru'],
    ['Peru', 'Malta'],
  ])(
    'names %s, whose figures are not near its own of the year before, and not %s',
    async (copier, source) => {
      const own = facts(['Malta', 'Norway', 'Peru'], [2022, 2023, 2024]);
      const figureOf = (wanted: Row) => own.find((row) => has(row, wanted))?.ggr ?? null;
      const after = own.map(({ country = '', ...row }) => {
        const { year = 0, fx = '', product = '' } = row;
        const isCopy = country === copier && year === 2024;
        return { ...row, country, ggr: figureOf({ country: isCopy ? source : country, year, fx, product }) };
      });
      const copies = (await texts({ ggr: own.filter(({ year }) => year !== 2024) }, { ggr: after })).filter(
        (text) => text.includes('repeat another'),
      );
      expect(copies.map((text) => text.replace(/ \(\d.*/, ''))).toEqual([
        `refuse copies ggr: ${copier}, 2024: all 4 values repeat another country's: ${source}`,
      ]);
    },
  );

  it('is judged apart from a forecast year in which the same two countries agree', async () => {
    const years = [2022, 2023, 2024, 2025];
    const forecast = (row: Row): Row => (row.year === 2025 ? { ...row, temporal: 'Forecast' } : row);
    const own = facts(['Malta', 'Peru'], years).map(forecast);
    const before = own.filter(({ year }) => Number(year) < 2024);
    const figureOfPeru = ({ country: _, ...alike }: Row) =>
      own.find((row) =>
        has(row, {
          country: 'Peru',
          year: alike.year ?? 0,
          fx: alike.fx ?? '',
          product: alike.product ?? '',
        }),
      )?.ggr ?? null;
    const after = own.map((row) =>
      row.country === 'Malta' && Number(row.year) >= 2024 ? { ...row, ggr: figureOfPeru(row) } : row,
    );
    const copies = (await texts({ ggr: before }, { ggr: after })).filter((text) =>
      text.includes('repeat another'),
    );
    expect(copies.map((text) => text.replace(/ \(\d.*/, ''))).toEqual([
      "refuse copies ggr: Malta, 2024: all 4 values repeat another country's: Peru",
      "warn copies ggr: Malta, 2025 (forecasts): all 4 values repeat another country's: Peru",
    ]);
  });

  it('is not missed where all years of a country are new: markets begin, and forecasts end', async () => {
    const years = [2021, 2022, 2023, 2024];
    const own = facts(['Malta', 'Peru'], years);
    const [first] = new Set(own.map(({ product }) => product));
    const ofPeru = own.filter(
      ({ country, product, year }) => country === 'Peru' && (product !== first || year === 2023),
    );
    const country = ['Malta', 'Peru'].flatMap((name, i) =>
      years.map((year) => aRow('country', { country: name, year, gdp_usd: year < 2024 ? 1e10 + i : null })),
    );
    const ofMalta = (rows: readonly Row[]) => rows.filter((row) => row.country === 'Malta');
    const all = await texts(
      { ggr: ofMalta(own), country: ofMalta(country) },
      { ggr: [...ofMalta(own), ...ofPeru], country },
    );
    expect(all.filter((text) => text.includes('missing'))).toEqual([]);
  });

  it('is compared with turnover and rates also where the current snapshot has forecasts of it', async () => {
    const ggr = facts(['Malta'], [2022, 2023, 2024]);
    const fx = [2022, 2023, 2024].map((year) =>
      aRow('fx', { year, fx_current_usd: 1.1, fx_constant_usd: 1.1 }),
    );
    const forecast = (row: Row): Row => (row.year === 2024 ? { ...row, temporal: 'Forecast' } : row);
    const refused = async (after: readonly Row[], rates: readonly Row[]) =>
      (await texts({ ggr: ggr.map(forecast), fx: fx.map(forecast) }, { ggr: after, fx: rates })).filter(
        (text) => text.startsWith('refuse'),
      );
    const halved = ggr.map((row) =>
      row.year === 2024 && row.fx === 'USD' ? { ...row, ggr: Math.round(Number(row.ggr) / 2) } : row,
    );
    expect(await refused(ggr, fx)).toEqual([]);
    expect(await refused(halved, fx)).toEqual([
      'refuse relations ggr: Malta: figures in USD disagree with those in local currency at the rates of fx by up to 50 % in 2024',
    ]);
    // Rates that are still forecasts are no reason to refuse figures.
    expect(await refused(halved, fx.map(forecast))).toEqual([]);
  });
});
