// The lines of a workbook's sheet `About`, which describes its rows.

import { datasetOf, dimensionOf } from '../../catalog/datasets.ts';
import { type Snapshot, tableOf } from '../../catalog/snapshot.ts';
import { filtersApplied } from '../filtersApplied.ts';
import type { SelectionQuery } from '../parameters/parse.ts';

/**
 * The label and the text of each line. A text that is too long for a cell, such as a filter with thousands of values,
 * is divided into several lines.
 *
 * @param published the time of publication.
 * @param rows the number of rows selected.
 */
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
  ].flatMap(([label = '', text = '']) => inCells(text).map((part) => [label, part] as const));
}

/** Divides a text into parts that a cell can hold, if possible between two values. */
function inCells(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > MAX_CELL_CHARACTERS) {
    const separator = rest.lastIndexOf('; ', MAX_CELL_CHARACTERS - 2);
    const end = separator > 0 ? separator + 2 : endOfCharacter(rest, MAX_CELL_CHARACTERS);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

/** Excel reports a workbook as damaged when a cell has more characters. */
const MAX_CELL_CHARACTERS = 32_767;

/** Where to cut a text: at `end`, or one UTF-16 unit before it if the cut would divide a surrogate pair. */
const endOfCharacter = (text: string, end: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
