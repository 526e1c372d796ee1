// Finds the meaning of each different text of a column once: its code, year or metric, or that it is not plain.

import { headingKey } from '../../messages/spelling.ts';
import type { Cell } from '../../sources/readers/rawFile.ts';
import { isEmpty, yearIn } from '../cellValues.ts';
import type { Target } from '../columnMapping.ts';
import type { DimensionTexts } from '../dimensionTexts.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import type { TableContext } from '../tableContext.ts';

/**
 * The meaning of a text that `cellReader.ts` must read. Codes, years and metric indexes are never negative, and UNFILLED is
 * -1.
 */
export const NOT_PLAIN = -3;
/** The meaning of a text that was not examined yet. */
export const UNEXAMINED = -4;

/** The meanings of the texts of one column. */
export class TextMeanings {
  readonly index: number;
  /** The index of the column's dimension; -1 for the column in which each row names its metric. */
  readonly dimension: number;
  readonly isRequired: boolean;
  /**
   * The meaning of each text of the dictionary: a code, year or metric index, UNFILLED for a blank text, NOT_PLAIN or
   * UNEXAMINED.
   */
  meanings = new Int32Array(0);
  readonly #target: Target;
  readonly #isFirstText: boolean;
  readonly #metrics: readonly string[];
  readonly #dimensionTexts: DimensionTexts;

  constructor(index: number, target: Target, { mapping, dimensionTexts }: TableContext) {
    this.index = index;
    this.dimension = target.kind === 'text' || target.kind === 'year' ? target.dimension : -1;
    this.isRequired = this.dimension < 0 || mapping.required.includes(this.dimension);
    this.#target = target;
    this.#isFirstText = index === mapping.firstText;
    this.#metrics = mapping.metrics;
    this.#dimensionTexts = dimensionTexts;
  }

  /** The meaning of the cell at index `code` of the dictionary. The cell is examined when its meaning is first needed. */
  of(code: number, dictionary: readonly Cell[]): number {
    const known = this.meanings[code] ?? UNEXAMINED;
    return known === UNEXAMINED ? this.#examine(code, dictionary) : known;
  }

  #examine(code: number, dictionary: readonly Cell[]): number {
    if (code >= this.meanings.length) {
      const larger = new Int32Array(Math.max(2 * this.meanings.length, code + 1)).fill(UNEXAMINED);
      larger.set(this.meanings);
      this.meanings = larger;
    }
    const meaning = this.#meaningOf(dictionary[code] ?? null);
    this.meanings[code] = meaning;
    return meaning;
  }

  #meaningOf(cell: Cell): number {
    const target = this.#target;
    if (typeof cell === 'number') return target.kind === 'year' ? (yearIn(cell) ?? NOT_PLAIN) : NOT_PLAIN;
    if (typeof cell !== 'string') return NOT_PLAIN;
    if (target.kind === 'metric name') return this.#metricNamed(cell);
    if (this.#isFirstText && this.#dimensionTexts.isHeading(cell)) return NOT_PLAIN;
    return meaningOf(cell, target, this.#dimensionTexts) ?? NOT_PLAIN;
  }

  #metricNamed(text: string): number {
    const metric = this.#metrics.findIndex((name) => headingKey(name) === headingKey(text));
    return metric < 0 ? NOT_PLAIN : metric;
  }
}

/** The code or year of a plain text, UNFILLED for a blank one; undefined when the text is not plain. */
export function meaningOf(text: string, target: Target, dimensionTexts: DimensionTexts): number | undefined {
  if (isEmpty(text)) return UNFILLED;
  if (target.kind === 'year') return yearIn(text);
  if (target.kind !== 'text') return undefined;
  const cleaned = dimensionTexts.textOf(text, target.form);
  return cleaned.fault === null && cleaned.changes.length === 0 ? cleaned.code : undefined;
}
