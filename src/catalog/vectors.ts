// Reads the numbers of an engine's result without a copy and without a call per value.

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

interface Chunk {
  readonly rowCount: number;
  getColumnVector(column: number): object;
}

/**
 * One column of a chunk, one number per row: a view that lives as long as the chunk. The column must be free of
 * NULL, which only the query can promise.
 */
export function numbersOf(chunk: Chunk, column: number): Numbers {
  // The typed array behind a vector is not public; reading value by value takes twenty times as long.
  const { items } = chunk.getColumnVector(column) as { items?: unknown };
  if (!ArrayBuffer.isView(items) || items instanceof DataView) {
    throw new Error(`column ${column} of a result is not numeric`);
  }
  const numbers = items as Numbers;
  if (numbers.length !== chunk.rowCount) {
    throw new Error(`column ${column} holds ${numbers.length} numbers for ${chunk.rowCount} rows`);
  }
  return numbers;
}
