// The sums of many groups of figures, with Kahan's correction of rounding errors.

export class GroupSums {
  #totals: Float64Array;
  #lost: Float64Array;

  constructor(groups: number) {
    this.#totals = new Float64Array(groups).fill(Number.NaN);
    this.#lost = new Float64Array(groups);
  }

  /** NaN for a group without a value. */
  at(group: number): number {
    return this.#totals[group] as number;
  }

  /** Makes room for this number of groups. */
  expect(groups: number): void {
    const [totals, lost] = [this.#totals, this.#lost];
    if (groups <= totals.length) return;
    const room = Math.max(groups, 2 * totals.length);
    this.#totals = new Float64Array(room).fill(Number.NaN);
    this.#lost = new Float64Array(room);
    this.#totals.set(totals);
    this.#lost.set(lost);
  }

  /** A missing value, NaN, adds nothing. */
  add(group: number, value: number): void {
    addCorrected(this.#totals, this.#lost, group, value);
  }

  /** Adds the values of all rows in `list`, or their absolute values, each to its group. */
  addRows(list: Int32Array, groupOf: Int32Array, values: Float64Array, isAbsolute: boolean): void {
    const [totals, lost] = [this.#totals, this.#lost];
    for (let at = 0; at < list.length; at += 1) {
      const value = values[list[at] as number] as number;
      addCorrected(totals, lost, groupOf[at] as number, isAbsolute ? Math.abs(value) : value);
    }
  }
}

function addCorrected(totals: Float64Array, lost: Float64Array, group: number, value: number): void {
  if (Number.isNaN(value)) return;
  const sum = totals[group] as number;
  if (Number.isNaN(sum)) {
    totals[group] = value;
    return;
  }
  const corrected = value - (lost[group] as number);
  const total = sum + corrected;
  lost[group] = total - sum - corrected;
  totals[group] = total;
}
