// The lines of a workbook's sheet `About`, which describes its rows.

import { datasetOf, dimensionOf } from '../../catalog/datasets.ts';
import { type Snapshot, tableOf } from '../../catalog/snapshot.ts';
import { filtersApplied } from '../filtersApplied.ts';
import type { SelectionQuery } from '../parse.ts';

/** Label and text of each line. `published` is the time of publication, `rows` the number of rows selected. */
export function aboutLines(
  query: SelectionQuery,
  snapshot: Snapshot,
  published: string,
  rows: number,
): readonly (readonly [label: string, text: string])[] {
  const { dataset } = query;
  const { description, metrics, dimensions } = datasetOf(dataset);
  const filters = Object.entries(filtersApplied(query, tableOf(snapshot, dataset)));
  const notAdditive = dimensions.filter((name) => dimensionOf(name).notAdditive !== undefined);
  return [
    ['Dataset', `${dataset}: ${description}`],
    ['Snapshot', snapshot.id],
    ['Published', published],
    ['Rows', String(rows)],
    ...filters.map(([name, values]) => [
      `Filter ${name}`,
      values.map((value) => value || '(empty)').join('; '),
    ]),
    ...(filters.length === 0 ? [['Filters', 'none']] : []),
    ...Object.entries(metrics).map(([name, { unit, description }]) => [
      name,
      `${description}; unit: ${unit}`,
    ]),
    ['Missing values', 'empty cells'],
    ['Do not sum over', notAdditive.join(', ') || 'nothing to sum'],
    ...Object.entries(metrics).flatMap(([name, { addsUp }]) => (addsUp ? [] : [['Does not add up', name]])),
    ...Object.entries(metrics).flatMap(([name, { addsUp, isStock }]) =>
      addsUp && isStock ? [['Do not sum over year', name]] : [],
    ),
    ['Sources', snapshot.manifest.datasets[dataset]?.sources.join('; ') || 'unknown'],
  ].map(([label = '', text = '']) => [label, text] as const);
}
