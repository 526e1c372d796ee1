// Finds the header of a sheet below its preamble and reads what each column holds: long form or wide.

import {
  DATASET_NAMES,
  type DatasetName,
  type DimensionName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import type { Said } from '../messages/fault.ts';
import { columnLetters } from '../messages/place.ts';
import { headingKey, nearest } from '../messages/spelling.ts';
import { statedUnit } from '../messages/statedUnits.ts';
import { type Cell, isMarkedYear, type RawRow } from './readers/raw.ts';
import { inPlainFormat, PLAIN_FORMAT, yearSlip } from './yearSlips.ts';

export type Column =
  | { readonly kind: 'dimension'; readonly name: DimensionName }
  | { readonly kind: 'metric'; readonly name: string }
  /** Wide form: the values of one year; of `metric` where a row above the years names it, else of the row's. */
  | { readonly kind: 'year'; readonly name: string; readonly year: number; readonly metric: string | null }
  /** Wide form of a dataset with several metrics: which of them a row holds. */
  | { readonly kind: 'metric name'; readonly name: 'metric' };

/** What is said of a heading; `index` is its column. */
export interface HeaderRemark extends Said {
  readonly index: number;
  /** Its row, where that is not the header's last one. */
  readonly row?: number;
}

export interface Header {
  /** The number of its last row; data begins below. */
  readonly row: number;
  readonly form: 'long' | 'wide';
  /** By column index; undefined where there is no heading or none that is known. */
  readonly columns: readonly (Column | undefined)[];
  /** What is wrong with it; `index` names the column. */
  readonly faults: readonly HeaderRemark[];
  /** What may be wrong with it, such as a text above the years that was not read. */
  readonly warnings: readonly HeaderRemark[];
  /** What was passed over in its headings, such as footnote marks. */
  readonly notes: readonly HeaderRemark[];
  /** False when a column of the dataset is missing: its rows cannot be told apart. */
  readonly complete: boolean;
}

/** How many rows that hold something are searched for a header. */
export const HEADER_WITHIN_ROWS = 200;

/**
 * The header of `dataset` among a table's first rows, or null when no row names enough of its columns.
 *
 * Merged cells may split a header over two rows. The headings that one row leaves empty stand in the other. Above
 * years, the upper row may name the metric that they hold: once for all of them, in the first of the merged cells.
 */
export function findHeader(dataset: DatasetName, rows: readonly RawRow[]): Header | null {
  const index = rows.findIndex((row) => isHeaderOf(dataset, row));
  const found = rows[index];
  if (found === undefined) return null;
  const above = rows[index - 1];
  const below = rows[index + 1];
  const headings = found.cells.map(headingText);
  if (below?.row === found.row + 1 && continues(dataset, headings, below)) {
    const lower = below.cells.map(headingText);
    const both = Array.from({ length: Math.max(headings.length, lower.length) }, (_, i) =>
      lower[i] ? lower[i] : (headings[i] ?? ''),
    );
    return read(dataset, below.row, both, headings, [found, below]);
  }
  const upper = above?.row === found.row - 1 ? above.cells.map(headingText) : [];
  const both = Array.from({ length: Math.max(headings.length, upper.length) }, (_, i) => {
    const named = columnOf(dataset, upper[i] ?? '');
    return headings[i] || (named !== undefined && named.kind !== 'year' ? (upper[i] ?? '') : '');
  });
  return read(dataset, found.row, both, upper, above === undefined ? [found] : [above, found]);
}

/** Whether the row below a header is its second line: each of its cells names a column that the header does not. */
function continues(dataset: DatasetName, headings: readonly string[], below: RawRow): boolean {
  return below.cells.every((cell, i) => {
    if (cell === null) return true;
    const lower = columnOf(dataset, headingText(cell));
    const upper = columnOf(dataset, headings[i] ?? '');
    return lower !== undefined && (upper === undefined || (lower.kind === 'year' && upper.kind === 'metric'));
  });
}

/** Whether a row names enough columns of the dataset: three, of a lookup two. */
export const isHeaderOf = (dataset: DatasetName, row: RawRow): boolean =>
  knownColumns(dataset, row) >= (metricNames(dataset).length === 0 ? 2 : 3);

/**
 * Whether a row likely names the columns of a table of unknown content: three cells or more without a gap, each a
 * text or a whole number (a year), at least one of them a text.
 */
export function looksLikeHeader({ cells }: RawRow): boolean {
  const names = (cell: Cell) =>
    (typeof cell === 'string' && cell.trim() !== '') || Number.isInteger(cell) || isMarkedYear(cell);
  return cells.length >= 3 && cells.every(names) && cells.some((cell) => typeof cell === 'string');
}

/** Reads the headings of a header; `upper` are those of the row above the years, and `rows` all rows it stands in. */
function read(
  dataset: DatasetName,
  row: number,
  headings: readonly string[],
  upper: readonly string[],
  rows: readonly RawRow[],
): Header {
  const faults: HeaderRemark[] = [];
  const columns: (Column | undefined)[] = [];
  const places = new Map<string, number>();
  const groups = yearGroups(dataset, headings, upper);
  headings.forEach((heading, index) => {
    if (heading === '') return;
    const isFormat = rows.some(({ cells }) => isMarkedYear(cells[index]) && cells[index].shown === heading);
    const named = isFormat ? undefined : columnOf(dataset, heading);
    const column = inGroup(named, groups[index], dataset);
    const earlier = column === undefined ? undefined : places.get(column.name);
    if (column === undefined) faults.push({ index, ...unknownHeading(dataset, heading, isFormat) });
    else if (earlier !== undefined) {
      const where = `${columnLetters(earlier)} and ${columnLetters(index)}`;
      const problem = `column ${column.name} stands twice, in ${where}`;
      faults.push({ index, problem, remedy: 'delete one', kind: 'a column stands twice' });
    } else {
      places.set(column.name, index);
      columns[index] = column;
    }
  });
  const unread = unreadGroups(dataset, groups, columns);
  const above = (remark: HeaderRemark): HeaderRemark => ({ ...remark, row: rows[0]?.row ?? row });
  faults.push(...[...foreignGroups(dataset, groups), ...unread.faults].map(above));
  const form = [...columns].some((column) => column?.kind === 'year') ? 'wide' : 'long';
  const missing = expected(dataset, form, columns).filter((name) => !places.has(name));
  // A heading that is probably meant for a missing column has an error of its own.
  const meant = headings.map((heading, i) =>
    columns[i] === undefined ? nearMetric(dataset, heading) : null,
  );
  const unnamed = missing.filter((name) => !meant.includes(name));
  if (unnamed.length > 0) {
    const [it, are] = unnamed.length === 1 ? ['column', 'is'] : ['columns', 'are'];
    const years = unnamed.includes('year') ? ' (or a column per year)' : '';
    faults.push({
      index: 0,
      problem: `${it} ${unnamed.join(', ')}${years} ${are} missing from the header`,
      remedy: `add ${unnamed.length === 1 ? 'it' : 'them'}`,
    });
  }
  faults.push(...mixedForms(form, columns, metricNames(dataset)));
  const warnings = unread.warnings.map(above);
  const notes = droppedMarks(rows, columns);
  return { row, form, columns, faults, warnings, notes, complete: missing.length === 0 };
}

/** `isFormat` when a number format shows a year so. */
function unknownHeading(dataset: DatasetName, heading: string, isFormat: boolean): Said {
  const known = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
  const slip = metricNames(dataset).length > 0 ? yearSlip(heading) : undefined;
  if (slip?.isHeading === true)
    return {
      problem: `column "${oneLine(heading)}" is headed by ${slip.what}`,
      remedy: isFormat ? inPlainFormat(slip) : slip.remedy,
      kind: `columns headed by ${slip.what}`,
    };
  if (isFormat)
    return {
      problem: `column "${heading}" is headed by a number in the format of a date`,
      remedy: PLAIN_FORMAT,
      kind: 'columns headed by a number in the format of a date',
    };
  const near = nearMetric(dataset, heading) ?? nearest(heading, known);
  return {
    problem: `column "${oneLine(heading)}" is neither a dimension nor a metric of ${dataset}`,
    remedy:
      near === undefined
        ? `rename it to one of: ${known.join(', ')}, or delete it`
        : `did you mean "${near}"?`,
    kind: `a column that is neither a dimension nor a metric of ${dataset}`,
  };
}

/** The metric that a heading names with words in brackets that state no unit, such as `GGR (local currency)`. */
const nearMetric = (dataset: DatasetName, heading: string): string | undefined => {
  const [, bare, words = ''] = /^(.*?)\s*[([]([^()[\]]*)[)\]]\s*$/u.exec(heading) ?? [];
  const isPlain = words.split(/\s+/).every((word) => NO_UNITS.has(word.toLowerCase()));
  if (bare === undefined || !isPlain) return undefined;
  return metricNames(dataset).find((name) => headingKey(name) === headingKey(bare));
};

const NO_UNITS: ReadonlySet<string> = new Set([
  'local',
  'currency',
  'reported',
  'nominal',
  'annual',
  'yearly',
  'gross',
  'net',
  'in',
  'value',
  'amount',
]);

/** For each column of a year, the text above it: its own, or that of the merged cells it lies in. */
function yearGroups(
  dataset: DatasetName,
  headings: readonly string[],
  upper: readonly string[],
): readonly (string | undefined)[] {
  let group: string | undefined;
  return headings.map((heading, i) => {
    const isYear = columnOf(dataset, heading)?.kind === 'year';
    if (!isYear) group = undefined;
    else if (upper[i] && upper[i] !== heading) group = upper[i];
    return group;
  });
}

/** A year's column with the metric that the text above it names. Of several metrics, the column's name says which. */
function inGroup(
  column: Column | undefined,
  group: string | undefined,
  dataset: DatasetName,
): Column | undefined {
  if (column?.kind !== 'year' || group === undefined) return column;
  const metric = columnOf(dataset, group);
  if (metric?.kind !== 'metric') return column;
  const name = metricNames(dataset).length > 1 ? `${metric.name} ${column.name}` : column.name;
  return { ...column, name, metric: metric.name };
}

const METRICS: readonly string[] = DATASET_NAMES.flatMap((name) => metricNames(name));

/** What people write above years that says no more than the years do. */
const SAYS_YEARS: ReadonlySet<string> = new Set(
  [
    'year years annual yearly period periods value values amount amounts figures data',
    'jahr jahre année années annee annees año años ano anos anno anni jaar',
  ]
    .flatMap((words) => words.split(' '))
    .concat('calendar year', 'calendar years', 'reporting year', 'by year', 'per year')
    .map(headingKey),
);

/** Years below the name of another dataset's metric would be read as this dataset's. */
function foreignGroups(dataset: DatasetName, groups: readonly (string | undefined)[]): HeaderRemark[] {
  const own = new Set(metricNames(dataset));
  return groups.flatMap((group, index) => {
    if (group === undefined || group === groups[index - 1]) return [];
    const metric = METRICS.find((name) => headingKey(name) === headingKey(group));
    if (metric === undefined || own.has(metric)) return [];
    return [
      {
        index,
        problem: `the years below "${oneLine(group)}" do not hold ${dataset}`,
        remedy: 'move them to a file named after their dataset',
      },
    ];
  });
}

/**
 * Texts above years that name no metric, such as `Forecast` or `USD`. Where they tell years apart, the years hold different
 * things; one text over all years is likely a title.
 */
function unreadGroups(
  dataset: DatasetName,
  groups: readonly (string | undefined)[],
  columns: Header['columns'],
): { faults: readonly HeaderRemark[]; warnings: readonly HeaderRemark[] } {
  const metrics = new Set(METRICS.map(headingKey));
  const words = Object.values(datasetOf(dataset).metrics).map(({ description }) => headingKey(description));
  const says = (group: string) =>
    !metrics.has(headingKey(group)) &&
    !words.includes(headingKey(group)) &&
    !SAYS_YEARS.has(headingKey(group)) &&
    statedUnit(group) === null;
  const ofYears = groups.filter((_, i) => columns[i]?.kind === 'year');
  const isTold = new Set(ofYears).size > 1;
  const found = groups.flatMap((group, index) => {
    if (group === undefined || index === 0 || group === groups[index - 1] || !says(group)) return [];
    return [
      {
        index,
        problem: `"${oneLine(group)}" stands above ${isTold ? 'some' : 'all'} of the years and was not read`,
        remedy: isTold
          ? 'write what it says in a column, with rows of their own for these years, or delete it'
          : `make sure that the years hold ${dataset}, and delete it`,
      },
    ];
  });
  return isTold ? { faults: found, warnings: [] } : { faults: [], warnings: found };
}

/** Notes the footnote marks of the headings that were taken for columns. */
const droppedMarks = (rows: readonly RawRow[], columns: Header['columns']): HeaderRemark[] =>
  rows.flatMap(({ cells }) =>
    cells.flatMap((cell, index) =>
      typeof cell === 'object' && cell?.kind === 'footnoted' && columns[index] !== undefined
        ? [
            {
              index,
              problem: `the footnote mark "${cell.mark}" was dropped from the heading "${cell.value.trim()}"`,
              remedy: null,
            },
          ]
        : [],
    ),
  );

/** The columns without which a header is not complete. */
function expected(dataset: DatasetName, form: Header['form'], columns: Header['columns']): readonly string[] {
  const metrics = metricNames(dataset);
  const { dimensions } = datasetOf(dataset);
  if (form === 'long') return [...dimensions, ...metrics];
  return [
    ...dimensions.filter((d) => dimensionOf(d).type !== 'integer'),
    ...(metrics.length > 1 && !namesAllMetrics(columns) ? ['metric'] : []),
  ];
}

/** Whether a metric stands above every year. */
const namesAllMetrics = (columns: Header['columns']): boolean =>
  columns.every((column) => column?.kind !== 'year' || column.metric !== null);

/** Reports columns that contradict the form: a year or metric column beside a column per year, `metric` in long form. */
function mixedForms(form: Header['form'], columns: Header['columns'], metrics: readonly string[]) {
  const named = columns.some((column) => column?.kind === 'year' && column.metric !== null);
  const misplaced =
    form === 'wide' ? ['year', ...metrics, ...(named && metrics.length > 1 ? ['metric'] : [])] : ['metric'];
  const besides = form === 'wide' ? 'a column per year' : 'a year column';
  return Array.from(columns).flatMap((column, index) =>
    column !== undefined && misplaced.includes(column.name)
      ? [
          {
            index,
            problem: `column ${column.name} stands beside ${column.kind === 'metric name' && form === 'wide' ? 'years below the names of metrics' : besides}`,
            remedy: 'keep the one or the other',
          },
        ]
      : [],
  );
}

function columnOf(dataset: DatasetName, heading: string): Column | undefined {
  const key = headingKey(heading);
  const dimension = datasetOf(dataset).dimensions.find((name) => headingKey(name) === key);
  if (dimension !== undefined) return { kind: 'dimension', name: dimension };
  const metrics = metricNames(dataset);
  const metric = metrics.find((name) => headingKey(name) === key);
  if (metric !== undefined) return { kind: 'metric', name: metric };
  if (metrics.length === 0) return undefined;
  if (key === 'metric') return { kind: 'metric name', name: 'metric' };
  const [year] = /^[1-9]\d{3}(?=(?:\.0+)?$)/.exec(key) ?? [];
  return year === undefined ? undefined : { kind: 'year', name: year, year: Number(year), metric: null };
}

/** How many different columns of the dataset a row names; years do not count. */
function knownColumns(dataset: DatasetName, row: RawRow): number {
  const names = row.cells.map((cell) => {
    const text = typeof cell === 'object' && cell?.kind === 'footnoted' ? cell.value : cell;
    return typeof text === 'string' ? columnOf(dataset, text) : undefined;
  });
  return new Set(
    names.flatMap((column) => (column === undefined || column.kind === 'year' ? [] : [column.name])),
  ).size;
}

function headingText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell).trim();
  switch (cell.kind) {
    case 'date':
      return cell.iso;
    case 'error':
      return cell.code;
    case 'united':
    case 'divided':
      return String(cell.value);
    case 'marked year':
      return cell.shown;
    case 'footnoted':
      return cell.value.trim();
    default:
      return '?';
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');
