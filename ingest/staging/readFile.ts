// Reads one source file into the staging database, and decides which of its sheets are read.

import { rm } from 'node:fs/promises';
import { columnNames, DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { type Diagnostic, UnreadableError } from '../messages/fault.ts';
import { factsOf } from '../messages/fileFormats.ts';
import { wholeFile, wholeTable } from '../messages/place.ts';
import { datasetNamedBy, type SourceFile } from '../sources/folder.ts';
import { type OpenOptions, openFile, readerFor } from '../sources/readers/openFile.ts';
import type { RawFile } from '../sources/readers/rawFile.ts';
import type { CopiedSource } from '../sources/sourceCopies.ts';
import { otherDatasetIn, refuseOtherDataset } from './otherDataset.ts';
import { expectDataset, type ReadingRun } from './reading.ts';
import { readTable } from './readTable.ts';
import { reportHiddenSheet, reportUnreadSheet } from './unreadSheets.ts';

/**
 * Reads one file that is named after a dataset, or whose sheets are. A file that cannot be read is reported as a problem.
 * `onFraction` receives the share of the file that was read, from 0 to 1.
 */
export async function readFile(
  source: SourceFile,
  run: ReadingRun,
  onFraction: (fraction: number) => void,
  options: OpenOptions = {},
): Promise<void> {
  let file: RawFile | undefined;
  let taken: CopiedSource | undefined;
  try {
    if (source.dataset !== null) expectDataset(source.dataset, run.reading);
    // Refuses a file without a reader before it is copied.
    readerFor(source.name);
    taken = await run.sourceCopies.copy(source.path, source.name);
    file = await openFile(taken.copy, source.name, options);
    await readTables(file, source.dataset, run, onFraction);
    run.reading.files.push({ file: source.name, bytes: taken.bytes, sha256: taken.sha256 });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    run.problems.add('unreadable', error.fault.place, error.fault);
    if (source.dataset === null) run.reading.mayLackDatasets = true;
  } finally {
    await file?.close();
    if (taken !== undefined) await rm(taken.copy, { force: true });
  }
}

async function readTables(
  file: RawFile,
  named: DatasetName | null,
  run: ReadingRun,
  onFraction: (fraction: number) => void,
): Promise<void> {
  let tablesRead = 0;
  for (const table of file.tables) {
    const dataset = named ?? datasetNamedBy(table.name ?? '');
    const origin = { file: file.name, sheet: table.name, format: file.format, columns: new Map() };
    if (table.hidden) {
      await reportHiddenSheet(table, origin, dataset, run.problems);
      continue;
    }
    const other = named === null ? null : await otherDatasetIn(table, named, file.format);
    if (named !== null && other !== null) {
      refuseOtherDataset({ other, named }, origin, run);
      tablesRead += 1;
      continue;
    }
    const found =
      dataset !== null &&
      (await readTable({ table, dataset, origin }, run, () => onFraction(file.progress())));
    if (found) {
      tablesRead += 1;
      if (saysDraftOrOld(table.name ?? ''))
        run.problems.add('warning', wholeTable(origin), draftOrOld('sheet', 'hide or delete it'));
    } else if (table.name !== null) await reportUnreadSheet(table, origin, named, run.problems);
  }
  if (tablesRead > 0 && saysDraftOrOld(file.name))
    run.problems.add('warning', wholeFile(file.name), draftOrOld('file', 'move it away'));
  if (tablesRead === 0) run.problems.add('error', wholeFile(file.name), noTableIn(file, named));
}

/** Whether the name of a file, a folder or a sheet says that it is a draft, a copy or outdated. */
export const saysDraftOrOld = (name: string): boolean =>
  DRAFT_OR_OLD.test(name.normalize('NFKC').replaceAll('_', ' '));

const DRAFT_OR_OLD =
  /(?<![\p{L}\p{N}])(?:drafts?|old|obsolete|superseded|outdated|deprecated|backup|bak|copy|conflict|conflicted|do\s+not\s+use|don['’]t\s+use|not\s+used|unused|wip|dummy|placeholders?|entwurf|kopie|veraltet|brouillon|copie|borrador|copia|obsoleto|bozza)(?![\p{L}\p{N}])/iu;

/** The warning about a file or sheet that was read although its name says that it is a draft, a copy or outdated. */
const draftOrOld = (what: 'file' | 'sheet', otherwise: string): Diagnostic => ({
  problem: `the name of this ${what} says that it does not count, and it was read like all others`,
  remedy: `rename it if its rows count, else ${otherwise}`,
});

/** The error for a file of which no sheet was read. */
function noTableIn(file: RawFile, named: DatasetName | null): Diagnostic {
  if (named === null)
    return {
      problem: 'belongs to no dataset',
      remedy: `name the file or its sheets after one (${DATASET_NAMES.join(', ')}) or move it away`,
    };
  const columns = columnNames(named);
  const where = factsOf(file.format).hasSheets ? 'no visible sheet has a' : 'there is no';
  return {
    problem: `${where} header of ${named}`,
    remedy: `write one with the columns ${columns.join(', ')}`,
  };
}
