// Honest months whose shape once raised an alarm: rounded figures, a year that ends, a channel in all countries.

import { describe, expect, it } from '@jest/globals';
import { C, type Change, COUNTRIES, isForecast, month, told } from '../../support/plainMonth.ts';

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
    // A year later, figures are larger by 7.6 million.
    const revised: Change = (row) =>
      row.country === C && row.product === 'Bingo' && row.fx === 'XTS' && !isForecast(row)
        ? { ...row, ggr: Number(row.ggr) + 7_654_321 }
        : row;
    const found = await told(month({ ggr: both(revised, unit) }), month({ ggr: unit }));
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
    const found = await told(month({ ggr: both(unit, copied) }), before);
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
    const found = await told(month({ ggr: both(both(unit, moved), apart) }), month({ ggr: unit }));
    expect(found.filter((one) => one.includes('disagree'))).toEqual([]);
    const wrong: Change = (row) =>
      row.country === 'Country A' && row.product === 'Bingo' && row.year === 2028 && row.fx === 'USD'
        ? { ...row, ggr: 15_000_000 }
        : row;
    const told15 = await told(month({ ggr: both(both(unit, moved), wrong) }), month({ ggr: unit }));
    expect(told15).toContainEqual(expect.stringContaining('disagree'));
  });
});

it('estimates that are reported when their year ends are not gone', async () => {
  const estimated: Change = (row) => ({ ...row, calculation: isForecast(row) ? 'Estimated' : 'Reported' });
  const ended: Change = (row) =>
    row.year === 2026 ? { ...row, temporal: 'Current', calculation: 'Reported' } : estimated(row);
  const found = await told(
    month({ fx: ended, country: ended }),
    month({ fx: estimated, country: estimated }),
  );
  expect(found).toEqual([]);
});

/** A month in which all countries get a channel, of about this share of their figures. */
function withChannel(shareOf: (country: unknown) => number) {
  const { ggr = [], ...others } = month();
  const added = ggr.map((row, i) => ({
    ...row,
    channel: 'Land',
    sub_channel: 'Retail',
    ggr: Math.round(Number(row.ggr) * shareOf(row.country) * (1 + (i % 7) / 100)),
  }));
  return { ...others, ggr: [...ggr, ...added] };
}

it('a channel that all countries get is told without a line for each country', async () => {
  const found = await told(withChannel(() => 0.91));
  const totals = found.filter((one) => /totals of closed years/.test(one));
  expect(totals).toHaveLength(1);
  expect(totals[0]).toMatch(
    /^refuse ggr: 12 countries: totals of closed years moved, most of Country \w in \d{4} \w{3}: .+ → .+ \(\+[\d.]+ %\); on average Country \w by /,
  );
  // The one that moved most is named twice.
  expect(totals[0]?.match(/Country/g)).toHaveLength(COUNTRIES.length + 1);
});

it('a country that moved much among many that moved little has a line of its own', async () => {
  const found = await told(withChannel((country) => (country === C ? 0.9 : 0.15)));
  expect(found.filter((one) => /totals of closed years/.test(one))).toEqual([
    expect.stringMatching(/^refuse ggr: Country C: its totals of closed years moved by 92\.\d %/),
    expect.stringMatching(/^warn ggr: 11 countries: totals of closed years moved, most of Country /),
  ]);
});

it('two countries with another currency in their history have a line each, and none for the dataset', async () => {
  const restated: Change = (row) => {
    const rate = row.country === C ? 0.1327 : row.country === 'Country E' ? 0.5113 : 1;
    return { ...row, gdp_local_currency: Number(row.gdp_local_currency) * (isForecast(row) ? 1 : rate) };
  };
  const found = await told(month({ country: restated }));
  const ofDataset = found.filter((one) => /values of gdp_local_currency in closed years/.test(one));
  expect(ofDataset).toEqual([]);
  expect(found.filter((one) => one.startsWith('refuse country: gdp_local_currency, Country'))).toHaveLength(
    2,
  );
});
