// Tells from the text of a number what a program may have done to it: dots between thousands, digits lost.

/** `404.021`: as JSON a number with three decimals, and to many people four hundred thousand. */
export const looksGrouped = (text: string): boolean => /^-?[1-9]\d{0,2}\.\d{3}$/.test(text.trim());

/** `950`: below a thousand, a number with thousands separators has none. */
export const isBelowThousand = (text: string): boolean => /^-?\d{1,3}$/.test(text.trim());

/**
 * How many digits of a number are left when a spreadsheet program saved it as `1.00E+07` or `1,00E+07`; null for any other text, and
 * where no digit is missing.
 */
export function digitsLeft(text: string): { shown: number; whole: number } | null {
  const [, decimals, exponent] = /^-?\d(?:[.,](\d{1,5}))?E\+(\d{2,3})$/.exec(text.trim()) ?? [];
  if (exponent === undefined) return null;
  const shown = 1 + (decimals ?? '').length;
  const whole = Number(exponent) + 1;
  return whole > shown ? { shown, whole } : null;
}

/**
 * Whether a spreadsheet program may have left out digits of a number below 1 when it saved it as `6.12E-05`: two decimals are what
 * fits into a cell of the usual width. Other programs write a small `e`, or all digits.
 */
export const mayLackDecimals = (text: string): boolean => /^-?\d[.,]\d{2}E-\d{2,3}$/.test(text.trim());

/** Whether a text beside a number makes it a share smaller than percent: per mille, per ten thousand or basis points. */
export const isSmallShare = (text: string): boolean =>
  /^\s*(?:[‰‱]|per ?mille?|pro ?mille|promille|bps?|basis points?)\s*$/iu.test(text);

/** Whether a text beside a number says that it is in percent, such as the `%` of the number format `0\%`, which shows 5 as `5%`. */
export const isPercent = (text: string): boolean =>
  /^\s*(?:%.*|per ?cent|pct\.?|prozent|pour ?cent|por ciento)\s*$/isu.test(text);

/** The digits of a number without its sign, its separators and leading zeros. */
const digitsOf = (text: string): string => text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');

/** Doubles represent all decimals of this many digits. */
const EXACT_DIGITS = 15;

/** The most digits that `toPrecision` accepts. */
const MOST_DIGITS = 100;

/** Whether a number has digits that were lost when its text was read as a double. A double that is written with all its digits loses none. */
export function losesDigits(text: string, value: number): boolean {
  if (text.length <= EXACT_DIGITS) return false;
  const digits = digitsOf(text);
  if (digits.length <= EXACT_DIGITS) return false;
  return digitsOf(value.toPrecision(Math.min(digits.length, MOST_DIGITS))) !== digits.slice(0, MOST_DIGITS);
}

/** Whether a text of a number other than 0 was read as 0, because it is nearer to 0 than any other double: `1e-400`. */
export const vanishes = (text: string, value: number): boolean => value === 0 && /^[^eE]*[1-9]/.test(text);
