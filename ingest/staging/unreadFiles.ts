// Reports what is in a folder and is not read. It warns of a file whose rows probably no other file holds.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { extensionOf } from '../messages/fileFormats.ts';
import { wholeFile } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { datasetNamedBy, type SourceFile, type SourceListing } from '../sources/folder.ts';
import { columnOf } from '../sources/header/headerRow.ts';
import { filesInZip } from '../sources/readers/filesInZip.ts';
import {
  AS_TABLE,
  isSpreadsheetLike,
  isTableOfProgram,
  noReaderProblem,
} from '../sources/readers/openFile.ts';
import { saysDraftOrOld } from './readFile.ts';
import { expectDataset, type ReadingRun } from './reading.ts';

/** Reports the folders, the hidden files and the other files that are not spreadsheets. */
export async function reportUnreadFiles(
  { files, folders, hidden }: SourceListing,
  run: ReadingRun,
): Promise<void> {
  for (const folder of folders) reportFolder(folder, run.problems);
  reportHiddenFiles(hidden, files, run.problems);
  for (const file of files) if (!isSpreadsheetLike(file.name)) await reportUnreadFile(file, files, run);
}

/**
 * A folder named after a dataset probably holds rows of the month, such as the partitions that data frame libraries write.
 */
function reportFolder(folder: string, problems: Problems): void {
  const dataset = saysDraftOrOld(folder) ? null : datasetNamedBy(folder);
  if (dataset === null)
    problems.add('note', wholeFile(`${folder}/`), {
      problem: 'a folder is not read',
      remedy: 'move its files up',
    });
  else
    problems.add('warning', wholeFile(`${folder}/`), {
      problem: `a folder is not read, and this one is named after ${dataset}`,
      remedy: `move its files up, each named after ${dataset}; write a partitioned table as one file, because the names of its folders, such as year=2024, are a column`,
      kind: 'a folder named after a dataset is not read',
    });
}

/**
 * Warns of each hidden file whose source is not in the folder. A lock file beside its source is noted, because a program
 * may have unsaved changes of the source. All other hidden files are ignored.
 *
 * @param hidden The names of files that begin with a dot or with `~$`.
 * @param files All other files.
 */
function reportHiddenFiles(
  hidden: readonly string[],
  files: readonly SourceFile[],
  problems: Problems,
): void {
  const present = new Set(files.map(({ name }) => name.toLowerCase()));
  for (const file of hidden) {
    const standIn = standInOf(file);
    if (standIn === null) continue;
    const { source, warningWithout, isLock } = standIn;
    if (!present.has(source.toLowerCase())) problems.add('warning', wholeFile(file), warningWithout(source));
    else if (isLock)
      problems.add('note', wholeFile(source), {
        problem: 'is open in a program, whose unsaved changes were not read',
        remedy: 'save it and publish again if they count',
      });
  }
}

/** The source for which a hidden file stands, and its kind; null for any other file. */
function standInOf(file: string): (StandIn & { readonly source: string }) | null {
  for (const standIn of STAND_INS) {
    const source = standIn.name.exec(file)?.slice(1).find(Boolean);
    if (source !== undefined && isSpreadsheetLike(source)) return { ...standIn, source };
  }
  return null;
}

/** A kind of hidden files that stand for a source. */
interface StandIn {
  readonly name: RegExp;
  /** Whether the file says that a program has its source open. */
  readonly isLock?: true;
  /** Makes the warning when the source is not in the folder. */
  readonly warningWithout: (source: string) => Diagnostic;
}

const STAND_INS: readonly StandIn[] = [
  {
    // iCloud.
    name: /^\.(.+)\.icloud$/i,
    warningWithout: onlyInCloud,
  },
  {
    // Excel, and LibreOffice.
    name: /^~\$(.+)$|^\.~lock\.(.+)#$/,
    isLock: true,
    warningWithout: (source) => ({
      problem: `${source} is open in a program, and not in the folder`,
      remedy: 'save it here, or remove the lock file',
    }),
  },
  {
    // Syncthing, Nextcloud, rsync, and programs that hide their unfinished files.
    name: /^\.syncthing\.(.+)\.tmp$|^\.(.+)\.~[0-9a-f]+$|^\.(.+)\.(?:[0-9A-Za-z]{6}|part|tmp|crdownload)$/,
    warningWithout: (source) => ({
      problem: `an unfinished copy of ${source}, which was not read`,
      remedy: 'wait until it is complete, or copy it again',
    }),
  },
];

/** The warning about the placeholder of a file of which only the name is on this machine. */
function onlyInCloud(source: string): Diagnostic {
  return {
    problem: `a placeholder of ${source}, which is only in the cloud and was not read`,
    remedy: 'download it into the folder',
  };
}

/**
 * Reports a file that is not a spreadsheet. A table in a format without a reader is an error if it is named after a
 * dataset of which the folder has no other file. Any other file is a warning if its name and content show that it holds a
 * source that the folder lacks, and a note otherwise.
 */
async function reportUnreadFile(
  file: SourceFile,
  files: readonly SourceFile[],
  { problems, reading }: ReadingRun,
): Promise<void> {
  if (file.dataset !== null && isTableOfProgram(file.name)) {
    const severity = severityOfTable(file, files);
    if (severity === 'unreadable') expectDataset(file.dataset, reading);
    const remedy = severity === 'note' ? `${AS_TABLE} if its rows count` : AS_TABLE;
    problems.add(severity, wholeFile(file.name), { problem: noReaderProblem(file.name), remedy });
    return;
  }
  const present = new Set(files.map(({ name }) => name.toLowerCase()));
  const warning = await lackingSourceWarning(file, present);
  if (warning !== null) {
    problems.add('warning', wholeFile(file.name), warning);
    return;
  }
  const extension = extensionOf(file.name);
  problems.add('note', wholeFile(file.name), {
    problem: 'not a spreadsheet, csv or Parquet file',
    remedy: ARCHIVES.has(extension) || PACKED.has(extension) ? UNPACK : 'left alone',
  });
}

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
async function lackingSourceWarning(
  { name, path, dataset }: SourceFile,
  present: ReadonlySet<string>,
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
    if (!isSpreadsheetLike(inner) || present.has(inner.toLowerCase())) return null;
    if (PLACEHOLDERS.has(extension)) return onlyInCloud(inner);
    return UNFINISHED.has(extension)
      ? { problem: `an unfinished download or copy of ${inner}, which was not read`, remedy: 'get it again' }
      : { problem: `holds ${inner}, which was not read`, remedy: UNPACK };
  }
  if (dataset === null) return null;
  if (SHORTCUTS.has(extension)) {
    // Windows calls a shortcut to ggr.xlsx `ggr.xlsx - Shortcut.lnk`, in the language of the user.
    const target = inner.toLowerCase().replace(/ - .*$/, '');
    const isCopied = [...present].some(
      (one) => isSpreadsheetLike(one) && [one, stemOf(one)].includes(target),
    );
    return isCopied
      ? null
      : { problem: 'a shortcut, whose file was not read', remedy: 'copy the file itself into the folder' };
  }
  if (TEXTS.has(extension) && (await beginsWithHeader(path, dataset)))
    return { problem: 'holds a table, which was not read', remedy: `rename it to ${inner}.csv` };
  if (extension !== 'zip') return null;
  const packed = (await filesInZip(path, name)).filter(isNamedAsSource);
  const [first] = packed;
  if (first === undefined || packed.some((one) => present.has(one.toLowerCase()))) return null;
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
