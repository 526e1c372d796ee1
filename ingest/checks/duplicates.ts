// Reports rows that agree in all dimensions, each with the place of the row that it repeats.

import { type DatasetName, datasetOf, isText } from '../../src/catalog/datasets.ts';
import { placeText } from '../messages/place.ts';
import { stagingColumn, stagingTable } from '../staging/database/stagingTables.ts';
import type { CheckInput } from './checkInput.ts';
import { PLACE_SQL, placeOfRowAt, queryStaging } from './stagedPlaces.ts';
import { isDuplicate } from './suspects.ts';

/** The most duplicates of a dataset that are listed. Further ones are only counted. */
const MAX_LISTED_ROWS = 1000;

const DUPLICATE_ROWS = { kind: 'duplicate rows', remedy: 'delete one of them' };

/**
 * Reports rows of a dataset that agree in all dimensions. The place of an error is the last of them. Its text names the
 * first.
 */
export async function checkDuplicates(
  { staging, problems }: CheckInput,
  dataset: DatasetName,
): Promise<void> {
  const { dimensions } = datasetOf(dataset);
  const key = dimensions.map(stagingColumn).join(', ');
  const found = await queryStaging(
    staging,
    `SELECT count(*) OVER ()::INTEGER, count(*)::INTEGER, min(${PLACE_SQL}), max(${PLACE_SQL}) AS last, ${key}
     FROM ${stagingTable(dataset)} GROUP BY ${key} HAVING ${isDuplicate(dataset)}
     ORDER BY last LIMIT ${MAX_LISTED_ROWS}`,
  );
  for (const [, n, firstPlace, lastPlace, ...values] of found) {
    const first = placeOfRowAt(staging, firstPlace as bigint);
    const last = placeOfRowAt(staging, lastPlace as bigint);
    const same = dimensions
      .map((dimension, i) => [dimension, isText(dimension) ? staging.text(values[i]) : values[i]])
      .flatMap(([dimension, value]) => (value === '' ? [] : [`${dimension} ${value}`]))
      .join(', ');
    const times = Number(n) > 2 ? `, ${n} in all` : '';
    problems.add('error', last, {
      problem: `duplicate of ${placeText(first)}${times} (${same})`,
      ...DUPLICATE_ROWS,
    });
  }
  problems.addUnseen({ severity: 'error', ...DUPLICATE_ROWS }, Number(found[0]?.[0] ?? 0) - found.length);
}
