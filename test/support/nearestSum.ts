// An exact sum as a reference for tests: integers of unlimited size, then a search for the nearest double.

/** The double nearest to the exact sum, ties to even. */
export function nearestSum(values: readonly number[]): number {
  const signed = values.reduce((sum, value) => sum + scaled(value), 0n);
  const total = signed < 0n ? -signed : signed;
  // Positive doubles are ordered as their bits are, read as integers. The search finds the largest double up to the total.
  let [low, high] = [0n, INFINITE];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (scaled(double(middle)) <= total) low = middle;
    else high = middle;
  }
  // After the largest double, the next one would be 2 to the power of 1024.
  const above = high === INFINITE ? (2n ** 1024n) << 1074n : scaled(double(high));
  const [down, up] = [total - scaled(double(low)), above - total];
  const place = down < up || (down === up && low % 2n === 0n) ? low : high;
  return (signed < 0n ? -1 : 1) * double(place) + 0;
}

const INFINITE = 0x7ff0000000000000n;
const view = new DataView(new ArrayBuffer(8));

/** The double with these 64 bits. */
function double(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** A double as a multiple of the smallest one, 2 to the power of -1074. */
function scaled(value: number): bigint {
  let exponent = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent += 1;
  }
  return (BigInt(mantissa) << 1074n) >> BigInt(exponent);
}
