// Totals in the report of both sample months count a country once, even where its states have another `calculation`.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Report } from '../../../ingest/report/reportTypes.ts';
import { literal } from '../../../src/duckdb.ts';
import { aSample } from '../../support/sample.ts';
import type { DataDir } from '../../support/snapshot.ts';
import { query } from '../../support/testEngine.ts';

let sample: DataDir;
beforeAll(async () => {
  sample = await aSample();
});
afterAll(() => sample.remove());

it.each([
  ['2026-10.1', 'nothing to compare with'],
  ['2026-11.1', 'a month to compare with'],
])('of %s, with %s, has the GDP of whole countries', async (id) => {
  const inSnapshot = (file: string) => path.join(sample.dataDir, 'snapshots', id, file);
  const report: Report = JSON.parse(readFileSync(inSnapshot('report.json'), 'utf8'));
  const gdp = async (condition: string) =>
    (
      await query(
        `SELECT year, sum(gdp_usd) FROM read_parquet(${literal(inSnapshot('country.parquet'))})
          WHERE temporal <> 'Forecast' AND ${condition} GROUP BY year ORDER BY year`,
      )
    ).getRowsJS();
  const [ofCountries, ofStates] = [await gdp("state = ''"), await gdp("state <> ''")];
  // Without such states, this test would show nothing.
  expect(ofStates.length).toBeGreaterThan(5);
  const totalOf = new Map(
    report.datasets.country.totals.shown
      .filter(({ metric, forecast, after }) => metric === 'gdp_usd' && !forecast && after !== null)
      .map(({ year, after }) => [year, after]),
  );
  expect(totalOf.size).toBeGreaterThan(5);
  for (const [year, sum] of ofCountries) {
    const after = totalOf.get(Number(year));
    if (after !== undefined)
      expect([year, Number(after) / Number(sum)]).toEqual([year, expect.closeTo(1, 9)]);
  }
});
