// Reports countries that a lookup lists twice, and rows whose country or region disagrees with the lookup.

import { groupBy } from '../../src/basics/lists.ts';
import { type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { byCodePoints } from '../../src/catalog/textOrder.ts';
import { countryOfOtherName } from '../messages/countryNames.ts';
import { placeText } from '../messages/place.ts';
import { nearestWord } from '../messages/spelling.ts';
import type { Staging } from '../staging/database/staging.ts';
import { stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';
import type { CheckInput } from './checkInput.ts';
import { PLACE_SQL, placeOfCellAt, placeOfRowAt, queryStaging, rowCountText } from './stagedPlaces.ts';
import { groupsByCode, intersectedGroups, type StagedRows, sizesOf } from './stagedRows.ts';

/** A dataset that lists countries, and the regions of each country in it. */
interface Lookup {
  readonly name: DatasetName;
  readonly regions: ReadonlyMap<string, readonly string[]>;
}

/** The lookups among the checked datasets, each with the regions of its countries. */
export async function lookupsOf({ staging, datasets, rowsInMemory }: CheckInput): Promise<readonly Lookup[]> {
  const names: ReadonlySet<DatasetName> = new Set(datasets.flatMap((name) => datasetOf(name).lookup ?? []));
  const lookups: Lookup[] = [];
  for (const name of datasets.filter((dataset) => names.has(dataset))) {
    const listed = (await countriesIn(staging, name, rowsInMemory.get(name)))
      .map(({ country, region }) => [staging.text(country), staging.text(region)] as const)
      .sort(([a, inA], [b, inB]) => byCodePoints(a, b) || byCodePoints(inA, inB));
    const regions = [...groupBy(listed, ([country]) => country)].map(
      ([country, rows]) => [country, [...new Set(rows.map(([, region]) => region))]] as const,
    );
    lookups.push({ name, regions: new Map(regions) });
  }
  return lookups;
}

/**
 * Reports countries that the lookup does not list, or lists in another region, once for each country, region and source.
 */
export async function checkLookup(
  { staging, rowsInMemory, carried, problems }: CheckInput,
  dataset: DatasetName,
  { name: lookup, regions: known }: Lookup,
): Promise<void> {
  const orPublish = (name: DatasetName) => `or publish ${name} anew instead of --carry ${name}`;
  const asBefore = carried.has(dataset) ? `leave ${lookup} as it was, ${orPublish(dataset)}` : null;
  const corrected = carried.has(lookup) ? `correct it, ${orPublish(lookup)}` : 'correct it or add it there';
  for (const used of await countriesIn(staging, dataset, rowsInMemory.get(dataset))) {
    const [country, region] = [staging.text(used.country), staging.text(used.region)];
    const regions = known.get(country);
    const more = used.rows > 1 ? ` (${rowCountText(used.rows)})` : '';
    const placeOf = (column: string) => placeOfCellAt(staging, used.first, column);
    if (regions === undefined) {
      const near = countryOfOtherName(country, known.keys()) ?? nearestWord(country, known.keys());
      problems.add('error', placeOf('country'), {
        problem: `country "${country}" is not in ${lookup}${more}`,
        remedy: asBefore ?? (near === undefined ? corrected : `did you mean "${near}"?`),
        kind: `a country is not in ${lookup}`,
      });
    } else if (!regions.includes(region)) {
      problems.add('error', placeOf('region'), {
        problem: `region "${region}" disagrees with ${lookup}, where ${country} is in "${regions.join('" and "')}"${more}`,
        remedy: asBefore ?? 'make them agree',
        kind: `a region disagrees with ${lookup}`,
      });
    }
  }
}

/**
 * Whether a country may be in several rows of a lookup. True for rows that are not in memory, because only a query can
 * tell.
 */
export const mayListTwice = (rows: StagedRows | undefined): boolean =>
  rows === undefined || rows.numbered('country').count < rows.count;

/**
 * Reports countries that a lookup lists twice. Twice in one region is an error, because the row order would not decide
 * which of the two rows comes first. Twice in two regions is a warning.
 */
export async function checkListedOnce({ staging, problems }: CheckInput, lookup: DatasetName): Promise<void> {
  const key = datasetOf(lookup).dimensions.map(stagingColumn).join(', ');
  const again = `WITH distinct_rows AS (SELECT country_code, region_code, min(${PLACE_SQL}) AS place
      FROM ${stagingTable(lookup)} GROUP BY ${key}),
    listed AS (SELECT *, lag(place) OVER (PARTITION BY country_code ORDER BY place) AS before,
        count(*) OVER (PARTITION BY country_code, region_code ORDER BY place) > 1 AS same_region
      FROM distinct_rows)
    SELECT country_code, same_region, place, before FROM listed WHERE before IS NOT NULL ORDER BY place`;
  for (const [code, sameRegion, place, before] of await queryStaging(staging, again)) {
    const earlier = placeText(placeOfRowAt(staging, before as bigint));
    const at = placeOfCellAt(staging, place as bigint, 'country');
    const difference = sameRegion === true ? 'with another type' : 'in another region';
    problems.add(sameRegion === true ? 'error' : 'warning', at, {
      problem: `country "${staging.text(code)}" is in ${earlier} already, ${difference}`,
      remedy: 'keep one of them',
      kind: `a country is listed twice, ${difference}`,
    });
  }
}

/** The rows of one country and region in one source. */
interface CountryInSource {
  /** The codes of country and region in the staging database. */
  readonly country: number;
  readonly region: number;
  readonly rows: number;
  /** The first row, as `PLACE_SQL` gives it. */
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
  const found = await queryStaging(
    staging,
    `SELECT country_code, region_code, count(*)::INTEGER, min(${PLACE_SQL}) AS place
     FROM ${stagingTable(dataset)} GROUP BY country_code, region_code, _source ORDER BY place`,
  );
  return found.map(([country, region, n, first]) => ({
    country: Number(country),
    region: Number(region),
    rows: Number(n),
    first: first as bigint,
  }));
}

function countriesAmong(rows: StagedRows): readonly CountryInSource[] {
  const [countries, regions] = [rows.dimension('country'), rows.dimension('region')];
  const groups = [rows.numbered('country'), rows.numbered('region'), groupsByCode(rows.sources)];
  const { rows: sizes, first } = sizesOf(intersectedGroups(groups, rows.count));
  return Array.from(first, (row, group) => ({
    country: countries[row] as number,
    region: regions[row] as number,
    rows: sizes[group] as number,
    first: rows.placeOf(row),
  }));
}
