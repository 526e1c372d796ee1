// Finds the header of a table: also where headings state units, and where R wrote row numbers without a heading.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { FileFormat } from '../messages/fileFormats.ts';
import { findHeader } from '../sources/header/header.ts';
import { isHeaderOf, withRowNumbers } from '../sources/header/headerRow.ts';
import type { Header } from '../sources/header/headerTypes.ts';
import type { RawRow } from '../sources/readers/rawFile.ts';
import { withoutUnits } from './numbers/unitFaults.ts';

export interface TableHeader {
  readonly header: Header;
  /** The rows with their headings as written. In a csv of R, the header has an empty cell above the row numbers. */
  readonly rows: readonly RawRow[];
}

/** The header of `dataset` among the first rows of a table; null when no row names enough of its columns. */
export function tableHeader(
  dataset: DatasetName,
  first: readonly RawRow[],
  format: FileFormat,
): TableHeader | null {
  // Units are removed row by row until the header is found. Removing them from all first rows would take longer.
  const headerAt = first.findIndex((row) =>
    withoutUnits(dataset, [row]).some((plain) => isHeaderOf(dataset, plain)),
  );
  if (headerAt < 0) return null;
  const rows = format === 'csv' ? withRowNumbers(first, headerAt) : first;
  const header = findHeader(dataset, withoutUnits(dataset, rows.slice(0, headerAt + 2)));
  return header && { header, rows };
}
