// Reads the cells of a row that hold no figures: the texts of dimensions, the year, and the metric of a wide row.

import type { Diagnostic } from '../messages/fault.ts';
import type { FileFormat } from '../messages/fileFormats.ts';
import { headingKey, nearestWord } from '../messages/spelling.ts';
import { withoutMarks } from '../sources/readers/footnotes.ts';
import { type Cell, isKind } from '../sources/readers/rawFile.ts';
import { inPlainFormat, unsupportedYearForm } from '../sources/yearForms.ts';
import { describeCell, isEmpty, MARK_DROPPED, unexpectedCell, withColumnName, yearIn } from './cellValues.ts';
import type { TextTarget } from './columnMapping.ts';
import { enclosedLinesFault } from './enclosedLines.ts';
import type { LocatedRow } from './remarks.ts';
import type { TableContext } from './tableContext.ts';

/** The code, in a staged row, of a dimension whose cell is filled in but cannot be read. */
export const FAULTY = -2;

/** The code of the text in a cell; FAULTY when the cell cannot be read. */
export function readText(table: TableContext, row: LocatedRow, index: number, target: TextTarget): number {
  const cell = row.cells[index];
  const text = typeof cell === 'string' ? cell : textWithoutMark(table, row, index, target);
  if (text === null) return FAULTY;
  const { name, form } = target;
  const cleaned = table.dimensionTexts.textOf(text, form);
  if (cleaned.fault !== null) {
    const fault = enclosedLinesFault(table, { row, index }, name) ?? withColumnName(name, cleaned.fault);
    table.remarks.error({ row, index }, fault);
    return FAULTY;
  }
  for (const change of cleaned.changes) table.remarks.note({ row, index }, `${name} ${change}`);
  return cleaned.code;
}

/** The year in a cell; FAULTY when the cell holds none. */
export function readYear(table: TableContext, row: LocatedRow, index: number): number {
  const cell = row.cells[index];
  const year = yearIn(withoutMarks(cell));
  if (year === undefined) {
    const { format } = table.remarks.originOf(row);
    table.remarks.error(
      { row, index },
      enclosedLinesFault(table, { row, index }, 'year') ?? whyNoYear(cell, format),
    );
    return FAULTY;
  }
  if (isKind(cell, 'footnoted')) table.remarks.note({ row, index }, `year ${MARK_DROPPED}`);
  return year;
}

/**
 * The text of a cell that ends in a footnote mark. It keeps the mark when the current snapshot has the text with it. It
 * drops the mark when another row or the current snapshot has the text without it. Null when it reported the cell, or
 * when only a survey of the column can find such a row.
 */
function textWithoutMark(
  table: TableContext,
  row: LocatedRow,
  index: number,
  { name, form }: TextTarget,
): string | null {
  const cell = row.cells[index];
  const at = { row, index };
  if (!isKind(cell, 'footnoted')) {
    table.remarks.error(at, withColumnName(name, unexpectedCell(cell, 'it as text')));
    return null;
  }
  const { known, survey } = table;
  if (known?.has(name, cell.text.trim())) return cell.text;
  const { text } = table.dimensionTexts.textOf(cell.value, form);
  if (known?.has(name, text) || survey?.textsByDimension.get(name)?.has(text)) {
    table.remarks.note(at, `${name} ${MARK_DROPPED}`);
    return cell.value;
  }
  if (survey === null) {
    table.needsSurvey = true;
    return null;
  }
  table.remarks.error(at, {
    problem: `${name} "${cell.text.trim()}" ends in what looks like a footnote mark, and no other row has "${text}"`,
    remedy: `delete the mark ${cell.mark}`,
    kind: `${name} with a footnote mark`,
  });
  return null;
}

/**
 * The index of the metric that a wide row names. It reports a row that names no metric of its dataset, and gives null.
 */
export function readMetric(table: TableContext, row: LocatedRow): number | null {
  const { metricColumn, metrics, dataset } = table.mapping;
  if (metricColumn < 0) return 0;
  const cell = row.cells[metricColumn];
  const key = typeof cell === 'string' ? headingKey(cell) : '';
  const metric = metrics.findIndex((name) => headingKey(name) === key);
  if (metric >= 0) return metric;
  const isText = typeof cell === 'string' && !isEmpty(cell);
  const text = withoutMarks(cell);
  const near = nearestWord(typeof text === 'string' ? text : '', metrics);
  const at = { row, index: metricColumn };
  const enclosed = enclosedLinesFault(table, at, 'metric');
  if (enclosed !== null) {
    table.remarks.error(at, enclosed);
    return null;
  }
  table.remarks.error(at, {
    problem: isText
      ? `"${cell}" is not a metric of ${dataset}`
      : `metric is ${isEmpty(cell) ? 'empty' : describeCell(cell)}`,
    remedy: near === undefined ? `write one of: ${metrics.join(', ')}` : `did you mean "${near}"?`,
  });
  return null;
}

const YEAR_FORM = 'a whole number from 1000 to 9999';

function whyNoYear(cell: Cell | undefined, format: FileFormat): Diagnostic {
  const form = unsupportedYearForm(textOfYear(cell));
  if (form === undefined)
    return withColumnName('year', unexpectedCell(cell, YEAR_FORM), 'year is not a year');
  return {
    problem: `year is ${describeCell(cell)}${isKind(cell, 'date') ? '' : `, ${form.description}`}`,
    remedy: isKind(cell, 'marked year') ? inPlainFormat(form) : (form.remedies?.[format] ?? form.remedy),
    kind: `year is ${form.description}`,
  };
}

/** The text that shows in which form a year is written; empty for cells without such a text. */
function textOfYear(cell: Cell | undefined): string {
  if (typeof cell === 'string' || typeof cell === 'number') return String(cell);
  if (isKind(cell, 'marked year')) return cell.shown;
  return isKind(cell, 'date') ? cell.iso : '';
}
