// Suggests the known value with the smallest edit distance to an unknown one.

import { LONGEST_COMPARED } from './compile.ts';

/**
 * The value with the smallest Levenshtein distance to `text`, ignoring case and accents. Null when the distance is more
 * than a third of the value's length, and of a text longer than any row has. Of several with the same distance, the first in code-point order.
 *
 * @param values in code-point order.
 */
export function nearestValue(text: string, values: readonly string[]): string | null {
  if (text.length > LONGEST_COMPARED) return null;
  const wanted = folded(text);
  let nearest: string | null = null;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const value of values) {
    const letters = folded(value);
    const most = Math.min(letters.length / 3, nearestDistance - 1);
    // The distance is at least the difference in length.
    if (Math.abs(letters.length - wanted.length) > most) continue;
    const distance = distanceWithin(wanted, letters, most);
    if (distance > most) continue;
    nearest = value;
    nearestDistance = distance;
  }
  return nearest;
}

/** Characters without case and accents. */
const folded = (text: string): readonly string[] => [
  ...text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .normalize('NFC'),
];

/** Levenshtein's distance, or a number above `most` once it is known to be more. */
function distanceWithin(one: readonly string[], other: readonly string[], most: number): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of one.entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return Number.POSITIVE_INFINITY;
    row = next;
  }
  return row[other.length] ?? 0;
}
