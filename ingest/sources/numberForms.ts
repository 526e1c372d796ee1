// Tells from the text of a number whether dots may separate its thousands, and whether a program may have dropped digits.

/** Whether a dot may separate thousands: `404.021` is a number with three decimals in JSON, and 404,021 to many people. */
export const looksGrouped = (text: string): boolean => /^-?[1-9]\d{0,2}\.\d{3}$/.test(text.trim());

/** Whether a text is a whole number below a thousand, such as `950`, which has no separator in any style. */
export const isBelowThousand = (text: string): boolean => /^-?\d{1,3}$/.test(text.trim());

/**
 * The digits of a number that a spreadsheet program saved as `1.00E+07` or `1,00E+07`: how many the text shows, and how
 * many the whole part of the number has. Null when no digit is missing, and for any other text.
 */
export function digitsShown(text: string): { shown: number; whole: number } | null {
  const [, decimals, exponent] = /^-?\d(?:[.,](\d{1,5}))?E\+(\d{2,3})$/.exec(text.trim()) ?? [];
  if (exponent === undefined) return null;
  const shown = 1 + (decimals ?? '').length;
  const whole = Number(exponent) + 1;
  return whole > shown ? { shown, whole } : null;
}

/**
 * Whether a spreadsheet program may have dropped digits of a number below 1 when it saved the number as `6.12E-05`. A cell
 * of the usual width has room for two decimals. Other programs write a small `e`, or all digits.
 */
export const mayLackDecimals = (text: string): boolean => /^-?\d[.,]\d{2}E-\d{2,3}$/.test(text.trim());

/**
 * Whether a program may have left out digits of a number that it wrote as `1.80851e+08`. True when the text shows at most
 * seven digits, and fewer than the whole part of the number has. False when it shows more than seven, because such a
 * program writes all digits. Null for any other text.
 *
 * Null also for `1.5e+08`, which R writes for 150000000 because it is shorter, and for `1.80851E8`, as Java writes large
 * numbers.
 */
export function mayLackDigits(text: string): boolean | null {
  const [, decimals = '', exponent = ''] = /^-?\d(?:[.,](\d+))?[eE]\+(\d{2,3})$/.exec(text.trim()) ?? [];
  if (exponent === '') return null;
  const shown = 1 + decimals.length;
  const whole = Number(exponent) + 1;
  if (shown > MOST_SHORT_DIGITS) return false;
  if (shown >= whole) return null;
  const mayBeOfR = /e\+/.test(text) && text.trim().replace('-', '').length <= whole;
  return mayBeOfR ? null : true;
}

/** The most digits that the short formats of many programs write: six with `%g`, seven with `%e` and for 32-bit numbers. */
const MOST_SHORT_DIGITS = 7;

/**
 * Whether a text beside a number is a unit of shares smaller than a percent: per mille, per ten thousand or basis points.
 */
export const isSmallShare = (text: string): boolean =>
  /^\s*(?:[‰‱]|per ?mille?|pro ?mille|promille|bps?|basis points?)\s*$/iu.test(text);

/**
 * Whether a text beside a number says that it is in percent, such as the `%` of the number format `0\%`, which shows 5 as
 * `5%`.
 */
export const isPercent = (text: string): boolean =>
  /^\s*(?:%.*|per ?cent|pct\.?|prozent|pour ?cent|por ciento)\s*$/isu.test(text);

/** The digits of a number without its sign, its separators and leading zeros. */
const digitsOf = (text: string): string => text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');

/** A decimal number of up to this many digits keeps all of them when it is read as a double. */
export const EXACT_DIGITS = 15;

/** Powers of ten that a double represents exactly. A division by one of them rounds only once, as correct parsing does. */
export const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, i) => 10 ** i);

/** The largest precision that JavaScript's `toPrecision` accepts. */
const MOST_DIGITS = 100;

/**
 * Whether digits were lost when the text of a number was read as a double. None are lost when the text has all digits of a
 * double, even if they are more than 15.
 */
export function losesDigits(text: string, value: number): boolean {
  if (text.length <= EXACT_DIGITS) return false;
  const digits = digitsOf(text);
  if (digits.length <= EXACT_DIGITS) return false;
  return digitsOf(value.toPrecision(Math.min(digits.length, MOST_DIGITS))) !== digits.slice(0, MOST_DIGITS);
}

/** Whether a text of a number other than 0 was read as 0, because it is nearer to 0 than any other double: `1e-400`. */
export const vanishes = (text: string, value: number): boolean => value === 0 && /^[^eE]*[1-9]/.test(text);
