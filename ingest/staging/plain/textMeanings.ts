// What the texts of one column mean when they are read without changes: decided once for each different text.

import { headingKey } from '../../messages/spelling.ts';
import type { Cell } from '../../sources/readers/raw.ts';
import { UNFILLED } from '../emptyDimensions.ts';
import type { Placement, Target } from '../placement.ts';
import type { Terms } from '../terms.ts';
import { isEmpty, yearIn } from '../values.ts';

/** Marks a cell that `CellReader` must read. Codes, years and metrics are never negative, and UNFILLED is -1. */
export const NOT_PLAIN = -3;
/** Marks a text whose meaning is not decided yet. */
export const UNKNOWN = -4;

export class TextMeanings {
  /** The index of the column. */
  readonly index: number;
  /** Where its dimension goes in a row; -1 for the column that names the metric of a row. */
  readonly at: number;
  readonly isRequired: boolean;
  /** By index in the dictionary: the code, year or metric, UNFILLED for a blank text, NOT_PLAIN or UNKNOWN. It grows. */
  known = new Int32Array(0);
  readonly #target: Target;
  readonly #isFirstText: boolean;
  readonly #metrics: readonly string[];
  readonly #terms: Terms;

  constructor(index: number, target: Target, placement: Placement, terms: Terms) {
    this.index = index;
    this.at = target.kind === 'text' || target.kind === 'year' ? target.at : -1;
    this.isRequired = this.at < 0 || placement.required.includes(this.at);
    this.#target = target;
    this.#isFirstText = index === placement.firstText;
    this.#metrics = placement.metrics;
    this.#terms = terms;
  }

  /** The meaning of a cell of the dictionary, decided when it is first needed. */
  of(code: number, dictionary: readonly Cell[]): number {
    const known = this.known[code] ?? UNKNOWN;
    return known === UNKNOWN ? this.#learn(code, dictionary) : known;
  }

  #learn(code: number, dictionary: readonly Cell[]): number {
    if (code >= this.known.length) {
      const larger = new Int32Array(Math.max(2 * this.known.length, code + 1)).fill(UNKNOWN);
      larger.set(this.known);
      this.known = larger;
    }
    const meaning = this.#meaningOf(dictionary[code] ?? null);
    this.known[code] = meaning;
    return meaning;
  }

  #meaningOf(cell: Cell): number {
    const target = this.#target;
    if (typeof cell === 'number') return target.kind === 'year' ? (yearIn(cell) ?? NOT_PLAIN) : NOT_PLAIN;
    if (typeof cell !== 'string') return NOT_PLAIN;
    if (target.kind === 'metric name') return this.#metricNamed(cell);
    if (isEmpty(cell)) return UNFILLED;
    if (target.kind === 'year') return yearIn(cell) ?? NOT_PLAIN;
    if (target.kind !== 'text' || (this.#isFirstText && this.#terms.isHeading(cell))) return NOT_PLAIN;
    const term = this.#terms.of(cell, target.form);
    return term.fault === null && term.cleaned.length === 0 ? term.code : NOT_PLAIN;
  }

  #metricNamed(text: string): number {
    const at = this.#metrics.findIndex((name) => headingKey(name) === headingKey(text));
    return at < 0 ? NOT_PLAIN : at;
  }
}
