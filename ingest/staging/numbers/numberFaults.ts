// Reports cells of a metric that hold no number, or one that its number format or its column contradicts.

import { metricUnit } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { unitBeside } from '../../messages/statedUnits.ts';
import { type Cell, isMarkedYear, type OddCell } from '../../sources/readers/raw.ts';
import type { CellContext } from '../cells.ts';
import type { Placement } from '../placement.ts';
import { type NumberStyle, type OptionName, typed } from '../readingOptions.ts';
import type { LocatedRow, Remarks } from '../remarks.ts';
import { isMisshown, ofColumn, whyNoNumber } from '../values.ts';
import { styledNumber } from './numberText.ts';
import { faultOfUnit, type UnitScope } from './units.ts';
import { unsupportedNumberForm } from './unsupportedForms.ts';

export class NumberFaults {
  readonly #placement: Placement;
  readonly #remarks: Remarks;
  readonly #context: CellContext;

  constructor(placement: Placement, remarks: Remarks, context: CellContext) {
    this.#placement = placement;
    this.#remarks = remarks;
    this.#context = context;
  }

  /**
   * Reports a number that people may read as another one: its number format shows another number or states a unit, or its decimal
   * point may once have been a dot between thousands. Returns whether it reported the cell.
   */
  refuseMisread(row: LocatedRow, index: number, name: string, cell: Cell | undefined): boolean {
    if (isMisshown(cell) || (isMarkedYear(cell) && !cell.shown.includes(`${cell.value}`))) {
      this.#remarks.error(row, index, {
        problem: `${name} is ${cell.value}, and its number format shows "${cell.shown}"`,
        remedy: 'give the cell the number format 0, and correct the number if that shows the wrong one',
        kind: `${name}: a number format that shows another number`,
      });
      return true;
    }
    if (typeof cell === 'object' && cell?.kind === 'united') return this.#refuseUnit(row, index, name, cell);
    const figure = typeof cell === 'object' && cell?.kind === 'priced' ? cell.value : cell;
    if (typeof figure !== 'number' || !this.#mayHaveLostDot(name, figure)) return false;
    this.#remarks.error(row, index, {
      problem: `${name} is the number ${figure}, beside texts with dots between thousands: a program may have taken such a dot for a decimal point`,
      remedy: `export the column again as numbers; if the number is right, use ${this.#typed('numbers', 'de')}`,
      kind: `${name}: numbers beside texts with dots between thousands`,
    });
    return true;
  }

  /** Reports a number whose format states a unit, unless `--scale` answers it. Returns whether it reported the cell. */
  #refuseUnit(
    row: LocatedRow,
    index: number,
    name: string,
    { value, unit, divisor }: OddCell & { kind: 'united' },
  ): boolean {
    const stated = unitBeside(unit, divisor);
    if (stated === null) return false;
    const space = /^[.,'’]/.test(unit) ? '' : ' ';
    const problem = `${name} is ${value}, and its number format shows "${value / divisor}${space}${unit}"`;
    const fault = faultOfUnit(problem, stated, this.#unitScope(name));
    if (fault === null) return false;
    const isScaled = this.#context.options.scale.has(name);
    this.#remarks.error(row, index, {
      ...fault,
      kind: `${name}: a number format that states a unit${isScaled ? ' other than --scale' : ''}`,
    });
    return true;
  }

  /** Whether a number has decimals in a column whose texts have dots between thousands. */
  #mayHaveLostDot(name: string, figure: number): boolean {
    const { options, survey } = this.#context;
    if (Number.isInteger(figure) || options.numbers !== null) return false;
    return survey?.dotted.has(this.#placement.header.form === 'wide' ? '' : name) ?? false;
  }

  /** Reports a cell that is neither a number nor a text. */
  refuseNonText(row: LocatedRow, index: number, name: string, cell: Cell | undefined): void {
    const fault = this.#notNumber(name, cell);
    const isNotAvailable = textOfMissing(cell) === '#n/a';
    const hint = isNotAvailable ? `; if it stands for no value, use ${this.#typed('missing', '#N/A')}` : '';
    this.#remarks.error(row, index, { ...fault, remedy: `${fault.remedy ?? ''}${hint}` });
  }

  /** Reports a word for no value, once for all such words of the column. */
  refusePlaceholder(row: LocatedRow, index: number, name: string, word: string): void {
    this.#remarks.columnError(row, index, name, word.trim(), (count, texts) => ({
      problem: `${name} is ${texts.map((text) => `"${text}"`).join(' or ')}${count > 1 ? ` in ${count} cells` : ''}`,
      remedy: `leave the cell empty, or use ${this.#typed('missing', texts.join(','))}`,
      kind: `${name} is a word for no value`,
    }));
  }

  /**
   * Reports a text that is not a number.
   *
   * @param style the style in which the column's numbers are read; null for the style without grouping.
   */
  refuseText(row: LocatedRow, index: number, name: string, text: string, style: NumberStyle | null): void {
    if (this.#refuseUnitAlone(row, index, name, text)) return;
    if (style !== null) {
      this.#refuseOtherStyle(row, index, name, text, style);
      return;
    }
    const fault =
      unsupportedNumberForm(name, text, this.#typed('numbers', 'en')) ?? this.#notNumber(name, text);
    const isGrouped = styledNumber(text, 'de') !== undefined || styledNumber(text, 'en') !== undefined;
    const hint = isGrouped ? `, or use ${this.#typed('numbers', 'de')} (or en)` : '';
    this.#remarks.error(row, index, { ...fault, remedy: `${fault.remedy ?? ''}${hint}` });
  }

  /** Reports a unit without a number, as in a row of units below the header. Returns whether it reported the cell. */
  #refuseUnitAlone(row: LocatedRow, index: number, name: string, text: string): boolean {
    const unit = /[1-9]/.test(text) ? null : unitBeside(text);
    if (unit === null) return false;
    const problem = `${name} is "${text.trim()}", a unit, not a number`;
    const { remedy, ...fault } = faultOfUnit(problem, unit, this.#unitScope(name)) ?? {
      problem,
      remedy: null,
    };
    const drop = 'delete the row if it holds no figures';
    this.#remarks.error(row, index, { ...fault, remedy: remedy === null ? drop : `${remedy}; ${drop}` });
    return true;
  }

  /** Reports a text that is not a number in the style of `--numbers`, or of the rest of its column. */
  #refuseOtherStyle(row: LocatedRow, index: number, name: string, text: string, style: NumberStyle): void {
    const isOfOption = this.#context.options.numbers !== null;
    const expected = isOfOption
      ? `in the style of --numbers ${style}`
      : 'in the style of the rest of the column';
    this.#remarks.error(row, index, {
      problem: `${name} is "${text.trim()}", which is not a number ${expected}`,
      remedy: isOfOption
        ? `correct it, or give the option only for the files written so, as in --numbers FILE=${style}`
        : 'correct it',
      kind: `${name} is not a number ${expected}`,
    });
  }

  #notNumber(name: string, cell: Cell | undefined): Diagnostic {
    return ofColumn(
      name,
      whyNoNumber(cell, metricUnit(this.#placement.dataset, name)),
      `${name} is not a number`,
    );
  }

  #unitScope(name: string): UnitScope {
    const { options, file } = this.#context;
    return { dataset: this.#placement.dataset, metric: name, options, file };
  }

  #typed(option: OptionName, value: string): string {
    return typed({ option, value, file: this.#context.file });
  }
}

/** What `--missing` is compared with: the text of a cell, or the code of an error cell, in lower case; null for other cells. */
export function textOfMissing(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return cell.trim().toLowerCase();
  return typeof cell === 'object' && cell?.kind === 'error' && !cell.isRich ? cell.code.toLowerCase() : null;
}
