// Texts that are beside the cells of a sheet: comments, print headers, text boxes, titles of charts.
//
// They may state the unit of the figures.

import type { Diagnostic } from '../../messages/fault.ts';
import { type StatedUnit, statedUnit, unitBeside, unitInName } from '../../messages/statedUnits.ts';

/** A text beside the cells, in plain characters. */
export interface Aside {
  readonly what:
    | 'chart title'
    | 'comment'
    | 'conditional format'
    | 'conditional number format'
    | 'defined name'
    | 'document property'
    | 'input message'
    | 'pivot table'
    | 'print footer'
    | 'print header'
    | 'table name'
    | 'text box'
    | 'unit in its metadata';
  readonly text: string;
  /** The cell that it belongs to, its row from 1 and its column from 0; left out when it belongs to the sheet. */
  readonly cell?: readonly [row: number, column: number];
  /** The last column of the cells that it is about, where it is about several. */
  readonly lastColumn?: number;
  /** The divisor of a conditional format that shows this unit: 1e6 where it shows 404000000 as `404 m`. */
  readonly divisor?: number;
}

/** The unit that a text beside the cells states, or that a conditional format shows; null when there is none. */
export function unitOfAside({ what, text, divisor }: Aside): StatedUnit | null {
  if (what === 'conditional format') return unitBeside(text, divisor);
  return what === 'table name' || what === 'defined name' ? unitInName(text) : statedUnit(text);
}

/** What is wrong with a conditional format that does not show figures as they are. */
export const whyConditional = ({ text }: Aside): Diagnostic => ({
  problem: `a conditional format shows ${text}, and the figures were read as they are`,
  remedy: 'delete it, or see that the figures are right without it',
  kind: 'a conditional format that does not show figures as they are',
});

/** The most texts of one sheet that are kept; further ones are ignored. */
const MOST_ASIDES = 10_000;
/** In characters: longer texts are cut. */
export const LONGEST_ASIDE = 32 * 1024;

/** The texts without repetitions, in their order. */
export function distinct(asides: Iterable<Aside>): readonly Aside[] {
  const found = new Asides();
  for (const aside of asides) found.add(aside);
  return found.list();
}

/** Collects the texts of a sheet. A text that comes twice, such as the header of odd and even pages, is one. */
export class Asides {
  readonly #found = new Map<string, Aside>();

  add({ text, ...aside }: Aside): void {
    if (text === '') return;
    const single = text.slice(0, LONGEST_ASIDE).replace(/\s+/g, ' ').trim();
    if (single === '' || this.#found.size >= MOST_ASIDES) return;
    const found = { ...aside, text: single };
    this.#found.set(JSON.stringify([aside.what, single, aside.cell]), found);
  }

  list(): readonly Aside[] {
    return [...this.#found.values()];
  }
}

/** Separates two sections. XML cannot contain this character. */
const SECTION = '\0';

/**
 * The three texts of a print header as workbooks write it: `&L&"Arial,Bold"&12EUR in thousands&RPage &P`. What stands for a
 * page number, a date or a font is left out.
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
