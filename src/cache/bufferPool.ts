// Reuses the large buffers that pages are written to, because allocating one takes longer than writing a page.

/** Bytes that are valid until `release` is called. After that, their buffer may be overwritten. */
export interface BufferLease {
  readonly bytes: Buffer;
  /** Whether `release` returns the buffer to a pool. */
  readonly isPooled: boolean;
  /** Returns the buffer to its pool. A lease that is never released is freed by the garbage collector instead. */
  release(): void;
  /** Ends the lease, and gives bytes that stay valid: a copy if the buffer is pooled. */
  detach(): Buffer;
}

export interface BufferPool {
  /** A buffer with undefined content, of at least the size that the pool was made for. */
  acquire(): Buffer;
  /** Leases the first `length` bytes of a buffer that was acquired here, or of a larger one that replaced it. */
  lease(buffer: Buffer, length: number): BufferLease;
  /** The memory of the buffers that are not in use. */
  readonly idleBytes: number;
}

/** A lease of bytes that belong to no pool. */
export const unpooledLease = (bytes: Buffer): BufferLease => ({
  bytes,
  isPooled: false,
  release() {},
  detach: () => bytes,
});

const BUFFER_BYTES = 2 ** 18;
/**
 * How many idle buffers a pool keeps. All requests that one call of the gate admits are rendered before the first answer is
 * sent. So each of them needs a buffer at the same time.
 */
const MAX_IDLE_BUFFERS = 32;
const MAX_IDLE_BUFFER_BYTES = 2 ** 20;
/** The most memory of the idle buffers of a pool. */
export const POOL_CAPACITY_BYTES = MAX_IDLE_BUFFERS * MAX_IDLE_BUFFER_BYTES;
/**
 * Fewer bytes than this are copied, so that a slow client does not keep a whole buffer for them. Copies of more bytes
 * would lie outside V8's heap, and V8 collects garbage too often when much memory is allocated there.
 */
const MIN_LEASED_BYTES = 2 ** 11;

/** A pool without buffers. `acquire` allocates a buffer of `bufferBytes` when the pool has no idle one. */
export function createBufferPool(bufferBytes = BUFFER_BYTES): BufferPool {
  const idle: Buffer[] = [];
  const giveBack = (buffer: Buffer) => {
    if (idle.length < MAX_IDLE_BUFFERS && buffer.length <= MAX_IDLE_BUFFER_BYTES) idle.push(buffer);
  };
  return {
    get idleBytes() {
      return idle.reduce((sum, { length }) => sum + length, 0);
    },
    acquire: () => idle.pop() ?? Buffer.allocUnsafeSlow(bufferBytes),
    lease(buffer, length) {
      const bytes = buffer.subarray(0, length);
      if (length >= MIN_LEASED_BYTES) return leaseOf(bytes, () => giveBack(buffer));
      const copy = Buffer.from(bytes);
      giveBack(buffer);
      return unpooledLease(copy);
    },
  };
}

/** The stand-in that does nothing: allocates every buffer anew. */
export const noBufferPool = (bufferBytes = BUFFER_BYTES): BufferPool => ({
  idleBytes: 0,
  acquire: () => Buffer.allocUnsafeSlow(bufferBytes),
  lease: (buffer, length) => unpooledLease(buffer.subarray(0, length)),
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
