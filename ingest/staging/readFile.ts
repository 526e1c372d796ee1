// Reads one source file into the staging database, and decides which of its sheets are read.

import { rm } from 'node:fs/promises';
import { columnNames, DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { type Diagnostic, UnreadableError } from '../messages/fault.ts';
import { factsOf } from '../messages/formats.ts';
import { type Origin, placeOfCell, wholeFile, wholeTable } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { headingKey } from '../messages/spelling.ts';
import { statedUnit } from '../messages/statedUnits.ts';
import { datasetNamedBy, type SourceFile } from '../sources/folder.ts';
import { findHeader, HEADER_WITHIN_ROWS } from '../sources/header/header.ts';
import type { Header } from '../sources/header/types.ts';
import type { CopiedSource } from '../sources/intake.ts';
import { asWritten } from '../sources/readers/footnotes.ts';
import { type OpenOptions, openFile, readerFor } from '../sources/readers/open.ts';
import type { RawFile, RawRow, RawTable } from '../sources/readers/raw.ts';
import { expectDataset, type ReadingRun } from './reading.ts';
import { addOtherDataset, readTable } from './readTable.ts';

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
    taken = await run.intake.take(source.path, source.name);
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
      await reportHidden(table, origin, dataset, run.problems);
      continue;
    }
    const other = named === null ? null : await otherDataset(table, named);
    if (named !== null && other !== null) {
      addOtherDataset(other, named, origin, run);
      tablesRead += 1;
      continue;
    }
    const found =
      dataset !== null &&
      (await readTable({ table, dataset, origin }, run, () => onFraction(file.progress?.() ?? 0)));
    if (found) {
      tablesRead += 1;
      if (isSetAside(table.name ?? '')) run.problems.add('warning', wholeTable(origin), SET_ASIDE_SHEET);
    }
    if (!found && table.name !== null) await reportUnread(table, origin, named, run.problems);
  }
  if (tablesRead > 0 && isSetAside(file.name))
    run.problems.add('warning', wholeFile(file.name), SET_ASIDE_FILE);
  if (tablesRead === 0) run.problems.add('error', wholeFile(file.name), noTableIn(file, named));
}

/**
 * The dataset that a sheet is named after, if the sheet has a complete header of this dataset, and no complete header of
 * `named`, the dataset that its file is named after; else null.
 */
async function otherDataset(table: RawTable, named: DatasetName): Promise<DatasetName | null> {
  const other = datasetNamedBy(table.name ?? '');
  if (other === null || other === named) return null;
  const head = await headOf(table);
  const header = findHeader(other, head);
  if (header === null || !header.complete || header.faults.length > 0) return null;
  return findHeader(named, head)?.complete === true ? null : other;
}

/** Whether the name of a file or sheet says that it is a draft, a copy or outdated. */
const isSetAside = (name: string): boolean => SET_ASIDE.test(name.normalize('NFKC').replaceAll('_', ' '));

const SET_ASIDE =
  /(?<![\p{L}\p{N}])(?:drafts?|old|obsolete|superseded|outdated|deprecated|backup|bak|copy|do\s+not\s+use|don['’]t\s+use|not\s+used|unused|wip|dummy|placeholders?|entwurf|kopie|veraltet|brouillon|copie|borrador|copia|obsoleto|bozza)(?![\p{L}\p{N}])/iu;

const SET_ASIDE_SHEET: Diagnostic = {
  problem: 'the name of this sheet says that it does not count, and it was read like all others',
  remedy: 'rename it if its rows count, else hide or delete it',
};

const SET_ASIDE_FILE: Diagnostic = {
  problem: 'the name of this file says that it does not count, and it was read like all others',
  remedy: 'rename it if its rows count, else move it away',
};

/**
 * Reports a hidden sheet that may hold data. It is a warning when the sheet has a header with values. The header is that of its
 * dataset, or of any dataset when neither file nor sheet is named after one. It is a note when the sheet has figures without a
 * header, or a header without values, as a list of choices for drop-down cells has.
 */
async function reportHidden(
  table: RawTable,
  origin: Origin,
  dataset: DatasetName | null,
  problems: Problems,
): Promise<void> {
  const head = await headOf(table);
  const headers = (dataset === null ? DATASET_NAMES : [dataset]).flatMap(
    (name) => findHeader(name, head) ?? [],
  );
  const isData = headers.some(hasData);
  const hasFigures =
    head.filter(({ cells }) =>
      cells.some((cell) => typeof cell === 'number' || (typeof cell === 'object' && cell?.kind === 'priced')),
    ).length > 1;
  // In a sheet of no dataset, a few words that are headings of some dataset prove nothing.
  const isList = headers.length > 0 && dataset !== null;
  if (isOfNotes(table)) await warnOfUnit(table, origin, problems);
  if (!isData && !isList && !hasFigures) return;
  problems.add(isData ? 'warning' : 'note', wholeTable(origin), {
    problem: 'a hidden sheet was not read',
    remedy: 'unhide it if its rows count',
  });
}

/** Reports a visible sheet that was not read: a note when its name says that it holds notes, else a warning. */
async function reportUnread(
  table: RawTable,
  origin: Origin,
  named: DatasetName | null,
  problems: Problems,
): Promise<void> {
  if (await isEmpty(table)) return;
  if (isOfNotes(table)) {
    problems.add('note', wholeTable(origin), { problem: 'a sheet of notes, not read', remedy: null });
    await warnOfUnit(table, origin, problems);
    return;
  }
  const belongs = named !== null || datasetNamedBy(table.name ?? '') !== null;
  const why = belongs
    ? `has no header in its first ${HEADER_WITHIN_ROWS} rows`
    : 'is not named after a dataset';
  problems.add('warning', wholeTable(origin), {
    problem: `this sheet ${why} and was not read`,
    remedy: belongs ? 'give it one if its rows count' : 'name it after its dataset if its rows count',
    kind: 'a sheet that was not read',
  });
  if (belongs) await warnOfUnit(table, origin, problems);
}

/** Warns of the first unit that an unread sheet states, because the figures on the other sheets may be in this unit. */
async function warnOfUnit(table: RawTable, origin: Origin, problems: Problems): Promise<void> {
  for await (const batch of table.rows()) {
    for (const { row, cells } of batch) {
      for (const [index, cell] of cells.entries()) {
        const text = asWritten(cell);
        const unit = typeof text === 'string' ? statedUnit(text) : null;
        if (unit === null) continue;
        problems.add('warning', placeOfCell(origin, row, `${index + 1}`, index), {
          problem: `${isOfNotes(table) ? 'the notes say' : 'this sheet says'} "${unit.text}", and figures are read as they stand`,
          remedy: `if they are in ${unit.word}, multiply them, such as with --scale ggr=${unit.factor}`,
          kind: 'notes that state a unit',
        });
        return;
      }
    }
  }
}

/**
 * Names of sheets of notes, as `headingKey` spells them. The program Numbers lists its tables in `Export Summary`. The exports of
 * this service describe themselves in `About`.
 */
const NOTES = new Set(['notes', 'readme', 'contents', 'sources', 'metadata', 'about', 'exportsummary']);

const isOfNotes = ({ name }: RawTable): boolean => NOTES.has(headingKey(name ?? ''));

/** The error for a file without a sheet that was read. */
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

/** The first rows of a table. A header is searched for among them. */
async function headOf(table: RawTable): Promise<readonly RawRow[]> {
  const first: RawRow[] = [];
  for await (const batch of table.rows()) {
    first.push(...batch);
    if (first.length >= HEADER_WITHIN_ROWS) break;
  }
  return first;
}

/** Whether rows below a header hold data. Either it has a column of values, or all columns of its dataset. */
const hasData = ({ columns, complete }: Header): boolean =>
  complete || columns.some((column) => column?.kind === 'metric' || column?.kind === 'year');

async function isEmpty(table: RawTable): Promise<boolean> {
  for await (const batch of table.rows()) if (batch.length > 0) return false;
  return true;
}
