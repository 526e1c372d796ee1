// Turns what a cell holds into its value: shared text, number, date, truth value, error.

import { type Cell, UnreadableError } from '../raw.ts';
import { digits } from './bytes.ts';
import { RESAVE } from './damage.ts';
import { isoFromSerial, isoFromText } from './dates.ts';
import { parseNumber } from './number.ts';
import { spreadsheetText } from './richText.ts';
import type { NumberKind } from './styles.ts';
import { textOf } from './xmlText.ts';

/** What a workbook's cells refer to. */
export interface CellContext {
  readonly strings: readonly string[];
  /** By style index: what its number format shows. */
  readonly numberKinds: readonly NumberKind[];
  readonly date1904: boolean;
}

export class CellValues {
  readonly #context: CellContext;
  readonly #here: () => string;

  /** `here` names the cell at hand: it is asked for errors, and where entities are resolved. */
  constructor(context: CellContext, here: () => string) {
    this.#context = context;
    this.#here = here;
  }

  /** The value of a cell whose `<v>` holds these bytes. Throws UnreadableError, naming the cell, for what is none. */
  of(type: string, style: number, bytes: Buffer, start: number, end: number): Cell {
    switch (type) {
      case 's':
        return this.#sharedString(bytes, start, end);
      case 'n':
        return this.#number(style, bytes, start, end);
      case 'str':
      case 'inlineStr':
        return spreadsheetText(bytes, start, end, this.#here());
      case 'b':
        return this.#boolean(this.#plain(bytes, start, end));
      case 'e':
        return { kind: 'error', code: spreadsheetText(bytes, start, end, this.#here()).trim() };
      case 'd':
        return dateOf(spreadsheetText(bytes, start, end, this.#here()));
      default:
        throw this.#wrong(`has the unknown type "${type}"`);
    }
  }

  #sharedString(bytes: Buffer, start: number, end: number): string {
    const index = digits(bytes, start, end);
    const text = this.#context.strings[index < 0 ? wholeNumber(this.#plain(bytes, start, end)) : index];
    if (text !== undefined) return text;
    const written = bytes.toString('latin1', start, Math.min(end, start + 20));
    throw this.#wrong(`refers to text ${written}, which the workbook does not hold`);
  }

  #number(style: number, bytes: Buffer, start: number, end: number): Cell {
    let value = parseNumber(bytes, start, end);
    if (Number.isNaN(value)) {
      const plain = Buffer.from(this.#plain(bytes, start, end));
      value = parseNumber(plain, 0, plain.length);
    }
    if (Number.isNaN(value)) {
      const written = bytes.toString('latin1', start, Math.min(end, start + 20));
      throw this.#wrong(`holds "${written}", which is no number`);
    }
    const kind = this.#context.numberKinds[style] ?? 'number';
    if (kind === 'number') return value;
    if (kind === 'percent') return { kind, value };
    const iso = isoFromSerial(value, this.#context.date1904);
    // What a spreadsheet program shows as ##### is no number either: its format says so.
    return iso === null ? { kind: 'error', code: '#VALUE!' } : { kind: 'date', iso };
  }

  /** A text with its entities resolved and without the spaces around it. */
  #plain(bytes: Buffer, start: number, end: number): string {
    return textOf(bytes, start, end, this.#here()).replace(/^[ \t\n]+|[ \t\n]+$/g, '');
  }

  #boolean(text: string): boolean {
    if (text === '1' || text === 'true') return true;
    if (text === '0' || text === 'false') return false;
    throw this.#wrong(`holds "${text.slice(0, 20)}", which is neither true nor false`);
  }

  #wrong(what: string): UnreadableError {
    return new UnreadableError(`${this.#here()}: ${what}: ${RESAVE}`);
  }
}

/** The whole number that a text is, or -1. */
const wholeNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : -1);

/** A date that is written as text; what is none stays text. */
function dateOf(text: string): Cell {
  const iso = isoFromText(text);
  return iso === null ? text : { kind: 'date', iso };
}
