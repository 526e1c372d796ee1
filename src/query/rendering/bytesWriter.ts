// Writes a body as bytes into a growing buffer, without converting bytes and numbers to text first.

import type { BufferLease, BufferPool } from '../../cache/bufferPool.ts';

/** Collects the bytes of one body. After `take` it must not be used again. */
export class BytesWriter {
  readonly #pool: BufferPool;
  #buffer: Buffer;
  #filled = 0;

  constructor(pool: BufferPool) {
    this.#pool = pool;
    this.#buffer = pool.acquire();
  }

  /** The size of the buffer that the writer occupies until `take`. */
  get bufferBytes(): number {
    return this.#buffer.length;
  }

  get length(): number {
    return this.#filled;
  }

  text(text: string): void {
    // UTF-8 needs at most three bytes for each UTF-16 unit of a string.
    this.#reserve(3 * text.length);
    this.#filled += this.#buffer.write(text, this.#filled);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** Writes a finite number as JSON.stringify does. */
  number(value: number): void {
    const magnitude = Math.abs(value);
    const hundredths = Math.round(magnitude * 100);
    const millionths = Math.round(magnitude * 1e6);
    if (hundredths < EXACT_BELOW && hundredths / 100 === magnitude) this.#decimal(value, hundredths, 2);
    else if (millionths < EXACT_BELOW && millionths / 1e6 === magnitude) this.#decimal(value, millionths, 6);
    else this.text(String(value));
  }

  /** Removes the last `count` bytes. */
  drop(count: number): void {
    this.#filled -= count;
  }

  /** Gives everything that was written. The caller releases it. */
  take(): BufferLease {
    const lease = this.#pool.lease(this.#buffer, this.#filled);
    this.#buffer = NO_BUFFER;
    this.#filled = 0;
    return lease;
  }

  #reserve(bytes: number): void {
    const needed = this.#filled + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#filled);
    this.#buffer = larger;
  }

  /**
   * Writes a decimal fraction without trailing zeros.
   *
   * @param digits all digits of `value`, without its sign and decimal point.
   * @param places how many of them are behind the decimal point.
   */
  #decimal(value: number, digits: number, places: 2 | 6): void {
    this.#reserve(MAX_DECIMAL_BYTES);
    if (value < 0) this.#buffer[this.#filled++] = MINUS;
    const unit = places === 2 ? 100 : 1e6;
    const whole = Math.floor(digits / unit);
    const high = Math.floor(whole / 1e9);
    if (high > 0) {
      this.#digits(high, digitsOf(high));
      this.#digits(whole - high * 1e9, 9);
    } else this.#digits(whole, digitsOf(whole));
    const fraction = digits - whole * unit;
    if (fraction === 0) return;
    this.#buffer[this.#filled++] = POINT;
    this.#digits(fraction, places);
    while (this.#buffer[this.#filled - 1] === ZERO) this.#filled -= 1;
  }

  /** Writes a whole number below 2³¹, padded with zeros on the left to `count` digits. */
  #digits(number: number, count: number): void {
    const buffer = this.#buffer;
    let rest = number | 0;
    this.#filled += count;
    for (let i = this.#filled - 1; i >= this.#filled - count; i--) {
      const tens = (rest / 10) | 0;
      buffer[i] = ZERO + rest - 10 * tens;
      rest = tens;
    }
  }
}

const NO_BUFFER = Buffer.alloc(0);

/** No two decimals of at most 15 digits are the same double, so such a decimal is the shortest text of its double. */
const EXACT_BELOW = 1e15;
/** `#decimal` writes fewer bytes than this: a sign, at most 15 digits with leading zeros, and a point. */
const MAX_DECIMAL_BYTES = 32;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];

const digitsOf = (whole: number) => {
  let digits = 1;
  for (let limit = 10; whole >= limit; limit *= 10) digits += 1;
  return digits;
};
