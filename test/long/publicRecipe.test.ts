// Runs the public recipe on real files beside the repository, and compares its rows with printed figures.

import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openFile } from '../../ingest/sources/readers/openFile.ts';
import type { Cell } from '../../ingest/sources/readers/rawFile.ts';
import { readRecipe } from '../../ingest/sources/recipes/readRecipe.ts';
import { type RecipeResult, runRecipe } from '../../ingest/sources/recipes/runRecipe.ts';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import { notTried } from '../support/notTried.ts';

const SOURCES = path.resolve('..', 'shared', 'real-data');
const WORKBOOK = 'gambling/gb/ukgc-industry-statistics-2024-02.xlsx';

type Row = Readonly<Record<string, Cell | undefined>>;

const present = existsSync(SOURCES);
if (!present) notTried(`${SOURCES} is not there`);

(present ? describe : describe.skip)('the public recipe over real files', () => {
  let workDir: string;
  let result: RecipeResult;
  const rows: Partial<Record<DatasetName, Row[]>> = {};
  const rowsOf = (dataset: DatasetName): readonly Row[] => rows[dataset] ?? [];
  const find = (dataset: DatasetName, wanted: Row): readonly Row[] =>
    rowsOf(dataset).filter((row) =>
      Object.entries(wanted).every(([name, value]) => String(row[name]) === String(value)),
    );

  beforeAll(async () => {
    workDir = await mkdtemp(path.join(os.tmpdir(), 'public-recipe-'));
    result = await runRecipe(await readRecipe('ingest/recipes/public'), SOURCES, workDir);
    for (const [dataset, table] of result.tables) {
      const all = [];
      for await (const batch of table.rows()) all.push(...batch);
      const [header, ...data] = all;
      rows[dataset] = data.map(({ cells }) =>
        Object.fromEntries((header?.cells ?? []).map((name, i) => [name, cells[i]])),
      );
    }
  }, 120_000);

  afterAll(async () => {
    await result?.close();
    await rm(workDir, { recursive: true, force: true });
  });

  it('finds each file once and nothing wrong', () => {
    expect(result.problems).toEqual([]);
    expect(result.files).toHaveLength(11);
  });

  it('gives Malta in 2020 as the World Bank has it', () => {
    expect(find('country', { country: 'Malta', year: 2020 })).toEqual([
      expect.objectContaining({
        region: 'Europe',
        state: '',
        temporal: 'Current',
        calculation: 'Reported',
        gdp_local_currency: '14345970869',
        gdp_usd: '16385919535.6742',
        adult_population: 446624,
        inflation: '0.638544956776712',
      }),
    ]);
  });

  it('has 13,983 country-years: of 14,013 with any indicator, 30 have shares of an unknown population', () => {
    expect(rowsOf('country')).toHaveLength(13_983);
    const metrics = ['gdp_local_currency', 'gdp_usd', 'adult_population', 'inflation'];
    expect(rowsOf('country').filter((row) => metrics.every((metric) => row[metric] === null))).toEqual([]);
    expect(new Set(rowsOf('country').map(({ country }) => country)).size).toBe(217);
    expect(
      find('country', { country: 'West Bank and Gaza' })
        .map(({ year }) => Number(year))
        .sort()[0],
    ).toBe(1990);
  });

  it('calls a row Calculated when adults are all it has', () => {
    for (const row of rowsOf('country')) {
      const derived = row.gdp_local_currency === null && row.gdp_usd === null && row.inflation === null;
      expect(row.calculation).toBe(derived ? 'Calculated' : 'Reported');
    }
  });

  it('lists every country once, with the one region that all its rows have', () => {
    const regions = new Map(rowsOf('country_reference').map(({ country, region }) => [country, region]));
    expect(regions.size).toBe(218);
    expect(rowsOf('country_reference')).toHaveLength(218);
    const strays = (['ggr', 'turnover', 'fx', 'country'] as const).flatMap((dataset) =>
      rowsOf(dataset).filter(({ country, region }) => regions.get(country) !== region),
    );
    expect(strays).toEqual([]);
    expect(new Set(regions.values())).toEqual(
      new Set([
        'Africa',
        'Asia and Middle East',
        'Europe',
        'Latin America and Caribbean',
        'North America',
        'Oceania',
      ]),
    );
    const ours = [
      'Türkiye',
      'Macau',
      'Hong Kong',
      'South Korea',
      'Congo, Democratic Republic of',
      "Côte d'Ivoire",
    ];
    expect(ours.filter((country) => !regions.has(country))).toEqual([]);
    expect(find('country_reference', { country_type: 'Tracked' }).map(({ country }) => country)).toEqual([
      'United Kingdom',
      'Macau',
    ]);
  });

  it('has one row per country, year and currency of a rate, none without', () => {
    expect(rowsOf('fx')).toHaveLength(10_646);
    expect(new Set(rowsOf('fx').map(({ country, year }) => `${country} ${year}`)).size).toBe(10_646);
    expect(rowsOf('fx').filter(({ fx_current_usd }) => !(Number(fx_current_usd) > 0))).toEqual([]);
    expect(
      rowsOf('fx').filter(({ fx_local_currency }) => !/^[A-Z]{3}$/.test(String(fx_local_currency))),
    ).toEqual([]);
  });

  it('turns rates the other way round, and through the euro only from 1999', () => {
    const [pound] = find('fx', { country: 'United Kingdom', year: 2019 });
    expect(pound).toMatchObject({ fx_local_currency: 'GBP', calculation: 'Reported' });
    expect(pound?.fx_current_usd).toBeCloseTo(1 / 0.783445110011929, 12);
    expect(pound?.fx_current_eur).toBeCloseTo(0.893276257067393 / 0.783445110011929, 12);
    expect(pound?.fx_constant_usd).toBe(pound?.fx_current_usd);
    const early = rowsOf('fx').filter(({ year }) => Number(year) < 1999);
    expect(early.every((row) => row.fx_current_eur === null && row.fx_constant_eur === null)).toBe(true);
    const [earlier] = find('fx', { country: 'United Kingdom', year: 1990 });
    expect(earlier?.fx_constant_usd).toBe(pound?.fx_current_usd);
  });

  it('changes a country’s currency in the year it adopts the euro', () => {
    const malta = find('fx', { country: 'Malta' });
    expect(malta).toHaveLength(60);
    for (const { year, fx_local_currency, calculation } of malta) {
      const adopted = Number(year) >= 2008;
      expect([year, fx_local_currency, calculation]).toEqual([
        year,
        adopted ? 'EUR' : 'MTL',
        adopted ? 'Calculated' : 'Reported',
      ]);
    }
    const [lira] = find('fx', { country: 'Malta', year: 2007 });
    expect(lira).toMatchObject({ fx_constant_usd: null, fx_constant_eur: null });
    const euros = rowsOf('fx').filter(({ fx_local_currency }) => fx_local_currency === 'EUR');
    expect(euros.every((row) => row.fx_current_eur === 1 && row.fx_constant_eur === 1)).toBe(true);
  });

  it('sums the months of Macau over complete years only', () => {
    const macau = find('ggr', { country: 'Macau' });
    expect(macau.map(({ year }) => Number(year)).sort()).toEqual(
      Array.from({ length: 17 }, (_, i) => 2009 + i),
    );
    expect(find('ggr', { country: 'Macau', year: 2019 })).toEqual([
      expect.objectContaining({ region: 'Asia and Middle East', state: '', fx: 'MOP', ggr: 292_456_000_000 }),
    ]);
  });

  it('gives the sectors of Great Britain, whose sum is the total the workbook prints for each year', async () => {
    expect(find('ggr', { country: 'United Kingdom' })).toHaveLength(135);
    expect(find('ggr', { year: 2022, product: 'Betting', channel: 'Online' })).toEqual([
      expect.objectContaining({
        region: 'Europe',
        country: 'United Kingdom',
        state: 'Great Britain',
        category: 'Betting',
        sub_channel: 'Onshore',
        fx: 'GBP',
        temporal: 'Current',
        ggr: 2_288_171_021.03726,
      }),
    ]);
    const printed = await totals('1', 8);
    expect([...printed.keys()]).toEqual(Array.from({ length: 15 }, (_, i) => 2008 + i));
    for (const [year, million] of printed) {
      expect(sum(find('ggr', { year, fx: 'GBP' }), 'ggr') / 1e6).toBeCloseTo(million, 6);
    }
    expect(sum(find('ggr', { year: 2022, channel: 'Online' }), 'ggr')).toBeCloseTo(6_499_605_962, -1);
  });

  it('gives turnover by product, whose sums are the totals the sheets print for each sector', async () => {
    expect(rowsOf('turnover')).toHaveLength(374);
    const sectors = [
      { sheet: '6', heading: 8, category: 'Betting', channel: 'Land', isIn: () => true },
      { sheet: '7', heading: 8, category: 'Gaming', channel: 'Land', isIn: (p: unknown) => p === 'Bingo' },
      { sheet: '8', heading: 8, category: 'Gaming', channel: 'Land', isIn: (p: unknown) => p !== 'Bingo' },
      { sheet: '10', heading: 8, category: undefined, channel: 'Online', isIn: () => true },
      { sheet: '12', heading: 11, category: undefined, channel: 'Online', isIn: () => true },
    ];
    const online = new Map<number, number>();
    for (const { sheet, heading, category, channel, isIn } of sectors) {
      const printed = await totals(sheet, heading);
      expect(printed.size).toBeGreaterThan(5);
      for (const [year, million] of printed) {
        const rowsOfYear = find('turnover', { year, channel, ...(category && { category }) });
        const ours = sum(
          rowsOfYear.filter(({ product }) => isIn(product)),
          'turnover',
        );
        // The law of November 2014 splits that year over sheets 10 and 12.
        if (channel === 'Online') online.set(year, (online.get(year) ?? 0) + million);
        else expect([sheet, year, ours / 1e6]).toEqual([sheet, year, expect.closeTo(million, 6)]);
      }
    }
    for (const [year, million] of online) {
      // In sheet 12, the totals are rounded to ten thousands and the columns are not.
      expect([year, sum(find('turnover', { year, channel: 'Online' }), 'turnover') / 1e6]).toEqual([
        year,
        expect.closeTo(million, 0),
      ]);
    }
  });

  it('counts nothing twice: no two rows agree in all dimensions', () => {
    for (const dataset of ['ggr', 'turnover', 'fx', 'country'] as const) {
      const metrics = /^(?:ggr|turnover|fx_c|gdp|adult|inflation|_)/;
      const keys = rowsOf(dataset).map((row) =>
        Object.entries(row)
          .filter(([name]) => !metrics.test(name))
          .map(([, value]) => value)
          .join('|'),
      );
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('says of every row where it comes from', () => {
    for (const dataset of Object.keys(rows) as DatasetName[]) {
      const lost = rowsOf(dataset).filter(
        ({ _table, _row }) => !result.origins.has(String(_table)) || !(Number(_row) > 0),
      );
      expect(lost).toEqual([]);
    }
    expect(result.origins.get('gb_1')).toMatchObject({ file: WORKBOOK, sheet: '1', format: 'xlsx' });
  });

  /** The totals in column B below the heading row, by fiscal year, to the end of that block. */
  async function totals(sheet: string, headingRow: number): Promise<Map<number, number>> {
    const file = await openFile(path.join(SOURCES, WORKBOOK), WORKBOOK);
    const found = new Map<number, number>();
    try {
      let last = headingRow;
      for await (const batch of file.tables.find(({ name }) => name === sheet)?.rows() ?? []) {
        for (const { row, cells } of batch) {
          if (row !== last + 1) continue;
          last = row;
          const period = /^\w{3} (\d{4}) - \w{3} \d{4}/.exec(textOf(cells[0]));
          if (period !== null) found.set(Number(period[1]), Number(cells[1]));
        }
      }
    } finally {
      await file.close();
    }
    return found;
  }
});

(present ? it : it.skip)(
  'the public recipe stops where a file lost an economy, is of another indicator, or names no years',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'public-recipe-'));
    const copy = path.join(folder, 'sources');
    await cp(SOURCES, copy, { recursive: true });
    const file = path.join(
      ...[copy, 'country', 'wb-2025-05', 'wb-gdp-2025-05', 'API_NY.GDP.MKTP.CD_DS2_en_csv_v2_391573.csv'],
    );
    const text = await readFile(file, 'utf8');
    const problemsOf = async (from: RegExp, to: string) => {
      await writeFile(file, text.replaceAll(from, to));
      const workDir = await mkdtemp(path.join(folder, 'work-'));
      const result = await runRecipe(await readRecipe('ingest/recipes/public'), copy, workDir);
      try {
        return result.problems.map(({ problem }) => problem).join();
      } finally {
        await result.close();
      }
    };
    try {
      expect(await problemsOf(/"POL"/g, '"PLX"')).toContain('the file of gdp_usd has no row of Poland');
      expect(await problemsOf(/NY.GDP.MKTP.CD/g, 'NY.GDP.MKTP.KD')).toContain(
        'the file of gdp_usd has the indicator NY.GDP.MKTP.KD, not NY.GDP.MKTP.CD',
      );
      expect(await problemsOf(/"2023",/g, '"2023 [YR2023]",')).toContain(
        'the file of gdp_usd has the column "2023 [YR2023]": its name must be a year',
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

/** A cell without the footnote mark that the workbook adds to some years. */
const textOf = (cell: Cell = null) =>
  typeof cell === 'object' && cell?.kind === 'footnoted' ? cell.text : String(cell);

const sum = (rows: readonly Row[], metric: string) =>
  rows.reduce((total, row) => total + Number(row[metric]), 0);
