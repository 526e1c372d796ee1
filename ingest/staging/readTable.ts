// Reads one table into the staging database: finds its header among the first rows, then stages what stands below.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { type Origin, placeOfRow, wholeTable } from '../messages/place.ts';
import { findHeader, HEADER_WITHIN_ROWS, isHeaderOf } from '../sources/header.ts';
import type { RawRow, RawTable } from '../sources/readers/raw.ts';
import { WithinTableObject } from '../sources/tableObject.ts';
import { type Destination, expectDataset } from './reading.ts';
import { reportHeader } from './remarks.ts';
import { TableStager } from './stageTable.ts';

/** Stages the rows of a table below its header; false when it has no header. */
export async function readTable(
  table: RawTable,
  dataset: DatasetName,
  at: Origin,
  to: Destination,
  onBatch: () => void = () => {},
): Promise<boolean> {
  let first: RawRow[] = [];
  let stager: TableStager | undefined;
  const object = (await table.tableObject?.()) ?? null;
  const within = object === null ? null : new WithinTableObject(object, (row) => isHeaderOf(dataset, row));
  for await (const rows of table.rows()) {
    const batch = within === null ? rows : within.take(rows);
    if (stager !== undefined) stager.take(batch);
    else {
      first.push(...batch);
      if (first.length >= HEADER_WITHIN_ROWS) {
        stager = begin(first, dataset, at, to);
        if (stager === undefined) return false;
        first = [];
      }
    }
    onBatch();
  }
  stager ??= begin(first, dataset, at, to);
  if (stager === undefined) return false;
  const { rows, facts } = stager.finish(table.merged?.());
  for (const { severity, message } of table.remarks?.() ?? [])
    to.problems.add(severity, wholeTable(at), message);
  for (const { row, column, message } of within?.errors() ?? [])
    to.problems.add('error', placeOfRow(at, row, column), message);
  for (const { row, column, message } of within?.notes() ?? [])
    to.problems.add('note', placeOfRow(at, row, column), message);
  const { reading } = to;
  expectDataset(dataset, reading);
  reading.tables.push({ file: at.file, sheet: at.sheet, dataset, rows, facts });
  reading.facts.set(dataset, (reading.facts.get(dataset) ?? 0) + facts);
  const sources = reading.sources.get(dataset) ?? [];
  if (!sources.includes(at.file)) reading.sources.set(dataset, [...sources, at.file]);
  return true;
}

/** Stages the first rows of a table once its header is found among them; undefined when it is not. */
function begin(
  first: readonly RawRow[],
  dataset: DatasetName,
  at: Origin,
  { staging, problems, reading }: Destination,
): TableStager | undefined {
  const header = findHeader(dataset, first);
  if (header === null) return undefined;
  const columns = new Map(
    header.columns.flatMap((column, i) => (column === undefined ? [] : [[column.name, i]])),
  );
  const origin = { ...at, columns };
  const source = staging.origins.push(origin) - 1;
  reportHeader(header, origin, problems);
  if (!header.complete) reading.incomplete.add(dataset);
  const stager = new TableStager({ dataset, header, source }, staging, problems);
  stager.take(first);
  return stager;
}
