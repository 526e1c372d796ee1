// Puts JSON together as bytes in a room that grows: no text is made of what is bytes already, or of a number.

// Used by one page after the other; each leaves with a copy of its own.
let scratch = Buffer.allocUnsafe(2 ** 18);
/** A larger one is not kept. */
const SCRATCH_BYTES = 2 ** 22;

/** One at a time: the next begins where this one's bytes stand, once they were taken. */
export class BytesWriter {
  #room = scratch;
  #filled = 0;

  text(text: string): void {
    // UTF-8 takes at most three bytes where a string takes one unit.
    this.#reserve(3 * text.length);
    this.#filled += this.#room.write(text, this.#filled);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#room.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /** As JSON.stringify writes a finite number. */
  number(value: number): void {
    const magnitude = Math.abs(value);
    const hundredths = Math.round(magnitude * 100);
    const millionths = Math.round(magnitude * 1e6);
    if (hundredths < EXACT && hundredths / 100 === magnitude) this.#decimal(value, hundredths, 2);
    else if (millionths < EXACT && millionths / 1e6 === magnitude) this.#decimal(value, millionths, 6);
    else this.text(String(value));
  }

  /** Takes back the last `count` bytes. */
  drop(count: number): void {
    this.#filled -= count;
  }

  take(): Buffer {
    if (this.#room.length <= SCRATCH_BYTES) scratch = this.#room;
    return Buffer.from(this.#room.subarray(0, this.#filled));
  }

  #reserve(bytes: number): void {
    const needed = this.#filled + bytes;
    if (needed <= this.#room.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#room.length));
    this.#room.copy(larger, 0, 0, this.#filled);
    this.#room = larger;
  }

  /** `digits` is the number without its sign and its point, which stands before the last `places` of them. */
  #decimal(value: number, digits: number, places: 2 | 6): void {
    this.#reserve(MOST_DIGITS);
    if (value < 0) this.#room[this.#filled++] = MINUS;
    const unit = places === 2 ? 100 : 1e6;
    const whole = Math.floor(digits / unit);
    const high = Math.floor(whole / 1e9);
    if (high > 0) {
      this.#digits(high, digitsOf(high));
      this.#digits(whole - high * 1e9, 9);
    } else this.#digits(whole, digitsOf(whole));
    const fraction = digits - whole * unit;
    if (fraction === 0) return;
    this.#room[this.#filled++] = POINT;
    this.#digits(fraction, places);
    while (this.#room[this.#filled - 1] === ZERO) this.#filled -= 1;
  }

  /** `count` digits of a whole number below 2³¹, zeros before it. */
  #digits(number: number, count: number): void {
    const room = this.#room;
    let rest = number | 0;
    this.#filled += count;
    for (let at = this.#filled - 1; at >= this.#filled - count; at--) {
      const tens = (rest / 10) | 0;
      room[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
  }
}

/** Numbers of at most 15 digits are told apart by them, so the shortest text of a double is the decimal it came from. */
const EXACT = 1e15;
/** Sign, digits, point. */
const MOST_DIGITS = 32;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];

const digitsOf = (whole: number) => {
  let digits = 1;
  for (let limit = 10; whole >= limit; limit *= 10) digits += 1;
  return digits;
};
