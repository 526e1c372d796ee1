// Counts the digits of figures: those of many digits are not equal by chance, and more decimals than usual were computed.

/** Whether a number has at least this many digits. Zeros at its end do not count. */
export const hasDigits = (value: number, digits: number): boolean =>
  Number(value.toPrecision(digits - 1)) !== value;

/** The number of decimals, up to six. Arithmetic with doubles makes 2.3000000000000003 of 2.2 + 0.1, which has one. */
export function decimalsOf(value: number): number {
  for (let decimals = 0; decimals < 6; decimals += 1) {
    const scaled = Math.abs(value) * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-7) return decimals;
  }
  return 6;
}
