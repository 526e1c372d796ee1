// Correct months whose shape once caused false alarms: rounded figures, a year that ends, a channel in all countries.

import { describe, expect, it } from '@jest/globals';
import type { Pattern } from '../../../ingest/compare/patterns/patternTypes.ts';
import type { PatternVerdict } from '../../../ingest/guards/guard.ts';
import { factorsWords, withFactorsMerged } from '../../../ingest/guards/mergedVerdicts.ts';
import { guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../support/snapshot.ts';
import { C, type Change, COUNTRIES, findingsIn, isForecast, month, times } from './plainMonth.ts';

describe('figures in whole millions or tens of millions', () => {
  const rounded =
    (unit: number): Change =>
    (row) => ({ ...row, ggr: Math.round(Number(row.ggr) / unit) * unit });
  const both =
    (first: Change, second: Change): Change =>
    (row) =>
      second(first(row));

  it('may become those of other years by chance', async () => {
    const unit = rounded(10_000_000);
    // Figures grow by 7,654,321 a year, so this revision gives each figure the value of the year after it.
    const revised: Change = (row) =>
      row.country === C && row.product === 'Bingo' && row.fx === 'XTS' && !isForecast(row)
        ? { ...row, ggr: Number(row.ggr) + 7_654_321 }
        : row;
    const found = await findingsIn(month({ ggr: both(revised, unit) }), month({ ggr: unit }));
    expect(found.filter((one) => one.includes('repeat'))).toEqual([]);
  });

  it('are refused where all of a year are those of another one', async () => {
    const unit = rounded(10_000_000);
    const before = month({ ggr: unit });
    const figures = new Map(
      (before.ggr ?? []).map((row) => [`${row.country} ${row.product} ${row.fx} ${row.year}`, row.ggr]),
    );
    const copied: Change = (row) =>
      row.country === C && row.year === 2023
        ? { ...row, ggr: figures.get(`${row.country} ${row.product} ${row.fx} 2018`) ?? null }
        : row;
    const found = await findingsIn(month({ ggr: both(unit, copied) }), before);
    expect(found).toContainEqual(expect.stringMatching(/^refuse ggr: Country C: .* repeat another year's/));
  });

  it('may be as far from the rates as their last digit', async () => {
    const unit = rounded(1_000_000);
    const moved: Change = (row) =>
      row.country === 'Country A' && row.product === 'Bingo' && row.year === 2028 && row.fx === 'XTS'
        ? { ...row, ggr: 1_017_000_000 }
        : row;
    const apart: Change = (row) =>
      row.country === 'Country A' && row.product === 'Bingo' && row.year === 2028 && row.fx === 'USD'
        ? { ...row, ggr: 12_000_000 }
        : row;
    const found = await findingsIn(month({ ggr: both(both(unit, moved), apart) }), month({ ggr: unit }));
    expect(found.filter((one) => one.includes('disagree'))).toEqual([]);
    const wrong: Change = (row) =>
      row.country === 'Country A' && row.product === 'Bingo' && row.year === 2028 && row.fx === 'USD'
        ? { ...row, ggr: 15_000_000 }
        : row;
    const told15 = await findingsIn(month({ ggr: both(both(unit, moved), wrong) }), month({ ggr: unit }));
    expect(told15).toContainEqual(expect.stringContaining('disagree'));
  });
});

it('estimates that are reported when their year ends are not gone', async () => {
  const estimated: Change = (row) => ({ ...row, calculation: isForecast(row) ? 'Estimated' : 'Reported' });
  const ended: Change = (row) =>
    row.year === 2026 ? { ...row, temporal: 'Current', calculation: 'Reported' } : estimated(row);
  const found = await findingsIn(
    month({ fx: ended, country: ended }),
    month({ fx: estimated, country: estimated }),
  );
  expect(found).toEqual([]);
});

/** Rows of another channel, with this share of the figures of their country. */
const ofChannel = (shareOf: (country: unknown) => number): Row[] =>
  (month().ggr ?? []).map((row) => ({
    ...row,
    channel: 'Land',
    sub_channel: 'Retail',
    ggr: Math.round(Number(row.ggr) * shareOf(row.country) * (1 + (Number(row.year) % 7) / 100)),
  }));

const withRows = (rows: readonly Row[]) => ({ ...month(), ggr: [...(month().ggr ?? []), ...rows] });

describe('a channel that all countries get', () => {
  it('is one finding, which says what follows from it', async () => {
    const found = await findingsIn(withRows(ofChannel(() => 0.91)));
    expect(found).toEqual([
      expect.stringMatching(
        /^refuse ggr: Country A, Country B, Country C and 9 more: channel "Land" and sub-channel "Retail" are new, in 1,080 rows or fewer each; the dataset has 100 % more rows; \d+ totals moved with them, most ggr in /,
      ),
    ]);
    expect(found[0]).toMatch(
      /; closed years of Country \w moved by 9\d\.?\d* % on average, and those of 11 other countries by less$/,
    );
  });

  it('is reported as well as another one, each with the countries that got it', async () => {
    const rows = ofChannel(() => 0.9).flatMap((row): Row[] => {
      const at = COUNTRIES.indexOf(String(row.country));
      return at > 3 ? [] : [at > 1 ? { ...row, channel: 'Retail', sub_channel: 'Shops' } : row];
    });
    expect(await findingsIn(withRows(rows))).toEqual([
      expect.stringMatching(
        /^refuse ggr: Country A and Country B: channel "Land" and sub-channel "Retail" are new, in 180 rows or fewer each; /,
      ),
      'refuse ggr: Country C and Country D: channel "Retail" and sub-channel "Shops" are new, in 180 rows or fewer each',
    ]);
  });

  it('is not blamed for other new rows of its country', async () => {
    const known = { channel: 'Retail', sub_channel: 'Shops' };
    const rows = month().ggr ?? [];
    const rowsOf = (product: string): Row[] =>
      rows.filter((row) => row.country === C && row.product === product);
    const before: Row[] = [...rows, ...rowsOf('Lotto').map((row): Row => ({ ...row, ...known }))];
    const small = ofChannel(() => 0.01).filter(
      ({ country, product }) => country === C && product === 'Lotto',
    );
    const large = rowsOf('Bingo').map(
      (row): Row => ({ ...row, ...known, ggr: Math.round(Number(row.ggr) * 0.8) }),
    );
    const found = await findingsIn(
      { ...month(), ggr: [...before, ...small, ...large] },
      { ...month(), ggr: before },
    );
    expect(found).toContainEqual(
      expect.stringMatching(/^warn ggr: Country C: its totals of closed years moved by 19\.6 % on average/),
    );
    expect(found).toContain('refuse ggr: Country C: channel "Land" is new, in 30 rows');
  });

  it('only warns where it is small', async () => {
    const small = ofChannel(() => 0.02).filter(
      ({ product, year }) => product === 'Bingo' && Number(year) >= 2024,
    );
    const found = await findingsIn(
      withRows(
        small.map(({ channel: _, sub_channel: __, ...row }) => aRow('ggr', { ...row, product: 'Keno' })),
      ),
    );
    expect(found).toEqual([expect.stringMatching(/^warn ggr: .* product "Keno" is new, in 168 rows; /)]);
  });

  it('does not hide another move of the totals', async () => {
    const { ggr = [] } = withRows(ofChannel(() => 0.91));
    const damaged = ggr.map((row) =>
      row.country === C && row.channel !== 'Land' && !isForecast(row)
        ? { ...row, ggr: Number(row.ggr) * 3 }
        : row,
    );
    const found = await findingsIn({ ...month(), ggr: damaged });
    expect(found).toContainEqual(expect.stringMatching(/^refuse ggr: Country C: /));
  });
});

describe('rows of a channel that the countries had already in a single year', () => {
  const isFirst = ({ year }: Row) => year === 2016;
  const earlier = (shareOf: (country: unknown) => number) => withRows(ofChannel(shareOf).filter(isFirst));

  it('are reported without a line for each country', async () => {
    const share = () => 0.91;
    const found = await findingsIn(withRows(ofChannel(share)), earlier(share));
    const totals = found.filter((one) => /totals of closed years/.test(one));
    expect(totals).toEqual([
      expect.stringMatching(
        /^refuse ggr: 12 countries: totals of closed years moved, most of Country \w in \d{4} \w{3}: .+ → .+ \(\+[\d.]+ %\); on average Country \w by /,
      ),
    ]);
    // Each country is named once, and the one whose total changed most is named twice.
    expect(totals[0]?.match(/Country/g)).toHaveLength(COUNTRIES.length + 1);
  });

  it('are reported as well as a small channel that is new, which explains little of it', async () => {
    const share = () => 0.91;
    const small = ofChannel(() => 0.02).map((row) => ({ ...row, channel: 'Mobile', sub_channel: 'App' }));
    const found = await findingsIn(withRows([...ofChannel(share), ...small]), earlier(share));
    expect(found).toContainEqual(
      expect.stringMatching(/^refuse ggr: 18 totals moved by 15 % or more and 10 by 1 % or more: /),
    );
  });

  it('keep the line of a country that moved much among many that moved little', async () => {
    const share = (country: unknown) => (country === C ? 0.9 : 0.15);
    const found = await findingsIn(withRows(ofChannel(share)), earlier(share));
    expect(found.filter((one) => /totals of closed years/.test(one))).toEqual([
      expect.stringMatching(/^refuse ggr: Country C: its totals of closed years moved by 8\d\.?\d* %/),
      expect.stringMatching(/^warn ggr: 11 countries: totals of closed years moved, most of Country /),
    ]);
  });
});

it('a currency that all countries get is reported with the rows that it brings', async () => {
  const { ggr = [] } = month();
  const isNew = ({ country, fx }: Row) => fx === 'USD' && country !== C;
  const found = await findingsIn(month(), { ...month(), ggr: ggr.filter((row) => !isNew(row)) });
  expect(found).toEqual([
    expect.stringMatching(
      /^refuse ggr: Country A, Country B, Country D and 8 more: currency "USD" is new there, in 495 rows; the dataset has .* more rows; \d+ totals moved with them/,
    ),
  ]);
});

it('years before the first one are one finding for all datasets', async () => {
  const isLate = ({ year }: Row) => Number(year) >= 2019;
  const { ggr = [], fx = [], country = [] } = month();
  const before = { ggr: ggr.filter(isLate), fx: fx.filter(isLate), country: country.filter(isLate) };
  const found = await findingsIn(month(), before);
  expect(found).toEqual(['warn ggr: 1,080 rows where 2026-10.1 has 864 (+25 %), 216 of them in new years']);
});

it('many groups that each moved by a factor of its own are one finding', async () => {
  const { findings } = await guarded(month(), month({ ggr: times('ggr', 0, C) }));
  const [zeros] = findings;
  const pattern = { ...zeros?.pattern, family: 'factor', ratio: 1.04 } as Pattern;
  const groups = (count: number): PatternVerdict[] =>
    COUNTRIES.slice(0, count).flatMap((country) =>
      ['Bingo', 'Poker'].map((product) => {
        const place = { ...pattern.place, country, product };
        return {
          rule: 'revisions',
          severity: 'warn',
          otherRules: [],
          country,
          scaledGroups: [],
          pattern: { ...pattern, place },
        };
      }),
    );
  expect(withFactorsMerged(groups(9))).toEqual(groups(9));
  expect(
    withFactorsMerged(groups(12)).map(({ factorVerdicts = [] }) => factorsWords(factorVerdicts)),
  ).toEqual([
    expect.stringMatching(
      /^12 countries: 24 groups of values moved, each by one factor, as where a source is restated: Country A, product Bingo \(\+4 %\), .* and 21 more$/,
    ),
  ]);
});

it('figures of all countries that moved stand for their totals, and are refused as these would be', async () => {
  const restated: Change = (row) =>
    isForecast(row) || Number(row.year) < 2020
      ? row
      : {
          ...row,
          ggr: Math.round(
            Number(row.ggr) *
              (1.2 + ((Number(row.year) * 7 + COUNTRIES.indexOf(String(row.country)) * 13) % 41) / 1000),
          ),
        };
  const found = await findingsIn(month({ ggr: restated }));
  expect(found).toEqual([
    expect.stringMatching(/^refuse ggr: all countries.*: .*moved by 10 % or more, together /),
  ]);
});

it('two countries with another currency in their history have a line each, and none for the dataset', async () => {
  const restated: Change = (row) => {
    const rate = row.country === C ? 0.1327 : row.country === 'Country E' ? 0.5113 : 1;
    return { ...row, gdp_local_currency: Number(row.gdp_local_currency) * (isForecast(row) ? 1 : rate) };
  };
  const found = await findingsIn(month({ country: restated }));
  const ofDataset = found.filter((one) => /values of gdp_local_currency in closed years/.test(one));
  expect(ofDataset).toEqual([]);
  expect(found.filter((one) => one.startsWith('refuse country: gdp_local_currency, Country'))).toHaveLength(
    2,
  );
});

it('forecasts that a country withdraws, or of hyperinflation, are reported for the country and not again for totals', async () => {
  const withdrawn = (rows: readonly Row[] = []) =>
    rows.filter((row) => row.country !== C || !isForecast(row));
  const own: Change = (row) => (row.country === C && row.fx === 'XTS' ? { ...row, fx: 'XTC' } : row);
  const before = month({ ggr: own });
  expect(await findingsIn({ ...before, ggr: withdrawn(before.ggr) }, before)).toEqual([
    'warn ggr: Country C (forecasts): all 30 rows are gone',
  ]);
  const inflated: Change = (row) =>
    row.country === C && isForecast(row) && row.fx === 'XTS' ? { ...row, ggr: Number(row.ggr) * 3 } : row;
  const found = await findingsIn(month({ ggr: (row) => own(inflated(row)) }), before);
  expect(found.filter((text) => text.includes('total'))).toEqual([]);
  expect(found).toContain(
    'warn ggr: Country C, currency XTC (forecasts): all 15 values moved by half or more, together +200 %',
  );
});

it('a country that adopts another currency in its forecasts is reported once, for its rates', async () => {
  const isOld = (row: Row) => row.country === C && isForecast(row);
  const withEuro = (rows: readonly Row[] = []) => rows.filter((row) => !(isOld(row) && row.fx === 'XTC'));
  const own: Change = (row) => (row.country === C && row.fx === 'XTS' ? { ...row, fx: 'XTC' } : row);
  const ownRates: Change = (row) => (row.country === C ? { ...row, fx_local_currency: 'XTC' } : row);
  const before = month({ ggr: own, fx: ownRates });
  const euro = { fx_local_currency: 'EUR', fx_current_usd: 1.1, fx_constant_usd: 1.1, fx_current_eur: 1 };
  const adopted: Change = (row) => (isOld(row) ? { ...row, ...euro } : ownRates(row));
  const after = month({ ggr: own, fx: adopted });
  const found = await findingsIn({ ...after, ggr: withEuro(after.ggr) }, before);
  expect(found.filter((text) => text.includes('gone'))).toEqual([
    'warn fx: Country C (forecasts): all 5 rows are gone, with the figures in XTC of ggr',
  ]);
  const alone = await findingsIn({ ...before, ggr: withEuro(before.ggr) }, before);
  expect(alone).toContain('warn ggr: Country C, currency XTC (forecasts): all 15 rows are gone');
});
