// Reads the conditional formats of a worksheet that show a unit, or do not show numbers as they are.

import type { Place } from '../../../messages/place.ts';
import type { Asides } from '../asides.ts';
import { isNotAboutFigures, samplesOf, shownInstead } from '../formatConditions.ts';
import type { Attributes } from '../xml/attributes.ts';
import { textOf } from '../xml/text.ts';
import { type ConditionalFormat, DifferentialStyle } from './differentialStyle.ts';
import { cellRange, firstCell } from './reference.ts';

/** A rule of a conditional format: a comparison with a number, or another condition. */
interface Rule {
  readonly type: string | undefined;
  readonly operator: string | undefined;
  /** The number or formula of the condition. */
  formula: string;
  /** The differential style of the workbook to which the rule refers; null when it refers to none. */
  readonly format: ConditionalFormat | null;
  /** The style that the element of the rule contains. It counts before `format`. */
  readonly ownStyle: DifferentialStyle;
}

/** Receives the elements of a worksheet that come after its rows. */
export class ConditionalFormats {
  readonly #place: Place;
  readonly #asides: Asides;
  /** The conditional format of each differential style of the workbook, by the index of the style. */
  styles: readonly (ConditionalFormat | null)[] = [];
  /** The cells and rules of the open conditional format. */
  #open: { cells: string; readonly rules: Rule[] } | undefined;
  /** What the text of the open element is: cells, or the formula of a rule; undefined for any other text. */
  #text: 'cells' | 'formula' | undefined;

  constructor(place: Place, asides: Asides) {
    this.#place = place;
    this.#asides = asides;
  }

  /** Opens an element. A rule in an extension contains its style, and the cells of the rule come after it. */
  open(name: string, attributes: Attributes): void {
    if (name === 'conditionalFormatting') this.#open = { cells: attributes.get('sqref') ?? '', rules: [] };
    else if (this.#open === undefined) return;
    else if (name === 'cfRule') this.#openRule(attributes, this.#open.rules);
    else if (name === 'sqref') this.#text = 'cells';
    else if (name === 'formula' || name === 'f') this.#text = 'formula';
    else {
      const rule = this.#open.rules.at(-1);
      if (DRAWN.has(name) && attributes.isOff('showValue')) rule?.ownStyle.hide();
      else rule?.ownStyle.open(name, attributes);
    }
  }

  #openRule(attributes: Attributes, rules: Rule[]): void {
    const type = attributes.get('type');
    const operator = type === 'cellIs' ? attributes.get('operator') : undefined;
    const format = this.styles[Number(attributes.get('dxfId') ?? -1)] ?? null;
    rules.push({ type, operator, formula: '', format, ownStyle: new DifferentialStyle() });
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
    for (const rule of rules) {
      const format = rule.ownStyle.format ?? rule.format;
      if (format !== null) this.#add(cells, rule, format);
    }
  }

  #add(cells: string, rule: Rule, format: ConditionalFormat): void {
    const { unit } = format;
    const shown = shownBy(format, rule);
    for (const ref of cells.trim().split(/\s+/)) {
      const cell = firstCell(ref);
      const lastColumn = cellRange(ref)?.columns[1] ?? cell?.[1];
      if (cell === null || lastColumn === undefined) continue;
      const area = { cell, lastColumn };
      if (unit !== null)
        this.#asides.add({ what: 'conditional format', text: unit.unit, divisor: unit.divisor, ...area });
      else if (shown !== null) this.#asides.add({ what: 'conditional number format', text: shown, ...area });
    }
  }
}

/**
 * An example of a number that fulfils the rule, and how the format shows it: `numbers such as 404 as "n/a"`. Null when the
 * format shows all examples as they are.
 */
function shownBy({ format, effect }: ConditionalFormat, rule: Rule): string | null {
  for (const value of samplesFor(rule)) {
    const other = format?.of(value) ?? null;
    if (other !== null) return shownInstead(value, other.text);
    if (effect !== null && value !== 0) return `numbers such as ${value} ${effect}`;
  }
  return null;
}

function samplesFor({ type = '', operator = '', formula }: Rule): readonly number[] {
  if (OF_NO_FIGURES.has(type) || (type === 'expression' && isNotAboutFigures(formula))) return [];
  return samplesOf(OPERATORS[operator], formula);
}

/** The types of rules that apply only to cells without a figure. */
const OF_NO_FIGURES: ReadonlySet<string> = new Set([
  'containsErrors',
  'containsBlanks',
  'containsText',
  'beginsWith',
  'endsWith',
]);

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
