// Reports the files of a folder that are not spreadsheets. It warns of a file whose rows probably no other file holds.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { extensionOf } from '../messages/fileFormats.ts';
import { wholeFile } from '../messages/place.ts';
import { datasetNamedBy, type SourceFile } from '../sources/folder.ts';
import { columnOf } from '../sources/header/headerRow.ts';
import { filesInZip } from '../sources/readers/filesInZip.ts';
import {
  AS_TABLE,
  isSpreadsheetLike,
  isTableOfProgram,
  noReaderProblem,
} from '../sources/readers/openFile.ts';
import { onlyInCloud } from './hiddenFiles.ts';
import { expectDataset, type ReadingRun } from './reading.ts';

/** Extensions of files that hold other files. */
const ARCHIVES: ReadonlySet<string> = new Set(['zip', '7z', 'rar', 'tar', 'tgz']);
/** Extensions of files that hold one other file. */
const PACKED: ReadonlySet<string> = new Set(['gz', 'bz2', 'xz', 'zst']);
/** Extensions that browsers and other programs give to a file until they have all of it. */
const UNFINISHED: ReadonlySet<string> = new Set(
  '!qb !ut aria2 crdownload download filepart opdownload part partial tmp'.split(' '),
);
/** Extensions of placeholders: files of which a program has only the name on this machine. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['nextcloud', 'owncloud', 'icloud']);
/** The name that Chrome gives to a download on Windows until it is complete. */
const NAMELESS_DOWNLOAD = /^Unconfirmed \d+\.crdownload$/i;
/** Extensions of files that only lead to another file: of Windows, and of web pages. */
const SHORTCUTS: ReadonlySet<string> = new Set(['lnk', 'url', 'webloc']);

/** Extensions under which programs save tables as text. */
const TEXTS: ReadonlySet<string> = new Set(['asc', 'dat', 'prn', 'tab', 'text', 'txt']);
/** The number of bytes that are read from the start of a text. */
const TEXT_HEAD_BYTES = 4096;

const UNPACK = 'unpack it into the folder';

/**
 * Reports a file that is not a spreadsheet. A table in a format without a reader is an error if it is named after a
 * dataset of which the folder has no other file. Any other file is a warning if its name and content show that it holds a
 * source that the folder lacks, and a note otherwise.
 */
export async function reportUnreadFile(
  file: SourceFile,
  {
    files,
    problems,
    reading,
  }: { readonly files: readonly SourceFile[] } & Pick<ReadingRun, 'problems' | 'reading'>,
): Promise<void> {
  if (file.dataset !== null && isTableOfProgram(file.name)) {
    const severity = severityOfTable(file, files);
    if (severity === 'unreadable') expectDataset(file.dataset, reading);
    const remedy = severity === 'note' ? `${AS_TABLE} if its rows count` : AS_TABLE;
    problems.add(severity, wholeFile(file.name), { problem: noReaderProblem(file.name), remedy });
    return;
  }
  const names = new Set(files.map(({ name }) => name.toLowerCase()));
  const lacking = await lackingSource(file, names);
  if (lacking !== null) {
    problems.add('warning', wholeFile(file.name), lacking);
    return;
  }
  const extension = extensionOf(file.name);
  problems.add('note', wholeFile(file.name), {
    problem: 'not a spreadsheet, csv or Parquet file',
    remedy: ARCHIVES.has(extension) || PACKED.has(extension) ? UNPACK : 'left alone',
  });
}

/**
 * How severe it is that a table is not read. It may be the export of a file beside it with the same name, and JSON may
 * describe another file.
 */
function severityOfTable({ name, dataset }: SourceFile, files: readonly SourceFile[]) {
  const read = files.filter((one) => isSpreadsheetLike(one.name));
  const isElsewhere = read.some((one) => one.dataset === null || one.dataset === dataset);
  if (!isElsewhere) return 'unreadable';
  const isExport = read.some((one) => stemOf(one.name) === stemOf(name));
  return isExport || extensionOf(name) === 'json' ? 'note' : 'warning';
}

const stemOf = (name: string): string => name.slice(0, -extensionOf(name).length - 1).toLowerCase();

/** The warning about a file that holds a source that the folder lacks; null for other files. */
async function lackingSource(
  { name, path, dataset }: SourceFile,
  names: ReadonlySet<string>,
): Promise<Diagnostic | null> {
  const extension = extensionOf(name);
  const inner = name.slice(0, -extension.length - 1);
  if (NAMELESS_DOWNLOAD.test(name))
    return {
      problem: 'an unfinished download, which was not read',
      remedy: 'get it again if it is a source',
    };
  const isOneFile = PACKED.has(extension) || UNFINISHED.has(extension) || PLACEHOLDERS.has(extension);
  if (isOneFile) {
    if (!isSpreadsheetLike(inner) || names.has(inner.toLowerCase())) return null;
    if (PLACEHOLDERS.has(extension)) return onlyInCloud(inner);
    return UNFINISHED.has(extension)
      ? { problem: `an unfinished download or copy of ${inner}, which was not read`, remedy: 'get it again' }
      : { problem: `holds ${inner}, which was not read`, remedy: UNPACK };
  }
  if (dataset === null) return null;
  if (SHORTCUTS.has(extension)) {
    // Windows calls a shortcut to ggr.xlsx `ggr.xlsx - Shortcut.lnk`, in the language of the user.
    const target = inner.toLowerCase().replace(/ - .*$/, '');
    const isCopied = [...names].some((one) => isSpreadsheetLike(one) && [one, stemOf(one)].includes(target));
    return isCopied
      ? null
      : { problem: 'a shortcut, whose file was not read', remedy: 'copy the file itself into the folder' };
  }
  if (TEXTS.has(extension) && (await beginsWithHeader(path, dataset)))
    return { problem: 'holds a table, which was not read', remedy: `rename it to ${inner}.csv` };
  if (extension !== 'zip') return null;
  const packed = (await filesInZip(path, name)).filter(isNamedAsSource);
  const [first] = packed;
  if (first === undefined || packed.some((one) => names.has(one.toLowerCase()))) return null;
  return { problem: `holds ${first}, which was not read`, remedy: UNPACK };
}

const isNamedAsSource = (name: string): boolean =>
  isSpreadsheetLike(name) && datasetNamedBy(name.slice(0, -extensionOf(name).length - 1)) !== null;

/**
 * Whether one of the first lines of a text names two columns of a dataset or more. False for a file that cannot be read.
 */
async function beginsWithHeader(path: string, dataset: DatasetName): Promise<boolean> {
  // A pipe would make `open` wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TEXT_HEAD_BYTES), 0, TEXT_HEAD_BYTES, 0);
    // Excel writes "Unicode Text" in UTF-16, where every other byte of a heading is 0.
    const text = buffer.toString('latin1', 0, bytesRead).replaceAll('\0', '');
    const headingsIn = (line: string) =>
      line.split(/[\t,;|]/).filter((cell) => columnOf(dataset, cell.replace(/^"|"$/g, '')) !== undefined);
    return text.split(/[\r\n]+/).some((line) => headingsIn(line).length >= 2);
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
