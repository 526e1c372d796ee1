// Reads one cell of an .ods workbook: its value from its attributes, and its shown text from its content.

import type { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { vanishes } from '../../numberForms.ts';
import { isoFromText, serialFromIso, yearOfDate } from '../dates.ts';
import { textOfRuns, textOrFootnoted } from '../footnotes.ts';
import type { WrittenFormula } from '../formulas/formulaCells.ts';
import { cellOfKind } from '../numberKind.ts';
import type { Cell, CellOf } from '../rawFile.ts';
import { bare, isInexact, isNegative, showsOtherDigits } from '../shownText.ts';
import type { Attributes } from '../xml/attributes.ts';
import { beyondDoubles, damaged, shortened } from '../xml/damage.ts';
import { OdsCellContent } from './odsCellContent.ts';
import type { OdsStyles } from './odsStyles.ts';
import { formulaOf } from './openFormula.ts';

/** How a cell shows its value, as far as its style says it. */
interface Shown {
  /** Whether the cell shows only the year of a date. */
  readonly showsYear: boolean;
  /** The style of the cell, or of its row or column when it has none. */
  readonly style: string | undefined;
}

/** One cell. It is made from the attributes of its element. Its shown text is complete when its content has been read. */
export class OdsCell {
  readonly #styles: OdsStyles;
  readonly #here: () => Place;
  readonly #shown: Shown;
  readonly #type: string;
  /** The value as the file writes it. The type of the cell decides which attribute holds it. */
  readonly #written: string | undefined;
  readonly #formula: string | undefined;
  /** How many rows and columns the array formula of the cell fills; null when the cell has none. */
  readonly #arraySpans: readonly [rows: number, columns: number] | null;
  readonly content: OdsCellContent;
  /** The text that the cell shows, once it has been put together. */
  #shownOnce: string | undefined;

  /** @param here Gives the place of the cell for messages. */
  constructor(attributes: Attributes, shown: Shown, styles: OdsStyles, here: () => Place) {
    this.content = new OdsCellContent(styles, here);
    this.#styles = styles;
    this.#here = here;
    this.#shown = shown;
    const type = attributes.get('office:value-type') ?? '';
    this.#type = attributes.get('calcext:value-type') === 'error' ? 'error' : type;
    this.#written = attributes.get(VALUES.get(type) ?? 'office:value');
    this.#formula = attributes.get('table:formula');
    this.#arraySpans = this.#formula === undefined ? null : arraySpansIn(attributes);
  }

  /** The formula of the cell; null when it has none. The row counts from 1, the column from 0. */
  formula(row: number, column: number): WrittenFormula | null {
    if (this.#formula === undefined) return null;
    const [rows, columns] = this.#arraySpans ?? [];
    const array =
      rows === undefined || columns === undefined
        ? null
        : ({ rows: [row, row + rows - 1], columns: [column, column + columns - 1] } as const);
    return formulaOf(this.#formula, array);
  }

  /** The text that the cell shows. It is complete only when all content of the cell has been read. */
  get shownText(): string {
    this.#shownOnce ??= this.content.runs
      .map(({ text }) => text)
      .join('')
      .trim();
    return this.#shownOnce;
  }

  /** The style of the cell, or of its row or column when it has none. */
  get style(): string | undefined {
    return this.#shown.style;
  }

  get isZero(): boolean {
    return Number(this.#written) === 0;
  }

  get isFigure(): boolean {
    return this.#type === 'float' || this.#type === 'currency' || this.#type === 'percentage';
  }

  /** The value of the cell; null when it is empty. Throws UnreadableError for a value that its type cannot have. */
  value(): Cell {
    switch (this.#type) {
      case '':
        return this.#formula !== undefined ? { kind: 'uncalculated' } : this.#textOrNull();
      case 'string':
        return this.content.runs.length === 0 && this.#written !== undefined
          ? textOrFootnoted(this.#written)
          : textOfRuns(this.content.runs);
      case 'float':
      case 'currency':
        return this.error() ?? this.#figure();
      case 'percentage':
        return (
          this.error() ?? this.#shownOtherwise(this.#number()) ?? { kind: 'percent', value: this.#number() }
        );
      case 'boolean':
        if (this.#written === 'true' || this.#written === 'false') return this.#written === 'true';
        throw this.#wrong();
      case 'date':
        return this.#date();
      case 'time':
        return this.#time();
      case 'error':
        return { kind: 'error', code: this.shownText };
      default:
        throw this.#wrong();
    }
  }

  #textOrNull(): Cell {
    const text = textOfRuns(this.content.runs);
    return text === '' ? null : text;
  }

  /**
   * The error of a failed formula; null for any other cell. OpenOffice writes the number 0 there, and shows `#DIV/0!` or
   * `Err:502`.
   */
  error(): Cell {
    if (this.content.characters > LONGEST_ERROR || this.content.runs.length === 0) return null;
    const code = this.shownText;
    return /^(?:Err:\d{3}|#\p{L}+(?:\/[\p{L}\d]+)?[!?]?)$/u.test(code) ? { kind: 'error', code } : null;
  }

  #figure(): Cell {
    const value = this.#number();
    const shownOtherwise = this.#shownOtherwise(value);
    if (shownOtherwise !== null) return shownOtherwise;
    // LibreOffice gives a cell in percent the type `percentage`. Other programs give it only the number format.
    if (this.#styles.numbers.showsPercent(this.#shown.style) && /^$|%/.test(this.shownText))
      return { kind: 'percent', value };
    return cellOfKind(this.#styles.numbers.kindOf(this.#shown.style), value);
  }

  /**
   * The number when the cell shows it with another sign, as a bound such as `<404`, or with other digits; else null. A
   * format that shows negative numbers in a colour needs no minus sign.
   */
  #shownOtherwise(value: number): CellOf<'misshown'> | null {
    const shown = this.shownText;
    if ((value < 0 ? PLAIN_NEGATIVE : PLAIN_POSITIVE).test(shown)) return this.#withOtherDigits(value, shown);
    // A number that is rounded to 0 is shown without its sign, which is not a fault.
    if (!/(?!0)\p{Nd}/u.test(shown)) return null;
    const [before = '', behind = ''] = [/^\P{Nd}*/u, /(?<!\P{Nd})\P{Nd}*$/u].map((beside) =>
      bare(beside.exec(shown)?.[0] ?? ''),
    );
    const isBare =
      /^[.,'’+]*$/.test(`${before}${behind}`) && !this.#styles.numbers.coloursSome(this.#shown.style);
    const isOther = isInexact(before) || (value > 0 ? isNegative(before, behind) : value < 0 && isBare);
    return isOther ? { kind: 'misshown', value, shown } : this.#withOtherDigits(value, shown);
  }

  /** The number when the cell shows other digits, such as `40400` for 404; else null. */
  #withOtherDigits(value: number, shown: string): CellOf<'misshown'> | null {
    if (Number(shown) === value || this.content.runs.length !== 1) return null;
    if (!showsOtherDigits(shown, value) || this.#styles.numbers.mayShowOtherDigits(this.#shown.style))
      return null;
    return { kind: 'misshown', value, shown };
  }

  #number(): number {
    const text = this.#written ?? '';
    const value = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(value) && !vanishes(text, value)) return value;
    // LibreOffice writes INF for a number beyond the largest double.
    throw Number.isNaN(value) && !/^[+-]?INF$/.test(text) ? this.#wrong() : beyondDoubles(this.#here(), text);
  }

  #date(): Cell {
    const written = this.#written ?? '';
    // A day before the year 0 or after the year 9999 can only be a figure that has the format of a date.
    if (/^(?:-\d{4,}|\d{5,})-\d\d-\d\d/.test(written)) return NO_DATE;
    const iso = isoFromText(written);
    if (iso === null) throw this.#wrong();
    return this.#shown.showsYear ? yearOfDate(iso, serialFromIso(iso, false)) : { kind: 'date', iso };
  }

  /** A time of day, which is written as `PT12H30M05S`. A duration of more than a day is not a time of day. */
  #time(): Cell {
    // A negative time is a negative number that has the format of a time.
    if (this.#written?.startsWith('-PT')) return NO_DATE;
    const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/.exec(this.#written ?? '') ?? [];
    if (hours === undefined || minutes === undefined || seconds === undefined) throw this.#wrong();
    if (Number(hours) > 23) return NO_DATE;
    return {
      kind: 'date',
      iso: `T${[hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')}`,
    };
  }

  #wrong(): UnreadableError {
    const [written, type] = [this.#written ?? '', this.#type].map(shortened);
    return damaged(this.#here(), `is damaged ("${written}" is not a value of the type "${type}")`);
  }
}

function arraySpansIn(attributes: Attributes): readonly [rows: number, columns: number] | null {
  const rows = attributes.get('table:number-matrix-rows-spanned');
  const columns = attributes.get('table:number-matrix-columns-spanned');
  return rows === undefined && columns === undefined ? null : [Number(rows ?? 1), Number(columns ?? 1)];
}

/** These patterns match nearly all numbers as cells show them. They are faster than the checks for unusual forms. */
const PLAIN_POSITIVE = /^\d(?:.*\d)?$/s;
const PLAIN_NEGATIVE = /^-\d(?:.*\d)?$/s;

/** The cell of a number whose format shows dates or times, and which is neither. Programs show `#####` for it. */
const NO_DATE: Cell = { kind: 'error', code: '#####' };

const LONGEST_ERROR = 20;

/** Type of a cell → the attribute that holds its value, unless that is `office:value`. */
const VALUES = new Map([
  ['string', 'office:string-value'],
  ['date', 'office:date-value'],
  ['time', 'office:time-value'],
  ['boolean', 'office:boolean-value'],
]);
