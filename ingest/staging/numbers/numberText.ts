// Reads numbers in text that are not written as in JSON, and finds out how a whole column writes them.

import type { NumberStyle } from '../readingOptions.ts';
import { numberInText } from '../values.ts';

/** No number that people write is longer; some searches take time with the square of its length. */
export const LONGEST_NUMBER = 100;

/** The number in a text, written as `style` says; undefined when it is none. */
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

/**
 * The one style in which every text of a column is a number, and some number would not be read, or not read alike,
 * in another. Null when texts fit no style, or fit both and mean different numbers (`1,234`).
 */
export function styleOf(texts: Iterable<string>): NumberStyle | null {
  let de = true;
  let en = true;
  let alike = true;
  for (const text of texts) {
    const asDe = styledNumber(text, 'de');
    const asEn = styledNumber(text, 'en');
    de &&= asDe !== undefined;
    en &&= asEn !== undefined;
    alike &&= asDe === asEn;
    if (!de && !en) return null;
  }
  if (de && en) return alike ? 'en' : null;
  return de ? 'de' : 'en';
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
export const GROUP_MARKS = String.raw`'’ \u00a0\u2007\u2009\u202f`;

const STYLES: Readonly<Record<NumberStyle, Style>> = {
  de: styleWith('.', ','),
  en: styleWith(',', '.'),
};

function styleWith(separator: string, decimal: string): Style {
  const group = `[${separator}${GROUP_MARKS}]`;
  return {
    form: new RegExp(`^-?(?:[1-9]\\d{0,2}(?:${group}\\d{3})+|0|[1-9]\\d*)(?:[${decimal}]\\d+)?$`),
    groups: new RegExp(group, 'g'),
    decimal,
  };
}

/** `1,5E+7` */
function numberWithExponent(text: string, decimal: string): number | undefined {
  if (!/^-?\d+(?:[.,]\d+)?[eE][+-]?\d+$/.test(text)) return undefined;
  if (text.includes('.') && decimal !== '.') return undefined;
  const value = numberInText(text.replace(decimal, '.'));
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
