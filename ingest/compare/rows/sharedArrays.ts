// Makes arrays in shared memory, so that the thread that finds patterns reads the rows of a comparison without a copy.

const shared = (bytes: number) => new SharedArrayBuffer(bytes);

/** An array of `count` doubles in shared memory. */
export const sharedFloats = (count: number): Float64Array =>
  new Float64Array(shared(count * Float64Array.BYTES_PER_ELEMENT));

/** An array of `count` integers of 32 bits in shared memory. */
export const sharedIntegers = (count: number): Int32Array =>
  new Int32Array(shared(count * Int32Array.BYTES_PER_ELEMENT));

/** An array of `count` bytes in shared memory. */
export const sharedBytes = (count: number): Uint8Array => new Uint8Array(shared(count));

/** An array for `count` codes below 65,536 in shared memory. */
export const sharedNarrowCodes = (count: number): Uint16Array =>
  new Uint16Array(shared(count * Uint16Array.BYTES_PER_ELEMENT));

/** An array for `count` larger codes in shared memory. */
export const sharedWideCodes = (count: number): Uint32Array =>
  new Uint32Array(shared(count * Uint32Array.BYTES_PER_ELEMENT));
