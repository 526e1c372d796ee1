// Reads the values of metrics: the number in each cell. It reports cells that hold no number, or one that is likely wrong.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import { unitBeside } from '../../messages/statedUnits.ts';
import { looksGrouped, vanishes } from '../../sources/numberForms.ts';
import { type Cell, isMarkedYear } from '../../sources/readers/raw.ts';
import type { CellContext } from '../cells.ts';
import type { Placement } from '../placement.ts';
import { type NumberStyle, type OptionName, typed } from '../readingOptions.ts';
import type { LocatedRow, Remarks } from '../remarks.ts';
import {
  isFootnoted,
  isMisshown,
  MARK_DROPPED,
  numberIn,
  numberInText,
  ofColumn,
  whyNoNumber,
} from '../values.ts';
import { DottedColumns } from './dottedColumns.ts';
import { LostDigits } from './lostDigits.ts';
import { NumberLooks } from './numberLooks.ts';
import { styledNumber, withAccountingSigns } from './numberText.ts';
import { isPlaceholder } from './placeholders.ts';
import { ScaleOption } from './scaleOption.ts';
import { signRule } from './signRules.ts';
import { faultOfUnit } from './units.ts';
import { unsupportedNumberForm } from './unsupportedForms.ts';

/** A text that was read as a number. */
interface ReadText {
  readonly text: string;
  readonly value: number;
  /** The style of numbers in which it was read; null for the style without grouping. */
  readonly style: NumberStyle | null;
}

export class NumberCells {
  readonly #placement: Placement;
  readonly #remarks: Remarks;
  readonly #context: CellContext;
  readonly #looks: NumberLooks;
  readonly #dotted: DottedColumns;
  readonly #digits: LostDigits;
  readonly #scale: ScaleOption;
  #needsSurvey = false;

  constructor(placement: Placement, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#remarks = remarks;
    this.#context = context;
    this.#looks = new NumberLooks(placement, remarks, context);
    this.#dotted = new DottedColumns(placement, remarks, context);
    this.#digits = new LostDigits(placement, remarks, context);
    this.#scale = new ScaleOption(remarks, context);
  }

  /** True when the first pass met a cell that only its whole column can explain. Such a cell is not reported yet. */
  get needsSurvey(): boolean {
    return this.#needsSurvey;
  }

  /** The value of a metric, after `--scale`; null after reporting why the cell holds none. Also checks the sign. */
  number(row: LocatedRow, index: number, name: string, cell: Cell | undefined): number | null {
    const isMarked = isFootnoted(cell);
    const value = this.#valueOf(row, index, name, isMarked ? cell.value : cell);
    if (value === null) return null;
    if (isMarked) this.#remarks.note(row, index, `${name} ${MARK_DROPPED}`);
    if (typeof cell === 'object' && cell !== null) this.#looks.warn(row, index, name, cell, value);
    const rule = signRule(datasetOf(this.#placement.dataset), name);
    if (rule?.refuses(value))
      this.#remarks.add(rule.severity, row, index, {
        problem: `${name} is ${value}`,
        remedy: rule.remedy,
        kind: `${name} ${rule.kind}`,
      });
    return this.#scale.applied(row, index, name, cell, value);
  }

  /** Called when another reader found a number of this metric whose dot cannot separate thousands. */
  sawUngrouped(name: string): void {
    this.#dotted.sawUngrouped(name);
  }

  /** Reports metrics in which every number looks as if a dot separated thousands, or as if digits were left out. */
  finish(): void {
    this.#dotted.finish();
    this.#digits.finish();
  }

  #unitOf(name: string): string {
    return datasetOf(this.#placement.dataset).metrics[name]?.unit ?? '';
  }

  #typed(option: OptionName, value: string): string {
    return typed({ option, value, file: this.#context.file, found: false });
  }

  /** The number in a cell without a footnote mark; null after reporting why there is none. */
  #valueOf(row: LocatedRow, index: number, name: string, cell: Cell | undefined): number | null {
    const { options } = this.#context;
    const unit = this.#unitOf(name);
    const missing = textOfMissing(cell);
    if (missing !== null && options.missing.has(missing)) {
      this.#context.onEffect('missing');
      this.#remarks.note(row, index, `${name} was read as empty where it says "${missing}"`);
      return null;
    }
    const style = typeof cell === 'string' ? this.#styleOf(name) : null;
    const value =
      style !== null && typeof cell === 'string' ? this.#styled(cell, style) : numberIn(cell, unit);
    if (value === undefined) return this.#refuseNumber(row, index, name, cell, style);
    if (!Number.isFinite(value)) {
      this.#remarks.error(row, index, {
        problem: `${name} is beyond the largest number`,
        remedy: 'correct the figure, or leave the cell empty',
      });
      return null;
    }
    if (typeof cell === 'string' && vanishes(cell, value)) {
      this.#remarks.error(row, index, {
        problem: `${name} is closer to 0 than the smallest number`,
        remedy: 'correct the figure, or leave the cell empty',
      });
      return null;
    }
    if (typeof cell !== 'string') return this.#refuseUnit(row, index, name, cell) ? null : value;
    return this.#acceptText(row, index, name, { text: cell, value, style });
  }

  /** The number that was read from a text, after remarks on how it is written; null after reporting that digits are missing. */
  #acceptText(row: LocatedRow, index: number, name: string, { text, value, style }: ReadText): number | null {
    const { options } = this.#context;
    if (style !== null && numberInText(text) !== value)
      this.#remarks.note(
        row,
        index,
        `${name} is written with ${wordsOf(style, text, value)}, and was read so`,
      );
    if (options.numbers !== null && (numberInText(text) !== value || looksGrouped(text)))
      this.#context.onEffect('numbers');
    if (style === null) this.#dotted.count(row, index, name, text);
    return this.#digits.accept(row, index, name, { text, value });
  }

  /**
   * Reports a number whose number format shows another number or states a unit, or whose decimal point may once have been a dot
   * between thousands. True when it reported the cell.
   */
  #refuseUnit(row: LocatedRow, index: number, name: string, cell: Cell | undefined): boolean {
    const { dataset } = this.#placement;
    const { options, survey, file } = this.#context;
    if (isMisshown(cell) || (isMarkedYear(cell) && !cell.shown.includes(`${cell.value}`))) {
      this.#remarks.error(row, index, {
        problem: `${name} is ${cell.value}, and its number format shows "${cell.shown}"`,
        remedy: 'give the cell the number format 0, and correct the number if that shows the wrong one',
        kind: `${name}: a number format that shows another number`,
      });
      return true;
    }
    if (typeof cell === 'object' && cell?.kind === 'united') {
      const unit = unitBeside(cell.unit, cell.divisor);
      if (unit === null) return false;
      const problem = `${name} is ${cell.value}, and its number format shows "${cell.value / cell.divisor}${/^[.,'’]/.test(cell.unit) ? '' : ' '}${cell.unit}"`;
      const fault = faultOfUnit(problem, unit, { dataset, metric: name, options, file });
      if (fault === null) return false;
      this.#remarks.error(row, index, {
        ...fault,
        kind: `${name}: a number format that states a unit${options.scale.has(name) ? ' other than --scale' : ''}`,
      });
      return true;
    }
    const figure = typeof cell === 'object' && cell?.kind === 'priced' ? cell.value : cell;
    if (typeof figure !== 'number' || Number.isInteger(figure) || options.numbers !== null) return false;
    if (!survey?.dotted.has(this.#placement.header.form === 'wide' ? '' : name)) return false;
    this.#remarks.error(row, index, {
      problem: `${name} is the number ${figure}, beside texts with dots between thousands: a program may have taken such a dot for a decimal point`,
      remedy: `export the column again as numbers; if the number is right, use ${this.#typed('numbers', 'de')}`,
      kind: `${name}: numbers beside texts with dots between thousands`,
    });
    return true;
  }

  /** Reports a cell that holds no number, or asks for a survey first. */
  #refuseNumber(
    row: LocatedRow,
    index: number,
    name: string,
    cell: Cell | undefined,
    style: NumberStyle | null,
  ): null {
    const { options, survey } = this.#context;
    const unit = this.#unitOf(name);
    if (typeof cell !== 'string') {
      const fault = ofColumn(name, whyNoNumber(cell, unit), `${name} is not a number`);
      const missing = textOfMissing(cell);
      const hint =
        missing === '#n/a' ? `; if it stands for no value, use ${this.#typed('missing', '#N/A')}` : '';
      this.#remarks.error(row, index, { ...fault, remedy: `${fault.remedy ?? ''}${hint}` });
      return null;
    }
    if (isPlaceholder(cell)) {
      this.#remarks.columnError(row, index, name, cell.trim(), (count, texts) => ({
        problem: `${name} is ${texts.map((text) => `"${text}"`).join(' or ')}${count > 1 ? ` in ${count} cells` : ''}`,
        remedy: `leave the cell empty, or use ${this.#typed('missing', texts.join(','))}`,
        kind: `${name} is a word for no value`,
      }));
      return null;
    }
    if (survey === null && options.numbers === null) {
      this.#needsSurvey = true;
      return null;
    }
    if (this.#refuseUnitAlone(row, index, name, cell)) return null;
    if (style !== null) {
      const expected =
        options.numbers === null
          ? 'in the style of the rest of the column'
          : `in the style of --numbers ${style}`;
      this.#remarks.error(row, index, {
        problem: `${name} is "${cell.trim()}", which is not a number ${expected}`,
        remedy:
          options.numbers === null
            ? 'correct it'
            : `correct it, or give the option only for the files written so, as in --numbers FILE=${style}`,
        kind: `${name} is not a number ${expected}`,
      });
      return null;
    }
    const isGrouped = styledNumber(cell, 'de') !== undefined || styledNumber(cell, 'en') !== undefined;
    const diagnostic =
      unsupportedNumberForm(name, cell, this.#typed('numbers', 'en')) ??
      ofColumn(name, whyNoNumber(cell, unit), `${name} is not a number`);
    const hint = isGrouped ? `, or use ${this.#typed('numbers', 'de')} (or en)` : '';
    this.#remarks.error(row, index, { ...diagnostic, remedy: `${diagnostic.remedy ?? ''}${hint}` });
    return null;
  }

  /** Reports a text that is a unit without a number, as in a row of units below the header. True when it reported the cell. */
  #refuseUnitAlone(row: LocatedRow, index: number, name: string, text: string): boolean {
    const unit = /[1-9]/.test(text) ? null : unitBeside(text);
    if (unit === null) return false;
    const { options, file } = this.#context;
    const problem = `${name} is "${text.trim()}", a unit, not a number`;
    const scope = { dataset: this.#placement.dataset, metric: name, options, file };
    const { remedy, ...fault } = faultOfUnit(problem, unit, scope) ?? { problem, remedy: null };
    const drop = 'delete the row if it holds no figures';
    this.#remarks.error(row, index, { ...fault, remedy: remedy === null ? drop : `${remedy}; ${drop}` });
    return true;
  }

  /** The number in a text that is written in a style. Accounting signs are read only where `--numbers` gives the style. */
  #styled(text: string, style: NumberStyle): number | undefined {
    const { options } = this.#context;
    return styledNumber(options.numbers === null ? text : withAccountingSigns(text), style);
  }

  #styleOf(name: string): NumberStyle | null {
    const { options, survey } = this.#context;
    const column = this.#placement.header.form === 'wide' ? '' : name;
    return options.numbers ?? survey?.numbers.get(column) ?? null;
  }
}

const STYLE_WORDS: Readonly<Record<NumberStyle, string>> = {
  de: 'decimal commas (1.234,5)',
  en: 'thousands separators (1,234.5)',
};

/** How a text that was read in a style differs from a number in JSON. */
const wordsOf = (style: NumberStyle, text: string, value: number): string =>
  numberInText(text.replace('\u2212', '-')) === value ? 'the minus sign −' : STYLE_WORDS[style];

/** What `--missing` is compared with: the text of a cell, or the code of an error cell, in lower case; null for other cells. */
function textOfMissing(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return cell.trim().toLowerCase();
  return typeof cell === 'object' && cell?.kind === 'error' && !cell.isRich ? cell.code.toLowerCase() : null;
}
