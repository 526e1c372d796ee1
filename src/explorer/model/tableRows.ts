// Makes the columns of the table and the query for its rows, and sorts the rows.

import type { ReferenceRows, Row } from '../api/responseTypes.ts';
import { dimensionLabel, metricLabel } from '../labels.ts';
import { dimensionNames } from './facts.ts';
import type { Question } from './question.ts';
import { type CountedSelection, queryPairsOf, type Selection, valuesWithRows } from './selection.ts';

export interface Column {
  readonly name: string;
  readonly label: string;
  readonly isNumber: boolean;
  readonly unit: string | null;
}

/** The columns: the dimensions in the order of the dataset, then the metrics, the chosen one first. */
export function tableColumns({ dataset, filters }: Selection, question: Question): Column[] {
  const currency = filters.fx?.length === 1 ? (filters.fx[0] ?? null) : null;
  const metrics = [...dataset.metrics].sort(
    (a, b) => Number(b.name === question.metric) - Number(a.name === question.metric),
  );
  return [
    ...dimensionNames(dataset).map((name) => ({
      name,
      label: dimensionLabel(name),
      isNumber: name === 'year',
      unit: null,
    })),
    ...metrics.map(({ name, unit }) => ({
      name,
      label: metricLabel(name),
      isNumber: true,
      unit: unit.includes('fx dimension') ? currency : unit.replace(' of fx_local_currency', ''),
    })),
  ];
}

/** Whether all rows of a selection have the same value of a dimension, including rows that are not loaded. */
export const hasOneValue = ({ selection, counts }: CountedSelection, dimension: string): boolean =>
  valuesWithRows(dimension, selection.filters, counts).length === 1;

/**
 * Separates the columns that have one value in all rows. The page shows such a value once, above the table.
 *
 * @param isKnown whether a column certainly has only one value in the rows that are not loaded.
 */
export function splitColumns(
  columns: readonly Column[],
  rows: readonly FlatRow[],
  isKnown: (name: string) => boolean,
): { varying: readonly Column[]; constant: readonly { column: Column; value: string | number | null }[] } {
  const [first] = rows;
  const isConstant = ({ name }: Column) =>
    first !== undefined && rows.length > 1 && isKnown(name) && rows.every((row) => row[name] === first[name]);
  return {
    varying: columns.filter((column) => column.isNumber || !isConstant(column)),
    constant: columns
      .filter((column) => !column.isNumber && isConstant(column))
      .map((column) => ({ column, value: first?.[column.name] ?? null })),
  };
}

export interface TableQuery {
  readonly path: string;
  readonly pairs: readonly (readonly [string, string])[];
}

/** The endpoint and the parameters for the rows of a selection. */
export function tableQuery({ dataset, filters, period, metric }: Selection): TableQuery {
  const pairs = queryPairsOf(filters, period);
  return metric === null
    ? { path: '/v1/reference', pairs: [['dataset', dataset.name], ...pairs] }
    : { path: '/v1/financials', pairs: [['metric', dataset.name], ...pairs] };
}

/** A row as one object, which has its dimensions and values, or the columns of a lookup. */
export type FlatRow = Readonly<Record<string, string | number | null>>;

/** Brings the rows of both endpoints into the same form. */
export const flatRows = (rows: readonly Row[] | ReferenceRows['data']): FlatRow[] =>
  rows.map((row) => (isRow(row) ? { ...row.dimensions, ...row.values } : row));

const isRow = (row: Row | ReferenceRows['data'][number]): row is Row => typeof row.dimensions === 'object';

export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The sorted rows. Missing values are last in both directions. */
export function sortedRows(rows: readonly FlatRow[], sorting: Sorting | null): readonly FlatRow[] {
  if (sorting === null) return rows;
  const { column, isDescending } = sorting;
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [a[column] ?? null, b[column] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
    return sign * String(left).localeCompare(String(right), 'en');
  });
}
