// Finds how people read the number that a cell shows: as negative, as a bound, as 0, with a mark, or as another number.

import { CURRENCY_WORD } from '../../messages/unitPatterns.ts';
import { unsupportedYearForm } from '../yearForms.ts';

/** Stands for the number in the text that a number format shows: `FY\0`, `\0E`. */
export const NUMBER = '\0';

/**
 * Whether a number format makes a year look like something else: `2022E`, `FY2022`, `2022/23`.
 *
 * @param shown The text that the format shows, with NUMBER in place of the number.
 */
export function marksYear(shown: string): boolean {
  const isBesideNumber = shown.split(NUMBER).length === 2 && shown.trim() !== NUMBER;
  const form = isBesideNumber ? unsupportedYearForm(shown.replace(NUMBER, '2022')) : undefined;
  return form !== undefined && form.meansThatYear !== true;
}

/**
 * Whether a number format shows the mark of an estimate or a footnote behind its number: `404e`, `404*`.
 *
 * @param shown The text that the format shows, with NUMBER in place of the number.
 */
export const endsInMark = (shown: string): boolean => MARK.test(shown.trim());

const MARK = new RegExp(
  `${NUMBER}\\s*(?:\\*+|[epr]|(?:est|prov|prelim|rev)\\.?|\\((?:[epr]|(?:est|prov|prelim|rev)\\.?)\\))$`,
  'i',
);

/** A text without spaces, percent signs and currencies. */
export const bare = (text: string): string => (text === '' ? '' : withoutCurrencies(text));

const withoutCurrencies = (text: string): string =>
  text.replace(CURRENCY_WORD, '').replace(/[\s\p{Sc}%‰]|kr\.?|zł|Kč|Ft|Fr\.?|Rs\.?|RM|Rp/gu, '');

/** Whether the bare texts before and behind a number mark it as negative: with a minus, parentheses or an arrow down. */
export const isNegative = (before: string, behind: string): boolean =>
  /^[-−–—‐‑‒﹣－▼↓]\(?$/.test(before) ||
  /^[-−–—‐‑‒﹣－]$/.test(behind) ||
  (/^\(-?$/.test(before) && behind.startsWith(')'));

/** Whether the bare text before a number makes it a bound or an estimate: `<5`, `~500`, `-~500`. */
export const isInexact = (before: string): boolean => /^[-−(]*[<>≤≥≦≧~≈±]/.test(before);

/** Whether a text without digits stands for 0: a dash, alone or beside a currency. */
export const standsForZero = (text: string): boolean => /^(?:[-−–—‐‑‒―_]*|nil|zero|none)$/i.test(bare(text));

/**
 * Whether a shown text has the digits of another number than `value`: `40400` for 404. Only a text with one plain number is
 * compared. Its separators may separate thousands or decimals. Its last digit may be rounded or cut off.
 */
export function showsOtherDigits(shown: string, value: number): boolean {
  const [, digits = ''] = ONE_NUMBER.exec(shown) ?? [];
  if (digits === '' || digits.length > MOST_DIGITS) return false;
  const [, whole = digits, decimals = ''] = /^(.*)[.,](\d*)$/s.exec(digits) ?? [];
  const plain = (text: string) => Number(text.replace(/\D/g, ''));
  const size = Math.abs(value);
  const isNear = (number: number, step: number) =>
    Math.abs(number - size) <= Math.max(step * 1.000001, size * 1e-12);
  const isInThousands = /^\d+$|\D\d{3}$/.test(digits) && isNear(plain(digits), 1);
  return !isInThousands && !isNear(Number(`${plain(whole)}.${decimals}`), 10 ** -decimals.length);
}

/**
 * Matches a text with one number in ASCII digits. `Q1 404` does not match, because either of its numbers may be the figure.
 */
const ONE_NUMBER = /^(?:[^\p{Nd}%‰]*[^\p{L}\p{N}%‰])?(\d(?:[\d.,'’\s]*\d)?)[^\p{Nd}%‰]*$/u;

/** The most digits of a number that programs show. */
const MOST_DIGITS = 21;
