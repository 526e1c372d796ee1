// What `inspect` shows of a file.

import { describe, expect, it } from '@jest/globals';
import { inspect } from '../../../ingest/commands/inspect.ts';
import { printedTable } from '../../../ingest/commands/output/printedTable.ts';
import { csvOf } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';
import { dataSheet, withFile } from '../../support/sourceFile.ts';
import { query } from '../../support/testEngine.ts';

describe('inspect', () => {
  it('does not count the names of a Parquet file as a row', async () => {
    await withFile('a.parquet', '', async (file) => {
      await query(
        `COPY (SELECT 'Europe' AS region, 'Malta' AS country, 'Tracked' AS country_type) TO '${file}'`,
      );
      const [table] = (await inspect(file, 'country-reference.parquet')).tables;
      expect(table?.rows).toBe(1);
      expect(table && printedTable(table)).toMatch(
        /^table: 1 row; named columns: country_reference, long form/,
      );
    });
  });

  it('finds the columns of a csv whose first column R has filled with row numbers, as a publish does', async () => {
    const [heading = '', ...facts] = csvOf('ggr', [aRow('ggr'), aRow('ggr', { year: 2024 })])
      .trim()
      .split('\n');
    const numbered = [heading, ...facts.map((line, i) => `${i + 1},${line}`)].join('\n');
    await withFile('ggr.csv', `${numbered}\n`, async (file) => {
      const [table] = (await inspect(file, 'ggr.csv')).tables;
      expect(table?.columns.slice(0, 3)).toMatchObject([
        { column: 'A', heading: '', meaning: null },
        { column: 'B', heading: 'year', meaning: 'dimension year' },
        { column: 'C', heading: 'region', meaning: 'dimension region' },
      ]);
      expect(table?.columns.at(-1)).toMatchObject({ heading: 'ggr', meaning: 'metric ggr' });
      expect(table?.preview[0]?.cells.slice(0, 2)).toEqual(['', 'year']);
    });
  });

  it('shows percent as a person sees it', async () => {
    const sheet = dataSheet([
      ['Country', 'Share', 'Year'],
      ['Malta', { value: 0.07, format: '0%' }, 2024],
    ]);
    await withFile('a.xlsx', sheet, async (file) => {
      const [table] = (await inspect(file, 'a.xlsx')).tables;
      expect(table?.preview.at(-1)?.cells).toEqual(['Malta', '7 %', '2024']);
      expect(table?.columns[1]?.kinds).toEqual({ percent: 1 });
    });
  });
});
