// Numbers keys from 0 in the order in which they are added. A table is an array, a hash table or, for texts, a `Map`.

import { getOrInsert } from '../../../src/basics/maps.ts';

/** Stands for the number of a key that was not added. */
export const NOT_ADDED = -1;

/**
 * A table of keys below `most`: an array with an entry for each possible key, or a hash table.
 *
 * @param rows The number of rows whose keys are added. An array has at most this many entries, or `FEW_KEYS` if that is
 * more.
 */
export const numberTable = (most: number, rows: number): NumberTable =>
  most <= Math.max(FEW_KEYS, rows) && most <= MOST_KEYS_IN_ARRAY ? new DirectTable(most) : new HashTable();

/** Numbers keys from 0, in the order in which they are added. */
export interface NumberTable {
  readonly count: number;
  add(key: number): number;
  /** The number of a key; `NOT_ADDED` if it was not added. */
  at(key: number): number;
  /** Makes room for this many keys that are about to be added. */
  expect(keys: number): void;
  /**
   * Writes the numbers of many keys into `into`, as `add` returns them if `isNew`, else as `at` returns them. Each class
   * has its own loops, because loops that serve both classes are several times slower.
   */
  writeNumbers(keys: Float64Array, into: Int32Array, isNew: boolean): void;
}

/** Up to this number of possible keys, an array is used even if there are fewer rows. */
const FEW_KEYS = 65_536;

/** The most possible keys for which an array is used. An array for this number of keys takes 16 MB. */
const MOST_KEYS_IN_ARRAY = 4_000_000;

/** A table with an entry for each possible key. */
export class DirectTable implements NumberTable {
  count = 0;
  /** The number of each key plus 1; 0 for a key that was not added. */
  readonly #places: Int32Array;

  constructor(most: number) {
    this.#places = new Int32Array(most);
  }

  add(key: number): number {
    const known = this.#places[key] as number;
    if (known > 0) return known - 1;
    this.count += 1;
    this.#places[key] = this.count;
    return this.count - 1;
  }

  at(key: number): number {
    return (this.#places[key] as number) - 1;
  }

  /** Does nothing, because the array has an entry for every key. */
  expect(): void {}

  writeNumbers(keys: Float64Array, into: Int32Array, isNew: boolean): void {
    if (isNew) this.#addAll(keys, into);
    else this.#findAll(keys, into);
  }

  #addAll(keys: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.add(keys[i] as number);
  }

  #findAll(keys: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.at(keys[i] as number);
  }
}

/** The most keys for which room is made in advance, 12 MB. There are often far fewer keys than rows. */
const MOST_KEYS_IN_ADVANCE = 500_000;

/** A hash table with open addressing and linear probing, at most half full. */
class HashTable implements NumberTable {
  count = 0;
  #mask = 1023;
  #keys = new Float64Array(1024);
  /** For each slot, the number of its key plus 1; 0 when the slot is free. */
  #numbers = new Int32Array(1024);

  add(key: number): number {
    const place = this.#placeOf(key);
    const known = this.#numbers[place] as number;
    if (known > 0) return known - 1;
    this.count += 1;
    this.#keys[place] = key;
    this.#numbers[place] = this.count;
    if (2 * this.count > this.#mask) this.#growTo(2 * this.#keys.length);
    return this.count - 1;
  }

  at(key: number): number {
    return (this.#numbers[this.#placeOf(key)] as number) - 1;
  }

  /** The slot of a key, or the free slot for a key that is not in the table. */
  #placeOf(key: number): number {
    const high = Math.floor(key / LOW);
    let hash = Math.imul(key - high * LOW, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    hash ^= hash >>> 15;
    let place = hash & this.#mask;
    while (this.#numbers[place] !== 0 && this.#keys[place] !== key) place = (place + 1) & this.#mask;
    return place;
  }

  expect(keys: number): void {
    const room = 2 ** Math.ceil(Math.log2(2 * (this.count + Math.min(keys, MOST_KEYS_IN_ADVANCE)) + 2));
    if (room > this.#keys.length) this.#growTo(room);
  }

  #growTo(room: number): void {
    const [keys, numbers] = [this.#keys, this.#numbers];
    this.#mask = room - 1;
    this.#keys = new Float64Array(room);
    this.#numbers = new Int32Array(room);
    for (let i = 0; i < keys.length; i += 1) {
      if (numbers[i] === 0) continue;
      const place = this.#placeOf(keys[i] as number);
      this.#keys[place] = keys[i] as number;
      this.#numbers[place] = numbers[i] as number;
    }
  }

  writeNumbers(keys: Float64Array, into: Int32Array, isNew: boolean): void {
    if (isNew) this.#addAll(keys, into);
    else this.#findAll(keys, into);
  }

  #addAll(keys: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.add(keys[i] as number);
  }

  #findAll(keys: Float64Array, into: Int32Array): void {
    for (let i = 0; i < into.length; i += 1) into[i] = this.at(keys[i] as number);
  }
}

/** Divides a key into its lower 32 bits and its higher ones. */
const LOW = 2 ** 32;

/** Numbers keys that are texts. Keys are texts where numbers would not be exact. */
export class TextTable {
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#numbers.size;
  }

  add(key: string): number {
    return getOrInsert(this.#numbers, key, () => this.count);
  }

  at(key: string): number {
    return this.#numbers.get(key) ?? NOT_ADDED;
  }
}
