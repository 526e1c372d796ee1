// Reads values in the compact protocol of Thrift, in which Parquet files store their footer and the headers of their pages.

/** The type of a value, as the protocol numbers it. */
type Type = number;

const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
export const INT32 = 5;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const MAP = 11;
export const STRUCT = 12;

/** How deep structs and lists may be nested. Those of Parquet are less deep. */
const DEEPEST = 32;

/** Reads values one after the other. Reading behind the last byte, or a value of an unknown type, throws a RangeError. */
export class CompactThrift {
  readonly #bytes: Buffer;
  #at: number;
  #depth = 0;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The position behind the last value that was read. */
  get at(): number {
    return this.#at;
  }

  /**
   * Reads a struct.
   *
   * @param ints The numbers of the fields with wanted integers.
   * @param readers By the number of the field, a function that reads its value.
   * @returns The wanted integers that the struct has, by the numbers of their fields.
   */
  struct(
    ints: readonly number[] = [],
    readers: Readonly<Record<number, (type: Type) => void>> = {},
  ): Record<number, number> {
    const found: Record<number, number> = {};
    let field = 0;
    for (;;) {
      const head = this.#byte();
      if (head === 0) return found;
      field = head >> 4 === 0 ? this.int() : field + (head >> 4);
      const type = head & 0xf;
      const read = readers[field];
      if (ints.includes(field)) found[field] = this.int();
      else if (read === undefined) this.#skip(type);
      else read(type);
    }
  }

  /** Reads a list. Calls `read` for each of its items, and `read` must read the item. */
  list(read: (type: Type) => void): void {
    const head = this.#byte();
    const count = head >> 4 === 0xf ? this.#varint() : head >> 4;
    for (let i = 0; i < count; i++) read(head & 0xf);
  }

  /** Reads an integer of more than one byte. Beyond 2⁵³ it is rounded. */
  int(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string {
    const length = this.#varint();
    this.#advance(length);
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    this.#advance(1);
    return this.#bytes[this.#at - 1] as number;
  }

  #advance(bytes: number): void {
    this.#at += bytes;
    if (!(this.#at <= this.#bytes.length)) throw new RangeError('a value ends behind the last byte');
  }

  #skip(type: Type): void {
    if (type === TRUE || type === FALSE) return;
    if (type === BYTE) this.#advance(1);
    else if (type > BYTE && type < DOUBLE) this.#varint();
    else if (type === DOUBLE) this.#advance(8);
    else if (type === BINARY) this.#advance(this.#varint());
    else this.#skipNested(type);
  }

  #skipNested(type: Type): void {
    if (this.#depth === DEEPEST) throw new RangeError('values are nested too deep');
    this.#depth += 1;
    // The items of a list of truth values take a byte each.
    const skipItem = (item: Type) => (item === TRUE || item === FALSE ? this.#advance(1) : this.#skip(item));
    if (type === LIST || type === SET) this.list(skipItem);
    else if (type === STRUCT) this.struct();
    else if (type === MAP) this.#skipMap(skipItem);
    else throw new RangeError(`no value has the type ${type}`);
    this.#depth -= 1;
  }

  #skipMap(skipItem: (type: Type) => void): void {
    const count = this.#varint();
    if (count === 0) return;
    const types = this.#byte();
    for (let i = 0; i < count; i++) {
      skipItem(types >> 4);
      skipItem(types & 0xf);
    }
  }
}
