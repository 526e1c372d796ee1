// Reads a source directory into the staging database, file by file.

import { stat } from 'node:fs/promises';
import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { endingOf, factsOf, formatOf } from '../messages/formats.ts';
import { wholeFile } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { listSources, type SourceFile } from '../sources/folder.ts';
import { isSpreadsheetLike } from '../sources/readers/open.ts';
import { checkOptions } from './checkOptions.ts';
import { readFile } from './readFile.ts';
import type { Destination, OnProgress } from './reading.ts';

/** Reads every file of the directory that holds a dataset. What cannot be read or belongs to none is a problem. */
export async function readSources(directory: string, to: Destination, onProgress: OnProgress): Promise<void> {
  const { files, folders } = await listSources(directory);
  for (const folder of folders)
    to.problems.add('note', wholeFile(`${folder}/`), {
      problem: 'a folder is not read',
      remedy: 'move its files up',
    });
  const sources = files.filter((file) => belongs(file, to.problems));
  const sizes = await Promise.all(
    sources.map(async (file) => (await stat(file.path).catch(() => null))?.size ?? 0),
  );
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  let doneBytes = 0;
  for (const [index, source] of sources.entries()) {
    await readFile(source, to, (fraction) =>
      onProgress(source.name, doneBytes + fraction * (sizes[index] ?? 0), totalBytes),
    );
    doneBytes += sizes[index] ?? 0;
    onProgress(source.name, doneBytes, totalBytes);
  }
  const known = new Set(files.map(({ name }) => name));
  for (const { name } of (await listSources(directory)).files)
    if (!known.has(name)) to.problems.add('unreadable', wholeFile(name), APPEARED);
  checkOptions(
    files.map(({ name }) => name),
    to,
  );
}

const APPEARED = {
  problem: 'appeared while the folder was being read',
  remedy: 'run again when the folder is complete',
};

/** Endings of files that hold other files. */
const ARCHIVES: ReadonlySet<string> = new Set(['zip', 'gz', '7z', 'rar', 'tar', 'tgz', 'bz2', 'xz', 'zst']);

/** Whether a file is to be read; reports the others. */
function belongs(file: SourceFile, problems: Problems): boolean {
  if (!isSpreadsheetLike(file.name)) {
    problems.add('note', wholeFile(file.name), {
      problem: 'not a spreadsheet, csv or Parquet file',
      remedy: ARCHIVES.has(endingOf(file.name)) ? 'unpack it into the folder' : 'left alone',
    });
    return false;
  }
  const format = formatOf(file.name);
  if (file.dataset === null && format !== null && !factsOf(format).hasSheets) {
    problems.add('error', wholeFile(file.name), {
      problem: 'belongs to no dataset',
      remedy: `name it after one (${DATASET_NAMES.join(', ')}) or move it away`,
    });
    return false;
  }
  return true;
}
