// Tells from the text of a number what a program may have done to it: dots between thousands, digits lost.

/** `404.021`: as JSON a number with three decimals, and to many people four hundred thousand. */
export const looksGrouped = (text: string): boolean => /^-?[1-9]\d{0,2}\.\d{3}$/.test(text.trim());

/** `950`: below a thousand, a number with thousands separators has none. */
export const isBelowThousand = (text: string): boolean => /^-?\d{1,3}$/.test(text.trim());

/**
 * How many digits of a number are left when a spreadsheet program saved it as `1.00E+07`; null for any other text, and
 * where no digit is missing.
 */
export function digitsLeft(text: string): { shown: number; whole: number } | null {
  const [, decimals, exponent] = /^-?\d(?:\.(\d{1,5}))?E\+(\d{2,3})$/.exec(text.trim()) ?? [];
  if (exponent === undefined) return null;
  const shown = 1 + (decimals ?? '').length;
  const whole = Number(exponent) + 1;
  return whole > shown ? { shown, whole } : null;
}
