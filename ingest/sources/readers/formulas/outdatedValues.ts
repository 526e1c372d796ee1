// Finds formulas whose stored values are outdated, because a program changed cells without recalculating the formulas.

import { getOrInsert } from '../../../../src/basics/maps.ts';
import { counted } from '../../../messages/numbers.ts';
import { cellName } from '../../../messages/place.ts';
import type { CellRange, RawRow, Remark } from '../rawFile.ts';
import { agrees, type FormulaValue, wordsOf, wordsOfStored } from './agreement.ts';
import { Evaluator } from './evaluate.ts';
import { type Expression, resolveCoordinate } from './expression.ts';
import { forEachReference } from './expressionParts.ts';
import type { FormulaCells, FormulaCount } from './formulaCells.ts';
import { ReferencedColumns, type WantedColumns } from './referencedColumns.ts';
import { Subtotals } from './subtotals.ts';
import { valueAt } from './workbookCells.ts';

/** The most columns of one sheet that formulas may refer to. */
const MOST_COLUMNS = 1024;
/** The most columns with old values that are reported. */
const MOST_NAMED = 10;
/** The most cells of a column that a message names. */
const MOST_CELLS = 5;

/** What the file says about the calculation of its formulas. */
export interface Calculation {
  /**
   * Whether a setting of the workbook makes programs repeat circular formulas, or compute with the digits that cells show.
   * No formula is computed then.
   */
  readonly isUnusual: boolean;
  /** The reason to suspect old values, in words that follow `the workbook`; null when there is none. */
  readonly doubt: string | null;
}

/**
 * Remarks on formulas whose stored values differ from the computed ones, and on formulas whose values cannot be computed.
 * Formulas that cannot be computed get a warning when the workbook gives a reason for doubt, else a note.
 *
 * @param hidesRows Whether the sheet has hidden rows, which SUBTOTAL may leave out.
 * @param rowsOf Returns the rows of a sheet with numbers as they are stored; null when there is no such sheet.
 */
export async function remarksOnOutdatedValues(
  formulas: FormulaCells,
  { isUnusual, doubt }: Calculation,
  hidesRows: boolean,
  rowsOf: (sheet: string | null) => AsyncIterable<readonly RawRow[]> | null,
): Promise<readonly Remark[]> {
  const columns = new Map<number, WrongColumn>();
  const wanted = isUnusual || formulas.count === 0 ? null : wantedBy(formulas);
  const values = wanted && (await ReferencedColumns.read(wanted, rowsOf));
  const evaluator = values && new Evaluator(values, Subtotals.of(formulas, hidesRows));
  const check = (row: number, column: number, value: FormulaValue | null, expression: Expression) => {
    const stored = valueAt(values?.columnOf(null, column) ?? null, row);
    const isRight = values && value && agrees(stored, value, values.texts);
    if (!values || !value || isRight === null) formulas.addUnknown(row, column, expression);
    else if (!isRight) {
      const wrong = getOrInsert(columns, column, () => ({ count: 0, lastRow: row, cells: [] }));
      wrong.count += 1;
      wrong.lastRow = row;
      if (wrong.cells.length < MOST_CELLS) {
        const words = { stored: wordsOfStored(stored, values.texts), value: wordsOf(value, values.texts) };
        wrong.cells.push({ row, column, ...words });
      }
    }
  };
  formulas.forEach((row, column, expression) => {
    check(row, column, evaluator?.valueOf(expression, { row, column }) ?? null, expression);
  });
  for (const array of formulas.arrays())
    forEachCell(array.range, (row, column, down, right) => {
      check(row, column, evaluator?.valueInArray(array, down, right) ?? null, array.expression);
    });
  return [
    ...[...columns.values()].slice(0, MOST_NAMED).flatMap(remarkOn),
    ...(doubt === null
      ? formulas.uncomputed.remarks()
      : remarkOnSome(formulas.unknown, possiblyOutdated(doubt))),
    ...remarkOnSome(formulas.changing, changing),
    ...remarkOnSome(formulas.ofOtherFiles, ofOtherFiles),
  ];
}

/** Calls `use` with each cell of a range, and with its distance from the first cell. */
function forEachCell(
  { rows: [top, bottom], columns: [left, right] }: CellRange,
  use: (row: number, column: number, down: number, right: number) => void,
): void {
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) use(row, column, row - top, column - left);
}

interface WrongCell {
  readonly row: number;
  readonly column: number;
  /** The stored value and the computed one, in words. */
  readonly stored: string;
  readonly value: string;
}

/** The outdated values in a column: how many there are, the row of the last one, and the first few cells. */
interface WrongColumn {
  count: number;
  lastRow: number;
  readonly cells: WrongCell[];
}

/** The columns that contain formulas, and those that formulas refer to. A reference to too many columns is left out. */
function wantedBy(formulas: FormulaCells): WantedColumns {
  const wanted = new Map<string | null, Set<number>>();
  const seen = new Set<number>();
  const want = (sheet: string | null, first: number, last: number) => {
    const columns = getOrInsert(wanted, sheet, () => new Set());
    if (columns.size + last - first >= MOST_COLUMNS) return;
    for (let at = first; at <= last; at++) columns.add(at);
  };
  const wantPartsOf = (expression: Expression, column: number) =>
    forEachReference(expression, ({ sheet, columns }) => {
      const [one, other] = columns.map((end) => resolveCoordinate(end, column, 0));
      if (one == null || other == null) return;
      want(sheet, Math.min(one, other), Math.max(one, other));
    });
  formulas.forEach((_, column, expression, index) => {
    const key = index * 16_384 + column;
    if (seen.has(key)) return;
    seen.add(key);
    want(null, column, column);
    wantPartsOf(expression, column);
  });
  for (const { column, range, expression } of formulas.arrays()) {
    want(null, ...range.columns);
    wantPartsOf(expression, column);
  }
  return wanted;
}

function remarkOn({ count, lastRow, cells }: WrongColumn): readonly Remark[] {
  const [first, ...others] = cells;
  if (first === undefined) return [];
  const names = others.map(({ row, column }) => cellName(column, row));
  const more = count > cells.length ? ` and ${count - cells.length} more` : '';
  const alike = count === 1 ? '' : `; so ${count === 2 ? 'does' : 'do'} ${names.join(', ')}${more}`;
  return [
    {
      severity: 'warning',
      wrongUntilRow: lastRow,
      cell: [first.row, first.column],
      problem: `holds ${first.stored}, and its formula has ${first.value}${alike}`,
      remedy:
        'open the file in a spreadsheet program, let it calculate (F9), save it again; if the value that it holds is right, write it in place of the formula',
      kind: 'formulas with other values than the cells hold',
    },
  ];
}

/** The remark on some formulas, at the first of their cells; none when there are no formulas. */
const remarkOnSome = (
  { count, first }: FormulaCount,
  remark: (count: number) => Remark,
): readonly Remark[] => (first === null ? [] : [{ ...remark(count), cell: first }]);

const possiblyOutdated =
  (doubt: string) =>
  (count: number): Remark => ({
    severity: 'warning',
    problem: `the workbook ${doubt}, so ${formulasOf(count)} may have an old value`,
    remedy: 'open it in a spreadsheet program, let it calculate (F9), save it again',
    kind: 'formulas with old values',
  });

const changing = (count: number): Remark => ({
  severity: 'warning',
  problem: `${formulasOf(count)} ${count === 1 ? 'has' : 'have'} another value at each calculation, by RAND, TODAY or a function like them`,
  remedy: 'write the value itself',
  kind: 'formulas with another value each time',
});

const ofOtherFiles = (count: number): Remark => ({
  severity: 'note',
  problem: `${formulasOf(count)} ${count === 1 ? 'takes its value' : 'take their values'} from other files, as these were when the workbook was calculated last`,
  remedy: null,
  kind: 'formulas that refer to other files',
});

const formulasOf = (count: number): string => counted(count, 'formula');
