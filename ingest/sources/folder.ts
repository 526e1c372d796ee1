// Finds the files of a source directory and says which dataset each one holds.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { unreadableFile } from '../messages/fault.ts';
import { isSpreadsheetLike } from './readers/openFile.ts';

/** A file in a source directory. */
export interface SourceFile {
  /** The path below the source directory, which messages show. */
  readonly name: string;
  readonly path: string;
  /** The dataset that the file is named after. Null for any other name: each sheet may then be named after a dataset. */
  readonly dataset: DatasetName | null;
}

/** The files and folders directly in a source directory. */
export interface SourceListing {
  readonly files: readonly SourceFile[];
  /** The names of folders. They are not read. */
  readonly folders: readonly string[];
  /** The names of lock files and dotfiles. */
  readonly hidden: readonly string[];
}

/**
 * The files directly in a source directory, in the order of their names. Lock files and dotfiles are listed apart. A
 * folder whose name looks like a source file, such as `ggr.xlsx`, is listed as a file. Reading it then fails. If it were
 * ignored, its data would be missing without an error.
 *
 * @throws {UnreadableError} when this user may not read the directory.
 */
export async function listSources(directory: string): Promise<SourceListing> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    throw unreadableFile(directory, 'may not be read by this user', 'give it read permission');
  });
  const isHidden = ({ name }: (typeof entries)[number]) => name.startsWith('.') || name.startsWith('~$');
  const visible = entries.filter((entry) => !isHidden(entry));
  const isFolder = (entry: (typeof visible)[number]) => entry.isDirectory() && !isSpreadsheetLike(entry.name);
  return {
    files: visible
      .filter((entry) => !isFolder(entry))
      .map(({ name }) => ({ name, path: path.join(directory, name), dataset: datasetNamedBy(stem(name)) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    folders: visible.filter(isFolder).map(({ name }) => name),
    hidden: entries
      .filter((entry) => isHidden(entry) && !entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  };
}

/**
 * The dataset that a file or sheet is named after: `ggr-asia` is ggr, `Country Reference` is country_reference and not
 * country. When several names fit, the longest counts. A separator must follow the name, so `ggrasia` is not ggr.
 */
export function datasetNamedBy(name: string): DatasetName | null {
  const wanted = name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s\-.]+/gu, '_');
  const fitting = DATASET_NAMES.filter(
    (dataset) =>
      wanted === dataset ||
      (wanted.startsWith(dataset) && /^[^\p{L}\p{N}]/u.test(wanted.slice(dataset.length))),
  );
  return fitting.sort((a, b) => b.length - a.length)[0] ?? null;
}

const stem = (file: string) => file.slice(0, file.length - path.extname(file).length);
