// Formats numbers for people: counts, changes, amounts; the same on pages, in charts and on the terminal.

import { ascending } from '../../src/basics/lists.ts';

/** A whole number: `31,142`. */
export const count = (n: number): string =>
  Number.isSafeInteger(n) && !Object.is(n, -0) ? grouped(String(n)) : n.toLocaleString('en-US');

/** A count with its noun: `1 row`, `31,142 rows`. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;

/** A number of items and the number of all: `198 of 220 values`, `all 220 values`, `both values`, `the value`. */
export function partOf(part: number, total: number, noun: string): string {
  if (part < total) return `${count(part)} of ${count(total)} ${noun}s`;
  if (total === 1) return `the ${noun}`;
  return total === 2 ? `both ${noun}s` : `all ${count(total)} ${noun}s`;
}

/** The end of a message about the first of `n` equal problems: ` (first of 3)`; '' when `n` is 1. */
export const firstOf = (n: number): string => (n === 1 ? '' : ` (first of ${n})`);

/** A change of a count: `+6`, `−45`, `±0`. */
export const signed = (n: number): string => (n === 0 ? '±0' : `${sign(n)}${count(Math.abs(n))}`);

/**
 * A relative change, to three significant digits: 0.0124 gives `+1.24 %`, 11.5 gives `×12.5`. A small change is never
 * rounded to `±0 %`, and a large fall is never rounded to `−100 %`. Null stands for a change from an empty value or zero
 * and gives `new`. So does a change from a value so near zero that the quotient is infinite.
 */
export function changeText(relative: number | null): string {
  if (relative === null || !Number.isFinite(relative)) return 'new';
  if (relative === 0) return '±0 %';
  if (relative >= 9) return `×${significantDigits(relative + 1, 3)}`;
  const percents = Math.abs(relative) * 100;
  // Rounding errors of sums can be this large, so the value may not have changed at all.
  if (percents < 1e-6) return '≈0 %';
  return `${sign(relative)}${percentText(percents, 3)}`;
}

/** A share, to four significant digits: 0.05 is `5 %`, 0.12345 is `12.35 %`. A share below 1 is at most `99.99 %`. */
export const percent = (share: number): string =>
  `${share < 0 ? MINUS : ''}${percentText(Math.abs(share) * 100, 4)}`;

/** A share as a percentage with this number of significant digits: `12 %`, `0.35 %`. */
export const roundedPercent = (share: number, digits: number): string =>
  percent(Number(share.toPrecision(digits)));

/** The text of a percentage that is not negative. A percentage below 100 is never rounded up to 100. */
function percentText(percents: number, most: 3 | 4): string {
  const isRoundedUp = percents < 100 && significantDigits(percents, most) === '100';
  if (!isRoundedUp) return `${significantDigits(percents, most)} %`;
  const text = significantDigits(percents, 4);
  return `${text === '100' ? '99.99' : text} %`;
}

/** An amount to four significant digits with its magnitude: `517.2 bn`, `1.24 m`, `0.0012`. */
export function amountText(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  // 999,996 is rounded to 1 m, so the rounded amount decides the magnitude.
  const rounded = Number(size.toPrecision(4));
  const [, unit, word] = MAGNITUDES.find(([from]) => rounded >= from) ?? [0, 1, ''];
  return `${value < 0 ? MINUS : ''}${significantDigits(size / unit, 4)}${word}`;
}

/** The quotient of two figures, to three significant digits: `9.35`, `1,230,000`. */
export const multiple = (times: number): string => significantDigits(Number(times.toPrecision(3)), 3);

/** A value with all its digits: `1,234,567.5`; null gives `empty`. */
export function exact(value: number | null): string {
  if (value === null) return 'empty';
  const [, whole = '', rest = ''] = /^(\d+)(\.\d+)?$/.exec(String(Math.abs(value))) ?? [];
  if (whole === '') return String(value).replaceAll('-', MINUS);
  return `${value < 0 ? MINUS : ''}${grouped(whole)}${rest}`;
}

/**
 * The texts of two different values, such as `5,200` and `0`. Decimals have seven significant digits, such as `5.821196`.
 * When both texts would be equal, they have all digits.
 */
export function exactPair(from: number, to: number): readonly [string, string] {
  const [one, other] = [from, to].map(inSevenDigits) as [string, string];
  return one === other ? [exact(from), exact(to)] : [one, other];
}

const inSevenDigits = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) < 1e-6
    ? exact(value)
    : `${value < 0 ? MINUS : ''}${significantDigits(Math.abs(value), 7)}`;

/** A number of bytes: `12.3 kB`. */
export function size(bytes: number): string {
  // 999,960 bytes would be rounded to 1000.0 kB, so they are given as 1.0 MB.
  const [unit, word] = BYTES.find(([from]) => bytes >= 0.99995 * from) ?? [1, 'B'];
  return `${unit === 1 ? count(bytes) : (bytes / unit).toFixed(1)} ${word}`;
}

/** Years: `2003–2030`, or with gaps `2003–2010, 2012`. With many gaps: `2003–2030 with 9 gaps`. */
export function yearSpans(all: Iterable<number>): string {
  const years = ascending(all);
  const runs = yearRuns(years);
  const pieces = runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  if (pieces.length <= MOST_SPANS) return pieces.join(', ');
  return `${years[0]}–${years.at(-1)} with ${counted(runs.length - 1, 'gap')}`;
}

/** The first and last year of each run of successive years. The years are ascending. */
export function yearRuns(years: readonly number[]): [from: number, to: number][] {
  const runs: [from: number, to: number][] = [];
  for (const year of years) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === year - 1) last[1] = year;
    else runs.push([year, year]);
  }
  return runs;
}

/** The first `most` names: `Malta, Norway and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most);
  const unnamed = names.length - shown.length;
  if (unnamed > 0) return `${shown.join(', ')} and ${count(unnamed)} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The first `most` names as lines, then `and 3 more` as the last line. */
export function listedLines(names: readonly string[], most: number): readonly string[] {
  const unnamed = names.length - most;
  return unnamed > 0 ? [...names.slice(0, most), `and ${count(unnamed)} more`] : names;
}

const MINUS = '−';

const MOST_SPANS = 6;

const MAGNITUDES = [
  [1e12, 1e12, ' tn'],
  [1e9, 1e9, ' bn'],
  [1e6, 1e6, ' m'],
  // Amounts below ten thousand have no unit, because it would not make them shorter.
  [1e4, 1e3, ' k'],
] as const;

const BYTES = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

const sign = (n: number) => (n < 0 ? MINUS : '+');

/** The digits of a whole number in groups of three: `31,142`. */
const grouped = (wholeDigits: string) => wholeDigits.replace(/\B(?=(\d{3})+$)/g, ',');

/**
 * A number that is not negative, rounded to `most` significant digits. All digits before the decimal point stay:
 * `1,234,568`, `0.0012`.
 *
 * `toLocaleString` for `en-US` gives the same text, but its first call takes 5 ms and every other call 0.05 ms.
 */
export function significantDigits(n: number, most: number): string {
  const [mantissa = '', exponent] = n.toExponential().split('e');
  const all = mantissa.replace('.', '');
  const before = Number(exponent) + 1;
  const shown = Math.max(most, before > 0 ? String(Math.trunc(n)).length : 0);
  const [rounded, carry] = all.length > shown ? roundedTo(all, shown) : [all, 0];
  const point = before + carry;
  const significant = rounded.replace(/0+$/, '');
  if (significant === '') return '0';
  const rest = point > 0 ? significant.slice(point) : '0'.repeat(-point) + significant;
  const whole = point > 0 ? grouped(significant.slice(0, point).padEnd(point, '0')) : '0';
  return rest === '' ? whole : `${whole}.${rest}`;
}

/**
 * The first digits of a number, rounded half up. The carry is 1 when rounding makes the number one digit longer: `996`
 * rounded to two digits is `10` with a carry of 1, which means 1000.
 */
function roundedTo(allDigits: string, length: number): [digits: string, carry: 0 | 1] {
  const significant = allDigits.slice(0, length);
  if (allDigits.charCodeAt(length) < CODE_OF_5) return [significant, 0];
  const nines = /9*$/.exec(significant)?.[0].length ?? 0;
  if (nines === length) return ['1', 1];
  const last = length - nines - 1;
  return [significant.slice(0, last) + String(Number(significant[last]) + 1), 0];
}

const CODE_OF_5 = 53;
