// Finds what is wrong with the columns of a header as a whole: one appears twice, some are missing, two forms are mixed.

import {
  columnNames,
  type DatasetName,
  datasetOf,
  isText,
  metricNames,
} from '../../../src/catalog/datasets.ts';
import { columnLetters } from '../../messages/place.ts';
import type { Header, HeaderRemark } from './headerTypes.ts';
import { meantColumn } from './unknownHeading.ts';

/** A heading at `index` that names the same column as the heading at `earlier`. */
export interface RepeatedColumn {
  readonly name: string;
  readonly earlier: number;
  readonly index: number;
}

/** When at least this many columns appear twice, the remedy assumes that they belong to a second table. */
const COLUMNS_OF_A_TABLE = 3;

/**
 * The faults of columns that appear twice. For one or two such columns, the remedy is to delete one. More of them are a
 * second table beside the first, or years in another currency, so deleting them would lose figures.
 */
export function repeatedColumnFaults(repeated: readonly RepeatedColumn[]): readonly HeaderRemark[] {
  const remedy =
    repeated.length < COLUMNS_OF_A_TABLE
      ? { remedy: 'delete one', kind: 'a column appears twice' }
      : { remedy: SEPARATE_TABLES, kind: 'columns appear twice' };
  return repeated.map(({ name, earlier, index }) => ({
    index,
    problem: `column ${name} appears twice, in ${columnLetters(earlier)} and ${columnLetters(index)}`,
    ...remedy,
  }));
}

const SEPARATE_TABLES =
  'move the second table to a sheet of its own, or its rows below the first; what the two differ in, such as the currency, belongs in its column';

/** The names of the columns that the header lacks although the dataset needs them in this form. */
export function missingColumns(
  dataset: DatasetName,
  form: Header['form'],
  columns: Header['columns'],
): readonly string[] {
  const { dimensions } = datasetOf(dataset);
  const needsMetric = metricNames(dataset).length > 1 && !everyYearHasMetric(columns);
  const expected =
    form === 'long'
      ? columnNames(dataset)
      : [...dimensions.filter(isText), ...(needsMetric ? ['metric'] : [])];
  const present = new Set(columns.map((column) => column?.name));
  return expected.filter((name) => !present.has(name));
}

const everyYearHasMetric = (columns: Header['columns']): boolean =>
  columns.every((column) => column?.kind !== 'year' || column.metric !== null);

/**
 * The fault of missing columns. A column that an unknown heading probably means is left out, because that heading has its
 * own fault.
 */
export function missingColumnFaults(
  dataset: DatasetName,
  headings: readonly string[],
  columns: Header['columns'],
  missing: readonly string[],
): readonly HeaderRemark[] {
  const meant = headings.map((heading, i) =>
    columns[i] === undefined ? meantColumn(dataset, heading) : undefined,
  );
  const unnamed = missing.filter((name) => !meant.includes(name));
  if (unnamed.length === 0) return [];
  const [noun, verb] = unnamed.length === 1 ? ['column', 'is'] : ['columns', 'are'];
  const years = unnamed.includes('year') ? ' (or a column per year)' : '';
  const problem = `${noun} ${unnamed.join(', ')}${years} ${verb} missing from the header`;
  return [
    {
      index: null,
      problem,
      remedy: `add ${unnamed.length === 1 ? 'it' : 'them'} beside ${presentColumns(columns)}`,
      kind: problem,
    },
  ];
}

function presentColumns(columns: Header['columns']): string {
  const named = columns.flatMap((column) => (column && column.kind !== 'year' ? [column.name] : []));
  const hasYears = columns.some((column) => column?.kind === 'year');
  return [...named, ...(hasYears ? ['a column per year'] : [])].join(', ');
}

/**
 * The faults of columns that contradict the form. In long form that is `metric`. In wide form it is `year` or a metric, and
 * also `metric` when titles above the years name the metrics.
 */
export function mixedFormFaults(
  dataset: DatasetName,
  form: Header['form'],
  columns: Header['columns'],
): readonly HeaderRemark[] {
  const metrics = metricNames(dataset);
  const hasMetricAbove = columns.some((column) => column?.kind === 'year' && column.metric !== null);
  const misplaced =
    form === 'long'
      ? ['metric']
      : ['year', ...metrics, ...(hasMetricAbove && metrics.length > 1 ? ['metric'] : [])];
  return columns.flatMap((column, index) => {
    if (column === undefined || !misplaced.includes(column.name)) return [];
    const besideYears =
      column.kind === 'metric name' ? 'years below the names of metrics' : 'a column per year';
    const beside = form === 'long' ? 'a year column' : besideYears;
    const problem = `column ${column.name} appears beside ${beside}`;
    return [{ index, problem, remedy: 'keep the one or the other' }];
  });
}
