// Numbers names from 0 in the order in which they are added: in an array, a hash table or a `Map`.

/** Stands for the number of a name that was not added. */
export const NOT_ADDED = -1;

/**
 * A table of names below `most`: an array with a place for each possible name, or a hash table.
 *
 * @param rows The number of rows that will be named. The array is used only if it is not much larger than this.
 */
export const numberTable = (most: number, rows: number): NumberTable =>
  most <= Math.max(FEW_NAMES, rows) && most <= MOST_NAMES_IN_ARRAY ? new DirectTable(most) : new HashTable();

/** Numbers names from 0, in the order in which they are added. */
export interface NumberTable {
  readonly count: number;
  add(name: number): number;
  /** The number of a name; `NOT_ADDED` if it was not added. */
  at(name: number): number;
  /** Makes room for this many names that are about to be added. */
  expect(names: number): void;
  /**
   * Writes the numbers of many names into `into`: with `isNew` as `add` gives them, else as `at` does. Each class has loops of its
   * own, which are several times as fast as loops that serve both classes.
   */
  look(names: Float64Array, into: Int32Array, isNew: boolean): void;
}

/** An array is used for this many possible names, even if there are fewer rows. */
const FEW_NAMES = 65_536;

/** The most possible names for which an array is used, which then takes 16 MB. */
const MOST_NAMES_IN_ARRAY = 4_000_000;

/** A table with a place for each possible name. */
export class DirectTable implements NumberTable {
  count = 0;
  /** The number of each name plus 1; 0 for a name that was not added. */
  readonly #places: Int32Array;

  constructor(most: number) {
    this.#places = new Int32Array(most);
  }

  add(name: number): number {
    const known = this.#places[name] as number;
    if (known > 0) return known - 1;
    this.count += 1;
    this.#places[name] = this.count;
    return this.count - 1;
  }

  at(name: number): number {
    return (this.#places[name] as number) - 1;
  }

  /** Does nothing, because the array has a place for every name. */
  expect(): void {}

  look(names: Float64Array, into: Int32Array, isNew: boolean): void {
    if (isNew) this.#addAll(names, into);
    else this.#findAll(names, into);
  }

  #addAll(names: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.add(names[i] as number);
  }

  #findAll(names: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.at(names[i] as number);
  }
}

/** The most names for which room is made in advance, which takes 12 MB. There are often far fewer names than rows. */
const MOST_NAMES_IN_ADVANCE = 500_000;

/** A hash table with open addressing and linear probing, at most half full. */
class HashTable implements NumberTable {
  count = 0;
  #mask = 1023;
  #names = new Float64Array(1024);
  /** For each slot, the number of its name plus 1; 0 when the slot is free. */
  #numbers = new Int32Array(1024);

  add(name: number): number {
    const place = this.#placeOf(name);
    const known = this.#numbers[place] as number;
    if (known > 0) return known - 1;
    this.count += 1;
    this.#names[place] = name;
    this.#numbers[place] = this.count;
    if (2 * this.count > this.#mask) this.#growTo(2 * this.#names.length);
    return this.count - 1;
  }

  at(name: number): number {
    return (this.#numbers[this.#placeOf(name)] as number) - 1;
  }

  /** The slot of a name, or the free slot for it. */
  #placeOf(name: number): number {
    const high = Math.floor(name / LOW);
    let hash = Math.imul(name - high * LOW, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    hash ^= hash >>> 15;
    let place = hash & this.#mask;
    while (this.#numbers[place] !== 0 && this.#names[place] !== name) place = (place + 1) & this.#mask;
    return place;
  }

  expect(names: number): void {
    const room = 2 ** Math.ceil(Math.log2(2 * (this.count + Math.min(names, MOST_NAMES_IN_ADVANCE)) + 2));
    if (room > this.#names.length) this.#growTo(room);
  }

  #growTo(room: number): void {
    const [names, numbers] = [this.#names, this.#numbers];
    this.#mask = room - 1;
    this.#names = new Float64Array(room);
    this.#numbers = new Int32Array(room);
    for (let i = 0; i < names.length; i += 1) {
      if (numbers[i] === 0) continue;
      const place = this.#placeOf(names[i] as number);
      this.#names[place] = names[i] as number;
      this.#numbers[place] = numbers[i] as number;
    }
  }

  look(names: Float64Array, into: Int32Array, isNew: boolean): void {
    if (isNew) this.#addAll(names, into);
    else this.#findAll(names, into);
  }

  #addAll(names: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.add(names[i] as number);
  }

  #findAll(names: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.at(names[i] as number);
  }
}

/** Splits a name into its lower 32 bits and the rest. */
const LOW = 2 ** 32;

/** Numbers names that are texts, because they do not fit into a number. */
export class TextTable {
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#numbers.size;
  }

  add(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.count);
    return this.count - 1;
  }

  at(name: string): number {
    return this.#numbers.get(name) ?? NOT_ADDED;
  }
}
