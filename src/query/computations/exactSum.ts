// Adds doubles exactly, one sum per group. The result is rounded once, so it does not depend on the order of addition.

export type ExactSums = ReturnType<typeof createExactSums>;

/**
 * Sums for groups `0` to `groups - 1`.
 *
 * 1. Each group holds two doubles, `high` and `low`, whose exact sum is the sum so far.
 * 2. Adding a value to `high` leaves an error that is a double itself (Knuth's TwoSum). It is added to `low`.
 * 3. That addition leaves an error too. It is zero as long as the values span fewer than 106 bits, which ordinary
 *    figures do. Otherwise it goes into an integer of unlimited size, in units of the smallest double.
 * 4. The sum is `high + low`, rounded once. Where an integer exists, it is the rounded sum of all three.
 */
export function createExactSums(groups: number) {
  const high = new Float64Array(groups);
  const low = new Float64Array(groups);
  /** By group: what `high` and `low` cannot hold, in units of the smallest double. */
  const remainders = new Map<number, bigint>();

  function addToRemainder(group: number, value: number): void {
    remainders.set(group, (remainders.get(group) ?? 0n) + units(value));
  }

  function add(group: number, value: number): void {
    const before = high[group] ?? 0;
    const sum = before + value;
    // TwoSum: `added` is the part of the value that the sum holds.
    const added = sum - before;
    const error = before - (sum - added) + (value - added);
    // Near the end of the range of a double, the sum or `added` may be infinite. The error is NaN then.
    if (Number.isNaN(error)) {
      addToRemainder(group, value);
      return;
    }
    high[group] = sum;
    if (error === 0) return;
    const lowBefore = low[group] ?? 0;
    const lowSum = lowBefore + error;
    const lowAdded = lowSum - lowBefore;
    const lowError = lowBefore - (lowSum - lowAdded) + (error - lowAdded);
    low[group] = lowSum;
    if (lowError !== 0) addToRemainder(group, lowError);
  }

  return {
    add,
    /**
     * Adds the value of each row to the row's group, and counts it in `present`. NaN stands for a missing value.
     *
     * @param groups the group of each element of `rows`.
     */
    addAll(values: Float64Array, rows: Uint32Array, groups: Uint32Array, present: Uint32Array): void {
      for (let i = 0; i < rows.length; i++) {
        const value = values[rows[i] ?? 0] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        const group = groups[i] ?? 0;
        add(group, value);
        present[group] = (present[group] ?? 0) + 1;
      }
    },
    /** The double nearest to the exact sum, ties to even; infinite when the exact sum is beyond the range of a double. */
    sum(group: number): number {
      const [highPart, lowPart] = [high[group] ?? 0, low[group] ?? 0];
      const remainder = remainders.get(group);
      return remainder === undefined
        ? highPart + lowPart
        : rounded(remainder + units(highPart) + units(lowPart));
    },
    clear(group: number): void {
      high[group] = 0;
      low[group] = 0;
      remainders.delete(group);
    },
  };
}

/** The smallest positive double is 2⁻¹⁰⁷⁴. */
const SMALLEST_EXPONENT = 1074n;
const FRACTION_BITS = 52n;
const bits = new DataView(new ArrayBuffer(8));

function units(value: number): bigint {
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const fraction = word & 0xfffffffffffffn;
  const exponent = (word >> FRACTION_BITS) & 0x7ffn;
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << FRACTION_BITS)) << (exponent - 1n);
  return word >> 63n === 1n ? -magnitude : magnitude;
}

/** The double nearest to a multiple of the smallest positive double, ties to even. */
function rounded(multiple: bigint): number {
  const magnitude = multiple < 0n ? -multiple : multiple;
  const surplus = BigInt(Math.max(0, magnitude.toString(2).length - 53));
  let significant = magnitude >> surplus;
  const dropped = magnitude - (significant << surplus);
  const half = surplus === 0n ? 0n : 1n << (surplus - 1n);
  if (surplus > 0n && (dropped > half || (dropped === half && (significant & 1n) === 1n))) significant += 1n;
  // A number of 53 bits times a power of two is exact, or infinite when it is beyond the range. It is multiplied in two
  // steps, because the power itself may be beyond the range.
  const exponent = Number(surplus - SMALLEST_EXPONENT);
  const step = Math.max(exponent, -1000);
  const result = Number(significant) * 2 ** step * 2 ** (exponent - step);
  return multiple < 0n ? -result : result;
}
