// Reads all files of a source directory into the staging database.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { factsOf, formatOf } from '../messages/fileFormats.ts';
import { wholeFile } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { listSources, type SourceFile } from '../sources/folder.ts';
import { isSpreadsheetLike } from '../sources/readers/openFile.ts';
import { reportDuplicates, separateDuplicates } from './duplicateFiles.ts';
import { ParallelReading, type ParallelReadingOptions } from './parallelReading.ts';
import { readFile } from './readFile.ts';
import type { ReadingRun, SourceFolder } from './reading.ts';
import { addStagedFile } from './stagedFile.ts';
import { reportUnreadFiles } from './unreadFiles.ts';
import { reportUnusedOptions } from './unusedOptions.ts';

/**
 * Reads every file of the directory that holds a dataset. Files that cannot be read or belong to no dataset are reported.
 */
export async function readSources(
  { directory, workDir, onProgress }: SourceFolder,
  run: ReadingRun,
  options?: ParallelReadingOptions,
): Promise<void> {
  const listing = await listSources(directory);
  await reportUnreadFiles(listing, run);
  const found = await Promise.all(
    listing.files
      .filter((file) => isSpreadsheetLike(file.name))
      .filter((file) => isToBeRead(file, run.problems))
      .map(async (file) => ({ ...file, bytes: (await stat(file.path).catch(() => null))?.size ?? 0 })),
  );
  const { originals: sources, duplicates } = await separateDuplicates(found);
  const totalBytes = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  let doneBytes = 0;
  const parallel = new ParallelReading(sources, run, path.join(workDir, 'parallel'), options);
  try {
    for (const source of sources) {
      const onFraction = (fraction: number) =>
        onProgress(source.name, doneBytes + fraction * source.bytes, totalBytes);
      const staged = await parallel.takeStaged(source, onFraction);
      if (staged === null) await readFile(source, run, onFraction, { mayUseThread: parallel.hasIdleCore });
      else await addStagedFile(staged, run);
      doneBytes += source.bytes;
      onProgress(source.name, doneBytes, totalBytes);
    }
  } finally {
    parallel.close();
  }
  reportDuplicates(duplicates, run);
  const names = listing.files.map(({ name }) => name);
  reportUnusedOptions(names, run);
}

/** Whether a spreadsheet may hold a dataset. Reports a file that belongs to none. */
function isToBeRead(file: SourceFile, problems: Problems): boolean {
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
