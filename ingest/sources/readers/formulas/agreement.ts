// Compares the stored value of a formula with the computed one, and puts both into words.

import {
  type ComputedNumber,
  type FormulaError,
  isFormulaError,
  isTextResult,
  type TextResult,
} from './results.ts';
import { isFigure, isText, type TextCodes } from './textCodes.ts';

/** The computed value of a formula, when it is known: a number, an error or a text. */
export type FormulaValue = ComputedNumber | FormulaError | TextResult;

/**
 * Whether a stored value is the computed value of its formula; null when that is not certain.
 *
 * @param stored A number, or the value that stands for a text in `texts`.
 */
export function agrees(stored: number, value: FormulaValue, texts: TextCodes): boolean | null {
  const isCertainText = (text: number) => texts.textOf(text) === '' || texts.isCertain(text);
  if (isTextResult(value)) {
    if (isFigure(stored)) return isCertainText(value.text) ? false : null;
    return isText(stored) && isCertainText(stored) && isCertainText(value.text)
      ? texts.areEqual(stored, value.text)
      : null;
  }
  if (isFigure(stored)) return !isFormulaError(value) && isNear(stored, value);
  if (!isText(stored) || !isCertainText(stored)) return null;
  // A reference to an empty cell gives 0 in some programs, and an empty text in others.
  return !isFormulaError(value) && value.value === 0 ? null : false;
}

/**
 * Whether a stored number is the computed one, or that number rounded. Some programs store a number as its cell shows it.
 */
function isNear(stored: number, computed: ComputedNumber): boolean {
  const difference = Math.abs(stored - computed.value);
  if (difference <= computed.error + 1e-9 * Math.abs(computed.value)) return true;
  const digits = /^-?0*(\d+)(?:\.(\d+))?$/.exec(String(stored));
  if (digits === null) return false;
  const [, whole = '', decimals = ''] = digits;
  const shown = `${whole}${decimals}`.replace(/^0+/, '').length;
  return shown >= ROUNDED_DIGITS && difference <= 0.5 * 10 ** -decimals.length * (1 + 1e-9);
}

/** A stored number with fewer digits than this does not count as a rounded value. */
const ROUNDED_DIGITS = 6;

/** A stored value in words. */
export const wordsOfStored = (stored: number, texts: TextCodes): string =>
  isFigure(stored) ? `${stored}` : `"${texts.writtenOf(stored) ?? ''}"`;

/** The computed value of a formula, in words. */
export function wordsOf(value: FormulaValue, texts: TextCodes): string {
  if (isFormulaError(value)) return `the error ${value}`;
  return `the value ${isTextResult(value) ? `"${texts.writtenOf(value.text) ?? ''}"` : Number(value.value.toPrecision(15))}`;
}
