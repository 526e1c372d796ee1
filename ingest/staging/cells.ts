// Reads the cells of one row that do not hold values: the texts of dimensions, the year, and the metric of a wide row.

import type { Diagnostic } from '../messages/fault.ts';
import type { FileFormat } from '../messages/formats.ts';
import { headingKey, nearestWord } from '../messages/spelling.ts';
import { isFootnoted } from '../sources/readers/footnotes.ts';
import { type Cell, isMarkedYear } from '../sources/readers/raw.ts';
import { inPlainFormat, unsupportedYearForm } from '../sources/yearForms.ts';
import type { KnownValues } from './knownValues.ts';
import type { Placement, TextTarget } from './placement.ts';
import type { FileOptions, OptionName } from './readingOptions.ts';
import type { LocatedRow, Remarks } from './remarks.ts';
import type { Survey } from './survey.ts';
import type { Terms } from './terms.ts';
import { describeCell, isEmpty, MARK_DROPPED, ofColumn, unexpectedCell, yearIn } from './values.ts';

/** In a staged row: the code of a dimension whose cell is filled in but cannot be read. */
export const FAULTY = -2;

/** What decides how the cells of one table are read: the options of its file, the survey of the table, the known values. */
export interface CellContext {
  readonly file: string;
  readonly options: FileOptions;
  /** Null on the first pass, which stops at the first cell that cannot be read without a survey. */
  readonly survey: Survey | null;
  /** The values of the current snapshot; null when there is none. */
  readonly known: KnownValues | null;
  /** Called when an option changed how a cell was read; for `scale`, with the metric. */
  readonly onEffect: (option: OptionName, metric?: string) => void;
}

export class CellReader {
  readonly #placement: Placement;
  readonly #terms: Terms;
  readonly #remarks: Remarks;
  readonly #context: CellContext;
  #needsSurvey = false;

  constructor(placement: Placement, terms: Terms, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#terms = terms;
    this.#remarks = remarks;
    this.#context = context;
  }

  /** True when the first pass met a cell that only its whole column can explain. Such a cell is not reported yet. */
  get needsSurvey(): boolean {
    return this.#needsSurvey;
  }

  /** The code of the text in a cell; FAULTY when the cell cannot be read. */
  text(row: LocatedRow, index: number, target: TextTarget, cell: Cell | undefined): number {
    const text = typeof cell === 'string' ? cell : this.#withoutMark(row, index, target, cell);
    if (text === null) return FAULTY;
    const { name, form } = target;
    const term = this.#terms.of(text, form);
    if (term.fault !== null) {
      this.#remarks.error(row, index, ofColumn(name, term.fault));
      return FAULTY;
    }
    if (term.cleaned.length > 0) {
      for (const cleaned of term.cleaned) this.#remarks.note(row, index, `${name} ${cleaned}`);
    }
    return term.code;
  }

  /** The year in a cell; FAULTY when the cell holds none. */
  year(row: LocatedRow, index: number, cell: Cell | undefined): number {
    const isMarked = isFootnoted(cell);
    const year = yearIn(isMarked ? cell.value : cell);
    if (year === undefined) {
      this.#remarks.error(row, index, whyNoYear(cell, this.#remarks.originOf(row).format));
      return FAULTY;
    }
    if (isMarked) this.#remarks.note(row, index, `year ${MARK_DROPPED}`);
    return year;
  }

  /**
   * The text of a cell that ends in a footnote mark. The mark is dropped when another row or the current snapshot has the text
   * without it. Null after reporting the cell, or when a survey must first say whether another row has that text.
   */
  #withoutMark(
    row: LocatedRow,
    index: number,
    { name, form }: TextTarget,
    cell: Cell | undefined,
  ): string | null {
    if (!isFootnoted(cell)) {
      this.#remarks.error(row, index, ofColumn(name, unexpectedCell(cell, 'it as text')));
      return null;
    }
    const { known, survey } = this.#context;
    if (known?.has(name, cell.text.trim())) return cell.text;
    const { text } = this.#terms.of(cell.value, form);
    if (known?.has(name, text)) {
      this.#remarks.note(row, index, `${name} ${MARK_DROPPED}`);
      return cell.value;
    }
    if (survey === null) {
      this.#needsSurvey = true;
      return null;
    }
    if (survey.texts.get(name)?.has(text)) {
      this.#remarks.note(row, index, `${name} ${MARK_DROPPED}`);
      return cell.value;
    }
    this.#remarks.error(row, index, {
      problem: `${name} "${cell.text.trim()}" ends in what looks like a footnote mark, and no other row has "${text}"`,
      remedy: `delete the mark ${cell.mark}`,
      kind: `${name} with a footnote mark`,
    });
    return null;
  }

  /** The index of the metric that a wide row names; null after reporting a row that names none of its dataset. */
  metric(row: LocatedRow): number | null {
    const { metricColumn, metrics, dataset } = this.#placement;
    if (metricColumn < 0) return 0;
    const cell = row.cells[metricColumn];
    const key = typeof cell === 'string' ? headingKey(cell) : '';
    const at = metrics.findIndex((name) => headingKey(name) === key);
    if (at >= 0) return at;
    const isText = typeof cell === 'string' && !isEmpty(cell);
    const near = nearestWord(isFootnoted(cell) ? cell.value : isText ? cell : '', metrics);
    this.#remarks.error(row, metricColumn, {
      problem: isText
        ? `"${cell}" is not a metric of ${dataset}`
        : `metric is ${isEmpty(cell) ? 'empty' : describeCell(cell)}`,
      remedy: near === undefined ? `write one of: ${metrics.join(', ')}` : `did you mean "${near}"?`,
    });
    return null;
  }
}

const YEAR_FORM = 'a whole number from 1000 to 9999';

/** What is wrong with a cell that holds no year in a column of years, and what to type instead. */
function whyNoYear(cell: Cell | undefined, format: FileFormat): Diagnostic {
  const isDate = typeof cell === 'object' && cell?.kind === 'date';
  const isPlain = typeof cell === 'string' || typeof cell === 'number';
  const isMarked = isMarkedYear(cell);
  const text = isDate ? cell.iso : isMarked ? cell.shown : isPlain ? String(cell) : '';
  const form = unsupportedYearForm(text);
  if (form === undefined) return ofColumn('year', unexpectedCell(cell, YEAR_FORM), 'year is not a year');
  return {
    problem: isDate ? `year is ${describeCell(cell)}` : `year is ${describeCell(cell)}, ${form.description}`,
    remedy: isMarked ? inPlainFormat(form) : (form.remedies?.[format] ?? form.remedy),
    kind: `year is ${form.description}`,
  };
}
