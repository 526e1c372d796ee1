// Finds the files of a source directory and says which dataset each one holds.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { wholeFile } from '../messages/place.ts';
import { isSpreadsheetLike } from './readers/open.ts';
import { UnreadableError } from './readers/raw.ts';

export interface SourceFile {
  /** As printed: the path below the source directory. */
  readonly name: string;
  readonly path: string;
  /** The dataset the file is named after; null when its sheets may be. */
  readonly dataset: DatasetName | null;
}

/**
 * The files directly in a source directory, in name order, without lock files and dotfiles. A folder whose name is
 * that of a source file is listed as a file, so that reading it fails: ignoring it could lose data.
 */
export async function listSources(directory: string): Promise<{ files: SourceFile[]; folders: string[] }> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    throw new UnreadableError({
      place: wholeFile(directory),
      problem: 'may not be read by this user',
      remedy: 'give it read permission',
    });
  });
  const seen = entries.filter(({ name }) => !name.startsWith('.') && !name.startsWith('~$'));
  const isFolder = (entry: (typeof seen)[number]) => entry.isDirectory() && !isSpreadsheetLike(entry.name);
  return {
    files: seen
      .filter((entry) => !isFolder(entry))
      .map(({ name }) => ({ name, path: path.join(directory, name), dataset: datasetNamedBy(stem(name)) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    folders: seen.filter(isFolder).map(({ name }) => name),
  };
}

/**
 * The dataset that a file or sheet is named after: `ggr-asia` is ggr, `Country Reference` is country_reference.
 * The longest dataset name that fits counts. A separator must follow it: `ggrasia` is no ggr.
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
