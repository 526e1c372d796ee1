// Collects the conditional formats of an .ods sheet that state a unit, or show another figure than the stored one.

import { columnNumber } from '../../../messages/place.ts';
import type { Aside, Asides } from '../asides.ts';
import { effectOf, isNotAboutFigures, samplesOf, shownInstead } from '../formatConditions.ts';
import type { Attributes } from '../xml/attributes.ts';
import type { OdsStyles } from './odsStyles.ts';

/** Elements of conditional formats that draw something and may hide the number: data bars, and the entries of icon sets. */
const DRAWN: ReadonlySet<string> = new Set(['data-bar', 'formatting-entry']);

/**
 * Follows the elements of conditional formats. LibreOffice writes them behind the rows, in elements that are otherwise
 * skipped.
 */
export class ConditionalFormats {
  readonly #styles: OdsStyles;
  readonly #asides: Asides;
  /** The ranges of the format that is open, such as `Data.K2:Data.K9`. */
  #ranges = '';

  constructor(styles: OdsStyles, asides: Asides) {
    this.#styles = styles;
    this.#asides = asides;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'conditional-format') this.#ranges = attributes.get('calcext:target-range-address') ?? '';
    if (name === 'condition')
      this.#addCondition(
        this.#styles.nameOf(attributes.get('calcext:apply-style-name')),
        attributes.get('calcext:value') ?? '',
      );
    if (DRAWN.has(name) && attributes.get('calcext:show-value') === 'false')
      this.#add({ what: 'conditional number format', text: shownInstead(404, '') });
  }

  /** @param condition The condition, such as `>9` or `formula-is(ISERROR([.K2]))`. */
  #addCondition(style: string | undefined, condition: string): void {
    const stated = this.#styles.numbers.unitBeside(style);
    const shown = stated === null ? this.#shownUnder(style, condition) : null;
    if (stated !== null)
      this.#add({ what: 'conditional format', text: stated.unit, divisor: stated.divisor });
    else if (shown !== null) this.#add({ what: 'conditional number format', text: shown });
  }

  #add(aside: Aside): void {
    for (const [, first = '', row, last] of this.#ranges.matchAll(RANGES))
      this.#asides.add({
        ...aside,
        cell: [Number(row), columnNumber(first)],
        lastColumn: columnNumber(last ?? first),
      });
  }

  /**
   * An example of a figure that fulfils a condition, and how a style shows it; null when the style shows figures as they
   * are.
   */
  #shownUnder(style: string | undefined, condition: string): string | null {
    if (/^(?:is-error|contains-text|begins-with|ends-with)\b/.test(condition)) return null;
    if (condition.startsWith('formula-is(') && isNotAboutFigures(condition.slice('formula-is('.length, -1)))
      return null;
    const [, operator = '', limit = ''] = /^(<=|>=|!=|<>|=|<|>)(.*)$/s.exec(condition) ?? [];
    const [value] = samplesOf(operator === '!=' ? '<>' : operator, limit).filter((sample) => sample !== 0);
    if (value === undefined) return null;
    const text = this.#styles.numbers.textInPlaceOf(style);
    if (text !== null) return shownInstead(value, text);
    const effect = effectOf({
      isPale: this.#styles.isPale(style),
      isStruck: this.#styles.strikesOut(style),
    });
    return effect === null ? null : `numbers such as ${value} ${effect}`;
  }
}

/** Matches the first cell and the last column of each range in an address. */
const RANGES = /\.\$?([A-Z]{1,3})\$?(\d+)(?::[^ :]*\.\$?([A-Z]{1,3})\$?\d+)?/g;
