// Reads .xlsx workbooks as they stream from the disk: memory does not grow with the rows.

import { wholePart, wholeSheet } from '../../../messages/place.ts';
import { distinct } from '../asides.ts';
import { Names } from '../formulas/names.ts';
import { remarksOnOldValues } from '../formulas/oldValues.ts';
import { LIMITS } from '../limits.ts';
import {
  type ColumnBatch,
  isColumns,
  onlyRows,
  type RawFile,
  type RawRow,
  type RawTable,
  type Remark,
  type RowsWanted,
} from '../raw.ts';
import { openZip, type Zip } from '../zip/zip.ts';
import { readAsides } from './asides.ts';
import type { CellContext } from './cellValue.ts';
import { readWorkbookParts, type SheetParts, smallEnough, type WorkbookParts } from './package.ts';
import { NO_STRINGS, readSharedStrings } from './sharedStrings.ts';
import { readSheet } from './sheet.ts';
import { dictionaryOf } from './sheetColumns.ts';
import { readInThread, type SheetKnown, type SheetRequest } from './sheetInThread.ts';
import { NO_STYLES, readCellStyles } from './styles.ts';
import { readNamedTables, readTableObject } from './tableObject.ts';
import { WorksheetMetadata } from './worksheetMetadata.ts';

export interface XlsxOptions {
  /** Whether a thread of its own may read the rows of a large sheet that are wanted column by column. */
  readonly mayUseThread?: boolean;
  /** From how many unpacked bytes on a sheet is large. */
  readonly manyBytes?: number;
}

/** Parsing this many bytes takes half a second; starting a thread takes less. */
const MANY_BYTES = 64 * 1024 * 1024;

/**
 * Opens a workbook: its sheets are the tables, hidden ones flagged, in the order of their tabs.
 *
 * @param name What messages call the file.
 * @throws {UnreadableError} for a file that is no workbook, encrypted, cut or a zip bomb. Reading rows throws it for damage
 * further in.
 */
export async function openXlsx(
  path: string,
  name: string,
  { mayUseThread = false, manyBytes = MANY_BYTES }: XlsxOptions = {},
): Promise<RawFile> {
  const zip = await openZip(path, name);
  try {
    const parts = await readWorkbookParts(zip, name);
    const sheetBytes = parts.sheets.reduce((sum, { part }) => sum + part.bytes, 0);
    const workbook: OpenWorkbook = {
      path,
      name,
      zip,
      sheets: parts.sheets,
      calculation: parts.calculation,
      definedNames: parts.names,
      context: once(() => readContext(zip, parts, name)),
      sheetBytes,
      threadFromBytes: mayUseThread ? manyBytes : Number.POSITIVE_INFINITY,
      readBytes: 0,
    };
    return {
      name,
      format: 'xlsx',
      tables: parts.sheets.map((sheet, index) => tableOf(workbook, sheet, index)),
      progress: () => Math.min(1, workbook.readBytes / Math.max(1, sheetBytes)),
      close: () => zip.close(),
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

/** What the tables of a workbook share. */
interface OpenWorkbook {
  readonly path: string;
  readonly name: string;
  readonly zip: Zip;
  readonly sheets: readonly SheetParts[];
  readonly calculation: WorkbookParts['calculation'];
  readonly definedNames: WorkbookParts['names'];
  /** Shared strings, styles and settings, read when a sheet needs them first. */
  readonly context: () => Promise<CellContext>;
  /** The unpacked bytes of all sheets. */
  readonly sheetBytes: number;
  /** From how many unpacked bytes on a thread may read a sheet. */
  readonly threadFromBytes: number;
  /** The unpacked bytes that were read so far. */
  readBytes: number;
}

/** What is known of a sheet besides its rows. */
interface Besides {
  readonly known: () => SheetKnown;
  readonly oldValues: () => Promise<readonly Remark[]>;
}

const NOTHING_READ: Besides = {
  known: () => ({ merged: [], remarks: [], asides: [] }),
  oldValues: async () => [],
};

function tableOf(workbook: OpenWorkbook, sheet: SheetParts, index: number): RawTable {
  const { zip, name } = workbook;
  let besides = NOTHING_READ;
  const batches = (wanted: RowsWanted) =>
    batchesOf(workbook, sheet, { index, wanted }, (known) => {
      besides = known;
    });
  return {
    name: sheet.name,
    hidden: sheet.hidden,
    rows: () => onlyRows(batches({ kinds: null })),
    batches,
    merged: () => besides.known().merged,
    remarks: () => besides.known().remarks,
    oldValues: () => besides.oldValues(),
    asides: async () =>
      distinct([
        ...besides.known().asides,
        ...sheet.definedNames.map((text) => ({ what: 'defined name', text }) as const),
        ...(await readAsides(zip, name, sheet.part)),
      ]),
    tableObject: () => readTableObject(zip, name, sheet.part),
  };
}

/**
 * The rows of a sheet. A thread reads those of a large one from the second batch on, when they are wanted column by column.
 *
 * @param setBesides Takes functions that tell what is known of the sheet besides its rows, as far as these were read.
 */
async function* batchesOf(
  workbook: OpenWorkbook,
  sheet: SheetParts,
  { index, wanted }: { readonly index: number; readonly wanted: RowsWanted },
  setBesides: (besides: Besides) => void,
): AsyncGenerator<readonly RawRow[] | ColumnBatch> {
  const { path, name, zip, context, sheetBytes, threadFromBytes } = workbook;
  const place = wholeSheet(name, sheet.name);
  const metadata = new WorksheetMetadata(place);
  setBesides({
    known: () => metadata.known(),
    oldValues: () => oldValuesIn(workbook, sheet, metadata),
  });
  const pieces = tapped(zip.read(sheet.part), (bytes) => {
    workbook.readBytes += bytes;
  });
  /** The rows that a thread reads. */
  let remaining: SheetRequest | null = null;
  for await (const batch of readSheet(pieces, place, await context(), metadata, wanted)) {
    yield batch;
    // The caller chooses the kinds when it sees the first rows, so they are read only after the `yield`.
    const { kinds } = wanted;
    if (kinds === null || isColumns(batch) || sheet.part.bytes < threadFromBytes) continue;
    remaining = { path, name, sheet: index, kinds, lastRow: batch.at(-1)?.row ?? 0 };
    break;
  }
  if (remaining === null) return;
  const { strings } = await context();
  const end = yield* readInThread(remaining, dictionaryOf(strings), (fraction) => {
    workbook.readBytes = fraction * sheetBytes;
  });
  setBesides({ known: () => end, oldValues: async () => end.oldValues });
}

/** Looks for old values of formulas, for which the sheets that they refer to are read again. */
async function oldValuesIn(
  { name, zip, sheets, context, calculation, definedNames }: OpenWorkbook,
  own: SheetParts,
  { formulas, hidden: { hidesRows } }: WorksheetMetadata,
): Promise<readonly Remark[]> {
  const plain = withoutFormats(await context());
  const tables =
    formulas.use('name') || formulas.use('table') ? await readNamedTables(zip, name, sheets) : [];
  const names = new Names(own.name, definedNames, tables);
  formulas.resolve((expression) => names.resolve(expression));
  const rowsOf = (named: string | null) => {
    const sheet = named === null ? own : sheets.find((one) => one.name.toLowerCase() === named.toLowerCase());
    return sheet ? onlyRows(readSheet(zip.read(sheet.part), wholeSheet(name, sheet.name), plain)) : null;
  };
  return remarksOnOldValues(formulas, { ...calculation, hidesRows }, rowsOf);
}

/** The context in which each number is read as it is stored. */
const withoutFormats = ({ styles, ...context }: CellContext): CellContext => ({
  ...context,
  collectsFormulas: false,
  styles: { ...NO_STYLES, kinds: styles.kinds.map(() => 'number') },
});

async function readContext(zip: Zip, parts: WorkbookParts, name: string): Promise<CellContext> {
  const { sharedStrings, styles, date1904, calculatesOnLoad } = parts;
  return {
    date1904,
    calculatesOnLoad,
    collectsFormulas: true,
    ...(sharedStrings
      ? await readSharedStrings(
          zip.read(smallEnough(sharedStrings, name, LIMITS.sharedStringBytes)),
          wholePart(name, sharedStrings.name),
        )
      : NO_STRINGS),
    styles: styles
      ? await readCellStyles(zip.read(smallEnough(styles, name)), wholePart(name, styles.name))
      : NO_STYLES,
  };
}

async function* tapped(
  pieces: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    onBytes(piece.length);
    yield piece;
  }
}

/** Returns a function that calls `read` once, and returns its result to every caller. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
