// Markets that lack figures in one currency: guards name the market and the currency, not a disagreement with the rates.

import { expect, it } from '@jest/globals';
import { aRow, type Row } from '../../support/snapshot.ts';
import { C, findingsIn, fx, ggr, indicators, month, times } from './plainMonth.ts';

const SIZE = 123_456_789;
const USD = 0.0123;
const YEARS = Array.from({ length: 15 }, (_, i) => 2016 + i);

/** The rows of a new market of country C. */
const casino = (currencies: readonly string[], years: readonly number[] = YEARS): Row[] =>
  years.flatMap((year) =>
    currencies.map((currency) => {
      const local = SIZE + 1_234_567 * (year - 2016);
      const figure = currency === 'USD' ? Math.round(local * USD) : local;
      const temporal = year > 2025 ? 'Forecast' : 'Current';
      return aRow('ggr', { country: C, product: 'Casino', fx: currency, year, temporal, ggr: figure });
    }),
  );

const ofRelations = (findings: readonly string[]) =>
  findings.filter((finding) => /figures in [A-Z]{3}/.test(finding));
const findingsWith = async (more: readonly Row[], rows = ggr()) =>
  ofRelations(await findingsIn({ ...month(), ggr: [...rows, ...more] }));

it.each([
  ['USD', 'XTS', '3.36 %', '3.41 %'],
  ['XTS', 'USD', '3.48 %', '3.53 %'],
])(
  'a new market without figures in %s is named, with that currency',
  async (lacking, has, reported, later) => {
    const place = `Country C, Casino / Online / Onshore`;
    const words = (years: string) =>
      `no figures in ${lacking} in ${years}, so sums in ${lacking} are off by up to`;
    expect(await findingsWith(casino([has]))).toEqual([
      `refuse ggr: ${place}: ${words('2016–2025')} ${reported}`,
      `warn ggr: ${place} (forecasts): ${words('2026–2030')} ${later}`,
    ]);
  },
);

it('two new markets with one currency each are named, and not the rates of their product', async () => {
  const offshore = casino(['USD']).map((row) => ({
    ...row,
    sub_channel: 'Offshore',
    ggr: 3 * Number(row.ggr),
  }));
  const found = await findingsWith([...casino(['XTS']), ...offshore]);
  expect(found.filter((finding) => !finding.includes('no figures in'))).toEqual([]);
  expect(found).toEqual([
    expect.stringContaining(': no figures in '),
    expect.stringContaining(' (forecasts): no figures in '),
  ]);
});

it('a new market with both currencies is not', async () => {
  expect(await findingsWith(casino(['XTS', 'USD']))).toEqual([]);
});

it('a published market that loses its figures in USD is, in a new year as well', async () => {
  const lacks2025 = (row: Row) =>
    row.country === C && row.product === 'Lotto' && row.fx === 'USD' && row.year === 2025;
  const told =
    'refuse ggr: Country C, Lotto / Online / Onshore: no figures in USD in 2025, so sums in USD are off by up to 34.2 %';
  const after = { ...month(), ggr: ggr().filter((row) => !lacks2025(row)) };
  expect(ofRelations(await findingsIn(after))).toEqual([told]);
  const until2024 = (rows: readonly Row[]) => rows.filter(({ year }) => year !== 2025);
  const before = { ggr: until2024(ggr()), fx: until2024(fx()), country: until2024(indicators()) };
  expect(ofRelations(await findingsIn(after, before))).toEqual([told]);
});

it('where the other markets disagree with the rates, too, the disagreement is told', async () => {
  const isUsd = ({ fx: currency, product, year }: Row) =>
    currency === 'USD' && product === 'Poker' && year === 2020;
  const rows = ggr(times('ggr', 1.5, C, isUsd));
  expect(await findingsWith(casino(['XTS'], [2020]), rows)).toEqual([
    expect.stringMatching(/^refuse ggr: Country C: figures in USD disagree with those in local currency/),
  ]);
});
