import { describe, expect, it } from '@jest/globals';
import { MONTHS, type Month } from '../../../ingest/sample/months.ts';
import { type SampleRows, sampleRows } from '../../../ingest/sample/rows.ts';
import { COUNTRIES, type Tier } from '../../../ingest/sample/tables/countries.ts';
import { PRODUCTS } from '../../../ingest/sample/tables/taxonomy.ts';
import { DATASET_NAMES, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { by, sum, where } from './looking.ts';
import { rowsOf } from './rowsOf.ts';

const ROWS = Object.fromEntries(MONTHS.map((month) => [month, rowsOf(month)])) as Record<Month, SampleRows>;
const OCTOBER = ROWS['2026-10'];

const counts = (rows: SampleRows) => DATASET_NAMES.map((name) => rows[name].length);

const ofTier = (rows: SampleRows, tier: Tier) => {
  const names = COUNTRIES.filter((country) => country.tier === tier).map(({ name }) => name);
  return where(rows.ggr, { state: '', country: names }).length;
};

describe('the rows of a month', () => {
  it('are as many as documented', () => {
    expect(counts(OCTOBER)).toEqual([31_136, 28_881, 3_080, 4_144, 110]);
    expect(counts(ROWS['2026-11'])).toEqual([31_142, 28_887, 3_080, 4_144, 110]);
  });

  it.each(MONTHS)('divide into tiers and states in %s', (month) => {
    const rows = ROWS[month];
    expect(([1, 2, 3, 4] as const).map((tier) => ofTier(rows, tier))).toEqual([11_699, 8_185, 8_362, 416]);
    const states = rows.ggr.filter(({ state }) => state !== '').length;
    expect(states).toBe(month === '2026-10' ? 2_474 : 2_480);
  });

  it('divide into regions', () => {
    expect(
      Object.fromEntries([...by(OCTOBER.ggr, ['region'])].map(([region, rows]) => [region, rows.length])),
    ).toEqual({
      Europe: 12_929,
      Africa: 4_373,
      'Asia and Middle East': 4_021,
      'Latin America and Caribbean': 3_919,
      'North America': 3_512,
      Oceania: 2_382,
    });
  });

  it('make a world of 517 billion dollars in 2024, 29 % of it online', () => {
    const world = where(OCTOBER.ggr, { state: '', fx: 'USD', year: 2024 });
    const online = sum(where(world, { channel: 'Online' }), 'ggr');
    expect(sum(world, 'ggr') / 1e9).toBeCloseTo(517, 0);
    expect(online / sum(world, 'ggr')).toBeCloseTo(0.29, 2);
  });

  it('have the columns of the contract', () => {
    for (const name of DATASET_NAMES) {
      expect(new Set(Object.keys(OCTOBER[name][0] ?? {}))).toEqual(
        new Set([...datasetOf(name).dimensions, ...metricNames(name)]),
      );
    }
  });

  it('sell every product in every channel it has, and nothing else', () => {
    const possible = Object.values(PRODUCTS).flatMap(({ category, product, channel, subChannels }) =>
      subChannels.map((subChannel) => [category, product, channel, subChannel].join('|')),
    );
    expect(possible).toHaveLength(24);
    const sold = by(OCTOBER.ggr, ['category', 'product', 'channel', 'sub_channel']);
    expect([...sold.keys()].sort()).toEqual([...possible].sort());
  });

  it('use every kind of value of the glossary', () => {
    const kinds = (rows: readonly Readonly<Record<string, string | number | null>>[], column: string) =>
      [...new Set(rows.map((row) => row[column]))].sort();
    expect(kinds(OCTOBER.ggr, 'temporal')).toEqual(['Current', 'Forecast']);
    expect(kinds(OCTOBER.fx, 'calculation')).toEqual(['Calculated', 'Estimated', 'Reported']);
    expect(kinds(OCTOBER.country, 'calculation')).toEqual(['Calculated', 'Estimated', 'Reported']);
    expect(kinds(OCTOBER.country_reference, 'country_type')).toEqual(['Amalgamated', 'Tracked']);
    expect(kinds(OCTOBER.ggr, 'year')).toEqual(Array.from({ length: 28 }, (_, i) => 2003 + i));
    expect(kinds(OCTOBER.ggr, 'fx')).toContain('GBP');
  });

  it('are 105 Tracked and 5 Amalgamated countries', () => {
    expect(where(OCTOBER.country_reference, { country_type: 'Tracked' })).toHaveLength(105);
    expect(where(OCTOBER.country_reference, { country_type: 'Amalgamated' })).toHaveLength(5);
  });

  it('are the same rows at every call', () => {
    expect(JSON.stringify(sampleRows('2026-10')) === JSON.stringify(OCTOBER)).toBe(true);
  });
});
