// Puts JSON together as bytes in a room that grows: no text is made of what is bytes already, or of a number.

/** Bytes that stay as they are until they are released; then others may be written in their place. */
export interface Loan {
  readonly bytes: Buffer;
  /** Whether there is anything to give back. */
  readonly isLent: boolean;
  /** By whoever holds them, once nobody reads them any more. What is never released is garbage like any other. */
  release(): void;
  /** The same bytes for good, in place of the loan. */
  keep(): Buffer;
}

/** Bytes that are nobody's but their holder's. */
export const owned = (bytes: Buffer): Loan => ({ bytes, isLent: false, release() {}, keep: () => bytes });

/** Bytes that are still being written. */
export interface Draft {
  /** Memory it holds until it is finished. */
  readonly roomBytes: number;
  /** Writes some more, in about a tenth of a millisecond; whether that was all. */
  writeSome(): boolean;
  /** Writes what is left, and ends the draft: to be called once. */
  finish(): Loan;
}

/** A draft of what is there already. */
export const finished = (loan: Loan): Draft => ({
  roomBytes: loan.bytes.buffer.byteLength,
  writeSome: () => true,
  finish: () => loan,
});

// Written in again and again: fresh memory costs more than what is written there.
const rooms: Buffer[] = [];
const ROOM_BYTES = 2 ** 18;
const MOST_ROOMS = 8;
/** A larger one is not kept. */
const LARGEST_ROOM_BYTES = 2 ** 22;
/** Less than this, about 280 rows, is copied: a room would lie idle for it. */
const LOAN_BYTES = 2 ** 16;

/** Fill it, then take what it holds. */
export class BytesWriter {
  #room = rooms.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  #filled = 0;

  get roomBytes(): number {
    return this.#room.length;
  }

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

  /** Ends the writing. */
  take(): Loan {
    const room = this.#room;
    const bytes = room.subarray(0, this.#filled);
    this.#room = NO_ROOM;
    this.#filled = 0;
    if (bytes.length >= LOAN_BYTES) return loanOf(room, bytes);
    const copy = Buffer.from(bytes);
    giveBack(room);
    return owned(copy);
  }

  #reserve(bytes: number): void {
    const needed = this.#filled + bytes;
    if (needed <= this.#room.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#room.length));
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

const NO_ROOM = Buffer.alloc(0);

function loanOf(room: Buffer, bytes: Buffer): Loan {
  let isReleased = false;
  const release = () => {
    if (isReleased) throw new Error('a loan was released twice');
    isReleased = true;
    giveBack(room);
  };
  return {
    bytes,
    isLent: true,
    release,
    keep() {
      const copy = Buffer.from(bytes);
      release();
      return copy;
    },
  };
}

function giveBack(room: Buffer): void {
  if (rooms.length < MOST_ROOMS && room.length <= LARGEST_ROOM_BYTES) rooms.push(room);
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
