// Lists the countries of a dataset by region and source, each with its number of rows and the place of its first row.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Staging } from '../staging/database/staging.ts';
import { stagingTable } from '../staging/database/stagingTables.ts';
import { PLACE, rowsOf } from './places.ts';
import { groupsIn, groupsOf, type StagedRows, sizesOf } from './stagedRows.ts';

/** The rows of one country and region in one source. */
export interface CountryInSource {
  /** The codes of country and region in the staging database. */
  readonly country: number;
  readonly region: number;
  readonly rows: number;
  /** The first row, as `PLACE` gives it. */
  readonly first: bigint;
}

/**
 * The countries of a dataset, one entry for each country, region and source, in the order of their first rows. It reads
 * `rows` if the dataset is in memory. For `undefined` it queries the staging database.
 */
export async function countriesIn(
  staging: Staging,
  dataset: DatasetName,
  rows: StagedRows | undefined,
): Promise<readonly CountryInSource[]> {
  if (rows !== undefined) return countriesAmong(rows);
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

function countriesAmong(rows: StagedRows): readonly CountryInSource[] {
  const [countries, regions] = [rows.dimension('country'), rows.dimension('region')];
  const groups = [rows.numbered('country'), rows.numbered('region'), groupsOf(rows.sources)];
  const { rows: sizes, first } = sizesOf(groupsIn(groups, rows.count));
  return Array.from(first, (row, group) => ({
    country: countries[row] as number,
    region: regions[row] as number,
    rows: sizes[group] as number,
    first: rows.placeOf(row),
  }));
}
