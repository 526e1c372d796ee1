// Compares and parses bytes without making strings of them: fixed texts, letters, numbers.

import { EXACT_DIGITS, POWERS_OF_TEN, vanishes } from '../../numberForms.ts';
import { DOT, MINUS, NINE, ZERO } from '../ascii.ts';

export const FIRST_LETTER = 0x41;
export const LAST_LETTER = 0x5a;
/** The bits of a letter that give its place in the alphabet, in upper and lower case: 1 for A and a. */
export const LETTER_BITS = 0x1f;

/** A fixed text of four to eight bytes, as two integers: its first four bytes and its last four, which may overlap. */
export interface FixedText {
  readonly bytes: number;
  readonly first: number;
  readonly last: number;
}

/** The fixed text of these characters: four to eight, all ASCII. */
export function fixedText(text: string): FixedText {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, first: bytes.readUInt32LE(0), last: bytes.readUInt32LE(bytes.length - 4) };
}

/** The position after the fixed text when the bytes at `at` are that text; else -1. */
export function endOfMatch({ bytes, first, last }: FixedText, view: DataView, at: number): number {
  const end = at + bytes;
  if (end > view.byteLength) return -1;
  return view.getUint32(at, true) === first && view.getUint32(end - 4, true) === last ? end : -1;
}

/** Whether there is a byte, and it is from `low` to `high`. */
export const isBetween = (low: number, byte: number | undefined, high: number): boolean =>
  byte !== undefined && byte >= low && byte <= high;

/** The whole number that these bytes spell in digits; -1 for any other text. */
export function parseWholeNumber(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < ZERO || byte > NINE) return -1;
    value = value * 10 + (byte - ZERO);
  }
  return start < end ? value : -1;
}

/**
 * The double nearest to the number in these bytes. NaN when they are not an `xsd:double`, or beyond the range of doubles.
 */
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
