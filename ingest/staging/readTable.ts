// Reads one table into the staging database: finds its header among the first rows, then stages the rows below it.
//
// Most tables are read in one pass. Some cells can only be understood together with their column: decimal commas, footnote
// marks, labels of groups. At the first of these cells the pass ends, and its rows are discarded. Then a survey reads the whole
// table, and a second pass stages it.

import { type DatasetName, DIMENSION_NAMES } from '../../src/catalog/datasets.ts';
import { type Origin, placeOfRow, wholeTable } from '../messages/place.ts';
import { Problems } from '../messages/problems.ts';
import { datasetNamedBy } from '../sources/folder.ts';
import { findHeader, HEADER_WITHIN_ROWS } from '../sources/header/header.ts';
import { isHeaderOf, withRowNumbers } from '../sources/header/headerRow.ts';
import type { Header } from '../sources/header/types.ts';
import { isColumns, type RawRow, type RawTable, type RowsWanted } from '../sources/readers/raw.ts';
import { TableObjectRows } from '../sources/tableObjectRows.ts';
import { warnOfDraft, warnOfDraftBeside } from './draftTexts.ts';
import { withoutEmptyStates } from './emptyMerged.ts';
import { warnOfNamedMeasure } from './numbers/namedMeasures.ts';
import { warnOfOtherMeasure } from './numbers/otherMeasures.ts';
import { withoutUnits } from './numbers/units.ts';
import { addRows, type ReadingRun } from './reading.ts';
import { effectOf, optionsFor } from './readingOptions.ts';
import { reportHeader, reportTable } from './remarks.ts';
import { type Survey, survey } from './survey.ts';
import type { ReadingContext } from './tableContext.ts';
import { TableStager } from './tableStager.ts';
import { statementsAbove, statementsBeside } from './tableStatements.ts';
import { reportAsides, reportUnits } from './tableUnits.ts';
import { textsIn } from './titleTexts.ts';

/** A table, its dataset, and its file and sheet. */
export interface SourceTable {
  readonly table: RawTable;
  readonly dataset: DatasetName;
  readonly origin: Origin;
}

/** Stages the rows of a table below its header, and reports its problems; false when the table has no header. */
export async function readTable(
  source: SourceTable,
  run: ReadingRun,
  onBatch: () => void = () => {},
): Promise<boolean> {
  const { table, dataset, origin } = source;
  const addedBefore = run.staging.added(dataset);
  let pass = await readOnce(source, run, null, onBatch);
  if (pass.stager?.needsSurvey) {
    run.staging.discard(dataset, addedBefore);
    const { rows } = await boundedRows(source);
    const surveyed = await survey(rows(), pass.stager.placement, optionsFor(run.options, origin.file));
    pass = await readOnce(source, run, surveyed, onBatch);
    recordStyles(surveyed, origin.file, run);
  }
  const { stager, problems } = pass;
  if (stager === null) return false;
  const merged = await withoutEmptyStates(table.merged?.() ?? [], stager.placement, () => table.rows());
  const { rows, facts } = stager.finish(merged);
  const asides = (await table.asides?.()) ?? [];
  await reportTable(table, asides, { header: stager.placement.header, origin }, problems);
  if (asides.length > 0) {
    reportAsides(
      asides,
      stager.placement,
      { dataset, origin, context: contextOf(origin, run, null) },
      problems,
    );
    warnOfDraftBeside(asides, origin, problems);
    run.staging.origins[stager.source]?.statements?.push(
      ...statementsBeside(asides, stager.placement.header, origin),
    );
  }
  for (const { row, column, ...diagnostic } of pass.within?.errors() ?? [])
    problems.add('error', placeOfRow(origin, row, column), diagnostic);
  for (const { row, column, ...diagnostic } of pass.within?.notes() ?? [])
    problems.add('note', placeOfRow(origin, row, column), diagnostic);
  run.problems.absorb(problems);
  const { reading } = run;
  if (!stager.placement.header.complete) reading.incomplete.add(dataset);
  reading.tables.push({ file: origin.file, sheet: origin.sheet, dataset, rows, facts });
  addRows(dataset, { facts, files: [origin.file] }, reading);
  return true;
}

interface Pass {
  /** Null when the table has no header. */
  readonly stager: TableStager | null;
  /** The problems that this pass found. The problems of a pass that ended early are dropped. */
  readonly problems: Problems;
  readonly within: TableObjectRows | null;
}

/** The rows of a table. If the sheet has a table object, these are the rows inside it. */
interface BoundedRows {
  readonly within: TableObjectRows | null;
  readonly rows: () => AsyncIterable<readonly RawRow[]>;
  /** The same rows column by column. Only some formats have them, and only without a table object. */
  readonly batches?: RawTable['batches'];
  readonly sql?: RawTable['sql'];
}

async function boundedRows({ table, dataset }: SourceTable): Promise<BoundedRows> {
  const object = (await table.tableObject?.()) ?? null;
  if (object === null) {
    const { batches, sql } = table;
    return { within: null, rows: () => table.rows(), ...(batches && { batches }), ...(sql && { sql }) };
  }
  const within = new TableObjectRows(object, (row) => isHeaderOf(dataset, row));
  return {
    within,
    async *rows() {
      for await (const batch of table.rows()) yield within.take(batch);
    },
  };
}

/** Reads the table from its first row to its last, or to the first cell that needs a survey. */
async function readOnce(
  source: SourceTable,
  run: ReadingRun,
  surveyed: Survey | null,
  onBatch: () => void,
): Promise<Pass> {
  const problems = new Problems();
  const begin = (first: readonly RawRow[]) => beginTable(first, source, { ...run, problems }, surveyed);
  let first: RawRow[] = [];
  let stager: TableStager | null = null;
  const { within, rows, batches, sql } = await boundedRows(source);
  const wanted: RowsWanted = { kinds: null };
  for await (const batch of batches?.(wanted) ?? rows()) {
    if (isColumns(batch)) stager?.takeColumns(batch);
    else if (stager !== null) stager.take(batch);
    else first.push(...batch);
    if (stager === null && first.length >= HEADER_WITHIN_ROWS) {
      stager = begin(first);
      if (stager === null) break;
      wanted.kinds = stager.wanted;
      if (await takeRestBySql(stager, first, sql, run)) break;
      first = [];
    }
    if (stager?.needsSurvey) break;
    onBatch();
  }
  if (first.length < HEADER_WITHIN_ROWS) stager ??= begin(first);
  return { stager, problems, within };
}

/** Stages all rows after `first` by SQL; false when SQL cannot stage them. */
async function takeRestBySql(
  stager: TableStager,
  first: readonly RawRow[],
  sql: RawTable['sql'],
  run: ReadingRun,
): Promise<boolean> {
  const kinds = stager.wanted;
  if (kinds === null || stager.needsSurvey) return false;
  const wanted = stager.wantedOfSql(kinds, first);
  const table = (wanted && (await sql?.(run.staging.connection, wanted))) ?? null;
  if (table === null) return false;
  const isTaken = await stager.takeSql(table);
  await table.drop?.();
  return isTaken;
}

/** Finds the header among the first rows of a table, and stages those below it; null when there is no header. */
function beginTable(
  first: readonly RawRow[],
  { dataset, origin: table }: SourceTable,
  run: ReadingRun,
  surveyed: Survey | null,
): TableStager | null {
  // Units are removed from one row at a time until the header is found. Removing them from all first rows would take longer.
  const headerAt = first.findIndex((row) =>
    withoutUnits(dataset, [row]).some((plain) => isHeaderOf(dataset, plain)),
  );
  const rows = table.format === 'csv' ? withRowNumbers(first, headerAt) : first;
  const header =
    headerAt < 0 ? null : findHeader(dataset, withoutUnits(dataset, rows.slice(0, headerAt + 2)));
  if (header === null) return null;
  const columns = new Map(
    header.columns.flatMap((column, i) => (column === undefined ? [] : [[column.name, i]])),
  );
  const titles = rows.filter(({ row }) => row < header.row);
  const context = contextOf(table, run, surveyed);
  const origin = {
    ...table,
    columns,
    statements: statementsAbove(titles, table, context.options),
  };
  const source = run.staging.origins.push(origin) - 1;
  reportHeader(header, origin, run.problems);
  reportUnits({ dataset, header, first: rows }, origin, context, run.problems);
  const texts = textsIn(titles, origin);
  warnOfOtherMeasure(dataset, texts, run.problems);
  warnOfNamedMeasure(dataset, texts, origin, run.problems);
  warnOfDraft(texts, run.problems);
  reportOtherDataset(header, dataset, origin, run);
  const stager = new TableStager({ dataset, header, source, context }, run.staging, run.problems);
  stager.take(first);
  return stager;
}

const contextOf = ({ file }: Origin, run: ReadingRun, survey: Survey | null): ReadingContext => ({
  file,
  options: optionsFor(run.options, file),
  survey,
  known: run.known,
  onEffect: (option, metric) => run.reading.effective.add(effectOf(run.options, file, option, metric)),
});

/**
 * Reports a sheet that is named after another dataset than its file, if it has columns of years and no heading names their
 * metric. A sheet named `country` is not reported, because country is also a dimension.
 */
function reportOtherDataset(header: Header, dataset: DatasetName, origin: Origin, run: ReadingRun): void {
  const other = datasetNamedBy(origin.sheet ?? '');
  const isNamed = header.columns.some(
    (column) =>
      column?.kind === 'metric name' ||
      column?.kind === 'metric' ||
      (column?.kind === 'year' && column.metric !== null),
  );
  if (other === null || other === dataset || header.form === 'long' || isNamed) return;
  if (DIMENSION_NAMES.some((name) => name === other)) return;
  addOtherDataset(other, dataset, origin, run, `, or rename the sheet if its years hold ${dataset}`);
}

/**
 * Adds the error for a sheet that is named after another dataset than its file. The other dataset then has a source, so that its
 * lack is not reported.
 */
export function addOtherDataset(
  other: DatasetName,
  named: DatasetName,
  origin: Origin,
  { problems, reading }: Pick<ReadingRun, 'problems' | 'reading'>,
  furtherRemedy = '',
): void {
  problems.add('error', wholeTable(origin), {
    problem: `the sheet is named after ${other} and the file after ${named}`,
    remedy: `rename the file so that it is named after no dataset, which makes each sheet count by its own name, or move the sheet to a file named after ${other}${furtherRemedy}`,
    kind: 'a sheet is named after another dataset than its file',
  });
  reading.mayLackDatasets = true;
}

/** Records for the manifest the styles of numbers that the survey found in whole columns. */
function recordStyles({ numbers }: Survey, file: string, { reading, options }: ReadingRun): void {
  if (optionsFor(options, file).numbers !== null) return;
  for (const [column, value] of numbers) {
    if (value === null) continue;
    const named = column === '' ? {} : { column };
    reading.recorded.push({ option: 'numbers', value, file, ...named, found: true });
  }
}
