// Reports the sheets of a workbook that are not read, when they may hold data or state a unit of other sheets.

import { DATASET_NAMES, type DatasetName, datasetOf } from '../../src/catalog/datasets.ts';
import { type Origin, placeOfCell, wholeTable } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import { headingKey } from '../messages/spelling.ts';
import { statedUnit } from '../messages/statedUnits.ts';
import { datasetNamedBy } from '../sources/folder.ts';
import { HEADER_WITHIN_ROWS, headOf } from '../sources/header/header.ts';
import type { Header } from '../sources/header/headerTypes.ts';
import { textIn } from '../sources/readers/footnotes.ts';
import { isKind, type RawTable } from '../sources/readers/rawFile.ts';
import { tableHeader } from './tableHeader.ts';

/**
 * Reports a hidden sheet that may hold data. It is a warning when the sheet has a header with values. The header is that of
 * its dataset, or of any dataset when neither file nor sheet is named after one. It is a note when the sheet has figures
 * without a header, or a header without values, as a list of choices for drop-down cells has. Warns of a unit that a hidden
 * sheet of notes states.
 */
export async function reportHiddenSheet(
  table: RawTable,
  origin: Origin,
  dataset: DatasetName | null,
  problems: Problems,
): Promise<void> {
  const head = await headOf(table);
  const headers = (dataset === null ? DATASET_NAMES : [dataset]).flatMap(
    (name) => tableHeader(name, head, origin.format)?.header ?? [],
  );
  const isData = headers.some(hasData);
  const hasFigures =
    head.filter(({ cells }) =>
      cells.some((cell) => typeof cell === 'number' || isKind(cell, 'with currency')),
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
export async function reportUnreadSheet(
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
  const dataset = named ?? datasetNamedBy(table.name ?? '');
  const why =
    dataset === null
      ? 'is not named after a dataset'
      : `has no header in its first ${HEADER_WITHIN_ROWS} rows`;
  problems.add('warning', wholeTable(origin), {
    problem: `this sheet ${why} and was not read`,
    remedy:
      dataset === null
        ? 'name it after its dataset if its rows count'
        : `if its rows count, give it a row that names columns of ${dataset}, such as ${datasetOf(dataset).dimensions.slice(0, 3).join(', ')}`,
    kind: 'a sheet that was not read',
  });
  if (dataset !== null) await warnOfUnit(table, origin, problems);
}

/** Warns of the first unit that an unread sheet states, because the figures on the other sheets may be in this unit. */
async function warnOfUnit(table: RawTable, origin: Origin, problems: Problems): Promise<void> {
  for await (const batch of table.rows()) {
    for (const { row, cells } of batch) {
      for (const [index, cell] of cells.entries()) {
        const text = textIn(cell);
        const unit = text === null ? null : statedUnit(text);
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
 * Names of sheets of notes, as `headingKey` spells them. The program Numbers lists its tables in `Export Summary`. The
 * exports of this service describe themselves in `About`.
 */
const NOTES = new Set(['notes', 'readme', 'contents', 'sources', 'metadata', 'about', 'exportsummary']);

const isOfNotes = ({ name }: RawTable): boolean => NOTES.has(headingKey(name ?? ''));

/** Whether rows below a header hold data. Either it has a column of values, or all columns of its dataset. */
const hasData = ({ columns, complete }: Header): boolean =>
  complete || columns.some((column) => column?.kind === 'metric' || column?.kind === 'year');

async function isEmpty(table: RawTable): Promise<boolean> {
  for await (const batch of table.rows()) if (batch.length > 0) return false;
  return true;
}
