// Reads the attributes of a `<c>` element: the reference of the cell, its style and its type.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { BEYOND_LAST_COLUMN, LIMITS } from '../sourceLimits.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damaged, damagedXml } from '../xml/damage.ts';
import { textOf } from '../xml/text.ts';
import { FIRST_LETTER, isBetween, LAST_LETTER, LETTER_BITS, parseWholeNumber } from './bytes.ts';

const LETTER_R = 0x72;
const LETTER_S = 0x73;
const LETTER_T = 0x74;
/** The bits of a letter without the one that makes it lower case. */
const UPPER_CASE = 0xdf;

/** Attributes of a cell that say nothing of its value. */
const IGNORED = new Set(['cm', 'ph', 'xmlns']);

/** The attribute of a cell with a rich value. Its `<v>` is only for programs that do not know rich values. */
const RICH = 'vm';

/** The attributes of the cell that was read last. One object serves all cells of a sheet. */
export class CellAttributes {
  readonly #place: Place;
  readonly #styleCount: number;
  /** The column, from 0; -1 for a cell without a reference, which follows the cell before it. */
  column = -1;
  style = 0;
  /** The type as it is written: `n`, `s`, `str`, `inlineStr`, `b`, `e`, `d`, or an unknown one. */
  type = 'n';
  isRich = false;

  constructor(place: Place, styleCount: number) {
    this.#place = place;
    this.#styleCount = styleCount;
  }

  /**
   * Reads the attributes of a cell in `row`. Throws UnreadableError for an attribute that is unknown, repeated or
   * malformed, or for a cell of another row.
   */
  read(attributes: Attributes, row: number): void {
    const { bytes } = attributes;
    let column = -1;
    let style = -1;
    let type = '';
    this.isRich = false;
    while (attributes.next()) {
      const { nameStart, nameEnd, valueStart, valueEnd } = attributes;
      if (nameEnd - nameStart !== 1) {
        const name = bytes.toString('latin1', nameStart, nameEnd);
        // With a prefix, r, s and t have no meaning. They are refused nevertheless, because some programs read them.
        if (name === RICH) this.isRich = true;
        if (name === RICH || (name.includes(':') ? !/:[rst]$/.test(name) : IGNORED.has(name))) continue;
        throw this.#wrongAttribute(name, row);
      }
      const letter = bytes[nameStart];
      if (letter === LETTER_R && column < 0) column = this.#columnOf(bytes, valueStart, valueEnd, row);
      else if (letter === LETTER_S && style < 0) style = this.#styleOf(bytes, valueStart, valueEnd, row);
      else if (letter === LETTER_T && type === '') type = this.#typeOf(bytes, valueStart, valueEnd, row);
      else throw this.#wrongAttribute(String.fromCharCode(letter ?? 0), row);
    }
    this.column = column;
    this.style = Math.max(0, style);
    this.type = type === '' ? 'n' : type;
  }

  #wrongAttribute(name: string, row: number): UnreadableError {
    const attribute = /^[rst]$/.test(name)
      ? `the attribute ${name} twice`
      : `the unknown attribute "${name.slice(0, 20)}"`;
    return damagedXml(this.#place, `a cell in row ${row} has ${attribute}`);
  }

  /** The column of a reference such as `AB12`, which must name this row. */
  #columnOf(bytes: Buffer, start: number, end: number, row: number): number {
    let column = 0;
    let at = start;
    for (; isBetween(FIRST_LETTER, (bytes[at] as number) & UPPER_CASE, LAST_LETTER); at++) {
      column = column * 26 + ((bytes[at] as number) & LETTER_BITS);
    }
    const written = () => bytes.toString('latin1', start, Math.min(end, start + 20));
    if (column > LIMITS.columns) {
      throw new UnreadableError({ place: { ...this.#place, cell: written() }, ...BEYOND_LAST_COLUMN });
    }
    if (column === 0 || parseWholeNumber(bytes, at, end) !== row)
      throw damaged(this.#place, `cell "${written()}" is in row ${row}`);
    return column - 1;
  }

  #styleOf(bytes: Buffer, start: number, end: number, row: number): number {
    // Some programs write an empty attribute for a cell without a style.
    const style = start === end ? 0 : parseWholeNumber(bytes, start, end);
    if (style === 0 || (style > 0 && style < this.#styleCount)) return style;
    const written = bytes.toString('latin1', start, Math.min(end, start + 20));
    const damage = `a cell in row ${row} has the style "${written}", which the workbook does not hold`;
    throw damagedXml(this.#place, damage);
  }

  #typeOf(bytes: Buffer, start: number, end: number, row: number): string {
    // Most types have one letter. V8 has all strings of one letter already, so no string is created.
    const isLetter = end - start === 1;
    const type = isLetter
      ? String.fromCharCode(bytes[start] as number)
      : textOf(bytes, start, end, this.#place);
    if (type !== '') return type;
    throw damagedXml(this.#place, `a cell in row ${row} has an empty type`);
  }
}
