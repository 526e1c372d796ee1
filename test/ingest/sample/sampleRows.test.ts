// The rows of a sample month have the documented number and size.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { count } from '../../../ingest/messages/numbers.ts';
import { type SampleRows, sampleRows } from '../../../ingest/sample/sampleRows.ts';
import { MONTHS, type Month, YEARS } from '../../../ingest/sample/tables/calendar.ts';
import { COUNTRIES, type Tier } from '../../../ingest/sample/tables/countries.ts';
import { PRODUCTS } from '../../../ingest/sample/tables/taxonomy.ts';
import { DATASET_NAMES, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { itInDepth } from '../../support/depth.ts';
import { by, sum, where } from './looking.ts';
import { rowsOf } from './rowsOf.ts';

const ROWS = Object.fromEntries(MONTHS.map((month) => [month, rowsOf(month)])) as Record<Month, SampleRows>;
const OCTOBER = ROWS['2026-10'];

const countriesOf = (tier: Tier) =>
  COUNTRIES.filter((country) => country.tier === tier).map(({ name }) => name);

describe('the rows of a month', () => {
  it('are as many as documented', () => {
    const page = readFileSync('docs/ingest.md', 'utf8');
    for (const name of ['ggr', 'turnover'] as const) {
      const [before, after] = [OCTOBER[name].length, ROWS['2026-11'][name].length];
      expect(page).toMatch(new RegExp(`^ {2}${name} +${count(after)} +\\+${count(after - before)} `, 'm'));
    }
  });

  it.each(MONTHS)('divide into tiers and states in %s', (month) => {
    const { ggr } = ROWS[month];
    const rowsEach = [
      ...([1, 2, 3, 4] as const).map((tier) => where(ggr, { state: '', country: countriesOf(tier) }).length),
      ggr.filter(({ state }) => state !== '').length,
    ];
    expect(Math.min(...rowsEach)).toBeGreaterThan(0);
    expect(rowsEach.reduce((total, rows) => total + rows)).toBe(ggr.length);
  });

  it('divide into regions', () => {
    const regions = new Set(COUNTRIES.map(({ region }) => region));
    expect(new Set(by(OCTOBER.ggr, ['region']).keys())).toEqual(regions);
    expect(by(OCTOBER.country_reference, ['region', 'country']).size).toBe(COUNTRIES.length);
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
    expect(kinds(OCTOBER.ggr, 'year')).toEqual(YEARS);
    expect(kinds(OCTOBER.ggr, 'fx')).toContain('GBP');
  });

  it('call the rests of regions Amalgamated, and every other country Tracked', () => {
    for (const [type, tiers] of [
      ['Tracked', [1, 2, 3]],
      ['Amalgamated', [4]],
    ] as const) {
      const names = where(OCTOBER.country_reference, { country_type: type }).map(({ country }) => country);
      expect(new Set(names)).toEqual(new Set(tiers.flatMap(countriesOf)));
      expect(names.length).toBeGreaterThan(0);
    }
  });

  itInDepth('are the same rows at every call', () => {
    expect(JSON.stringify(sampleRows('2026-10')) === JSON.stringify(OCTOBER)).toBe(true);
  });
});
