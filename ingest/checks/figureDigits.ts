// Counts the digits and the decimals of figures. Chance hardly makes two figures of many digits equal.

/** Whether a number has at least this many significant digits. Zeros at its end do not count. */
export const hasDigits = (value: number, digits: number): boolean =>
  Number(value.toPrecision(digits - 1)) !== value;

/**
 * The number of decimals, at most six. Rounding errors do not count: 2.2 + 0.1 is 2.3000000000000003, and has one decimal.
 */
export function decimalsOf(value: number): number {
  for (let decimals = 0; decimals < 6; decimals += 1) {
    const scaled = Math.abs(value) * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-7) return decimals;
  }
  return 6;
}
