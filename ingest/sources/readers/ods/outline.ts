// Collects from an .ods workbook what is in no cell: named ranges, input messages, objects, and the settings for formulas.

import { columnNumber } from '../../../messages/place.ts';
import { type Aside, LONGEST_ASIDE } from '../asides.ts';
import type { DefinedName } from '../formulas/definedNames.ts';
import type { Attributes } from '../xml/attributes.ts';
import { fromOpenFormula } from './openFormula.ts';

/** Elements that give a range a name. LibreOffice writes a table object of Excel as a database range. */
const NAMED_RANGES: ReadonlyMap<string, Aside['what']> = new Map([
  ['named-range', 'defined name'],
  ['database-range', 'table name'],
]);

/** The most embedded objects whose titles are read. */
const MOST_OBJECTS = 1_000;

/** The most names that are collected for formulas. Formulas with other names are not computed. */
const MOST_NAMES = 10_000;

/** Receives the elements of the content one after the other. */
export class Outline {
  /** Texts that are in no cell of a sheet: names of ranges, and input messages. */
  readonly asides: { readonly sheet: string; readonly aside: Aside }[] = [];
  /** The parts of embedded objects, such as charts, and the sheets that they are in. */
  readonly objects: { readonly sheet: string; readonly part: string }[] = [];
  /** The address of the first cell to which the open validation applies. */
  #validated = '';
  /** The text of the open input message; null when none is open. */
  #message: string | null = null;
  readonly names: DefinedName[] = [];
  /** Whether a setting makes programs repeat circular formulas, or compute with the digits that cells show. */
  isUnusual = false;
  /**
   * Whether formulas may compare texts in another way than `TextCodes`: by case, as parts of a cell, or as regular
   * expressions. True for a file without settings, because the program then decides.
   */
  comparesOtherwise = true;

  /**
   * Opens an element.
   *
   * @param sheet The sheet with the element; null outside of sheets.
   */
  open(element: string, attributes: Attributes, sheet: string | null): void {
    if (NAMED_RANGES.has(element)) this.#addRange(element, attributes);
    if (element === 'named-range') this.#addName(attributes, sheet, 'table:cell-range-address');
    if (element === 'named-expression') this.#addName(attributes, sheet, 'table:expression');
    if (element === 'iteration') this.isUnusual ||= attributes.get('table:status') === 'enable';
    if (element === 'calculation-settings') this.#readSettings(attributes);
    if (element === 'object' && sheet !== null && this.objects.length < MOST_OBJECTS)
      this.objects.push({ sheet, part: (attributes.get('xlink:href') ?? '').replace(/^\.\//, '') });
    if (element === 'content-validation') this.#validated = attributes.get('table:base-cell-address') ?? '';
    if (element === 'help-message') this.#message = attributes.get('table:title') ?? '';
    else if (this.#message !== null) this.#message += ' ';
  }

  get isInMessage(): boolean {
    return this.#message !== null;
  }

  text(text: string): void {
    if (this.#message !== null && this.#message.length < LONGEST_ASIDE) this.#message += text;
  }

  close(element: string): void {
    if (element !== 'help-message' || this.#message === null) return;
    const text = this.#message;
    this.#message = null;
    const address = ADDRESS.exec(this.#validated);
    const sheet = sheetIn(address);
    if (sheet === null) return;
    const cell = [Number(address?.[4] ?? 1), columnNumber(address?.[3] ?? 'A')] as const;
    this.asides.push({ sheet, aside: { what: 'input message', text, cell } });
  }

  /** Adds the name of a range of cells: `$Data.$K$2:.$K$9`, or `'My data'.K2:'My data'.K9`. */
  #addRange(element: string, attributes: Attributes): void {
    const what = NAMED_RANGES.get(element);
    const address =
      attributes.get('table:cell-range-address') ?? attributes.get('table:target-range-address');
    const sheet = sheetIn(ADDRESS.exec(address ?? ''));
    if (what !== undefined && sheet !== null)
      this.asides.push({ sheet, aside: { what, text: attributes.get('table:name') ?? '' } });
  }

  #addName(attributes: Attributes, sheet: string | null, attribute: string): void {
    const written = attributes.get(attribute);
    const name = attributes.get('table:name');
    if (written === undefined || name === undefined || this.names.length === MOST_NAMES) return;
    const isRange = attribute === 'table:cell-range-address';
    const formula = fromOpenFormula(isRange ? `[${written}]` : written.replace(/^of:=/, ''));
    this.names.push({ name, sheet, formula: formula ?? '' });
  }

  /** Reads the settings of formulas. Their defaults are those of OpenDocument 1.3 part 3, §9.4.1. */
  #readSettings(attributes: Attributes): void {
    const isOn = (setting: string, otherwise: boolean) =>
      (attributes.get(`table:${setting}`) ?? `${otherwise}`) === 'true';
    this.isUnusual ||= isOn('precision-as-shown', false);
    this.comparesOtherwise =
      isOn('case-sensitive', true) ||
      isOn('use-regular-expressions', true) ||
      !isOn('search-criteria-must-apply-to-whole-cell', true);
  }
}

/** Matches the address of a cell, or of the first cell of a range: `$Data.$K$2`, `'My data'.K2`. */
const ADDRESS = /^\$?(?:'((?:[^']|'')+)'|([^'.]+))\.(?:\$?([A-Z]{1,3})\$?(\d{1,7}))?/;

const sheetIn = (address: RegExpExecArray | null): string | null =>
  address?.[1]?.replaceAll("''", "'") ?? address?.[2] ?? null;
