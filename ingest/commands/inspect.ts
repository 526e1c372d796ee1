// Describes a file before it is published: its sheets, header, layout, types and first rows.

import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { messageOf } from '../messages/fault.ts';
import { columnLetters } from '../messages/place.ts';
import { datasetNamedBy } from '../sources/folder.ts';
import { HEADER_WITHIN_ROWS } from '../sources/header/header.ts';
import { looksLikeHeader } from '../sources/header/headerRow.ts';
import type { Header } from '../sources/header/headerTypes.ts';
import { openFile } from '../sources/readers/openFile.ts';
import type { Cell, RawFile, RawRow, RawTable } from '../sources/readers/rawFile.ts';
import { shownPercent } from '../staging/cellValues.ts';
import { tableHeader } from '../staging/tableHeader.ts';

export interface Inspection {
  readonly file: string;
  readonly format: string;
  readonly tables: readonly TableInspection[];
}

export interface TableInspection {
  readonly sheet: string | null;
  readonly hidden: boolean;
  /** How many rows are not empty. */
  readonly rows: number;
  /** How many of these are below the header. Without a header, all are. */
  readonly rowsBelow: number;
  /** The dataset whose header was found; null when there is none. */
  readonly dataset: DatasetName | null;
  readonly layout: 'long' | 'wide' | null;
  /** The row of the dataset's header. Without one, the first row that looks like a header; null when no row does. */
  readonly headerRow: number | null;
  readonly faults: readonly string[];
  readonly columns: readonly ColumnInspection[];
  /** The first rows from the header on, as text. */
  readonly preview: readonly { readonly row: number; readonly cells: readonly string[] }[];
}

export interface ColumnInspection {
  /** The letters of the column, such as `A`, also for files other than workbooks. */
  readonly column: string;
  readonly heading: string;
  /**
   * What the column holds: a dimension, a metric or a year; null when its heading is unknown or the table has no header.
   */
  readonly meaning: string | null;
  /** How many cells below the header are of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
}

const PREVIEW_ROWS = 6;
const PREVIEW_COLUMNS = 40;

/**
 * Reads a whole file and describes its tables.
 *
 * @throws {UnreadableError} when a publish could not read it either.
 */
export async function inspect(file: string, name: string): Promise<Inspection> {
  const raw = await openFile(file, name);
  try {
    const named = datasetNamedBy(name.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, ''));
    const tables: TableInspection[] = [];
    for (const table of raw.tables) tables.push(await inspectTable(table, named, raw.format));
    return { file: name, format: raw.format, tables };
  } finally {
    await raw.close();
  }
}

async function inspectTable(
  table: RawTable,
  named: DatasetName | null,
  format: RawFile['format'],
): Promise<TableInspection> {
  const head: RawRow[] = [];
  let rows = 0;
  let body: BodyCounts | undefined;
  const begin = () => {
    body = new BodyCounts(findHeader(head, named ?? datasetNamedBy(table.name ?? ''), format));
    for (const row of head) body.count(row);
    return body;
  };
  for await (const batch of table.rows()) {
    for (const row of batch) {
      // Row 0 of a Parquet file holds the names of its columns.
      if (row.row > 0) rows += 1;
      if (body !== undefined) body.count(row);
      else if (head.push(row) === HEADER_WITHIN_ROWS) begin();
    }
  }
  const { found, kinds, rows: rowsBelow } = body ?? begin();
  const { dataset, header, row: headerRow, rows: headRows } = found;
  return {
    sheet: table.name,
    hidden: table.hidden,
    rows,
    rowsBelow,
    dataset,
    layout: header?.form ?? null,
    headerRow,
    faults: header?.faults.map(messageOf) ?? [],
    columns: columnsOf(header, headRows.find(({ row }) => row === headerRow)?.cells ?? [], kinds),
    preview: headRows
      .filter(({ row }) => row >= (headerRow ?? 0))
      .slice(0, PREVIEW_ROWS)
      .map(({ row, cells }) => ({ row, cells: cells.slice(0, PREVIEW_COLUMNS).map(oneLine) })),
  };
}

class BodyCounts {
  readonly found: FoundHeader;
  rows = 0;
  /** The number of cells of each kind, by column. */
  readonly kinds: Record<string, number>[] = [];

  constructor(found: FoundHeader) {
    this.found = found;
  }

  count({ row, cells }: RawRow): void {
    if (row <= (this.found.row ?? -1)) return;
    this.rows += 1;
    for (const [index, cell] of cells.entries()) {
      if (cell === null) continue;
      const counts = this.kinds[index] ?? {};
      this.kinds[index] = counts;
      counts[kindOf(cell)] = (counts[kindOf(cell)] ?? 0) + 1;
    }
  }
}

function columnsOf(
  header: Header | null,
  headings: readonly Cell[],
  kinds: readonly Readonly<Record<string, number>>[],
): readonly ColumnInspection[] {
  const width = Math.max(headings.length, kinds.length, header?.columns.length ?? 0);
  return Array.from({ length: width }, (_, index) => ({
    column: columnLetters(index),
    heading: oneLine(headings[index] ?? null),
    meaning: header === null ? null : columnMeaning(header, index),
    kinds: kinds[index] ?? {},
  }));
}

interface FoundHeader {
  readonly dataset: DatasetName | null;
  readonly header: Header | null;
  readonly row: number | null;
  /** The first rows of the table. In a csv of R, the header has an empty cell above the row numbers. */
  readonly rows: readonly RawRow[];
}

/**
 * Finds the header with the fewest faults. A file or sheet that is named after a dataset can only have the header of that
 * dataset. When no header is found, the result has the first row that looks like one.
 */
function findHeader(
  head: readonly RawRow[],
  named: DatasetName | null,
  format: RawFile['format'],
): FoundHeader {
  const candidates = (named === null ? DATASET_NAMES : [named]).flatMap((dataset) => {
    const found = tableHeader(dataset, head, format);
    return found === null ? [] : [{ dataset, ...found, row: found.header.row }];
  });
  const fewestFaults = candidates.sort((a, b) => a.header.faults.length - b.header.faults.length)[0];
  const row = head.find(looksLikeHeader)?.row ?? null;
  return fewestFaults ?? { dataset: null, header: null, row, rows: head };
}

function columnMeaning(header: Header, index: number): string | null {
  const column = header.columns[index];
  if (column === undefined) return null;
  return column.kind === 'dimension' || column.kind === 'metric'
    ? `${column.kind} ${column.name}`
    : column.kind;
}

const kindOf = (cell: Exclude<Cell, null>): string =>
  typeof cell === 'object' ? (ODD_KINDS[cell.kind] ?? cell.kind) : (KINDS[typeof cell] ?? '');

const KINDS: Readonly<Record<string, string>> = { string: 'text', number: 'number', boolean: 'truth value' };

const ODD_KINDS: Readonly<Record<string, string>> = {
  uncalculated: 'formula without a value',
  'with unit': 'number',
  divided: 'number',
  'with currency': 'number',
  'dated year': 'date',
  'marked year': 'number',
  misshown: 'number',
  footnoted: 'text with a footnote mark',
};

/** A cell as one line of text. */
function oneLine(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return String(cell).replace(/\s+/g, ' ');
  switch (cell.kind) {
    case 'date':
      return cell.iso;
    case 'percent':
      return `${shownPercent(cell.value)} %`;
    case 'divided':
    case 'with currency':
    case 'dated year':
      return String(cell.value);
    case 'with unit':
      return `${cell.value / cell.divisor} ${cell.unit}`;
    case 'marked year':
    case 'misshown':
      return cell.shown;
    case 'error':
      return cell.code;
    case 'uncalculated':
      return 'formula without a value';
    case 'footnoted':
      return cell.text.replace(/\s+/g, ' ');
  }
}
