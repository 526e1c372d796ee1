// Stores the prepared texts of rows. All tables of the process share one limit on the memory.

/** The most memory for the prepared texts of all open tables. A text beyond it is not stored, but made for each answer. */
export const ROW_TEXTS_CAPACITY_BYTES = 64 * 2 ** 20;

/** The memory that the prepared texts of all tables take now. */
export const rowTextsBytes = (): number => storedBytes;

/** The prepared texts of one table in one format. Their memory is freed when the table is garbage. */
export interface RowTexts {
  /** Counts memory that the caller takes in any case, even beyond the limit. */
  reserve(bytes: number): void;
  /** The text as bytes; null when they would exceed the limit. */
  store(text: string): Uint8Array | null;
}

/** An empty store for one table. Its texts count towards the memory that all stores share. */
export function createRowTexts(capacityBytes: number = ROW_TEXTS_CAPACITY_BYTES): RowTexts {
  const taken = { bytes: 0 };
  const take = (bytes: number) => {
    taken.bytes += bytes;
    storedBytes += bytes;
  };
  // Short texts share blocks. In Node's own pool they would share memory with short-lived buffers, and one text would
  // keep all of that memory.
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

/** The memory of the object that refers to a text in a block. */
const VIEW_BYTES = 128;
