// Suggests the known value with the smallest edit distance to an unknown one.

import { LONGEST_COMPARED } from './selection/compile.ts';

/** The value to suggest for an unknown text; null when none is near. */
export type Suggest = (unknown: string) => string | null;

/**
 * Suggests the value with the smallest Levenshtein distance, ignoring case and accents. Of several values at the same
 * distance, it suggests the first one. It suggests no value whose distance is more than a third of its length. It
 * suggests nothing for a text that is longer than any text of a row.
 *
 * The values are prepared once, because a request may contain thousands of unknown texts.
 *
 * @param values in code-point order.
 */
export function suggestAmong(values: readonly string[]): Suggest {
  const known = values.map((value) => ({ value, word: wordOf(value) }));
  return (unknown) => {
    if (unknown.length > LONGEST_COMPARED) return null;
    const wanted = wordOf(unknown);
    const distanceWithin = distancesFrom(wanted.letters);
    let nearest: string | null = null;
    let nearestDistance = Number.POSITIVE_INFINITY;
    for (const { value, word } of known) {
      const maxDistance = Math.min(word.letters.length / 3, nearestDistance - 1);
      if (leastDistance(wanted, word) > maxDistance) continue;
      const distance = distanceWithin(word.letters, maxDistance);
      if (distance > maxDistance) continue;
      nearest = value;
      nearestDistance = distance;
    }
    return nearest;
  };
}

interface Word {
  /** The code points without case and accents. */
  readonly letters: Uint32Array;
  /** The set of the letters. A letter has the bit of its code point modulo 32, so some letters share a bit. */
  readonly set: number;
}

function wordOf(text: string): Word {
  const folded = text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .normalize('NFC');
  const letters = Uint32Array.from(folded, (letter) => letter.codePointAt(0) ?? 0);
  return { letters, set: letters.reduce((set, letter) => set | (1 << (letter & 31)), 0) };
}

/**
 * A lower bound of the distance between two words, which is fast to compute. Each edit changes the length by at most
 * one. It adds at most one letter to the set of letters, and removes at most one.
 */
const leastDistance = (one: Word, other: Word): number =>
  Math.max(
    Math.abs(one.letters.length - other.letters.length),
    bitsIn(one.set & ~other.set),
    bitsIn(other.set & ~one.set),
  );

function bitsIn(set: number): number {
  let bits = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

/** Levenshtein's distance to a word. It may be infinity when the distance is more than `maxDistance`. */
type DistanceWithin = (other: Uint32Array, maxDistance: number) => number;

/**
 * Makes the function that gives the distances from a word. It is several times as fast for a word of at most 32
 * letters, which fit into the bits of a number.
 */
const distancesFrom = (word: Uint32Array): DistanceWithin =>
  word.length >= 1 && word.length <= 32
    ? distancesByBits(word)
    : (other, maxDistance) => distanceByCells(word, other, maxDistance);

/**
 * Distances from a word of at most 32 letters, by the method of Myers and Hyyrö. `distanceByCells` fills a table cell
 * by cell. This method computes a whole column of the table at once. Neighbours in a column differ by at most one, so
 * two numbers hold a column. The bits of `up` mark where the column goes up, and the bits of `down` where it goes down.
 */
function distancesByBits(word: Uint32Array): DistanceWithin {
  const placesOfAscii = new Int32Array(0x80);
  const placesOfOthers = new Map<number, number>();
  for (const [i, letter] of word.entries()) {
    if (letter < 0x80) placesOfAscii[letter] = (placesOfAscii[letter] ?? 0) | (1 << i);
    else placesOfOthers.set(letter, (placesOfOthers.get(letter) ?? 0) | (1 << i));
  }
  const last = 1 << (word.length - 1);
  return (other, maxDistance) => {
    let [up, down, distance] = [-1, 0, word.length];
    for (let j = 0; j < other.length; j++) {
      const letter = other[j] ?? 0;
      const equal = (letter < 0x80 ? placesOfAscii[letter] : placesOfOthers.get(letter)) ?? 0;
      const diagonal = (((equal & up) + up) ^ up) | equal;
      let right = down | ~(diagonal | up);
      const left = up & diagonal;
      if (right & last) distance += 1;
      if (left & last) distance -= 1;
      // Each of the remaining letters lowers the distance by at most one.
      if (distance - (other.length - 1 - j) > maxDistance) return Number.POSITIVE_INFINITY;
      right = (right << 1) | 1;
      const unchanged = ~(equal | down | right);
      down = right & (equal | down);
      up = (left << 1) | unchanged;
    }
    return distance;
  };
}

function distanceByCells(one: Uint32Array, other: Uint32Array, maxDistance: number): number {
  /** The distances between the letters of `one` that were compared so far and each beginning of `other`. */
  const row = new Uint32Array(other.length + 1);
  for (let j = 1; j < row.length; j++) row[j] = j;
  for (let i = 0; i < one.length; i++) {
    let [diagonal, left] = [i, i + 1];
    let least = left;
    row[0] = left;
    for (let j = 1; j <= other.length; j++) {
      const above = row[j] ?? 0;
      left = Math.min(diagonal + (one[i] === other[j - 1] ? 0 : 1), above + 1, left + 1);
      row[j] = left;
      least = Math.min(least, left);
      diagonal = above;
    }
    if (least > maxDistance) return Number.POSITIVE_INFINITY;
  }
  return row[other.length] ?? 0;
}
