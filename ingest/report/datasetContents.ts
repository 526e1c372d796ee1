// Reads figures for the report from the written files of a month: its coverage, and its totals when nothing is compared.

import path from 'node:path';
import {
  additiveMetrics,
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  rowOrder,
} from '../../src/catalog/datasets.ts';
import { parquetRows } from '../../src/duckdb.ts';
import type { ComparisonEngine } from '../compare/comparisonEngine.ts';
import { isForecast } from '../compare/comparisonYears.ts';
import { countedOnceSql, dimensionsSharedWithCountry } from '../compare/countedOnceSql.ts';
import type { Total } from '../compare/totalTypes.ts';
import { type Coverage, coverageOf } from './rowCoverage.ts';

export interface DatasetContents {
  readonly coverage: Coverage;
  /** Totals without a `before`; empty when the comparison has the totals. */
  readonly totals: readonly Total[];
}

/**
 * The coverage and totals of the Parquet files in `directory`, by dataset.
 *
 * @param compared Whether a comparison already has the totals. They are then not read.
 */
export async function contentsOf(
  engine: ComparisonEngine,
  directory: string,
  compared: boolean,
): Promise<Record<DatasetName, DatasetContents>> {
  const contents: Partial<Record<DatasetName, DatasetContents>> = {};
  const files = DATASET_NAMES.map((name) => ({ name, file: path.join(directory, `${name}.parquet`) }));
  const coverage = await coverageOf(engine, files);
  for (const [i, { name, file }] of files.entries())
    contents[name] = {
      coverage: coverage[i] as Coverage,
      totals: compared ? [] : await totalsOf(engine, name, file),
    };
  return contents as Record<DatasetName, DatasetContents>;
}

/**
 * The totals of a dataset, added up as in a comparison. A country counts with its own row, or with the rows of its states
 * when it has none. Forecasts have their own totals.
 */
async function totalsOf(engine: ComparisonEngine, name: DatasetName, file: string): Promise<Total[]> {
  const metrics = additiveMetrics(name);
  if (metrics.length === 0) return [];
  const fx = datasetOf(name).dimensions.includes('fx') ? 'fx' : 'NULL';
  const same = dimensionsSharedWithCountry(rowOrder(name));
  const select = `SELECT ${fx}, year::INTEGER, temporal, ${metrics.map((metric) => `kahan_sum(${metric})`).join(', ')}
     FROM (${countedOnceSql(parquetRows(file), { isNationSql: "state = ''", same })})
     GROUP BY ALL ORDER BY ALL`;
  const found = await engine.onOneThread(() => engine.rows(select));
  const totals = new Map<string, Total>();
  for (const [currency, year, temporal, ...sums] of found) {
    for (const [i, metric] of metrics.entries()) {
      const value = sums[i] ?? null;
      if (value === null) continue;
      const total = {
        metric,
        fx: currency === null ? null : String(currency),
        year: Number(year),
        forecast: isForecast(String(temporal)),
      };
      const name = JSON.stringify(total);
      const sum = (totals.get(name)?.after ?? 0) + Number(value);
      totals.set(name, {
        ...total,
        closed: false,
        before: null,
        after: sum,
        arrived: 0,
        joined: 0,
        joiners: [],
        relative: null,
        countries: 0,
        mover: null,
        movers: [],
      });
    }
  }
  return [...totals.values()].sort(
    (a, b) =>
      metrics.indexOf(a.metric) - metrics.indexOf(b.metric) || Number(a.forecast) - Number(b.forecast),
  );
}
