// Reuses the large buffers that pages are written in: fresh memory costs more than what is written into it.

/** Bytes that are valid until they are released; their buffer may then be overwritten. */
export interface BufferLease {
  readonly bytes: Buffer;
  /** Whether the buffer returns to a pool: it must not be read after `release`. */
  readonly isPooled: boolean;
  /** Returns the buffer, once nobody reads it any more. A lease that is never released is collected as garbage. */
  release(): void;
  /** The same bytes without a lease, copied where the buffer is pooled. Ends the lease. */
  detach(): Buffer;
}

export interface BufferPool {
  /** A buffer with any content, at least 256 KB. */
  acquire(): Buffer;
  /** Leases the first `length` bytes of a buffer that was acquired here, or of a larger one that replaced it. */
  lease(buffer: Buffer, length: number): BufferLease;
}

/** Bytes that belong to no pool. */
export const unpooled = (bytes: Buffer): BufferLease => ({
  bytes,
  isPooled: false,
  release() {},
  detach: () => bytes,
});

const BUFFER_BYTES = 2 ** 18;
const MAX_IDLE_BUFFERS = 8;
/** A buffer that has grown beyond this is not reused. */
const MAX_IDLE_BUFFER_BYTES = 2 ** 22;
/** Fewer bytes, about 280 rows, are copied out at once: leasing a whole buffer for them would waste it. */
const MIN_LEASED_BYTES = 2 ** 16;

export function createBufferPool(): BufferPool {
  const idle: Buffer[] = [];
  const giveBack = (buffer: Buffer) => {
    if (idle.length < MAX_IDLE_BUFFERS && buffer.length <= MAX_IDLE_BUFFER_BYTES) idle.push(buffer);
  };
  return {
    acquire: () => idle.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES),
    lease(buffer, length) {
      const bytes = buffer.subarray(0, length);
      if (length >= MIN_LEASED_BYTES) return leaseOf(bytes, () => giveBack(buffer));
      const copy = Buffer.from(bytes);
      giveBack(buffer);
      return unpooled(copy);
    },
  };
}

/** Allocates every buffer anew. */
export const noBufferPool = (): BufferPool => ({
  acquire: () => Buffer.allocUnsafeSlow(BUFFER_BYTES),
  lease: (buffer, length) => unpooled(buffer.subarray(0, length)),
});

function leaseOf(bytes: Buffer, giveBack: () => void): BufferLease {
  let isReleased = false;
  const release = () => {
    if (isReleased) throw new Error('a buffer was released twice');
    isReleased = true;
    giveBack();
  };
  return {
    bytes,
    isPooled: true,
    release,
    detach() {
      const copy = Buffer.from(bytes);
      release();
      return copy;
    },
  };
}
