// SELECTs for recipes, which read no table: `await aMonth({ ...SELECTS, 'recipe.json': '{"tables": {}}' }, true)`.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { aRow } from './snapshot.ts';

/**
 * The columns of the default row of a dataset as SQL.
 *
 * @param changed SQL for some columns, each with its name, such as `{ ggr: '2 * figure AS ggr' }`.
 */
export const columnsOf = (dataset: DatasetName, changed: Readonly<Record<string, string>> = {}): string =>
  Object.entries(aRow(dataset))
    .map(
      ([column, value]) =>
        changed[column] ?? `${typeof value === 'number' ? value : `'${value}'`} AS ${column}`,
    )
    .join(', ');

/** For each dataset, the file of a SELECT that gives its default row. */
export const SELECTS: Readonly<Record<string, string>> = Object.fromEntries(
  DATASET_NAMES.map((name) => [`${name}.sql`, `SELECT ${columnsOf(name)}`]),
);
