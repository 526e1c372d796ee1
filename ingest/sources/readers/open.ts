// Opens a source file with the reader for its kind.

import { stat } from 'node:fs/promises';
import { openCsv } from './csv/reader.ts';
import { LIMITS, megabytes } from './limits.ts';
import { openParquet } from './parquet.ts';
import { type RawFile, UnreadableError } from './raw.ts';
import { openXlsx } from './xlsx/reader.ts';

type Open = (path: string, name: string) => Promise<RawFile>;

const READERS: Readonly<Record<string, Open>> = {
  xlsx: openXlsx,
  xlsm: openXlsx,
  csv: openCsv,
  tsv: openCsv,
  parquet: openParquet,
};

/** Spreadsheets all the same, but of a kind that is not read. */
const TO_BE_SAVED_ANEW = ['xls', 'xlsb', 'xlt', 'xltx', 'xltm', 'ods', 'fods', 'numbers'];

/** Whether `openFile` has a reader for a file of this name. */
export const isReadable = (name: string): boolean => Object.hasOwn(READERS, endingOf(name));

/** Whether the name is that of a spreadsheet, csv or Parquet file, readable or not. */
export const isSpreadsheetLike = (name: string): boolean =>
  isReadable(name) || TO_BE_SAVED_ANEW.includes(endingOf(name));

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
  const ending = endingOf(name);
  const reader = Object.hasOwn(READERS, ending) ? READERS[ending] : undefined;
  if (reader) return reader;
  throw new UnreadableError(
    TO_BE_SAVED_ANEW.includes(ending)
      ? `${name}: .${ending} files are not read: save it as .xlsx`
      : `${name}: is no spreadsheet, csv or Parquet file: save it as .xlsx, .csv or .parquet`,
  );
}

/** Lower case, without the dot; `''` when there is none. */
const endingOf = (name: string) => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

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
