// Counts the digits of figures, because chance hardly makes two figures of many digits equal.

/** From this number of digits on, chance does not explain that a figure occurs twice. */
const MANY_DIGITS = 6;

/** Whether a number has so many digits that chance does not explain an equal figure. */
export const hasManyDigits = (value: number): boolean => hasDigits(value, MANY_DIGITS);

/** Whether a number has at least this many digits without the zeros at its end. */
export const hasDigits = (value: number, fewest: number): boolean => digitsOf(value).count >= fewest;

/** How many digits a number has without the zeros at its end, and the unit of the last of them. */
export function digitsOf(value: number): { readonly count: number; readonly unit: number } {
  // Most figures are whole numbers or have two or four decimals. Arithmetic is several times as fast as texts.
  const amount = Math.abs(value);
  for (const places of [0, 2, 4]) {
    const shifted = Math.round(amount * 10 ** places);
    if (shifted > 0 && shifted < LARGEST_SHIFTED && shifted / 10 ** places === amount)
      return digitsOfWhole(shifted, places);
  }
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const count = digits.replace('.', '').length;
  return { count, unit: 10 ** (Number(exponent) - count + 1) };
}

/** Below this, a double names its decimal number exactly: no other one of at most 15 digits has the same double. */
const LARGEST_SHIFTED = 1e15;

/** The digits of a whole number above 0, and the unit of the last of them after a division by a power of ten. */
function digitsOfWhole(whole: number, places: number): { readonly count: number; readonly unit: number } {
  let [rest, zeros, count] = [whole, 0, 1];
  for (; rest % 10 === 0; rest /= 10) zeros += 1;
  for (let bound = 10; rest >= bound; bound *= 10) count += 1;
  return { count, unit: 10 ** (zeros - places) };
}
