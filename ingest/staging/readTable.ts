// Reads one table into the staging database: finds its header among the first rows, then stages the rows below it.
//
// Most tables are read in one pass. Some cells can only be understood together with their column: decimal commas, footnote
// marks, labels of groups. At the first of these cells the pass ends, and its rows are discarded. Then a survey reads the
// whole table, and a second pass stages it.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { type Origin, placeOfRow } from '../messages/place.ts';
import { Problems } from '../messages/problems.ts';
import { HEADER_WITHIN_ROWS } from '../sources/header/header.ts';
import { isHeaderOf } from '../sources/header/headerRow.ts';
import {
  type CellRange,
  isColumns,
  type RawRow,
  type RawTable,
  readingOf,
  type TableReading,
  type WantedColumn,
} from '../sources/readers/rawFile.ts';
import { TableObjectRows } from '../sources/tableObjectRows.ts';
import { isEmpty } from './cellValues.ts';
import { type ColumnMapping, mapColumns } from './columnMapping.ts';
import { DimensionTexts } from './dimensionTexts.ts';
import { refuseDoubtfulYears } from './otherDataset.ts';
import { wantedKinds } from './plain/plainRows.ts';
import { wantedSqlColumns } from './plain/plainSql.ts';
import { addRows, type ReadingRun } from './reading.ts';
import { effectOf, optionsFor } from './readingOptions.ts';
import { Remarks, reportFindings, reportHeader } from './remarks.ts';
import { reportTextsAbove, reportTextsBeside } from './stated/reportTexts.ts';
import { statementsAbove } from './stated/statements.ts';
import { type Survey, surveyTable } from './survey.ts';
import type { TableContext } from './tableContext.ts';
import { tableHeader } from './tableHeader.ts';
import { TableStager } from './tableStager.ts';

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
  const { dataset, origin } = source;
  const addedBefore = run.staging.addedRows(dataset);
  let pass = await stageRows(source, run, null, onBatch);
  if (pass.outcome === 'needs survey') {
    run.staging.discardSince(dataset, addedBefore);
    const { reading } = await beginReading(source);
    const survey = await surveyTable(reading.rows(), pass.mapping, optionsFor(run.options, origin.file));
    pass = await stageRows(source, run, survey, onBatch);
    recordStyles(survey, origin.file, run);
  }
  if (pass.outcome !== 'staged') return false;
  await finishTable(source, pass, run);
  return true;
}

/** The result of one pass over the rows of a table. */
type Pass =
  | StagedPass
  | { readonly outcome: 'needs survey'; readonly mapping: ColumnMapping }
  | { readonly outcome: 'no header' };

interface StagedPass extends BegunTable {
  readonly outcome: 'staged';
  /** The problems that this pass found. The problems of a pass that ended early are dropped. */
  readonly problems: Problems;
  readonly tableObjectRows: TableObjectRows | null;
}

/** A table whose header is found. */
interface BegunTable {
  readonly table: TableContext;
  readonly stager: TableStager;
}

/** Stages the rows of a table from the first one to the last one, or to the first cell that needs a survey. */
async function stageRows(
  source: SourceTable,
  run: ReadingRun,
  survey: Survey | null,
  onBatch: () => void,
): Promise<Pass> {
  const problems = new Problems();
  const { tableObjectRows, reading, sql } = await beginReading(source);
  try {
    const first = await firstRows(reading);
    const begun = beginTable(first.rows, source, { ...run, problems }, survey);
    if (begun === null) return { outcome: 'no header' };
    onBatch();
    const { table } = begun;
    if (!first.isAll && !table.needsSurvey) await stageRest(begun, first.rows, { reading, sql }, onBatch);
    return table.needsSurvey
      ? { outcome: 'needs survey', mapping: table.mapping }
      : { outcome: 'staged', ...begun, problems, tableObjectRows };
  } finally {
    await reading.close();
  }
}

/**
 * A reading of a table. If the sheet has a table object, `tableObjectRows` limits the reading to it, and all rows come row
 * by row.
 */
interface BoundedReading {
  readonly reading: TableReading;
  readonly sql: RawTable['sql'];
  readonly tableObjectRows: TableObjectRows | null;
}

async function beginReading({ table, dataset }: SourceTable): Promise<BoundedReading> {
  const object = (await table.tableObject?.()) ?? null;
  if (object === null) {
    const reading = (await table.read?.()) ?? readingOf(table.rows());
    return { tableObjectRows: null, reading, sql: table.sql };
  }
  const tableObjectRows = new TableObjectRows(object, (row) => isHeaderOf(dataset, row));
  async function* rowsWithin(rows: TableObjectRows) {
    for await (const batch of table.rows()) yield rows.take(batch);
  }
  return { tableObjectRows, reading: readingOf(rowsWithin(tableObjectRows)), sql: undefined };
}

/** The first rows of a table, among which its header is searched for, and whether the table has no others. */
async function firstRows(
  reading: TableReading,
): Promise<{ readonly rows: readonly RawRow[]; readonly isAll: boolean }> {
  const rows: RawRow[] = [];
  while (rows.length < HEADER_WITHIN_ROWS) {
    const batch = await reading.first();
    if (batch === null) return { rows, isAll: true };
    rows.push(...batch);
  }
  return { rows, isAll: false };
}

/** Stages all rows after the first ones, by SQL if that is possible. It stops when the table needs a survey. */
async function stageRest(
  begun: BegunTable,
  first: readonly RawRow[],
  { reading, sql }: Pick<BoundedReading, 'reading' | 'sql'>,
  onBatch: () => void,
): Promise<void> {
  const { table, stager } = begun;
  const kinds = wantedKinds(table);
  if (kinds !== null && (await stageBySql(begun, wantedSqlColumns(kinds, table, first), sql))) return;
  for await (const batch of kinds === null ? reading.rows() : reading.columns(kinds)) {
    if (isColumns(batch)) stager.takeColumns(batch);
    else stager.take(batch);
    if (table.needsSurvey) return;
    onBatch();
  }
}

/** Stages all rows after the first ones by SQL; false when SQL cannot stage them. */
async function stageBySql(
  { table, stager }: BegunTable,
  wanted: readonly WantedColumn[] | null,
  sql: RawTable['sql'],
): Promise<boolean> {
  const sqlTable = (wanted && (await sql?.(table.staging.connection, wanted))) ?? null;
  if (sqlTable === null) return false;
  const isTaken = await stager.takeSql(sqlTable);
  await sqlTable.drop?.();
  return isTaken;
}

/** Reports what only shows after the last row, and records the table. */
async function finishTable(
  { table: rawTable, dataset, origin }: SourceTable,
  { table, stager, problems, tableObjectRows }: StagedPass,
  run: ReadingRun,
): Promise<void> {
  const { mapping, source } = table;
  const { header } = mapping;
  const findings = await rawTable.findings();
  const merged = await withoutEmptyStates(findings.merged, mapping, () => rawTable.rows());
  const { rows, facts } = stager.finish(merged);
  reportFindings(findings, header, origin, problems);
  const stated = reportTextsBeside(findings.asides, table, origin, problems);
  run.staging.origins[source]?.statements?.push(...stated);
  for (const { severity, row, column, ...diagnostic } of tableObjectRows?.problems() ?? [])
    problems.add(severity, placeOfRow(origin, row, column), diagnostic);
  run.problems.absorb(problems);
  const { reading } = run;
  if (!header.complete) reading.incomplete.add(dataset);
  reading.tables.push({ file: origin.file, sheet: origin.sheet, dataset, rows, facts });
  addRows(dataset, { facts, files: [origin.file] }, reading);
}

/** Finds the header among the first rows of a table, and stages those below it; null when there is no header. */
function beginTable(
  first: readonly RawRow[],
  { dataset, origin: place }: SourceTable,
  run: ReadingRun,
  survey: Survey | null,
): BegunTable | null {
  const found = tableHeader(dataset, first, place.format);
  if (found === null) return null;
  const { header, rows } = found;
  const columns = new Map(
    header.columns.flatMap((column, i) => (column === undefined ? [] : [[column.name, i]])),
  );
  const titles = rows.filter(({ row }) => row < header.row);
  const options = optionsFor(run.options, place.file);
  const origin = { ...place, columns, statements: statementsAbove(titles, place, options) };
  const { staging, problems, known, reading } = run;
  const source = staging.origins.push(origin) - 1;
  const table: TableContext = {
    file: place.file,
    options,
    survey,
    known,
    onEffect: (option, metric) => reading.effective.add(effectOf(run.options, place.file, option, metric)),
    staging,
    source,
    mapping: mapColumns(dataset, header),
    dimensionTexts: new DimensionTexts(staging),
    remarks: new Remarks(header, source, staging, problems),
    ungroupedMetrics: new Set(),
    needsSurvey: false,
  };
  reportHeader(header, origin, problems);
  reportTextsAbove(rows, table, origin, problems);
  refuseDoubtfulYears(header, dataset, origin, run);
  const stager = new TableStager(table);
  stager.take(first);
  return { table, stager };
}

/** Records for the manifest the styles of numbers that the survey found in whole columns. */
function recordStyles({ styleByMetric }: Survey, file: string, { reading, options }: ReadingRun): void {
  if (optionsFor(options, file).numbers !== null) return;
  for (const [column, value] of styleByMetric) {
    if (value === null) continue;
    const named = column === '' ? {} : { column };
    reading.recorded.push({ option: 'numbers', value, file, ...named, found: true });
  }
}

/**
 * The ranges in `merged`, without those in the column `state` whose first cell is empty. Only this dimension may be empty.
 * It reads the rows again, because merged cells are known only after the last row.
 */
async function withoutEmptyStates(
  merged: readonly CellRange[],
  { header }: ColumnMapping,
  rows: () => AsyncIterable<readonly RawRow[]>,
): Promise<readonly CellRange[]> {
  const isOfState = ({ columns: [first, last] }: CellRange) =>
    first === last && header.columns[first]?.name === 'state';
  const ofStates = merged.filter(isOfState);
  if (ofStates.length === 0) return merged;
  const filled = new Set<CellRange>();
  const byRow = new Map(ofStates.map((range) => [range.rows[0], range]));
  for await (const batch of rows())
    for (const { row, cells } of batch) {
      const range = byRow.get(row);
      if (range !== undefined && !isEmpty(cells[range.columns[0]])) filled.add(range);
    }
  return merged.filter((range) => !isOfState(range) || filled.has(range));
}
