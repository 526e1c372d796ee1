// Keeps texts of cells as numbers, so that a column of numbers and texts is one array of numbers.

/** Numbers from here on stand for texts. No figure is as large. */
const FIRST = 2 ** 1000;
/** The distance between the numbers of two texts. Doubles of this size are exact to a quarter of it. */
const STEP = 2 ** 950;
/** The characters of all different texts together, at most. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** The characters of a text that formulas look for, at most. */
const LONGEST_TEXT = 255;

/** The cell is empty. */
export const EMPTY = Number.NaN;
/** The cell holds a text that is not known here. */
export const TEXT = Number.POSITIVE_INFINITY;
/** The cell holds an error, or a value that is not known here. */
export const UNKNOWN = Number.NEGATIVE_INFINITY;

/** Whether a value is a number, and no text, no gap and no error. */
export const isFigure = (value: number): boolean => Math.abs(value) < FIRST;
/** Whether a value stands for a text. */
export const isText = (value: number): boolean => value >= FIRST;

/** Texts that equal each other in upper and lower case have one number. */
export class Texts {
  readonly #byText = new Map<string, number>();
  readonly #byLower = new Map<string, number>();
  /** By letters and digits alone: the first text that has these. */
  readonly #byLetters = new Map<string, number>();
  readonly #all: string[] = [];
  /** By index: the text as it was written first. */
  readonly #written: string[] = [];
  /** Texts that some programs take for another one here. */
  readonly #doubtful = new Set<number>();
  #characters = 0;

  /** The number that stands for a text; TEXT where there are too many. */
  valueOf(text: string): number {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    this.#characters += text.length;
    if (text.length > LONGEST_TEXT || this.#characters > MOST_CHARACTERS) return TEXT;
    const lower = text.toLowerCase();
    const value = this.#byLower.get(lower) ?? this.#add(lower, text);
    this.#byText.set(text, value);
    return value;
  }

  #add(lower: string, written: string): number {
    const value = FIRST + this.#all.length * STEP;
    this.#all.push(lower);
    this.#written.push(written);
    this.#byLower.set(lower, value);
    const letters = lower
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[^\p{L}\p{N}\p{S}]/gu, '');
    const alike = this.#byLetters.get(letters);
    if (alike === undefined) this.#byLetters.set(letters, value);
    else this.#doubtful.add(alike).add(value);
    return value;
  }

  /** The text that a value stands for, in lower case; null for one that is not known. */
  textOf(value: number): string | null {
    return this.#all[(value - FIRST) / STEP] ?? null;
  }

  /** The text that a value stands for, as it was written first; null for one that is not known. */
  writtenOf(value: number): string | null {
    return this.#written[(value - FIRST) / STEP] ?? null;
  }

  /** Whether all programs find this text, and no other, when they look for it. */
  isCertain(value: number): boolean {
    const text = this.textOf(value);
    return text !== null && isPlainText(text) && !this.#doubtful.has(value);
  }

  /** Whether two texts are equal; null when programs may differ. */
  areEqual(one: number, other: number): boolean | null {
    if (this.textOf(one) === null || this.textOf(other) === null) return null;
    if (one === other) return true;
    return this.#doubtful.has(one) && this.#doubtful.has(other) ? null : false;
  }

  /** Whether a program may take this text for a number, a date or a truth value. */
  mayBeNumber(value: number): boolean {
    const text = this.textOf(value);
    return text === null || (/\p{N}/u.test(text) ? !isPlainText(text) : TRUTHS.test(text));
  }
}

/** Whether a text is a word: no number, date, truth value or pattern, in any language. `q1 2026` and `fy26` are words, too. */
const isPlainText = (text: string): boolean =>
  /^\p{L}/u.test(text) &&
  !/[*?~<>=]/.test(text) &&
  (/\p{N}/u.test(text) ? /^(?:q|h|fy|cy)[1-9]/.test(text) : !TRUTHS.test(text));

const TRUTHS =
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|verdadeiro|waar|onwaar|sant?|falskt?|usann|prawda|fałsz|tosi|epätosi|pravda|nepravda|igaz|hamis|nan|inf(?:inity)?)$/;
