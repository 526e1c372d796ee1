// The changes from the first to the second sample month.

import { describe, expect, it } from '@jest/globals';
import { notes } from '../../../ingest/sample/notes.ts';
import { REVISIONS } from '../../../ingest/sample/sampleRevisions.ts';

import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { type AnyRow, by, sum, where } from './looking.ts';
import { rowsOf } from './rowsOf.ts';

const OCTOBER = rowsOf('2026-10');
const NOVEMBER = rowsOf('2026-11');

interface Change {
  readonly row: AnyRow;
  /** New value / old value, for each metric that changed. */
  readonly ratio: Readonly<Record<string, number>>;
}

/** The rows of a dataset that are only in the second month, only in the first one, and in both with another value. */
function changes(name: DatasetName) {
  const keyed = (rows: readonly AnyRow[]) =>
    new Map(
      rows.map((row) => [
        datasetOf(name)
          .dimensions.map((d) => row[d])
          .join('|'),
        row,
      ]),
    );
  const before = keyed(OCTOBER[name]);
  const after = keyed(NOVEMBER[name]);
  const only = (rows: Map<string, AnyRow>, others: Map<string, AnyRow>) =>
    [...rows].filter(([key]) => !others.has(key)).map(([, row]) => row);
  const revised = [...after].flatMap(([key, row]): Change[] => {
    const old = before.get(key);
    const moved = metricNames(name).filter((metric) => old !== undefined && old[metric] !== row[metric]);
    const ratio = moved.map((metric) => [metric, Number(row[metric]) / Number(old?.[metric])]);
    return moved.length === 0 ? [] : [{ row, ratio: Object.fromEntries(ratio) }];
  });
  return { added: only(after, before), removed: only(before, after), revised };
}

const CHANGES = Object.fromEntries(DATASET_NAMES.map((name) => [name, changes(name)])) as Record<
  DatasetName,
  ReturnType<typeof changes>
>;

/** Ratios of a market's revised values in local currency, by year. */
const ratios = (metric: 'ggr' | 'turnover', market: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    CHANGES[metric].revised
      .filter(({ row }) => Object.entries(market).every(([column, value]) => row[column] === value))
      .map(({ row, ratio }) => [row.year, ratio[metric]]),
  );

const ONSHORE_BETTING = { product: 'Sport Betting', sub_channel: 'Onshore', state: '' };

describe('the second month', () => {
  it.each([
    ['ggr', 51, 45, 5_565],
    ['turnover', 48, 42, 5_242],
    ['fx', 0, 0, 550],
    ['country', 0, 0, 504],
    ['country_reference', 0, 0, 0],
  ] as const)('changes %s: %i rows added, %i removed, %i revised', (name, added, removed, revised) => {
    const found = CHANGES[name];
    expect([found.added.length, found.removed.length, found.revised.length]).toEqual([
      added,
      removed,
      revised,
    ]);
  });

  it('revises closed years in 315 rows of ggr, and by less than 1 % nearly everywhere', () => {
    const { revised } = CHANGES.ggr;
    expect(revised.filter(({ row }) => Number(row.year) <= 2025)).toHaveLength(315);
    const small = revised.filter(({ ratio }) => Math.abs(Number(ratio.ggr) - 1) < 0.01);
    expect(small.length / revised.length).toBeCloseTo(0.985, 3);
  });

  it('publishes Missouri, until now in the country total alone', () => {
    for (const name of ['ggr', 'turnover'] as const) {
      const rows = CHANGES[name].added.filter(({ state }) => state !== '');
      expect(
        rows.map(({ state, product, sub_channel, year }) => [state, product, sub_channel, year]),
      ).toEqual(
        [2025, 2026, 2027, 2028, 2029, 2030].map((year) => ['Missouri', 'Sport Betting', 'Onshore', year]),
      );
    }
    expect(ratios('ggr', { country: 'United States', ...ONSHORE_BETTING, fx: 'USD' })).toEqual({});
  });

  it('turns the 2025 of four late reporters from Forecast to Current', () => {
    const { added, removed } = CHANGES.ggr;
    const arrived = added.filter(({ state }) => state === '');
    expect(arrived).toHaveLength(45);
    for (const [rows, temporal] of [
      [arrived, 'Current'],
      [removed, 'Forecast'],
    ] as const) {
      expect(new Set(rows.map(({ country }) => country))).toEqual(
        new Set(['Senegal', 'Egypt', 'Jamaica', 'Moldova']),
      );
      expect(rows.filter((row) => row.year !== 2025 || row.temporal !== temporal)).toEqual([]);
    }
  });

  it('restates British online betting by 6 % from 2024', () => {
    for (const metric of ['ggr', 'turnover'] as const) {
      const found = ratios(metric, { country: 'United Kingdom', ...ONSHORE_BETTING, fx: 'GBP' });
      expect(Object.keys(found).map(Number)).toEqual([2024, 2025, 2026, 2027, 2028, 2029, 2030]);
      for (const ratio of Object.values(found)) expect(ratio).toBeCloseTo(1.06, 2);
    }
  });

  it('raises Brazilian online betting by 12 % in 2025, then by 0.4 %', () => {
    const found = ratios('ggr', { country: 'Brazil', ...ONSHORE_BETTING, fx: 'BRL' });
    expect(Object.keys(found).map(Number)).toEqual([2025, 2026, 2027, 2028, 2029, 2030]);
    expect(found[2025]).toBeCloseTo(1.12, 2);
    expect(found[2026]).toBeCloseTo(1.004, 6);
  });

  it('lowers the forecast of Dutch online slots by 2.5 %', () => {
    const slots = { country: 'Netherlands', product: 'Casino Slots', sub_channel: 'Onshore', fx: 'EUR' };
    const found = Object.entries(ratios('ggr', slots)).filter(([year]) => Number(year) >= 2026);
    expect(found).toHaveLength(5);
    for (const [, ratio] of found) expect(ratio).toBeCloseTo(0.975, 6);
  });

  it('moves Italian gaming machines from Retail to Venue, the country total unchanged', () => {
    const machines = { country: 'Italy', product: 'Gaming Machines', fx: 'EUR' };
    for (let year = 2019; year <= 2030; year++) {
      const total = (rows: typeof OCTOBER.ggr) => sum(where(rows, { ...machines, year }), 'ggr');
      // Recent years may also have a routine revision. In other years, only the rounding of the rows differs.
      const tolerance = year === 2024 || year === 2025 ? 0.0045 * total(OCTOBER.ggr) : 2;
      expect(Math.abs(total(NOVEMBER.ggr) - total(OCTOBER.ggr))).toBeLessThanOrEqual(tolerance);
    }
    const retail = Object.values(ratios('ggr', { ...machines, sub_channel: 'Retail' }));
    const venue = Object.values(ratios('ggr', { ...machines, sub_channel: 'Venue' }));
    expect([retail.length, venue.length]).toEqual([12, 12]);
    for (const ratio of retail) expect(ratio).toBeCloseTo(0.92, 2);
    expect(Math.min(...venue.map(Number))).toBeGreaterThan(1.2);
    expect(Math.max(...venue.map(Number))).toBeLessThan(1.29);
  });

  it('revises elsewhere only recent years, by up to half a percent, in a tenth of the series', () => {
    const stated = [
      { country: 'United Kingdom', ...ONSHORE_BETTING },
      { country: 'Brazil', ...ONSHORE_BETTING },
      { country: 'Netherlands', product: 'Casino Slots', sub_channel: 'Onshore' },
      { country: 'Italy', product: 'Gaming Machines' },
    ];
    const routine = CHANGES.ggr.revised.filter(
      ({ row }) =>
        Number(row.year) <= 2025 &&
        !stated.some((market) => Object.entries(market).every(([column, value]) => row[column] === value)),
    );
    expect(routine.length).toBeGreaterThan(200);
    expect(routine.filter(({ row }) => Number(row.year) < 2024 || row.state !== '')).toEqual([]);
    expect(routine.filter(({ ratio }) => Math.abs(Number(ratio.ggr) - 1) > 0.0046)).toEqual([]);
    const series = (rows: readonly AnyRow[]) =>
      by(rows, ['country', 'product', 'channel', 'sub_channel']).size;
    const share = series(routine.map(({ row }) => row)) / series(where(OCTOBER.ggr, { year: 2025 }));
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.15);
  });

  it('holds another exchange rate from 2026, within 0.9 %, and leaves closed years and dollar pegs alone', () => {
    const { revised } = CHANGES.fx;
    expect(revised.filter(({ row }) => Number(row.year) <= 2025)).toEqual([]);
    for (const { row, ratio } of revised) {
      for (const by of Object.values(ratio)) expect(Math.abs(by - 1)).toBeLessThan(0.0092);
      expect(ratio).not.toHaveProperty('fx_constant_usd');
      if (['USD', 'HKD', 'AED', 'BSD'].includes(String(row.fx_local_currency))) {
        expect(ratio).not.toHaveProperty('fx_current_usd');
      }
    }
  });

  it('revises national accounts of 2025, rebases Ghana and withdraws the inflation of Lebanon', () => {
    const local = CHANGES.country.revised.filter(({ ratio }) => 'gdp_local_currency' in ratio);
    const ghana = local.filter(({ row }) => row.country === 'Ghana');
    expect(ghana.map(({ row }) => row.year)).toEqual([2022, 2023, 2024, 2025]);
    for (const { ratio } of ghana.slice(0, 3)) expect(ratio.gdp_local_currency).toBeCloseTo(1.021, 4);
    const others = local.filter(({ row }) => row.country !== 'Ghana');
    expect(others.length).toBeGreaterThan(10);
    for (const { row, ratio } of others) {
      expect([row.year, row.calculation, row.state]).toEqual([2025, 'Reported', '']);
      expect(Math.abs(Number(ratio.gdp_local_currency) - 1)).toBeLessThan(0.0041);
    }
    const prices = CHANGES.country.revised.filter(({ ratio }) => 'inflation' in ratio);
    expect(prices.map(({ row }) => [row.country, row.year, row.inflation])).toEqual([
      ['Lebanon', 2025, null],
    ]);
    expect(CHANGES.country.revised.filter(({ ratio }) => 'adult_population' in ratio)).toEqual([]);
  });

  it('moves six totals of closed years by half a percent or more, none by 1 %', () => {
    const moved = (['ggr', 'turnover'] as const).flatMap((metric) => {
      const before = by<AnyRow>(OCTOBER[metric], ['fx', 'year']);
      return [...by<AnyRow>(NOVEMBER[metric], ['fx', 'year'])].flatMap(([key, rows]) => {
        const change = sum(rows, metric) / sum(before.get(key) ?? [], metric) - 1;
        const closed = Number(rows[0]?.year) <= 2025;
        return closed && Math.abs(change) >= 0.005 ? [`${metric} ${key} ${(100 * change).toFixed(2)} %`] : [];
      });
    });
    expect(moved.sort()).toEqual([
      'ggr BRL|2025 0.73 %',
      'ggr GBP|2024 0.62 %',
      'ggr GBP|2025 0.62 %',
      'turnover BRL|2025 0.55 %',
      'turnover GBP|2024 0.72 %',
      'turnover GBP|2025 0.74 %',
    ]);
  });

  it('gives its reasons in the notes', () => {
    const text = JSON.stringify([...notes('2026-11').rows]);
    for (const { what, reason } of REVISIONS) {
      expect(text).toContain(what);
      expect(text).toContain(reason);
    }
    expect(JSON.stringify([...notes('2026-10').rows])).not.toContain('Revised');
  });
});
