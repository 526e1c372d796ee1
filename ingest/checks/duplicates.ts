// Reports rows that agree in all dimensions, each with the place of the first such row.

import { type DatasetName, datasetOf, isText } from '../../src/catalog/datasets.ts';
import { placeOfRow, placeText } from '../messages/place.ts';
import { stagingColumn, stagingTable } from '../staging/database/staging.ts';
import type { CheckedRows } from './checkedRows.ts';
import { originOf, PLACE, rowsOf } from './places.ts';
import { isDuplicate } from './suspects.ts';

/** The most duplicates of a dataset that are listed. Further ones are only counted. */
const MAX_LISTED_ROWS = 1000;

const GROUP = { kind: 'duplicate rows', remedy: 'delete one of them' };

/** Reports rows that agree in all dimensions, each with the place of the first such row. */
export async function checkDuplicates(
  { staging, problems }: CheckedRows,
  dataset: DatasetName,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  const key = dimensions.map(stagingColumn).join(', ');
  const found = await rowsOf(
    staging,
    `WITH twice AS (SELECT ${key}, count(*) AS n, arg_min(rowid, ${PLACE}) AS one, arg_max(rowid, ${PLACE}) AS other
       FROM ${stagingTable(dataset)} GROUP BY ${key} HAVING ${isDuplicate(dataset)})
     SELECT count(*) OVER ()::INTEGER, n::INTEGER, a._source, a._row, a._column, b._source, b._row, b._column,
       ${dimensions.map((dimension) => `twice.${stagingColumn(dimension)}`).join(', ')}
     FROM twice JOIN ${stagingTable(dataset)} a ON a.rowid = one JOIN ${stagingTable(dataset)} b ON b.rowid = other
     ORDER BY b._source, b._row, b._column LIMIT ${MAX_LISTED_ROWS}`,
  );
  for (const [, n, source, row, column, otherSource, otherRow, otherColumn, ...values] of found) {
    const first = placeOfRow(originOf(staging, source), Number(row), Number(column));
    const again = placeOfRow(originOf(staging, otherSource), Number(otherRow), Number(otherColumn));
    const same = dimensions
      .map((dimension, i) => [dimension, isText(dimension) ? staging.text(values[i]) : values[i]])
      .flatMap(([dimension, value]) => (value === '' ? [] : [`${dimension} ${value}`]))
      .join(', ');
    const times = Number(n) > 2 ? `, ${n} in all` : '';
    problems.add('error', again, { problem: `duplicate of ${placeText(first)}${times} (${same})`, ...GROUP });
  }
  problems.addUnseen({ severity: 'error', ...GROUP }, Number(found[0]?.[0] ?? 0) - found.length);
}
