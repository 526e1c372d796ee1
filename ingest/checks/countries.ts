// Finds the countries of a dataset with their regions, by source: how many rows each has, and where the first one is.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { type Staging, stagingTable } from '../staging/staging.ts';
import { PLACE, rowsOf } from './places.ts';
import type { StagedRows } from './stagedRows.ts';

export interface CountryInSource {
  /** Codes of texts. */
  readonly country: number;
  readonly region: number;
  readonly rows: number;
  /** The first row, as `PLACE` gives it. */
  readonly first: bigint;
}

/**
 * The countries in the order of their first rows.
 *
 * @param rows The rows of the dataset when they are in memory.
 */
export async function countriesIn(
  staging: Staging,
  dataset: DatasetName,
  rows: StagedRows | undefined,
): Promise<readonly CountryInSource[]> {
  if (rows !== undefined) return countriesAmong(rows, staging.textCount);
  const found = await rowsOf(
    staging,
    `SELECT country_code, region_code, count(*)::INTEGER, min(${PLACE}) AS place
     FROM ${stagingTable(dataset)} GROUP BY country_code, region_code, _source ORDER BY place`,
  );
  return found.map(([country, region, n, first]) => ({
    country: Number(country),
    region: Number(region),
    rows: Number(n),
    first: BigInt(String(first)),
  }));
}

function countriesAmong(rows: StagedRows, texts: number): readonly CountryInSource[] {
  const [countries, regions] = [rows.dimension('country'), rows.dimension('region')];
  const groups = new Map<number, { rows: number; first: number }>();
  for (let row = 0; row < rows.count; row += 1) {
    const name = (rows.source(row) * texts + (countries[row] as number)) * texts + (regions[row] as number);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { rows: 1, first: row });
    else {
      group.rows += 1;
      if (rows.comparePlaces(row, group.first) < 0) group.first = row;
    }
  }
  return [...groups.values()]
    .sort((a, b) => rows.comparePlaces(a.first, b.first))
    .map(({ rows: n, first }) => ({
      country: countries[first] as number,
      region: regions[first] as number,
      rows: n,
      first: rows.placeOf(first),
    }));
}
