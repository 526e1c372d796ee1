// Reads texts as numbers in the German and English notation, and finds out which notation a whole column has.

import { numberInText } from '../cellValues.ts';
import type { NumberStyle } from '../readingOptions.ts';

/** The most characters of a text that may be a number. The time of some searches grows with the square of the length. */
export const LONGEST_NUMBER = 100;

/**
 * The number in a text that is written in a style; undefined for other texts. Beyond the range of a double it is Infinity
 * or 0.
 */
export function styledNumber(text: string, style: NumberStyle): number | undefined {
  const { form, groups, decimal } = STYLES[style];
  const trimmed = text.trim().replace(/^\u2212/, '-');
  if (!form.test(trimmed)) return numberWithExponent(trimmed, decimal);
  return Number(trimmed.replace(groups, '').replace(decimal, '.'));
}

/**
 * Writes a number with an accounting sign, `(1,234)` or `1,234-`, with a minus in front; returns any other text unchanged.
 */
export function withAccountingSigns(text: string): string {
  if (text.length > LONGEST_NUMBER) return text;
  const [, inParentheses, beforeMinus] =
    /^\s*(?:\(\s*([^()\s-][^()]*?)\s*\)|([^-\s].*?)\s*[-\u2212])\s*$/.exec(text) ?? [];
  const unsigned = inParentheses ?? beforeMinus;
  return unsigned === undefined ? text : `-${unsigned}`;
}

/** The most different texts of a column that are remembered. A remembered text is not parsed again. */
const MOST_REMEMBERED = 200_000;

/** Finds the style of the numbers in a column of texts. */
export class ColumnNumberStyle {
  readonly #seen = new Set<string>();
  readonly #mostRemembered: number;
  /** Whether every text so far is a number in the style `de`, and in the style `en`. */
  #de = true;
  #en = true;
  /** Whether every text so far is the same number in both styles. */
  #alike = true;
  #hasDot = false;

  constructor(mostRemembered = MOST_REMEMBERED) {
    this.#mostRemembered = mostRemembered;
  }

  add(text: string): void {
    this.#hasDot ||= text.includes('.');
    if (!this.#isNew(text)) return;
    const asDe = this.#de ? styledNumber(text, 'de') : undefined;
    const asEn = this.#en ? styledNumber(text, 'en') : undefined;
    this.#de = asDe !== undefined;
    this.#en = asEn !== undefined;
    this.#alike &&= asDe === asEn;
  }

  /** Whether a text may still change the style of the column. It remembers the text while there is room. */
  #isNew(text: string): boolean {
    const { size } = this.#seen;
    // Without room, a text matters only while both styles fit. Once one style is known, a text in the other style is
    // reported at its own cell.
    if (size >= this.#mostRemembered) return this.#de && this.#en && !this.#seen.has(text);
    return this.#seen.add(text).size > size;
  }

  /**
   * The style in which every text of the column is a number. It is `en` if both styles give the same numbers. It is null if
   * no style fits all texts, or if both fit and give different numbers (`1,234`).
   */
  get style(): NumberStyle | null {
    if (this.#de && this.#en) return this.#alike ? 'en' : null;
    if (this.#de) return 'de';
    return this.#en ? 'en' : null;
  }

  /** Whether the style is `de` and some text has a dot. In this style, a dot separates thousands. */
  get isDotted(): boolean {
    return this.style === 'de' && this.#hasDot;
  }
}

/**
 * A value times a factor. Both are multiplied as decimals and the product is rounded once, to the nearest double, so 1.1 ×
 * 1e6 is 1100000 and not 1100000.0000000002.
 */
export function scaled(value: number, factor: string): number {
  const a = decimalOf(String(value));
  const b = decimalOf(factor);
  return Number(`${a.significand * b.significand}e${a.exponent + b.exponent}`);
}

/** A decimal as a whole number times a power of ten. */
function decimalOf(text: string): { significand: bigint; exponent: number } {
  const [, sign = '', whole = '0', decimals = '', exponent = '0'] =
    /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text.trim()) ?? [];
  const significand = BigInt(`${whole}${decimals}`);
  return {
    significand: sign === '-' ? -significand : significand,
    exponent: Number(exponent) - decimals.length,
  };
}

interface Style {
  /** Matches a number in this style. */
  readonly form: RegExp;
  /** Matches each mark that may separate thousands. */
  readonly groups: RegExp;
  /** The mark before the decimals. */
  readonly decimal: string;
}

/** Apostrophes and all kinds of spaces separate thousands in both styles, and never decimals. */
const APOSTROPHES = "'’";
const SPACES = String.raw` \u00a0\u2007\u2009\u202f`;
/** The marks between thousands that both styles have. */
export const GROUP_MARKS = `${APOSTROPHES}${SPACES}`;

const STYLES: Readonly<Record<NumberStyle, Style>> = {
  de: styleWith('.', ','),
  en: styleWith(',', '.'),
};

function styleWith(separator: string, decimal: string): Style {
  // All marks between the thousands of one number must be alike. `1.234 567` is refused, because it may be 1.234567.
  const groups = [separator, APOSTROPHES, SPACES].map((marks) => `(?:[${marks}]\\d{3})+`).join('|');
  return {
    form: new RegExp(`^-?(?:[1-9]\\d{0,2}(?:${groups})|0|[1-9]\\d*)(?:[${decimal}]\\d+)?$`),
    groups: new RegExp(`[${separator}${GROUP_MARKS}]`, 'g'),
    decimal,
  };
}

/** The number in a text with an exponent, such as `1,5E+7`; undefined when it is none. */
function numberWithExponent(text: string, decimal: string): number | undefined {
  if (!/^-?\d+(?:[.,]\d+)?[eE][+-]?\d+$/.test(text)) return undefined;
  if (text.includes('.') && decimal !== '.') return undefined;
  return numberInText(text.replace(decimal, '.'));
}
