// What `inspect` shows of a file.

import { describe, expect, it } from '@jest/globals';
import { inspect } from '../../../ingest/commands/inspect.ts';
import { printedTable } from '../../../ingest/commands/output/inspection.ts';
import { query } from '../../support/engine.ts';
import { dataSheet, withFile } from '../../support/sourceFile.ts';

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
