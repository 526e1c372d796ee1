// Opens a source file with the reader for its format.

import { open, stat } from 'node:fs/promises';
import { type Diagnostic, UnreadableError, unreadableFile } from '../../messages/fault.ts';
import { extensionOf, type FileFormat, formatOf } from '../../messages/fileFormats.ts';
import { wholeFile } from '../../messages/place.ts';
import { openCsv } from './csv/reader.ts';
import { openOds } from './ods/reader.ts';
import { openParquet } from './parquet/reader.ts';
import type { RawFile } from './rawFile.ts';
import { readAt } from './readAt.ts';
import { LIMITS, megabytes, OVER_LIMIT } from './sourceLimits.ts';
import { openXlsx, type XlsxOptions } from './xlsx/reader.ts';

/** How a file may be read. */
export type OpenOptions = Pick<XlsxOptions, 'mayUseThread'>;

type Open = (path: string, name: string, options: OpenOptions) => Promise<RawFile>;

/** The reader of each format. `messages/fileFormats.ts` has the other differences between formats. */
const READERS: Readonly<Record<FileFormat, Open>> = {
  xlsx: openXlsx,
  ods: (path, name) => openOds(path, name),
  csv: (path, name) => openCsv(path, name),
  parquet: (path, name) => openParquet(path, name),
};

const IN_EXCEL = 'in Excel, choose File > Save As and the file type "Excel Workbook (*.xlsx)"';

/** Extension of a format without a reader → how to save such a file in a format with a reader. */
const SAVE_AGAIN_BY_EXTENSION: Readonly<Record<string, string>> = {
  xls: IN_EXCEL,
  xlsb: IN_EXCEL,
  xlt: IN_EXCEL,
  xltx: IN_EXCEL,
  xltm: IN_EXCEL,
  fods: 'in LibreOffice, choose File > Save As and the file type "Excel 2007-365 (.xlsx)"',
  gsheet: 'in Google Sheets, choose File > Download > Microsoft Excel (.xlsx)',
  numbers: 'in Numbers, choose File > Export To > Excel and the format .xlsx',
};

/** Extensions of files with tables that programs and databases write, and that have no reader. */
const PROGRAM_EXTENSIONS: ReadonlySet<string> = new Set(
  'arrow avro dbf dta feather json jsonl ndjson orc pkl rds sas7bdat sav sqlite'.split(' '),
);

/** Whether the name is that of a table without a reader, as programs and databases write. */
export const isTableOfProgram = (name: string): boolean => PROGRAM_EXTENSIONS.has(extensionOf(name));

/** Whether `openFile` has a reader for a file of this name. */
export const isReadable = (name: string): boolean => formatOf(name) !== null;

/** Whether the name is that of a spreadsheet, csv or Parquet file, readable or not. */
export const isSpreadsheetLike = (name: string): boolean =>
  isReadable(name) || Object.hasOwn(SAVE_AGAIN_BY_EXTENSION, extensionOf(name));

/**
 * Opens a file. The caller closes the result.
 *
 * @param name The name of the file in messages.
 * @throws {UnreadableError} when the file cannot be read. Reading its rows may throw it too.
 */
export async function openFile(path: string, name: string, options: OpenOptions = {}): Promise<RawFile> {
  return withFileErrors(name, async () => {
    await refuseUnlessFile(path, name);
    const openFormat = readerFor(name);
    await refuseStandIn(path, name);
    return openFormat(path, name, options);
  });
}

/**
 * The reader for the format that the extension of a file name says.
 *
 * @throws {UnreadableError} for a format without a reader.
 */
export function readerFor(name: string): Open {
  const format = formatOf(name);
  if (format !== null) return READERS[format];
  const remedy = isTableOfProgram(name) ? AS_TABLE : remedyFor(extensionOf(name));
  if (remedy !== undefined) throw unreadableFile(name, noReaderProblem(name), remedy);
  throw unreadableFile(
    name,
    'is not a spreadsheet, csv or Parquet file',
    'save it as .xlsx, .csv or .parquet',
  );
}

const remedyFor = (extension: string): string | undefined =>
  Object.hasOwn(SAVE_AGAIN_BY_EXTENSION, extension) ? SAVE_AGAIN_BY_EXTENSION[extension] : undefined;

/** How to save a table of a program in a format with a reader. */
export const AS_TABLE = 'save it as .csv or .parquet';

/** The problem of a file whose format has no reader. */
export const noReaderProblem = (name: string): string => `.${extensionOf(name)} files are not read`;

/**
 * Refuses a path that cannot be a source file.
 *
 * @throws {UnreadableError} when the path leads to no regular file, or to one larger than the limit.
 */
export async function refuseUnlessFile(path: string, name: string): Promise<void> {
  const found = await stat(path);
  if (found.isDirectory()) throw unreadableFile(name, 'is a folder, not a file', 'rename or remove it');
  // Pipes and devices are refused, because reading one might never end.
  if (!found.isFile()) throw unreadableFile(name, 'is not a regular file', 'copy its content into one');
  if (found.size <= LIMITS.fileBytes) return;
  const problem = `has ${megabytes(found.size)}, more than the limit of ${megabytes(LIMITS.fileBytes)}`;
  throw unreadableFile(name, problem, 'split it', OVER_LIMIT);
}

const NOT_THERE = { problem: 'is not there', remedy: 'put the file in its place' };
const NOT_PERMITTED = { problem: 'may not be read by this user', remedy: 'give it read permission' };

const NAME_NOT_UTF8 = { problem: 'has a name that is not valid UTF-8', remedy: 'rename it' };

const SYSTEM_ERRORS: Readonly<Record<string, Diagnostic>> = {
  ENOENT: { ...NOT_THERE, problem: 'is not there, or is a link to nothing' },
  ENOTDIR: NOT_THERE,
  ELOOP: { ...NOT_THERE, problem: 'is a link that leads back to itself' },
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EMFILE: {
    problem: 'cannot be opened: too many files are open',
    remedy: 'close some, or raise the limit (ulimit -n)',
  },
  EIO: {
    problem: 'cannot be read from the disk',
    remedy: 'copy it again from where it came from',
  },
};

/** Runs `act`, and turns the system errors of an unreadable file into an UnreadableError that names the file. */
export async function withFileErrors<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
    // Node puts U+FFFD in place of the invalid bytes of a name, and then does not find the file. Files that were unpacked
    // from a zip file of another system may have such names.
    const isMisnamed = code === 'ENOENT' && name.includes('\uFFFD');
    const ofCode = Object.hasOwn(SYSTEM_ERRORS, code) ? SYSTEM_ERRORS[code] : undefined;
    const known = isMisnamed ? NAME_NOT_UTF8 : ofCode;
    throw known === undefined ? error : new UnreadableError({ place: wholeFile(name), ...known });
  }
}

/**
 * Files that stand in for the real one, such as a pointer of Git LFS. `beginning` is tested after any byte order mark and
 * blanks.
 */
const STAND_INS: readonly (readonly [beginning: RegExp, fault: Diagnostic])[] = [
  [
    /^version https:\/\/git-lfs\.github\.com\/spec\//,
    { problem: 'is a pointer of Git LFS, not the file itself', remedy: 'fetch the file with `git lfs pull`' },
  ],
  [
    /^<(?:!doctype html|html)\b/i,
    {
      problem: 'is a web page, whatever its name says',
      remedy:
        'download the file again, signed in if the site asks for it; if the page itself has the table, open it in a ' +
        'spreadsheet program and save it as .xlsx',
    },
  ],
];

const HEAD_BYTES = 256;

/**
 * Refuses a file that stands in for another one.
 *
 * @throws {UnreadableError} with the remedy that gets the real file.
 */
async function refuseStandIn(path: string, name: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    // `trimStart` also removes a byte order mark.
    const head = (await readAt(handle, 0, HEAD_BYTES)).toString('utf8').trimStart();
    const fault = STAND_INS.find(([beginning]) => beginning.test(head))?.[1];
    if (fault !== undefined) throw new UnreadableError({ place: wholeFile(name), ...fault });
  } finally {
    await handle.close();
  }
}
