// Counts the rows of a dataset's file by country and year: where it has figures, and where it has none.

import { type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { parquetRows } from '../../src/duckdb.ts';
import type { Engine } from '../compare/engine.ts';

export interface Coverage {
  /** Ascending; empty for a lookup. */
  readonly years: readonly number[];
  /** By region, then country. */
  readonly countries: readonly CountryCoverage[];
}

export interface CountryCoverage {
  readonly region: string;
  readonly country: string;
  /** Rows in each of the coverage's years. */
  readonly rows: readonly number[];
}

/** The coverage of the dataset in a Parquet file; empty for one without years. */
export async function coverageOf(engine: Engine, name: DatasetName, file: string): Promise<Coverage> {
  if (!datasetOf(name).dimensions.includes('year')) return { years: [], countries: [] };
  const found = await engine.rows(
    `SELECT region, country, year::INTEGER, count(*)::INTEGER FROM ${parquetRows(file)}
     GROUP BY ALL ORDER BY ALL`,
  );
  const counted = found.map(([region, country, year, rows]) => ({
    region: String(region),
    country: String(country),
    year: Number(year),
    rows: Number(rows),
  }));
  const years = [...new Set(counted.map(({ year }) => year))].sort((a, b) => a - b);
  const at = new Map(years.map((year, i) => [year, i]));
  const countries = new Map<string, { region: string; country: string; rows: number[] }>();
  for (const { region, country, year, rows } of counted) {
    const key = JSON.stringify([region, country]);
    const row = countries.get(key) ?? { region, country, rows: years.map(() => 0) };
    countries.set(key, row);
    row.rows[at.get(year) ?? 0] = rows;
  }
  return { years, countries: [...countries.values()] };
}
