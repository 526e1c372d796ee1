// Makes a SELECT for each dataset that turns its staged rows into the rows of its file: texts for codes, one row a fact.

import {
  byDataset,
  type DatasetName,
  datasetOf,
  isText,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import type { DuckDBConnection } from '../../../src/duckdb.ts';
import { PACKED_FROM_ROWS, packedRowsSelect } from '../../staging/database/packedRows.ts';
import type { Staging } from '../../staging/database/staging.ts';
import { EVERY_METRIC, stagingColumn, stagingTable } from '../../staging/database/stagingTables.ts';
import type { Reading } from '../../staging/reading.ts';
import type { RowsToWrite } from '../../store/writeDatasets.ts';
import type { PublishOptions } from './publishOptions.ts';

/** The content of the Parquet file of each dataset: a SELECT of its rows, and the sources of the rows. */
export function rowsToWrite(
  reading: Reading,
  staging: Staging,
  { carry }: Pick<PublishOptions, 'carry'>,
): Record<DatasetName, RowsToWrite> {
  return byDataset((name): RowsToWrite => {
    const sources = reading.sources.get(name) ?? [];
    // Carried rows have a source named `<snapshot>/<file>`.
    const carried = carry.includes(name) ? (sources[0]?.split('/')[0] ?? null) : null;
    const selectSorted = (connection: DuckDBConnection) =>
      packedRowsSelect(connection, staging, name, factsOf(name));
    const rowCount = staging.addedRows(name);
    const isLarge = rowCount >= PACKED_FROM_ROWS;
    const select = selectOf(name, staging.textCount);
    return { select, selectSorted, rowCount, isLarge, sources, carried };
  });
}

/**
 * Up to this number of texts, `selectOf` looks them up in a list. A longer list is no faster than joins. A list of a
 * million texts takes more memory than DuckDB has.
 */
const MOST_LISTED_TEXTS = 2_000;

/**
 * The columns of a dataset with texts in place of codes. The code of a text is its index in the list of all texts. Joins
 * would be slow for a small dataset: planning one for each dimension takes longer than writing the rows.
 */
function selectOf(name: DatasetName, texts: number): string {
  if (texts > MOST_LISTED_TEXTS) return joinedSelectOf(name);
  const columns = datasetOf(name).dimensions.map((d) =>
    isText(d) ? `texts[${stagingColumn(d)} + 1] AS ${d}` : d,
  );
  const list = 'SELECT list(sortable ORDER BY code) AS texts FROM texts';
  return `SELECT ${[...columns, ...metricNames(name)].join(', ')} FROM (${factsOf(name)}), (${list})`;
}

/** The SELECT of `selectOf` for many texts: a join for each dimension looks them up. */
function joinedSelectOf(name: DatasetName): string {
  const { dimensions } = datasetOf(name);
  const columns = [
    ...dimensions.map((d) => (isText(d) ? `t_${d}.sortable AS ${d}` : d)),
    ...metricNames(name),
  ];
  const joins = dimensions
    .filter(isText)
    .map((d) => `JOIN texts t_${d} ON t_${d}.code = ${stagingColumn(d)}`);
  return `SELECT ${columns.join(', ')} FROM (${factsOf(name)}) ${joins.join(' ')}`;
}

/**
 * A SELECT of one row for each fact. A wide sheet stages each metric of a fact as a separate row. These rows are merged
 * here.
 */
function factsOf(name: DatasetName): string {
  const metrics = metricNames(name);
  const key = datasetOf(name).dimensions.map(stagingColumn).join(', ');
  const columns = [key, ...metrics].join(', ');
  if (metrics.length < 2) return `SELECT ${columns} FROM ${stagingTable(name)}`;
  const together = metrics.map((metric) => `max(${metric}) AS ${metric}`).join(', ');
  return (
    `SELECT ${columns} FROM ${stagingTable(name)} WHERE _metric = ${EVERY_METRIC} UNION ALL ` +
    `SELECT ${key}, ${together} FROM ${stagingTable(name)} WHERE _metric <> ${EVERY_METRIC} GROUP BY ${key}`
  );
}
