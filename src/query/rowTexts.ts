// Stores the prepared texts of rows, within one limit for all tables of the process.

/** The most memory for the prepared texts of all open tables. Beyond it, texts are made again for every row. */
export const ROW_TEXTS_CAPACITY_BYTES = 64 * 2 ** 20;

/** The memory that they take now. */
export const rowTextsBytes = (): number => storedBytes;

/** The texts of one table in one format. Their memory is free again once the table is not used any more. */
export interface RowTexts {
  /** Counts memory that is used regardless of the limit. */
  reserve(bytes: number): void;
  /** The text as bytes; null when they would exceed the limit. */
  store(text: string): Uint8Array | null;
}

export function createRowTexts(capacityBytes: number = ROW_TEXTS_CAPACITY_BYTES): RowTexts {
  const taken = { bytes: 0 };
  const take = (bytes: number) => {
    taken.bytes += bytes;
    storedBytes += bytes;
  };
  // Short texts share blocks: node's own pool would mix them with buffers that are soon garbage.
  let block = Buffer.alloc(0);
  let used = 0;
  const texts: RowTexts = {
    reserve: take,
    store(text) {
      const length = Buffer.byteLength(text);
      if (storedBytes + length + VIEW_BYTES > capacityBytes) return null;
      if (used + length > block.length) {
        block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length));
        used = 0;
      }
      const bytes = block.subarray(used, used + length);
      bytes.write(text);
      used += length;
      take(length + VIEW_BYTES);
      return bytes;
    },
  };
  collected.register(texts, taken);
  return texts;
}

let storedBytes = 0;

const collected = new FinalizationRegistry<{ readonly bytes: number }>(({ bytes }) => {
  storedBytes -= bytes;
});

const BLOCK_BYTES = 2 ** 16;

/** A view of a block, as V8 stores it. */
const VIEW_BYTES = 128;
