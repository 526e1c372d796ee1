// `inspect` proposes options with which a refused file can be read.

import { readdir } from 'node:fs/promises';
import os from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { inspectFile } from '../../../ingest/commands/inspectFile.ts';
import { cellsOf, csvOf } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';
import { dataSheet, withFile } from '../../support/sourceFile.ts';
import { parquetOf } from '../../support/testEngine.ts';

const inspected = (name: string, content: string | Uint8Array) =>
  withFile(name, content, async (file) => (await inspectFile(file, name)).text);

describe('inspect', () => {
  it('proposes options, once for each kind of error', async () => {
    const rows = ['n/a', '1,234', '2,345'].map((ggr, i) => aRow('ggr', { year: 2020 + i, ggr }));
    const text = await inspected('ggr.csv', csvOf('ggr', rows));
    expect(text).toContain('A publish would refuse it');
    expect(text).toContain('use --numbers ggr.csv=de (or en)');
    expect(text).toContain('use --missing ggr.csv=n/a');
    expect(text.match(/--numbers/g)).toHaveLength(1);
  });

  it('leaves no temporary folder', async () => {
    const folders = async () =>
      (await readdir(os.tmpdir()))
        .filter((name) => name.startsWith(`data-api-ingest-${process.pid}-`))
        .sort();
    const before = await folders();
    await inspected('ggr.csv', csvOf('ggr', [aRow('ggr', { ggr: 'n/a' })]));
    expect(await folders()).toEqual(before);
  });

  it('proposes a factor for every metric whose heading states a unit', async () => {
    const rows = csvOf('country', [aRow('country')])
      .replace('gdp_usd', 'GDP USD (bn)')
      .replace('gdp_local_currency', 'GDP local currency (bn)')
      .replace('adult_population', 'Adult population (m)');
    const text = await inspected('country.csv', rows);
    for (const factor of ['gdp_usd=1e9', 'gdp_local_currency=1e9', 'adult_population=1e6'])
      expect(text).toContain(`--scale country.csv=${factor}`);
    expect(text).toMatch(/GDP USD \(bn\) +metric gdp_usd /);
    expect(text).not.toMatch(/is neither a dimension nor a metric|A recipe to begin with/);
  });

  it('proposes a recipe where the columns are not ours', async () => {
    const text = await inspected('ggr.csv', 'Jahr,Land,Region,Produkt,GGR\n2024,Malta,Europe,Poker,5\n');
    expect(text).toContain('recipe.json');
    expect(text).toContain('"Region" AS region');
    expect(text).toContain('"GGR"::DOUBLE AS ggr');
  });

  it('proposes a recipe whose commas stand behind headings that hold two dashes', async () => {
    const text = await inspected(
      'ggr.csv',
      'Jahr,Country --,Region,Produkt,GGR\n2024,Malta,Europe,Poker,5\n',
    );
    expect(text).toContain('"Country --" AS country,\n');
  });

  it('proposes a recipe that says which unit a heading states, and no header row for a Parquet file', async () => {
    const text = await inspected('ggr.csv', 'Jahr,Land,Produkt,BSE (Mio. EUR)\n2024,Malta,Poker,5\n');
    expect(text).toContain(
      '"BSE (Mio. EUR)"::DOUBLE AS ggr -- the heading says millions: multiply by 1e6 if they are\n',
    );
    const parquet = await parquetOf(
      `SELECT 2024 AS jahr, 'Malta' AS country, 'Europe' AS region, 5.5 AS "GGR (Mio. EUR)"`,
    );
    const ofParquet = await inspected('ggr.parquet', parquet);
    expect(ofParquet).toContain('"source": {\n      "file": "ggr.parquet"\n    }');
    expect(ofParquet).toContain('  ggr.parquet: "GGR (Mio. EUR)" says that the figures are in millions');
  });

  it('proposes a SELECT for each of several columns that are named after one metric', async () => {
    const text = await inspected('ggr.csv', 'Jahr,Land,Region,GGR EUR,GGR USD\n2024,Malta,Europe,5,6\n');
    expect(text).toMatch(/'EUR' AS fx,\n[^;]*"GGR EUR"::DOUBLE AS ggr\nFROM source\nUNION ALL\nSELECT\n/);
    expect(text).toMatch(/'USD' AS fx,\n[^;]*"GGR USD"::DOUBLE AS ggr\nFROM source\n/);
    const one = await inspected('ggr.csv', 'Jahr,Land,Region,GGR EUR\n2024,Malta,Europe,5\n');
    expect(one).not.toContain('UNION ALL');
  });

  it('proposes a recipe that turns columns of years into rows, and takes usual words for dimensions', async () => {
    const text = await inspected(
      'ggr.csv',
      'Region,Country,Product,Currency,Status,2024,2025E\nEurope,Malta,Poker,EUR,Current,5,6\n',
    );
    expect(text).toContain('"Currency" AS fx,\n  "Status" AS temporal,\n  "ggr"::DOUBLE AS ggr\n');
    expect(text).toContain("FROM (UNPIVOT source ON COLUMNS('^\\d{4}') INTO NAME year VALUE ggr)\n");
  });

  it('takes the digits of years that are all in another form', async () => {
    const text = await inspected(
      'ggr.csv',
      'Region,Country,Product,FX,Temporal,FY2024,FY2025\nEurope,Malta,Poker,EUR,Current,5,6\n',
    );
    expect(text).toContain(
      `(SELECT * REPLACE (regexp_extract(year, '\\d{4}') AS year) FROM (UNPIVOT source ON COLUMNS('\\d{4}') INTO NAME year VALUE ggr)) -- see that "FY2024" is this calendar year\n`,
    );
  });

  it('proposes a recipe that multiplies fractions that are shown as percent', async () => {
    const [headings = [], facts = []] = cellsOf('country');
    const at = headings.indexOf('inflation');
    const named = headings.map((heading) => (heading === 'gdp_local_currency' ? 'GDP, national' : heading));
    const rows = [named, facts.with(at, { value: 0.07, format: '0.0%' })];
    expect(await inspected('country.xlsx', dataSheet(rows))).toContain(
      '"inflation"::DOUBLE * 100 AS inflation -- its cells show percent and hold fractions\n',
    );
  });

  it('proposes to name the columns by their letters where no row names them', async () => {
    const text = await inspected(
      'ggr.csv',
      ',,2023,,2024\n,Town,Slots,Sum,Slots\nNorth,Attard,175,19 972,212\n',
    );
    expect(text).toContain('no header found');
    expect(text).toContain('"cells": true');
    expect(text).toContain('FROM source\nWHERE _row > 0 -- write the row above the first figures\n');
  });

  it('proposes nothing for a file that reads right', async () => {
    expect(await inspected('ggr.csv', csvOf('ggr'))).not.toContain('refuse');
  });
});
