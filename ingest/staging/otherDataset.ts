// Refuses a sheet that is named after another dataset than its file, unless its header names the dataset of the file.
//
// With a complete header of the other dataset, the sheet belongs to that dataset, and it is not read. With years and no
// name of their metric, it may belong to either: it is read, and a further remedy is to rename the sheet.

import { type DatasetName, DIMENSION_NAMES } from '../../src/catalog/datasets.ts';
import type { FileFormat } from '../messages/fileFormats.ts';
import { type Origin, wholeTable } from '../messages/place.ts';
import { datasetNamedBy } from '../sources/folder.ts';
import { headOf } from '../sources/header/header.ts';
import type { Header } from '../sources/header/headerTypes.ts';
import type { RawTable } from '../sources/readers/rawFile.ts';
import type { ReadingRun } from './reading.ts';
import { tableHeader } from './tableHeader.ts';

/**
 * The dataset that a sheet is named after, if the sheet has a complete header of this dataset without faults, and no
 * complete header of `named`, the dataset that its file is named after; else null.
 */
export async function otherDatasetIn(
  table: RawTable,
  named: DatasetName,
  format: FileFormat,
): Promise<DatasetName | null> {
  const other = datasetNamedBy(table.name ?? '');
  if (other === null || other === named) return null;
  const head = await headOf(table);
  const completeHeader = (dataset: DatasetName) => {
    const header = tableHeader(dataset, head, format)?.header;
    return header?.complete === true ? header : null;
  };
  return completeHeader(other)?.faults.length === 0 && completeHeader(named) === null ? other : null;
}

/**
 * Refuses a sheet of wide form that is named after another dataset than its file, and in which no heading names the metric
 * of the years. Its figures may be of either dataset. A sheet named `country` is not refused, because country is also a
 * dimension.
 */
export function refuseDoubtfulYears(
  header: Header,
  named: DatasetName,
  origin: Origin,
  run: Pick<ReadingRun, 'problems' | 'reading'>,
): void {
  const other = datasetNamedBy(origin.sheet ?? '');
  const namesMetric = header.columns.some(
    (column) =>
      column?.kind === 'metric name' ||
      column?.kind === 'metric' ||
      (column?.kind === 'year' && column.metric !== null),
  );
  if (other === null || other === named || header.form === 'long' || namesMetric) return;
  if (DIMENSION_NAMES.some((name) => name === other)) return;
  refuseOtherDataset(
    { other, named, furtherRemedy: `, or rename the sheet if its years hold ${named}` },
    origin,
    run,
  );
}

interface MisnamedSheet {
  /** The dataset that the sheet is named after. */
  readonly other: DatasetName;
  /** The dataset that the file is named after. */
  readonly named: DatasetName;
  readonly furtherRemedy?: string;
}

/** Adds the error for a sheet that is named after another dataset than its file. */
export function refuseOtherDataset(
  { other, named, furtherRemedy = '' }: MisnamedSheet,
  origin: Origin,
  { problems, reading }: Pick<ReadingRun, 'problems' | 'reading'>,
): void {
  problems.add('error', wholeTable(origin), {
    problem: `the sheet is named after ${other} and the file after ${named}`,
    remedy: `rename the file so that it is named after no dataset, which makes each sheet count by its own name, or move the sheet to a file named after ${other}${furtherRemedy}`,
    kind: 'a sheet is named after another dataset than its file',
  });
  reading.mayLackDatasets = true;
}
