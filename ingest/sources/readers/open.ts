// Opens a source file with the reader for its kind.

import { stat } from 'node:fs/promises';
import { endingOf, type FileFormat, formatOf } from '../../messages/formats.ts';
import { openCsv } from './csv/reader.ts';
import { LIMITS, megabytes } from './limits.ts';
import { openOds } from './ods/reader.ts';
import { openParquet } from './parquet.ts';
import { type RawFile, UnreadableError } from './raw.ts';
import { openXlsx } from './xlsx/reader.ts';

type Open = (path: string, name: string) => Promise<RawFile>;

/** The reader of each format; `messages/formats.ts` says what else differs between formats. */
const READERS: Readonly<Record<FileFormat, Open>> = {
  xlsx: openXlsx,
  ods: openOds,
  csv: openCsv,
  parquet: openParquet,
};

const IN_EXCEL = 'in Excel, choose File > Save As and the file type "Excel Workbook (*.xlsx)"';

/** Spreadsheets that are not read, by ending, and how to save them so that they are. */
const TO_SAVE_AGAIN: Readonly<Record<string, string>> = {
  xls: IN_EXCEL,
  xlsb: IN_EXCEL,
  xlt: IN_EXCEL,
  xltx: IN_EXCEL,
  xltm: IN_EXCEL,
  fods: 'in LibreOffice, choose File > Save As and the file type "Excel 2007-365 (.xlsx)"',
  numbers: 'in Numbers, choose File > Export To > Excel and the format .xlsx',
};

/** Whether `openFile` has a reader for a file of this name. */
export const isReadable = (name: string): boolean => formatOf(name) !== null;

/** Whether the name is that of a spreadsheet, csv or Parquet file, readable or not. */
export const isSpreadsheetLike = (name: string): boolean =>
  isReadable(name) || Object.hasOwn(TO_SAVE_AGAIN, endingOf(name));

/**
 * Opens the file at `path`; `name` is what it is called in places and messages.
 *
 * Throws UnreadableError when it cannot be read: then, or while its rows are. Close what it gives.
 */
export async function openFile(path: string, name: string): Promise<RawFile> {
  const reader = refuseUnknownFormat(name);
  return meetingSystemErrors(name, async () => {
    await refuseUnlessFile(path, name);
    return reader(path, name);
  });
}

/** @throws {UnreadableError} for a name that no reader is for; its reader otherwise. */
export function refuseUnknownFormat(name: string): Open {
  const format = formatOf(name);
  if (format !== null) return READERS[format];
  const ending = endingOf(name);
  const remedy = Object.hasOwn(TO_SAVE_AGAIN, ending) ? TO_SAVE_AGAIN[ending] : undefined;
  throw new UnreadableError(
    remedy === undefined
      ? `${name}: is no spreadsheet, csv or Parquet file: save it as .xlsx, .csv or .parquet`
      : `${name}: .${ending} files are not read: ${remedy}`,
  );
}

/** @throws {UnreadableError} for what is no regular file, or is larger than the limit. */
export async function refuseUnlessFile(path: string, name: string): Promise<void> {
  const found = await stat(path);
  if (found.isDirectory()) throw new UnreadableError(`${name}: is a folder, not a file: rename or remove it`);
  // Reading a pipe or a device might never end.
  if (!found.isFile()) throw new UnreadableError(`${name}: is not a regular file: copy its content into one`);
  if (found.size > LIMITS.fileBytes) {
    throw new UnreadableError(
      `${name}: has ${megabytes(found.size)}, and ${megabytes(LIMITS.fileBytes)} are the limit: split it`,
    );
  }
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there, or is a link to nothing: put the file in its place',
  ENOTDIR: 'is not there: put the file in its place',
  ELOOP: 'is a link that leads back to itself: put the file in its place',
  EACCES: 'may not be read by this user: give it read permission',
  EPERM: 'may not be read by this user: give it read permission',
  EMFILE: 'cannot be opened, too many files are open: close some, or raise the limit (ulimit -n)',
  EIO: 'cannot be read from the disk: copy it again from where it came from',
};

/** Acts, and turns what the system says of an unreadable file into an UnreadableError that names it. */
export async function meetingSystemErrors<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
    const known = Object.hasOwn(SYSTEM_ERRORS, code) ? SYSTEM_ERRORS[code] : undefined;
    throw known === undefined ? error : new UnreadableError(`${name}: ${known}`);
  }
}
