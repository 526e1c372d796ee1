// Turns the content of a cell into its value: shared text, number, date, truth value, error.

import type { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { isoFromSerial, isoFromText, serialFromIso, yearOfDate } from '../dates.ts';
import { textOrFootnoted } from '../footnotes.ts';
import { cellOfKind, type NumberKind, PLAIN } from '../numberKind.ts';
import type { Cell, Footnoted } from '../rawFile.ts';
import { beyondDoubles, damaged, shortened } from '../xml/damage.ts';
import { textOf } from '../xml/text.ts';
import { isNumberText, parseNumber, parseWholeNumber } from './bytes.ts';
import { spreadsheetText } from './richText.ts';
import type { SharedStrings } from './sharedStrings.ts';
import type { CellStyles } from './xlsxStyles.ts';

/** The tables to which the cells of a workbook refer, and how its formulas are treated. */
export interface CellContext extends SharedStrings {
  readonly styles: CellStyles;
  readonly date1904: boolean;
  /**
   * Whether programs must calculate every formula when they open the workbook. A stored 0 may then stand for a missing
   * value.
   */
  readonly calculatesOnLoad: boolean;
  readonly collectsFormulas: boolean;
}

/** Turns the bytes of a `<v>` element into the value of its cell. */
export class XlsxCellValues {
  readonly #context: CellContext;
  readonly #here: () => Place;
  /** Whether the value that `of` returned last is a text, and the whole text is struck out. */
  isStruckOut = false;
  /** The colours of the parts of the number that `of` returned last as a text; undefined for any other value. */
  colours: readonly (string | null)[] | undefined;

  /** @param here Gives the place of the current cell. It is called only for error messages. */
  constructor(context: CellContext, here: () => Place) {
    this.#context = context;
    this.#here = here;
  }

  /**
   * The value of a cell whose `<v>` has these bytes. Throws UnreadableError, which names the cell, when they are not a
   * value.
   */
  of(type: string, style: number, bytes: Buffer, start: number, end: number): Cell {
    this.isStruckOut = false;
    this.colours = undefined;
    switch (type) {
      case 's':
        return this.#sharedString(bytes, start, end);
      case 'n':
        return this.#number(style, bytes, start, end);
      case 'str':
        return textOrFootnoted(spreadsheetText(bytes, start, end, this.#here));
      case 'b':
        return this.#boolean(this.#plain(bytes, start, end));
      case 'e':
        return { kind: 'error', code: spreadsheetText(bytes, start, end, this.#here).trim() };
      case 'd':
        return this.#dateText(style, spreadsheetText(bytes, start, end, this.#here));
      default:
        throw this.#wrong(`has the unknown type "${type}"`);
    }
  }

  #sharedString(bytes: Buffer, start: number, end: number): string | Footnoted {
    const { strings, struckStrings, colouredNumbers } = this.#context;
    const parsed = parseWholeNumber(bytes, start, end);
    const index = parsed < 0 ? wholeNumberIn(this.#plain(bytes, start, end)) : parsed;
    this.isStruckOut = struckStrings.has(index);
    this.colours = colouredNumbers.get(index);
    const text = strings[index];
    if (text !== undefined) return text;
    const written = shortened(bytes.toString('latin1', start, end));
    throw this.#wrong(`refers to text ${written}, which the workbook does not hold`);
  }

  #number(style: number, bytes: Buffer, start: number, end: number): Cell {
    let value = parseNumber(bytes, start, end);
    if (Number.isNaN(value)) {
      const plain = Buffer.from(this.#plain(bytes, start, end));
      value = parseNumber(plain, 0, plain.length);
    }
    if (Number.isNaN(value)) {
      const written = bytes.toString('latin1', start, end);
      if (isNumberText(written)) throw beyondDoubles(this.#here(), written);
      throw this.#wrong(`holds "${shortened(written)}", which is not a number`);
    }
    const { kinds, formats } = this.#context.styles;
    const kind = kinds[style] ?? PLAIN;
    const other = formats?.[style]?.of(value);
    if (other?.isNumber) return { kind: 'misshown', value, shown: other.text };
    if (kind.kind !== 'date' && kind.kind !== 'year') return cellOfKind(kind, value);
    const iso = isoFromSerial(value, this.#context.date1904);
    if (iso === null) return { kind: 'misshown', value, shown: '#####' };
    return showsYear(kind, iso) ? yearOfDate(iso, value) : { kind: 'date', iso };
  }

  /** A date that is written as text. Another text stays a text. */
  #dateText(style: number, text: string): Cell {
    const iso = isoFromText(text);
    if (iso === null) return text;
    return showsYear(this.#context.styles.kinds[style], iso)
      ? yearOfDate(iso, serialFromIso(iso, this.#context.date1904))
      : { kind: 'date', iso };
  }

  /** A text with its entities resolved and without the spaces around it. */
  #plain(bytes: Buffer, start: number, end: number): string {
    return textOf(bytes, start, end, this.#here).replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '');
  }

  #boolean(text: string): boolean {
    if (text === '1' || text === 'true') return true;
    if (text === '0' || text === 'false') return false;
    throw this.#wrong(`holds "${shortened(text)}", which is neither true nor false`);
  }

  #wrong(problem: string): UnreadableError {
    return damaged(this.#here(), problem);
  }
}

/** The whole number that a text spells; -1 for another text. */
const wholeNumberIn = (text: string) => (/^\d+$/.test(text) ? Number(text) : -1);

/** Whether a number format shows the year of a date and nothing else. False for a time of day, which has no year. */
const showsYear = (kind: NumberKind | undefined, iso: string): boolean =>
  kind?.kind === 'year' && !iso.startsWith('T');
