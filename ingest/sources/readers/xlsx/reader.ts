// Reads .xlsx workbooks as they stream from the disk, so that memory does not grow with the number of rows.

import { once } from '../../../../src/basics/once.ts';
import { wholePart, wholeSheet } from '../../../messages/place.ts';
import { distinct } from '../asides.ts';
import { DefinedNames, type NamedTable } from '../formulas/definedNames.ts';
import { remarksOnOutdatedValues } from '../formulas/outdatedValues.ts';
import { PLAIN } from '../numberKind.ts';
import {
  type ColumnBatch,
  type ColumnKind,
  NO_FINDINGS,
  type RawFile,
  type RawRow,
  type RawTable,
  type Remark,
  readingOf,
  type TableFindings,
  type TableObject,
} from '../rawFile.ts';
import { LIMITS } from '../sourceLimits.ts';
import type { ZipPart } from '../zip/directory.ts';
import { openZip, type Zip } from '../zip/zip.ts';
import {
  readRelationships,
  readWorkbookParts,
  type SheetParts,
  smallEnough,
  type WorkbookParts,
  walkPart,
} from './packageParts.ts';
import { cellRange } from './reference.ts';
import { NO_STRINGS, readSharedStrings } from './sharedStrings.ts';
import { dictionaryOf } from './sheetColumns.ts';
import { readInThread } from './sheetInThread.ts';
import { SheetReader } from './sheetReader.ts';
import { WorksheetMetadata } from './worksheetMetadata.ts';
import { readAsides } from './xlsxAsides.ts';
import type { CellContext } from './xlsxCellValue.ts';
import { NO_STYLES, readCellStyles } from './xlsxStyles.ts';

export interface XlsxOptions {
  /**
   * Whether a separate thread may read the rows of a large sheet, when they are wanted column by column. That saves time
   * when another core is idle.
   */
  readonly mayUseThread?: boolean;
  /** The number of unpacked bytes from which on a sheet is large. */
  readonly threadFromBytes?: number;
}

/**
 * From this number of unpacked bytes on, a sheet is large. Parsing so much takes half a second; starting a thread takes
 * less.
 */
const THREAD_FROM_BYTES = 64 * 1024 * 1024;

/**
 * Opens a workbook. Its tables are its sheets in the order of their tabs, including hidden ones.
 *
 * @param name The name of the file in messages.
 * @throws {UnreadableError} when the file is not a workbook, is encrypted or cut off, or is a zip bomb. Reading the rows
 * throws it for damage that is only found there.
 */
export async function openXlsx(
  path: string,
  name: string,
  { mayUseThread = false, threadFromBytes = THREAD_FROM_BYTES }: XlsxOptions = {},
): Promise<RawFile> {
  const zip = await openZip(path, name);
  try {
    const parts = await readWorkbookParts(zip);
    const sheetBytes = parts.sheets.reduce((sum, { part }) => sum + part.bytes, 0);
    const workbook: OpenWorkbook = {
      path,
      zip,
      parts,
      context: once(() => readContext(zip, parts)),
      sheetBytes,
      threadFromBytes: mayUseThread ? threadFromBytes : Number.POSITIVE_INFINITY,
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

interface OpenWorkbook {
  readonly path: string;
  readonly zip: Zip;
  readonly parts: WorkbookParts;
  /** Reads the shared strings, styles and settings at the first call. */
  readonly context: () => Promise<CellContext>;
  /** The unpacked bytes of all sheets. */
  readonly sheetBytes: number;
  /** The number of unpacked bytes from which on a thread may read a sheet. */
  readonly threadFromBytes: number;
  /** How many unpacked bytes were read so far. */
  readBytes: number;
}

function tableOf(workbook: OpenWorkbook, sheet: SheetParts, index: number): RawTable {
  const { path, zip, context, sheetBytes, threadFromBytes } = workbook;
  const { name } = zip;
  let findings = async () => NO_FINDINGS;
  const begin = async (): Promise<SheetReader> => {
    const place = wholeSheet(name, sheet.name);
    const metadata = new WorksheetMetadata(place);
    findings = () => findingsOf(workbook, sheet, metadata);
    const pieces = countingBytes(zip.read(sheet.part), (bytes) => {
      workbook.readBytes += bytes;
    });
    return new SheetReader(pieces, place, await context(), metadata);
  };
  /**
   * Reads the rows after `lastRow` in a thread. It reads the sheet from its beginning, so its findings are about the whole
   * sheet.
   */
  async function* restInThread(
    lastRow: number,
    kinds: readonly ColumnKind[],
  ): AsyncGenerator<readonly RawRow[] | ColumnBatch> {
    const { strings } = await context();
    const request = { path, name, sheet: index, kinds, lastRow };
    const found = yield* readInThread(request, dictionaryOf(strings), (fraction) => {
      workbook.readBytes = fraction * sheetBytes;
    });
    findings = async () => found;
  }
  return {
    name: sheet.name,
    hidden: sheet.hidden,
    async *rows() {
      yield* (await begin()).rows();
    },
    async read() {
      const reader = await begin();
      const isLarge = sheet.part.bytes >= threadFromBytes;
      return readingOf(reader.rows(), (kinds) =>
        isLarge ? restInThread(reader.lastRow, kinds) : reader.columns(kinds),
      );
    },
    findings: () => findings(),
    tableObject: () => readTableObject(zip, sheet.part),
  };
}

async function findingsOf(
  workbook: OpenWorkbook,
  sheet: SheetParts,
  metadata: WorksheetMetadata,
): Promise<TableFindings> {
  const { merged, hidden, looks, asides } = metadata;
  const names = sheet.definedNames.map((text) => ({ what: 'defined name', text }) as const);
  const inOtherParts = await readAsides(workbook.zip, sheet.part);
  const outdated = await outdatedValuesIn(workbook, sheet, metadata);
  return {
    merged,
    remarks: [...hidden.remarks(), ...looks.remarks(), ...outdated],
    asides: distinct([...asides.list(), ...names, ...inOtherParts]),
  };
}

/** Looks for outdated values of formulas. The sheets to which the formulas refer are read again. */
async function outdatedValuesIn(
  { zip, parts, context }: OpenWorkbook,
  own: SheetParts,
  { formulas, hidden: { hidesRows } }: WorksheetMetadata,
): Promise<readonly Remark[]> {
  const { sheets, names: defined, calculation } = parts;
  const plain = withoutFormats(await context());
  const tables =
    formulas.usesKind('name') || formulas.usesKind('table') ? await readNamedTables(zip, sheets) : [];
  const names = new DefinedNames({ ownSheet: own.name, sheets, defined, tables });
  formulas.resolve((expression) => names.resolve(expression));
  const rowsOf = (named: string | null) => {
    const sheet =
      named === null ? own : sheets.find((other) => other.name.toLowerCase() === named.toLowerCase());
    return sheet
      ? new SheetReader(zip.read(sheet.part), wholeSheet(zip.name, sheet.name), plain).rows()
      : null;
  };
  return remarksOnOutdatedValues(formulas, calculation, hidesRows, rowsOf);
}

/** The context without number formats, so that each number is read as it is stored. */
const withoutFormats = ({ styles, ...context }: CellContext): CellContext => ({
  ...context,
  collectsFormulas: false,
  styles: { ...NO_STYLES, kinds: styles.kinds.map(() => PLAIN) },
});

async function readContext(zip: Zip, parts: WorkbookParts): Promise<CellContext> {
  const { sharedStrings, styles, date1904, calculatesOnLoad } = parts;
  return {
    date1904,
    calculatesOnLoad,
    collectsFormulas: true,
    ...(sharedStrings
      ? await readSharedStrings(
          zip.read(smallEnough(zip, sharedStrings, LIMITS.sharedStringBytes)),
          wholePart(zip.name, sharedStrings.name),
        )
      : NO_STRINGS),
    styles: styles
      ? await readCellStyles(zip.read(smallEnough(zip, styles)), wholePart(zip.name, styles.name))
      : NO_STYLES,
  };
}

async function* countingBytes(
  pieces: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    onBytes(piece.length);
    yield piece;
  }
}

/** The only table object of a sheet; null when it has none, several, or one without a header. */
async function readTableObject(zip: Zip, sheet: ZipPart): Promise<TableObject | null> {
  const parts = await tableParts(zip, sheet);
  const table = parts.length === 1 && parts[0] ? await readTable(zip, parts[0]) : null;
  if (table === null || table.headerRows !== 1) return null;
  const { name, range, totalsRows } = table;
  return { name, range, totalsRows };
}

/** All table objects of a workbook, for the formulas that name them. */
async function readNamedTables(zip: Zip, sheets: readonly SheetParts[]): Promise<readonly NamedTable[]> {
  const found: NamedTable[] = [];
  for (const sheet of sheets)
    for (const part of await tableParts(zip, sheet.part)) {
      const table = await readTable(zip, part);
      if (table !== null) found.push({ ...table, sheet: sheet.name });
    }
  return found;
}

async function tableParts(zip: Zip, sheet: ZipPart): Promise<readonly (ZipPart | undefined)[]> {
  const related = [...(await readRelationships(zip, sheet.name)).values()];
  return related.filter(({ type }) => type === 'table').map(({ target }) => zip.find(target));
}

async function readTable(zip: Zip, part: ZipPart | undefined): Promise<Omit<NamedTable, 'sheet'> | null> {
  if (!part) return null;
  let found: Omit<NamedTable, 'sheet'> | null = null;
  const columns: string[] = [];
  await walkPart(zip, part, 'table', {
    open(element, attributes, depth) {
      if (element === 'tableColumn') columns.push(attributes.get('name') ?? '');
      if (depth > 1) return;
      const range = cellRange(attributes.get('ref') ?? '');
      const headerRows = Number(attributes.get('headerRowCount') ?? 1);
      const totalsRows = Number(attributes.get('totalsRowCount') ?? 0);
      const name = attributes.get('displayName') ?? attributes.get('name') ?? '';
      if (range !== null) found = { name, range, headerRows, totalsRows, columns };
    },
  });
  return found;
}
