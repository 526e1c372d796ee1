// Reads the number formats that conditional formats give to cells: with a unit, or not showing numbers as they are.

import type { Place } from '../../../messages/place.ts';
import type { Asides } from '../asides.ts';
import type { Attributes } from '../xml/attributes.ts';
import { textOf } from '../xml/text.ts';
import { type FormatUnit, unitInFormat } from './numberFormat.ts';
import { cellRange, firstCell } from './reference.ts';
import { COMPARE, ShownNumbers } from './shownNumbers.ts';

/** A number format that cells have while they fulfil a condition. */
export interface ConditionalFormat {
  /** The unit that makes it show another value than the number; null for none. */
  readonly unit: FormatUnit | null;
  /** Null when it shows every number. */
  readonly format: ShownNumbers | null;
}

/** What a number format in a conditional format shows. */
export const conditionalFormat = (code: string): ConditionalFormat => ({
  unit: unitInFormat(code),
  format: ShownNumbers.of(code),
});

/** A rule that compares the cell with a number, or asks something else. */
interface Rule {
  readonly operator: string | undefined;
  /** What it compares with. */
  formula: string;
  format: ConditionalFormat | null;
}

/** Follows the elements of a worksheet behind its rows. */
export class ConditionalFormats {
  readonly #place: Place;
  readonly #asides: Asides;
  /** By the index of its style: the number format of a rule. */
  styles: readonly (ConditionalFormat | null)[] = [];
  /** The cells and the rules of the conditional format that is open. */
  #open: { cells: string; readonly rules: Rule[] } | undefined;
  /** What the text of the open element is. */
  #text: 'cells' | 'formula' | undefined;

  /** @param place The sheet. @param asides Where to add what was found. */
  constructor(place: Place, asides: Asides) {
    this.#place = place;
    this.#asides = asides;
  }

  /** A rule in an extension contains its style, and is followed by the cells that it applies to. */
  open(name: string, attributes: Attributes): void {
    if (name === 'conditionalFormatting') this.#open = { cells: attributes.get('sqref') ?? '', rules: [] };
    else if (this.#open === undefined) return;
    else if (name === 'cfRule') this.#openRule(attributes, this.#open.rules);
    else if (name === 'sqref') this.#text = 'cells';
    else if (name === 'formula' || name === 'f') this.#text = 'formula';
    else {
      const rule = this.#open.rules.at(-1);
      const hides = DRAWN.has(name) && /^(?:0|false)$/.test(attributes.get('showValue') ?? '');
      const code = hides ? HIDING : name === 'numFmt' ? attributes.get('formatCode') : undefined;
      if (rule !== undefined && code !== undefined) rule.format = conditionalFormat(code);
    }
  }

  #openRule(attributes: Attributes, rules: Rule[]): void {
    const operator = attributes.get('type') === 'cellIs' ? attributes.get('operator') : undefined;
    rules.push({ operator, formula: '', format: this.styles[Number(attributes.get('dxfId') ?? -1)] ?? null });
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#open === undefined || this.#text === undefined) return;
    const text = textOf(bytes, start, end, this.#place);
    const rule = this.#open.rules.at(-1);
    if (this.#text === 'cells') this.#open.cells += text;
    else if (rule !== undefined) rule.formula += text;
  }

  close(name: string): void {
    this.#text = undefined;
    if (name !== 'conditionalFormatting' || this.#open === undefined) return;
    const { cells, rules } = this.#open;
    this.#open = undefined;
    for (const rule of rules) if (rule.format !== null) this.#add(cells, rule, rule.format);
  }

  #add(cells: string, rule: Rule, { unit, format }: ConditionalFormat): void {
    const shown = format === null ? null : shownBy(format, rule);
    for (const ref of cells.trim().split(/\s+/)) {
      const cell = firstCell(ref);
      const lastColumn = cellRange(ref)?.columns[1] ?? cell?.[1];
      if (cell === null || lastColumn === undefined) continue;
      const at = { cell, lastColumn };
      if (unit !== null)
        this.#asides.add({ what: 'conditional format', text: unit.unit, divisor: unit.divisor, ...at });
      else if (shown !== null) this.#asides.add({ what: 'conditional number format', text: shown, ...at });
    }
  }
}

/**
 * What a format shows in place of a number that fulfils the rule, by an example: `numbers such as 404 as "n/a"`; null when it
 * shows every such number.
 */
function shownBy(format: ShownNumbers, { operator = '', formula }: Rule): string | null {
  const limit = formula.trim() === '' ? Number.NaN : Number(formula);
  const compare = Number.isNaN(limit) ? undefined : COMPARE[OPERATORS[operator] ?? ''];
  const samples = compare
    ? [404, -404, limit, limit + 1, limit - 1].filter((one) => compare(one, limit))
    : [404, -404];
  for (const value of samples) {
    const other = format.of(value);
    if (other !== null)
      return `numbers such as ${value} as ${other.text === '' ? 'nothing' : `"${other.text}"`}`;
  }
  return null;
}

const OPERATORS: Readonly<Record<string, string>> = {
  lessThan: '<',
  lessThanOrEqual: '<=',
  equal: '=',
  notEqual: '<>',
  greaterThan: '>',
  greaterThanOrEqual: '>=',
};

/** Elements that may draw something in place of the number. */
const DRAWN: ReadonlySet<string> = new Set(['dataBar', 'iconSet']);

/** A number format that shows no number. */
const HIDING = ';;;';
