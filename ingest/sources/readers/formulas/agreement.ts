// Compares what a cell holds with what its formula has, and says both in words.

import { type Computed, type Fault, isFault, isTextResult, type TextResult } from './results.ts';
import { isFigure, isText, type Texts } from './texts.ts';

/** What a formula has. */
export type FormulaValue = Computed | Fault | TextResult;

/** Whether a stored value is what the formula has; null when that is not known. */
export function agrees(stored: number, value: FormulaValue, texts: Texts): boolean | null {
  const isLasting = (text: number) => texts.textOf(text) === '' || texts.isCertain(text);
  if (isTextResult(value)) {
    if (isFigure(stored)) return isLasting(value.text) ? false : null;
    return isText(stored) && isLasting(stored) && isLasting(value.text)
      ? texts.areEqual(stored, value.text)
      : null;
  }
  if (isFigure(stored)) return !isFault(value) && isNear(stored, value);
  if (!isText(stored) || !isLasting(stored)) return null;
  // A reference to an empty cell is 0, and an empty text in some programs.
  return !isFault(value) && value.value === 0 ? null : false;
}

/** Whether a stored number is this one, apart from lost digits. Some programs store what a cell shows. */
function isNear(stored: number, computed: Computed): boolean {
  const difference = Math.abs(stored - computed.value);
  if (difference <= computed.error + 1e-9 * Math.abs(computed.value)) return true;
  const digits = /^-?0*(\d+)(?:\.(\d+))?$/.exec(String(stored));
  if (digits === null) return false;
  const [, whole = '', decimals = ''] = digits;
  const shown = `${whole}${decimals}`.replace(/^0+/, '').length;
  return shown >= ROUNDED_DIGITS && difference <= 0.5 * 10 ** -decimals.length * (1 + 1e-9);
}

/** A stored number with this many digits or more may be the value, rounded. */
const ROUNDED_DIGITS = 6;

/** A stored value in words. */
export const wordsOfStored = (stored: number, texts: Texts): string =>
  isFigure(stored) ? `${stored}` : `"${texts.writtenOf(stored) ?? ''}"`;

/** What a formula has, in words. */
export function wordsOf(value: FormulaValue, texts: Texts): string {
  if (isFault(value)) return `the error ${value}`;
  return `the value ${isTextResult(value) ? `"${texts.writtenOf(value.text) ?? ''}"` : Number(value.value.toPrecision(15))}`;
}
