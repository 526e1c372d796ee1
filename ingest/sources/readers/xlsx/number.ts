// Turns the digits of a number cell into a number.

import { EXACT_DIGITS, POWERS_OF_TEN, vanishes } from '../../numberForms.ts';
import { DOT, MINUS, NINE, ZERO } from '../ascii.ts';

/** The double nearest to the number in these bytes. NaN when they are not an `xsd:double`, or beyond the range of doubles. */
export function parseNumber(bytes: Buffer, start: number, end: number): number {
  let at = start;
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  let digits = 0;
  let value = 0;
  let dot = -1;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + (byte - ZERO);
      digits++;
    } else if (byte === DOT && dot < 0) dot = digits;
    else return parseAnyNumber(bytes.toString('latin1', start, end));
  }
  if (digits === 0 || digits > EXACT_DIGITS) return parseAnyNumber(bytes.toString('latin1', start, end));
  if (dot >= 0) value /= POWERS_OF_TEN[digits - dot] as number;
  return negative ? -value : value;
}

function parseAnyNumber(text: string): number {
  const value = isNumberText(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) && !vanishes(text, value) ? value : Number.NaN;
}

/** Whether a text has the form of a number, however large or small. */
export const isNumberText = (text: string): boolean =>
  /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text.trim());
