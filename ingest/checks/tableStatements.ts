// Warns of a name, title or comment that states a currency or a temporal that no row of its table has.
//
// Examples are `GGR in EUR` above rows in USD, and a sheet `Forecast` whose rows are all Current.
// `../staging/stated/statements.ts` collects the texts.

import { addTo, getOrInsert } from '../../src/basics/maps.ts';
import { type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { mayShow } from '../messages/currencySigns.ts';
import type { Origin, TableStatement } from '../messages/place.ts';
import { stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';
import type { CheckInput } from './checkInput.ts';
import { queryStaging, rowCountText } from './stagedPlaces.ts';

/** Compares the statements about each table with its rows. Without statements, it reads no row. */
export async function checkTableStatements({ staging, datasets, problems }: CheckInput): Promise<void> {
  const { origins } = staging;
  const statements = origins.flatMap((origin, source) =>
    (origin.statements ?? []).map((label) => ({ ...label, source, origin })),
  );
  if (statements.length === 0) return;
  const compared = datasets.flatMap((dataset) =>
    (['fx', 'temporal'] as const).map((dimension) => ({ dataset, dimension })),
  );
  for (const { dataset, dimension } of compared) {
    const labels = statements.filter((label) => label.dimension === dimension);
    if (labels.length === 0 || !datasetOf(dataset).dimensions.includes(dimension)) continue;
    const values = await valuesOfSources(staging, dataset, dimension);
    const isOfRegions = [...values.keys()].some((source) => isNamedAfterRegion(origins[source]));
    const reported = new Set<string>();
    for (const { origin, source, ...label } of labels) {
      const [ofTable, ofFile] = [`${origin.file}/${origin.sheet}`, origin.file];
      if (reported.has(ofTable) || reported.has(ofFile)) continue;
      if (label.value === 'EUR' && isName(label) && isOfRegions) continue;
      const found = isOfFile(label) ? inFile(values, origins, origin.file) : values.get(source);
      if (found === undefined || found.size === 0) continue;
      if ([...found.keys()].some((value) => agree(label, value))) continue;
      reported.add(isOfFile(label) ? ofFile : ofTable);
      problems.add('warning', label.place, {
        problem: `${label.what} says ${label.value}, and ${rowsIn(found)}`,
        remedy: `correct the ${dimension} of the rows, or the text`,
        kind: `a text that says another ${dimension} than the rows`,
      });
    }
  }
}

/** The values of a dimension in each source, with their numbers of rows. */
async function valuesOfSources(
  staging: CheckInput['staging'],
  dataset: DatasetName,
  dimension: 'fx' | 'temporal',
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  const found = new Map<number, Map<string, number>>();
  const code = stagingColumn(dimension);
  const sql = `SELECT _source, ${code}, count(*)::INTEGER AS n FROM ${stagingTable(dataset)} GROUP BY ALL ORDER BY n DESC, ${code}`;
  for (const [source, value, rows] of await queryStaging(staging, sql)) {
    getOrInsert(found, Number(source), () => new Map<string, number>()).set(
      staging.text(value),
      Number(rows),
    );
  }
  return found;
}

/** The values of all tables of a file, with their numbers of rows. */
function inFile(
  values: ReadonlyMap<number, ReadonlyMap<string, number>>,
  origins: readonly Origin[],
  file: string,
): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [source, found] of values)
    if (origins[source]?.file === file) for (const [value, rows] of found) addTo(all, value, rows);
  return all;
}

/** Whether a row with `value` agrees with a statement. A temporal that is neither Current nor Forecast may mean either. */
const agree = ({ dimension, value: stated }: TableStatement, value: string): boolean =>
  dimension === 'fx' ? mayShow(stated, value) : value === stated || !TEMPORALS.has(value);

const TEMPORALS: ReadonlySet<string> = new Set(['Current', 'Forecast']);

const isOfFile = ({ place }: TableStatement): boolean => place.sheet === null && place.cell === null;

const isName = ({ what }: TableStatement): boolean => what.startsWith('the name');

/** Whether a table is named after a part of the world. Then `EUR` in the name of another table may be Europe. */
const isNamedAfterRegion = (origin: Origin | undefined): boolean =>
  origin !== undefined && REGION.test(`${origin.file} ${origin.sheet ?? ''}`.replace(/[_\-.]+/g, ' '));

const REGION =
  /\b(?:asia|apac|am(?:er)?|americas?|na|nam|latam|lac|africa|afr|mea|mena|emea|oceania|oce|row|world|carib\w*)\b/i;

/** The rows of a table and their values in words, such as `its 40 rows are GBP and USD`. */
function rowsIn(values: ReadonlyMap<string, number>): string {
  const rows = [...values.values()].reduce((sum, n) => sum + n, 0);
  return `its ${rowCountText(rows)} ${rows === 1 ? 'is' : 'are'} ${[...values.keys()].sort().join(' and ')}`;
}
