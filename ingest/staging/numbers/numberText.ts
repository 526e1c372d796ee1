// Reads numbers in text that are not written as in JSON, and finds out how a whole column writes them.

import type { NumberStyle } from '../readingOptions.ts';
import { numberInText } from '../values.ts';

/** No number that people write is longer; some searches take time with the square of its length. */
export const LONGEST_NUMBER = 100;

/** The number in a text, written as `style` says; undefined when it is none. It may be beyond the range of a double: Infinity, or 0. */
export function styledNumber(text: string, style: NumberStyle): number | undefined {
  const { form, groups, decimal } = STYLES[style];
  const trimmed = text.trim().replace(/^\u2212/, '-');
  if (!form.test(trimmed)) return numberWithExponent(trimmed, decimal);
  return Number(trimmed.replace(groups, '').replace(decimal, '.'));
}

/** A number with the signs of accounting, `(1,234)` and `1,234-`, written with a minus in front; any other text unchanged. */
export function withAccountingSigns(text: string): string {
  if (text.length > LONGEST_NUMBER) return text;
  const [, inside, before] =
    /^\s*(?:\(\s*([^()\s-][^()]*?)\s*\)|([^-\s].*?)\s*[-\u2212])\s*$/.exec(text) ?? [];
  const size = inside ?? before;
  return size === undefined ? text : `-${size}`;
}

/** How many different texts of a column are remembered, so that each is looked at once. */
const MOST_REMEMBERED = 200_000;

/** Finds out in which style the texts of a column are numbers. */
export class ColumnStyle {
  readonly #seen = new Set<string>();
  readonly #mostRemembered: number;
  #de = true;
  #en = true;
  /** Whether each text is the same number in both styles. */
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

  /** Whether a text may say something new about the column. Remembers it where there is room. */
  #isNew(text: string): boolean {
    const { size } = this.#seen;
    // Without room, only a column that still fits both styles is worth another look. In a column of one style, a text in
    // another style is an error at its own cell.
    if (size >= this.#mostRemembered) return this.#de && this.#en && !this.#seen.has(text);
    return this.#seen.add(text).size > size;
  }

  /**
   * The style in which every text of the column is a number; `en` where both styles give the same numbers. Null where no style
   * fits all texts, or where both fit and give different numbers (`1,234`).
   */
  get style(): NumberStyle | null {
    if (this.#de && this.#en) return this.#alike ? 'en' : null;
    return this.#de ? 'de' : this.#en ? 'en' : null;
  }

  /** Whether some text has a dot, which in the style `de` separates thousands. */
  get isDotted(): boolean {
    return this.style === 'de' && this.#hasDot;
  }
}

/**
 * A value times a factor, both as decimals: 1.1 × 1e6 is 1100000 and not 1100000.0000000002. Rounds once, to the
 * nearest double.
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
  readonly form: RegExp;
  readonly groups: RegExp;
  readonly decimal: string;
}

/** Apostrophes and spaces (also unbroken, figure, thin and narrow ones) only ever separate thousands. */
const APOSTROPHES = "'’";
const SPACES = String.raw` \u00a0\u2007\u2009\u202f`;
export const GROUP_MARKS = `${APOSTROPHES}${SPACES}`;

const STYLES: Readonly<Record<NumberStyle, Style>> = {
  de: styleWith('.', ','),
  en: styleWith(',', '.'),
};

function styleWith(separator: string, decimal: string): Style {
  // One number has marks of one kind: of `1.234 567`, the space may as well separate decimals.
  const groups = [separator, APOSTROPHES, SPACES].map((marks) => `(?:[${marks}]\\d{3})+`).join('|');
  return {
    form: new RegExp(`^-?(?:[1-9]\\d{0,2}(?:${groups})|0|[1-9]\\d*)(?:[${decimal}]\\d+)?$`),
    groups: new RegExp(`[${separator}${GROUP_MARKS}]`, 'g'),
    decimal,
  };
}

/** `1,5E+7` */
function numberWithExponent(text: string, decimal: string): number | undefined {
  if (!/^-?\d+(?:[.,]\d+)?[eE][+-]?\d+$/.test(text)) return undefined;
  if (text.includes('.') && decimal !== '.') return undefined;
  return numberInText(text.replace(decimal, '.'));
}
