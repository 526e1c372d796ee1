// A list of whole numbers that grows, in a typed array: it takes a fraction of the memory of an array of numbers.

export interface GrowingList {
  readonly length: number;
  push(value: number): void;
  pushAll(values: Uint32Array): void;
  /** The numbers so far: valid until the next one is added. */
  view(): Uint32Array;
}

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
    get length() {
      return length;
    },
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
