// Counts the rows in the files of datasets by country and year.

import { ascending } from '../../src/basics/lists.ts';
import { getOrInsert } from '../../src/basics/maps.ts';
import { type DatasetName, isFinancial } from '../../src/catalog/datasets.ts';
import { parquetRows } from '../../src/duckdb.ts';
import type { ComparisonEngine } from '../compare/comparisonEngine.ts';

export interface Coverage {
  /** The years of the dataset in ascending order; empty for a lookup, which has no years. */
  readonly years: readonly number[];
  /** The countries, ordered by region and within a region by name. */
  readonly countries: readonly CountryCoverage[];
}

export interface CountryCoverage {
  readonly region: string;
  readonly country: string;
  /** The number of rows in each of the years of the coverage. */
  readonly rows: readonly number[];
}

/** The coverage of each file, in the order of the files; empty for a lookup. A single SQL statement reads all files. */
export async function coverageOf(
  engine: ComparisonEngine,
  files: readonly { readonly name: DatasetName; readonly file: string }[],
): Promise<Coverage[]> {
  const selects = files.flatMap(({ name, file }, i) =>
    isFinancial(name)
      ? [
          `SELECT ${i}, region, country, year::INTEGER, count(*)::INTEGER FROM ${parquetRows(file)} GROUP BY ALL`,
        ]
      : [],
  );
  const found = selects.length === 0 ? [] : await engine.rows(`${selects.join(' UNION ALL ')} ORDER BY ALL`);
  const counted = files.map((): Counted[] => []);
  for (const [i, region, country, year, rows] of found)
    counted[Number(i)]?.push({
      region: String(region),
      country: String(country),
      year: Number(year),
      rows: Number(rows),
    });
  return counted.map(byCountry);
}

interface Counted {
  readonly region: string;
  readonly country: string;
  readonly year: number;
  readonly rows: number;
}

function byCountry(counted: readonly Counted[]): Coverage {
  const years = ascending(counted.map(({ year }) => year));
  const indexOf = new Map(years.map((year, i) => [year, i]));
  const countries = new Map<string, { region: string; country: string; rows: number[] }>();
  for (const { region, country, year, rows } of counted) {
    const key = JSON.stringify([region, country]);
    const row = getOrInsert(countries, key, () => ({ region, country, rows: years.map(() => 0) }));
    row.rows[indexOf.get(year) ?? 0] = rows;
  }
  return { years, countries: [...countries.values()] };
}
