// Compares words leniently: spellings of headings and values, and the nearest known name.

/**
 * A heading in lower case, without spaces, line breaks, hyphens, underscores and colons. Headings with equal keys are the
 * same.
 */
export const headingKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_:\-\u2010-\u2015\u200b\ufeff]+/gu, '');

/**
 * A value in lower case, without accents and punctuation, and with `&` as `and`. Values with equal keys are probably
 * spellings of one value.
 */
export const looseKey = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/[ıłøđßæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);

/** The usual replacements of letters that Unicode does not decompose. People without such a key type them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** The known word with the fewest edits; undefined when all need more than one edit for every three letters of the text. */
export function nearestWord(text: string, known: Iterable<string>): string | undefined {
  const wanted = looseKey(text);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const word of known) {
    const candidate = looseKey(word);
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const found = distance(wanted, candidate);
    if (found < bestDistance) {
      best = word;
      bestDistance = found;
    }
  }
  return best;
}

/** Whether two values differ by one letter, or by two that are swapped. Their digits must be equal. */
export function differByOneLetter(text: string, other: string): boolean {
  const [a, b] = [looseKey(text), looseKey(other)];
  const digitsOf = (key: string) => key.replace(/\P{N}+/gu, ' ');
  return Math.abs(a.length - b.length) <= 1 && digitsOf(a) === digitsOf(b) && distance(a, b) === 1;
}

/** The end of a message, such as `; did you mean "Malta"?`; '' when no known word is near. */
export function didYouMean(text: string, known: Iterable<string>): string {
  const word = nearestWord(text, known);
  return word === undefined ? '' : `; did you mean "${word}"?`;
}

/** The number of edits from one word to the other. Two swapped letters count as one edit (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(i - 1, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(i - 2, j - 2) + 1);
      row.push(cost);
    }
  }
  return at(a.length, b.length);
}
