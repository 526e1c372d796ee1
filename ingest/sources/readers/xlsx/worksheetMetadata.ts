// Reads what a worksheet has outside of its cells:
// merged ranges, hidden columns, filters, print headers and conditional formats.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { Asides } from '../asides.ts';
import { CellLooks } from '../cellLooks.ts';
import { FormulaCells } from '../formulas/formulaCells.ts';
import { HiddenParts } from '../hiddenParts.ts';
import type { CellRange } from '../rawFile.ts';
import { LIMITS, MANY_MERGED_RANGES } from '../sourceLimits.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { textOf } from '../xml/text.ts';
import { ConditionalFormats } from './conditionalFormats.ts';
import { cellRange, firstCell, isCellReference } from './reference.ts';

/** Collects what a worksheet has outside of its cells, while its elements are read. */
export class WorksheetMetadata {
  readonly #place: Place;
  readonly merged: CellRange[] = [];
  readonly hidden = new HiddenParts();
  readonly looks = new CellLooks();
  readonly asides = new Asides();
  readonly conditional: ConditionalFormats;
  readonly formulas = new FormulaCells();
  /** Which kind of print header or footer is open. */
  #printed: 'print header' | 'print footer' | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.conditional = new ConditionalFormats(place, this.asides);
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'mergeCell') this.#addMerged(attributes);
    else if (name === 'filterColumn') this.hidden.markFiltered();
    else if (name === 'dataValidation') this.#addMessage(attributes);
    else if (PRINTED.test(name)) this.#printed = name.endsWith('Header') ? 'print header' : 'print footer';
    else if (name === 'col') this.#addColumns(attributes);
    else if (name === 'sheetFormatPr' && isHidingWidth(attributes.get('defaultColWidth')))
      this.hidden.hideOtherColumns();
    else this.conditional.open(name, attributes);
  }

  text(bytes: Buffer, start: number, end: number): void {
    this.conditional.text(bytes, start, end);
    if (this.#printed === undefined) return;
    for (const text of printedSections(textOf(bytes, start, end, this.#place)))
      this.asides.add({ what: this.#printed, text });
  }

  close(name: string): void {
    this.#printed = undefined;
    this.conditional.close(name);
  }

  /** Adds columns that have a width of their own, or are hidden. */
  #addColumns(attributes: Attributes): void {
    const [first, last] = [Number(attributes.get('min')) - 1, Number(attributes.get('max')) - 1];
    const isHidden = attributes.isOn('hidden') || isHidingWidth(attributes.get('width'));
    if (isHidden) this.hidden.hideColumns(first, last);
    this.hidden.giveWidth(first, last);
  }

  /** Adds the message that spreadsheet programs show when one of the cells is selected. */
  #addMessage(attributes: Attributes): void {
    const text = `${attributes.get('promptTitle') ?? ''} ${attributes.get('prompt') ?? ''}`;
    const cell = firstCell(attributes.get('sqref') ?? '');
    this.asides.add({ what: 'input message', text, ...(cell && { cell }) });
  }

  #addMerged(attributes: Attributes): void {
    const ref = attributes.get('ref') ?? '';
    if (isCellReference(ref)) return;
    const range = cellRange(ref);
    if (range === null) throw damagedXml(this.#place, `it merges the cells "${ref.slice(0, 20)}"`);
    this.merged.push(range);
    if (this.merged.length <= LIMITS.mergedRanges) return;
    throw new UnreadableError({ place: this.#place, ...MANY_MERGED_RANGES });
  }
}

const PRINTED = /^(?:odd|even|first)(?:Header|Footer)$/;

/** Whether a width is given that hides columns: 0, or less than the width of a digit. */
const isHidingWidth = (width: string | undefined): boolean => width !== undefined && Number(width) < 1;

/** Separates two sections. XML cannot contain this character. */
const SECTION = '\0';

/**
 * The texts of the three sections of a print header, which workbooks write as `&L&"Arial,Bold"&12EUR in thousands&RPage
 * &P`. The codes of page numbers, dates and fonts are left out.
 */
export const printedSections = (code: string): readonly string[] =>
  code
    .replace(/&(?:&|[LCR])/g, (sign) => (sign === '&&' ? sign : SECTION))
    .split(SECTION)
    .map((section) =>
      section.replace(
        /&(?:(&)|"[^"]*"|K(?:[0-9A-F]{6}|\d{2}[+-]\d{3})|\d{1,3}|[A-Z](?:[+-]\d+)?)/gi,
        (_, ampersand = ' ') => ampersand,
      ),
    );
