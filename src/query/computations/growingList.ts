// A growing list of whole numbers. It is a typed array, which takes less memory than a plain array.

/** A list of whole numbers below 2³². */
export interface GrowingList {
  push(value: number): void;
  pushAll(values: Uint32Array): void;
  /** A view of the numbers so far. It is valid until the next one is added. */
  view(): Uint32Array;
}

/** An empty list with room for `capacity` numbers. It doubles when it is full. */
export function growingList(capacity = 1024): GrowingList {
  let numbers = new Uint32Array(capacity);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= numbers.length) return;
    const larger = new Uint32Array(Math.max(2 * numbers.length, length + more));
    larger.set(numbers.subarray(0, length));
    numbers = larger;
  };
  return {
    push(value) {
      reserve(1);
      numbers[length++] = value;
    },
    pushAll(values) {
      reserve(values.length);
      numbers.set(values, length);
      length += values.length;
    },
    view: () => numbers.subarray(0, length),
  };
}
