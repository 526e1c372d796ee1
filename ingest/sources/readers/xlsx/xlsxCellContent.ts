// Makes the value of a cell from the elements in it: `<v>`, `<f>` and `<is>`.

import type { Place } from '../../../messages/place.ts';
import { ZERO } from '../ascii.ts';
import type { WrittenFormula } from '../formulas/formulaCells.ts';
import type { Cell } from '../rawFile.ts';
import type { RowCells } from '../rowCells.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml, misplaced, RESAVE } from '../xml/damage.ts';
import { ENTITIES } from '../xml/text.ts';
import { isSpace } from '../xml/xml.ts';
import { cellRange, isCellReference } from './reference.ts';
import { RichText } from './richText.ts';
import type { XlsxCellValues } from './xlsxCellValue.ts';

/** The types of cells that always have a value. */
const VALUED = new Set(['s', 'b', 'e', 'd']);

const NO_FORMULA: WrittenFormula = { text: '', shared: null, array: null };

type Inside = 'cell' | 'value' | 'unused value' | 'formula' | 'inline text' | 'extension';

/** Follows the elements in one `<c>` element at a time. Throws UnreadableError, which names the cell, for damage. */
export class XlsxCellContent {
  readonly #cells: RowCells;
  readonly #values: XlsxCellValues;
  readonly #inline: RichText;
  readonly #calculatesOnLoad: boolean;
  #inside: Inside = 'cell';
  /** How many elements are open inside an inline text or an extension. */
  #depth = 0;
  #type = 'n';
  #style = 0;
  #value: Cell = null;
  #hasFormula = false;
  #hasValue = false;
  #hasInline = false;
  #formula: WrittenFormula = NO_FORMULA;
  /** Whether the stored value is the number 0, whatever its format shows. */
  #isZero = false;
  /** Whether the value is a text, and the whole text is struck out. */
  isStruckOut = false;
  /** The colours of the parts of a number that is a text; undefined for any other value. */
  colours: readonly (string | null)[] | undefined;

  constructor(place: Place, values: XlsxCellValues, cells: RowCells, calculatesOnLoad: boolean) {
    this.#cells = cells;
    this.#values = values;
    this.#inline = new RichText(place);
    this.#calculatesOnLoad = calculatesOnLoad;
  }

  begin(type: string, style: number): void {
    this.#type = type;
    this.#style = style;
    this.#value = null;
    this.#hasFormula = false;
    this.#hasValue = false;
    this.#hasInline = false;
    this.#isZero = false;
    this.isStruckOut = false;
    this.colours = undefined;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#inside === 'cell') this.#inside = this.#openChild(name, attributes);
    else if (this.#inside === 'extension') this.#depth += 1;
    else if (this.#inside === 'inline text') {
      this.#depth += 1;
      this.#inline.open(name, attributes);
    } else throw misplaced(name, this.#cells.here());
  }

  #openChild(name: string, attributes: Attributes): Inside {
    if (name === 'v' && !this.#hasValue) {
      this.#hasValue = true;
      // A cell of this type has its value in <is>, and all programs ignore <v> (ECMA-376 part 1, §18.18.11).
      return this.#type === 'inlineStr' ? 'unused value' : 'value';
    }
    if (name === 'f' && !this.#hasFormula) {
      this.#hasFormula = true;
      this.#formula = formulaIn(attributes);
      return 'formula';
    }
    if (name === 'is' && !this.#hasInline && this.#type === 'inlineStr') {
      this.#hasInline = true;
      return 'inline text';
    }
    if (name === 'extLst') return 'extension';
    throw misplaced(name, this.#cells.here());
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#inside === 'value') {
      this.#isZero = this.#type === 'n' && end - start === 1 && bytes[start] === ZERO;
      this.#value = this.#values.of(this.#type, this.#style, bytes, start, end);
      this.isStruckOut = this.#values.isStruckOut;
      this.colours = this.#values.colours;
    } else if (this.#inside === 'inline text') this.#inline.text(bytes, start, end);
    else if (this.#inside === 'formula')
      this.#formula = { ...this.#formula, text: plainText(bytes, start, end) };
    else if (this.#inside === 'cell' && !isSpace(bytes, start, end))
      throw damagedXml(this.#cells.here(), 'a text in it stands outside of cells');
  }

  /** Closes the innermost element; false when that is the cell itself. */
  close(): boolean {
    if (this.#inside === 'cell') return false;
    if (this.#depth > 0) {
      this.#depth -= 1;
      if (this.#inside === 'inline text') this.#inline.close();
      return true;
    }
    if (this.#inside === 'inline text') {
      this.#value = this.#inline.take();
      this.isStruckOut = this.#inline.isStruckOut;
      this.colours = this.#inline.colours;
    }
    this.#inside = 'cell';
    return true;
  }

  /** The formula of the cell that was closed; null when it has none. */
  get formula(): WrittenFormula | null {
    return this.#hasFormula ? this.#formula : null;
  }

  /** The value of the cell that was closed; null when it is empty. */
  value(): Cell {
    if (this.#hasFormula && this.#isZero && this.#calculatesOnLoad) return { kind: 'uncalculated' };
    if (this.#value !== null) return this.#value;
    if (this.#type === 'inlineStr' && this.#hasValue && !this.#hasInline)
      throw misplaced('v', this.#cells.here());
    // A formula may have an empty text as its value. A number or an error cannot be empty.
    if (this.#hasValue && this.#type === 'str') return '';
    if (this.#hasFormula) return { kind: 'uncalculated' };
    const isEmptyText = this.#hasValue && this.#type === 's';
    if (!VALUED.has(this.#type) || isEmptyText) return null;
    const problem = `has the type "${this.#type}" and no value`;
    throw this.#cells.errorAt(this.#cells.column, { problem, remedy: RESAVE });
  }
}

/** The formula that the attributes of `<f>` describe. */
function formulaIn(attributes: Attributes): WrittenFormula {
  const type = attributes.get('t') ?? 'normal';
  if (type === 'normal') return NO_FORMULA;
  if (type === 'shared') return { ...NO_FORMULA, shared: attributes.get('si') ?? null };
  const ref = attributes.get('ref') ?? '';
  const range = cellRange(isCellReference(ref) ? `${ref}:${ref}` : ref);
  return { ...NO_FORMULA, array: (type === 'array' && range) || 'unknown' };
}

/** The text of a formula. A fault in it is not refused, because the stored value is right all the same. */
const plainText = (bytes: Buffer, start: number, end: number): string =>
  bytes
    .toString('utf8', start, end)
    .replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
