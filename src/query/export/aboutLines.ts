// The lines of a workbook's sheet `About`, which describes its rows.

import { datasetOf, dimensionOf } from '../../catalog/datasets.ts';
import { type Snapshot, tableOf } from '../../catalog/snapshot.ts';
import { filtersApplied } from '../filtersApplied.ts';
import type { SelectionQuery } from '../parameters/parse.ts';
import type { AboutLine } from './xlsx.ts';

/**
 * The label and the value of each line. A text that is too long for a cell, such as a filter with thousands of values,
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
): readonly AboutLine[] {
  const { dataset } = query;
  const { description, metrics, dimensions } = datasetOf(dataset);
  const filters = Object.entries(filtersApplied(query, tableOf(snapshot, dataset)));
  const notAdditive = dimensions.filter((name) => dimensionOf(name).notAdditive !== undefined);
  const lines: readonly AboutLine[] = [
    ['Dataset', `${dataset}: ${description}`],
    ['Snapshot', snapshot.id],
    ['Published', published],
    ['Rows', rows],
    ...filters.map(
      ([name, values]): AboutLine => [`Filter ${name}`, values.map((value) => value || '(empty)').join('; ')],
    ),
    ...(filters.length === 0 ? [['Filters', 'none'] as const] : []),
    ...Object.entries(metrics).map(
      ([name, { unit, description }]): AboutLine => [name, `${description}; unit: ${unit}`],
    ),
    ['Missing values', 'empty cells'],
    ['Do not sum over', notAdditive.join(', ') || 'nothing to sum'],
    ...Object.entries(metrics).flatMap(([name, { addsUp }]) =>
      addsUp ? [] : [['Does not add up', name] as const],
    ),
    ...Object.entries(metrics).flatMap(([name, { addsUp, isStock }]) =>
      addsUp && isStock ? [['Do not sum over year', name] as const] : [],
    ),
    ['Sources', snapshot.manifest.datasets[dataset]?.sources.join('; ') || 'unknown'],
  ];
  return lines.flatMap(([label, value]): readonly AboutLine[] =>
    typeof value === 'number' ? [[label, value]] : inCells(value).map((part) => [label, part]),
  );
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
