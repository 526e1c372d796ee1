// Collects the texts of a sheet that are in no cell, such as comments and print headers.
//
// They may state the unit of the figures.

import type { Diagnostic } from '../../messages/fault.ts';
import type { Position } from '../../messages/place.ts';
import { type StatedUnit, statedUnit, unitBesideNumber, unitInName } from '../../messages/statedUnits.ts';

/** A text of a sheet that is in no cell, without its formatting. */
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
  /** The cell to which the text belongs; left out when it belongs to the whole sheet. */
  readonly cell?: Position;
  /** The last column of the cells to which the text belongs, when there are several. */
  readonly lastColumn?: number;
  /** The divisor of a conditional format that shows the unit: 1e6 when it shows 404000000 as `404 m`. */
  readonly divisor?: number;
}

/** The unit that a text beside the cells states, or that a conditional format shows; null when there is none. */
export function unitOfAside({ what, text, divisor }: Aside): StatedUnit | null {
  if (what === 'conditional format') return unitBesideNumber(text, divisor);
  return what === 'table name' || what === 'defined name' ? unitInName(text) : statedUnit(text);
}

/** The message about a conditional format that does not show figures as they are. */
export const conditionalFormatDiagnostic = ({ text }: Aside): Diagnostic => ({
  problem: `a conditional format shows ${text}, and the figures were read as they are`,
  remedy: 'delete it, or check that the figures are right without it',
  kind: 'a conditional format that does not show figures as they are',
});

/** The most texts of one sheet that are collected. Later texts are ignored. */
const MOST_ASIDES = 10_000;
/** The most characters of a text. Longer texts are cut. */
export const LONGEST_ASIDE = 32 * 1024;

/** The different texts, in the order in which they first appear. */
export function distinct(asides: Iterable<Aside>): readonly Aside[] {
  const found = new Asides();
  for (const aside of asides) found.add(aside);
  return found.list();
}

/**
 * Collects the texts of a sheet. A text that appears twice, such as the same header of odd and even pages, is stored once.
 */
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
