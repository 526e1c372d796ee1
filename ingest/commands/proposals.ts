// Proposes how to read a file that a publish would refuse: by the remedies of its errors, or by a recipe for its columns.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  columnNames,
  type DatasetName,
  dimensionOf,
  isDimensionName,
  metricNames,
  metricUnit,
} from '../../src/catalog/datasets.ts';
import { identifier } from '../../src/duckdb.ts';
import { Problems } from '../messages/problems.ts';
import { headingKey, nearestWord } from '../messages/spelling.ts';
import { statedUnit } from '../messages/statedUnits.ts';
import { datasetNamedBy } from '../sources/folder.ts';
import {
  dimensionInOtherWords,
  isYearInOtherForm,
  metricInOtherWords,
} from '../sources/header/unknownHeading.ts';
import { SourceCopies } from '../sources/sourceCopies.ts';
import { Staging } from '../staging/database/staging.ts';
import { readFile } from '../staging/readFile.ts';
import { nothingRead } from '../staging/reading.ts';
import { NO_OPTIONS } from '../staging/readingOptions.ts';
import { makeCommandFolder } from './commandFolder.ts';
import type { ColumnInspection, Inspection, TableInspection } from './inspect.ts';

/**
 * An error that a publish would report, with its remedy. Of errors with the same kind and remedy, only the first is listed.
 */
export interface Proposal {
  readonly place: string;
  readonly problem: string;
  readonly remedy: string | null;
}

/** The errors of a file, found by reading it as a publish does, into a temporary database. */
export async function proposalsFor(file: string, name: string): Promise<Proposal[]> {
  const workDir = await makeCommandFolder();
  const staging = await Staging.open(workDir);
  try {
    const problems = new Problems();
    const base = path.basename(name);
    const source = { name: base, path: file, dataset: datasetNamedBy(path.parse(base).name) };
    const sourceCopies = new SourceCopies(workDir);
    const run = { staging, problems, reading: nothingRead(), sourceCopies, options: NO_OPTIONS, known: null };
    await readFile(source, run, () => {});
    const errors = problems.list().filter(({ severity }) => severity === 'error');
    const firstOfGroup = new Map(
      errors.toReversed().map((error) => [JSON.stringify([error.kind, error.remedy]), error]),
    );
    return [...firstOfGroup.values()]
      .toReversed()
      .map(({ place, problem, remedy }) => ({ place, problem, remedy }));
  } finally {
    staging.close();
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * The text of a recipe for the first table whose header has faults or belongs to no dataset. If no table has a header, it
 * is for the first visible table with several rows and columns. Null when there is no such table, and when it is unknown
 * which dataset the table is for.
 */
export function recipeFor({ file, tables }: Inspection): string | null {
  const named = datasetNamedBy(path.parse(path.basename(file)).name);
  const table = tables.find(
    ({ headerRow, faults, dataset }) => headerRow !== null && (faults.length > 0 || dataset === null),
  );
  const headless = tables.find(({ hidden, rows, columns }) => !hidden && rows > 1 && columns.length > 1);
  const read = table ?? (tables.every(({ headerRow }) => headerRow === null) ? headless : undefined);
  const dataset = read?.dataset ?? named;
  if (read === undefined || dataset === null) return null;
  const source = {
    file: path.basename(file),
    ...(read.sheet === null ? {} : { sheet: read.sheet }),
    ...headerEntry(read.headerRow),
  };
  return `recipe.json\n${JSON.stringify({ tables: { source } }, null, 2)}\n\n${dataset}.sql\n${proposedSelects(dataset, read)}\n`;
}

/** The entry of recipe.json for the row with the column names. The names of a Parquet file need no entry. */
function headerEntry(headerRow: number | null): object {
  if (headerRow === null) return { cells: true };
  return headerRow === 0 ? {} : { header: headerRow };
}

/** The SQL comment about the unit that a heading states; empty when it states none. */
function unitComment(heading: string): string {
  const unit = statedUnit(heading);
  return unit === null ? '' : ` -- the heading says ${unit.word}: multiply by ${unit.factor} if they are`;
}

/**
 * A SELECT that takes each column of the dataset from the heading with the most similar name, or writes '?'. Several
 * columns may be named after one metric, such as `GGR EUR` and `GGR USD`. Each of them gets a SELECT, because one SELECT
 * takes only one column.
 */
function proposedSelects(dataset: DatasetName, { columns, headerRow, layout }: TableInspection): string {
  if (headerRow === null)
    return `${longSelect(dataset, [], null)}\nWHERE _row > 0 -- write the row above the first figures`;
  const headed = columns.filter(({ heading }) => heading !== '');
  const [metric, ...otherMetrics] = metricNames(dataset);
  if (layout === 'wide' && metric !== undefined && otherMetrics.length === 0)
    return unpivotSelect(dataset, headed, metric);
  const headings = headed.map(({ heading }) => heading);
  for (const metric of metricNames(dataset)) {
    const alike = [...new Set(headings.filter((one) => metricInOtherWords(dataset, one) === metric))];
    if (alike.length > 1 && !headings.some((one) => headingKey(one) === headingKey(metric)))
      return alike.map((heading) => longSelect(dataset, headed, { metric, heading })).join('\nUNION ALL\n');
  }
  return longSelect(dataset, headed, null);
}

/**
 * The SELECT for a table with a column per year. A heading such as `2025E` beside plain years is unpivoted too: its cast
 * then fails, and its figures are not left out unnoticed. When all headings have another form, such as `FY2025`, their
 * digits are the years.
 */
function unpivotSelect(dataset: DatasetName, columns: readonly ColumnInspection[], metric: string): string {
  const other = columns.find(({ heading }) => isYearInOtherForm(dataset, heading));
  const arePlain = other === undefined || columns.some(({ meaning }) => meaning === 'year');
  const pattern = arePlain ? '^\\d{4}' : '\\d{4}';
  const labels = columns.filter(({ heading }) => !new RegExp(pattern).test(heading));
  const unpivoted = ['year', metric].map((heading) => ({ column: '', heading, meaning: null, kinds: {} }));
  const years = `(UNPIVOT source ON COLUMNS('${pattern}') INTO NAME year VALUE ${metric})`;
  const source = arePlain
    ? years
    : `(SELECT * REPLACE (regexp_extract(year, '\\d{4}') AS year) FROM ${years}) -- see that "${other.heading}" is this calendar year`;
  return longSelect(dataset, [...unpivoted, ...labels], null, source);
}

/**
 * One SELECT of a proposed recipe.
 *
 * @param chosen When several columns are named after the same metric: the metric, and which of the columns this SELECT
 *   takes.
 */
function longSelect(
  dataset: DatasetName,
  columns: readonly ColumnInspection[],
  chosen: { readonly metric: string; readonly heading: string } | null,
  source = 'source',
): string {
  const headings = columns.map(({ heading }) => heading);
  const lines = columnNames(dataset).map((name): SelectColumn => {
    const heading =
      (name === chosen?.metric ? chosen.heading : undefined) ??
      headings.find((one) => headingKey(one) === headingKey(name)) ??
      headings.find((one) => metricInOtherWords(dataset, one) === name) ??
      headings.find((one) => dimensionInOtherWords(dataset, one) === name) ??
      nearestWord(name, headings);
    if (heading !== undefined && showsPercent(dataset, name, columns, heading))
      return {
        sql: `${identifier(heading)}::DOUBLE * 100 AS ${name}`,
        comment: ' -- its cells show percent and hold fractions',
      };
    if (heading !== undefined)
      return {
        sql: `${identifier(heading)}${castSql(name)} AS ${name}`,
        comment: isDimensionName(name) ? '' : unitComment(heading),
      };
    const currency = name === 'fx' && chosen !== null ? currencyIn(chosen.heading, chosen.metric) : undefined;
    if (currency !== undefined) return { sql: `'${currency}' AS fx`, comment: '' };
    return name === 'state'
      ? { sql: `'' AS state`, comment: '' }
      : { sql: `'?' AS ${name}`, comment: ' -- write the value or the column' };
  });
  const last = lines.length - 1;
  const written = lines.map(({ sql, comment }, i) => `  ${sql}${i === last ? '' : ','}${comment}`);
  return `SELECT\n${written.join('\n')}\nFROM ${source}`;
}

/** The cast of a column, because a recipe reads all cells as text. A dimension of text needs none. */
function castSql(name: string): string {
  if (!isDimensionName(name)) return '::DOUBLE';
  return dimensionOf(name).type === 'integer' ? '::INTEGER' : '';
}

/** Whether a metric in percent has a column whose numbers all have a percent format. Such a cell holds 0.05 for 5 %. */
function showsPercent(
  dataset: DatasetName,
  metric: string,
  columns: readonly ColumnInspection[],
  heading: string,
): boolean {
  const kinds = columns.find((column) => column.heading === heading)?.kinds ?? {};
  return (
    metricUnit(dataset, metric) === 'percent' && kinds.percent !== undefined && kinds.number === undefined
  );
}

/** A column of a SELECT. The comment is written after the comma. */
interface SelectColumn {
  readonly sql: string;
  readonly comment: string;
}

/** The currency code that the heading of a metric contains, as in `GGR EUR`. */
const currencyIn = (heading: string, metric: string): string | undefined =>
  heading.match(/\b[A-Z]{3}\b/g)?.find((code) => headingKey(code) !== headingKey(metric));
