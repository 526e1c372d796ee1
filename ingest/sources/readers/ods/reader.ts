// Reads .ods workbooks (OpenDocument 1.2 and later) as they stream from the disk.

import { UnreadableError, unreadableFile } from '../../../messages/fault.ts';
import { type Place, wholeFile, wholePart, wholeSheet } from '../../../messages/place.ts';
import { type Aside, distinct } from '../asides.ts';
import { DefinedNames } from '../formulas/definedNames.ts';
import { mayCompareTexts, UNKNOWN_EXPRESSION } from '../formulas/expressionParts.ts';
import { remarksOnOutdatedValues } from '../formulas/outdatedValues.ts';
import {
  NO_FINDINGS,
  type RawFile,
  type RawRow,
  type RawTable,
  type Remark,
  type TableFindings,
} from '../rawFile.ts';
import { LIMITS } from '../sourceLimits.ts';
import { RESAVE } from '../xml/damage.ts';
import { asUtf8 } from '../xml/encoding.ts';
import { walkXml, XmlWalker } from '../xml/xml.ts';
import type { ZipPart } from '../zip/directory.ts';
import { openZip, type Zip } from '../zip/zip.ts';
import { ContentEvents, type OdsSheet } from './contentEvents.ts';
import { readChartTitles, readProperties } from './documentTexts.ts';
import type { OdsSheetRows } from './odsSheetRows.ts';
import { OdsStyles } from './odsStyles.ts';
import type { Outline } from './outline.ts';

/**
 * Opens a workbook. Its tables are its sheets in the order of their tabs, including hidden ones.
 *
 * @param name The name of the file in messages.
 * @throws {UnreadableError} when the file is not an .ods workbook, is encrypted or damaged, or exceeds LIMITS. Reading the
 * rows throws it for damage that is only found there.
 */
export async function openOds(path: string, name: string): Promise<RawFile> {
  const zip = await openZip(path, name, '.ods');
  try {
    await refuseEncrypted(zip);
    const workbook = await readWorkbook(zip);
    const { content, sheets } = workbook;
    return {
      name,
      format: 'ods',
      tables: sheets.map((sheet, index) => tableOf(workbook, sheet, index)),
      progress: () => Math.min(1, workbook.readBytes / Math.max(1, content.bytes * sheets.length)),
      close: () => zip.close(),
    };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

/** Reads the workbook except for its rows: the names of its sheets, its styles and its properties. */
async function readWorkbook(zip: Zip): Promise<OdsWorkbook> {
  const { name } = zip;
  const content = zip.find('content.xml');
  if (!content)
    throw unreadableFile(
      name,
      'is a zip file but not an .ods workbook',
      'open it in LibreOffice and save it again as .ods',
    );
  const styles = new OdsStyles(wholeFile(name));
  await readNamedStyles(zip, styles);
  const place = wholePart(name, content.name);
  const events = new ContentEvents(place, styles, null);
  let hasFormulas = false;
  const pieces = searched(zip.read(content), FORMULA, () => {
    hasFormulas = true;
  });
  await walkXml(pieces, 'document-content', place, events);
  const { sheets, outline } = events;
  if (sheets.length === 0) throw unreadableFile(name, 'holds no sheet', 'save the data in one');
  const properties = await readProperties(zip);
  return { zip, content, place, styles, sheets, outline, properties, hasFormulas, readBytes: 0 };
}

interface OdsWorkbook {
  readonly zip: Zip;
  /** The part that holds all sheets. */
  readonly content: ZipPart;
  readonly place: Place;
  readonly styles: OdsStyles;
  readonly sheets: readonly OdsSheet[];
  readonly outline: Outline;
  readonly properties: readonly Aside[];
  /**
   * Whether the attribute of a formula was found in the bytes of the content. An attribute that is divided between two
   * pieces is not found. When none is found, rows are not cached, and a sheet with formulas is read twice.
   */
  readonly hasFormulas: boolean;
  /** How many unpacked bytes of rows were read so far. */
  readBytes: number;
}

function tableOf(workbook: OdsWorkbook, sheet: OdsSheet, index: number): RawTable {
  let findings = async () => NO_FINDINGS;
  return {
    name: sheet.name,
    hidden: workbook.styles.hidesSheet(sheet.style),
    async *rows(): AsyncGenerator<readonly RawRow[]> {
      const options = { cachesRows: workbook.hasFormulas };
      const place = wholeSheet(workbook.zip.name, sheet.name);
      const events = new ContentEvents(place, workbook.styles, index, options);
      yield* readRows(workbook, events);
      findings = () => findingsOf(workbook, sheet, events.rows);
    },
    findings: () => findings(),
  };
}

async function findingsOf(
  workbook: OdsWorkbook,
  sheet: OdsSheet,
  rows: OdsSheetRows,
): Promise<TableFindings> {
  const { zip, styles, outline, properties } = workbook;
  const ofSheet = outline.asides.filter((aside) => aside.sheet === sheet.name).map(({ aside }) => aside);
  const titles: Aside[] = [];
  for (const { part } of outline.objects.filter((object) => object.sheet === sheet.name))
    titles.push(...(await readChartTitles(zip, part)));
  const outdated = await outdatedValuesIn(workbook, sheet, rows);
  return {
    merged: rows.merged,
    remarks: [...rows.hidden.remarks(), ...rows.looks.remarks(), ...outdated],
    asides: distinct([...styles.printed, ...properties, ...ofSheet, ...rows.asides.list(), ...titles]),
  };
}

/** Looks for outdated values of formulas. The sheets to which they refer are read again, unless their rows were cached. */
async function outdatedValuesIn(
  workbook: OdsWorkbook,
  own: OdsSheet,
  { formulas, hidden: { hidesRows }, rowCache }: OdsSheetRows,
): Promise<readonly Remark[]> {
  const storedRows = formulas.count > 0 ? rowCache.take() : null;
  const { zip, styles, sheets, outline } = workbook;
  const names = new DefinedNames({ ownSheet: own.name, sheets, defined: outline.names, tables: [] });
  formulas.resolve((expression) =>
    outline.comparesOtherwise && mayCompareTexts(expression) ? UNKNOWN_EXPRESSION : names.resolve(expression),
  );
  const rowsOf = (named: string | null) => {
    if (named === null && storedRows !== null) return oneBatch(storedRows);
    const isWanted = (sheet: OdsSheet) =>
      named === null ? sheet === own : sheet.name.toLowerCase() === named.toLowerCase();
    const index = sheets.findIndex(isWanted);
    if (index < 0) return null;
    const place = wholeSheet(zip.name, sheets[index]?.name ?? '');
    // What is read again does not count as progress, so the bytes are counted in a copy.
    return readRows({ ...workbook }, new ContentEvents(place, styles, index, { asStored: true }));
  };
  return remarksOnOutdatedValues(formulas, { isUnusual: outline.isUnusual, doubt: null }, hidesRows, rowsOf);
}

async function* oneBatch(rows: readonly RawRow[]): AsyncGenerator<readonly RawRow[]> {
  yield rows;
}

/** The attribute of a cell with a formula, in UTF-8. */
const FORMULA = Buffer.from('table:formula=');

/** Yields the pieces as they are. Calls `onFound` for the first piece that contains `wanted`. */
async function* searched(
  pieces: AsyncIterable<Buffer>,
  wanted: Buffer,
  onFound: () => void,
): AsyncGenerator<Buffer> {
  let isFound = false;
  for await (const piece of pieces) {
    if (!isFound && piece.includes(wanted)) {
      isFound = true;
      onFound();
    }
    yield piece;
  }
}

/**
 * Reads the rows of a sheet. All sheets are in one part, so it skips the sheets before the wanted one, and stops after the
 * wanted one.
 */
async function* readRows(workbook: OdsWorkbook, events: ContentEvents): AsyncGenerator<readonly RawRow[]> {
  const { zip, content, place } = workbook;
  const walker = new XmlWalker('document-content', place, events);
  for await (const piece of asUtf8(zip.read(content), place)) {
    workbook.readBytes += piece.length;
    walker.push(piece);
    const batch = events.rows.take();
    if (batch.length > 0) yield batch;
    if (events.isDone) return;
  }
  walker.end();
}

async function readNamedStyles(zip: Zip, styles: OdsStyles): Promise<void> {
  const part = zip.find('styles.xml');
  if (!part) return;
  const place = wholePart(zip.name, part.name);
  if (part.bytes > LIMITS.smallPartBytes) {
    throw new UnreadableError({ place, problem: 'holds too many styles', remedy: RESAVE });
  }
  await walkXml(zip.read(part), 'document-styles', place, styles);
}

/**
 * Refuses an encrypted workbook. The manifest of such a workbook has elements `encryption-data`. LibreOffice 24.8 and later
 * instead put the whole workbook into the part `encrypted-package` of another zip file.
 */
async function refuseEncrypted(zip: Zip): Promise<void> {
  const encrypted = unreadableFile(zip.name, 'is encrypted', 'remove the password and save it again');
  if (zip.find('encrypted-package')) throw encrypted;
  const manifest = zip.find('META-INF/manifest.xml');
  if (!manifest || manifest.bytes > LIMITS.smallPartBytes) return;
  let isEncrypted = false;
  await walkXml(zip.read(manifest), 'manifest', wholePart(zip.name, manifest.name), {
    open(element) {
      if (element === 'encryption-data') isEncrypted = true;
    },
  });
  if (isEncrypted) throw encrypted;
}
