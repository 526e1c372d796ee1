// A growing list of whole numbers. It is a typed array, which takes less memory than a plain array.

export type GrowingList = ReturnType<typeof createGrowingList>;

/** An empty list with room for `capacity` whole numbers below 2³². It doubles when it is full. */
export function createGrowingList(capacity = 1024) {
  let numbers = new Uint32Array(capacity);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= numbers.length) return;
    const larger = new Uint32Array(Math.max(2 * numbers.length, length + more));
    larger.set(numbers.subarray(0, length));
    numbers = larger;
  };
  return {
    push(value: number): void {
      reserve(1);
      numbers[length++] = value;
    },
    pushAll(values: Uint32Array): void {
      reserve(values.length);
      numbers.set(values, length);
      length += values.length;
    },
    /** A view of the numbers so far. It is valid until the next one is added. */
    view: (): Uint32Array => numbers.subarray(0, length),
  };
}
