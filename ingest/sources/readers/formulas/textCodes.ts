// Gives each text of a cell a number that stands for it, so that a column of numbers and texts is one array of numbers.

/** Numbers of this size and above stand for texts. No figure is as large. */
const FIRST = 2 ** 1000;
/** The distance between the numbers of two texts. It is four times the distance between doubles of this size. */
const STEP = 2 ** 950;
/** The most characters that all different texts have together. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** The most characters of a text that gets a number. Excel looks for no longer text. */
const LONGEST_TEXT = 255;

/** The value of an empty cell. */
export const EMPTY = Number.NaN;
/** The value of a cell with an unknown text. */
export const TEXT = Number.POSITIVE_INFINITY;
/** The value of a cell with an error or with an unknown value. */
export const UNKNOWN = Number.NEGATIVE_INFINITY;

/** Whether a value is a number, and neither a text nor EMPTY nor UNKNOWN. */
export const isFigure = (value: number): boolean => Math.abs(value) < FIRST;
/** Whether a value stands for a text. */
export const isText = (value: number): boolean => value >= FIRST;

/** The texts and their numbers. Texts that differ only in upper and lower case have the same number. */
export class TextCodes {
  readonly #byText = new Map<string, number>();
  readonly #byLower = new Map<string, number>();
  /** Letters, digits and symbols of a text, without spaces, punctuation and accents → the first text that has them. */
  readonly #byLetters = new Map<string, number>();
  readonly #all: string[] = [];
  /** Each text in the spelling that came first, by its index. */
  readonly #written: string[] = [];
  /** Texts that some programs do not distinguish from another of these texts. */
  readonly #doubtful = new Set<number>();
  #characters = 0;

  /** The number that stands for a text; TEXT for a text that is too long, and when there are too many texts. */
  codeOf(text: string): number {
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

  /** The text that a value stands for, in lower case; null when the text is unknown. */
  textOf(value: number): string | null {
    return this.#all[(value - FIRST) / STEP] ?? null;
  }

  /** The text that a value stands for, in the spelling that came first; null when the text is unknown. */
  writtenOf(value: number): string | null {
    return this.#written[(value - FIRST) / STEP] ?? null;
  }

  /** Whether every program that looks for this text finds it, and no other text. */
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

/**
 * Whether no program, in any language, takes a text for a number, date, truth value or pattern: `q1 2026` and `fy26` are
 * plain.
 */
const isPlainText = (text: string): boolean =>
  /^\p{L}/u.test(text) &&
  !/[*?~<>=]/.test(text) &&
  (/\p{N}/u.test(text) ? /^(?:q|h|fy|cy)[1-9]/.test(text) : !TRUTHS.test(text));

const TRUTHS =
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|verdadeiro|waar|onwaar|sant?|falskt?|usann|prawda|fałsz|tosi|epätosi|pravda|nepravda|igaz|hamis|nan|inf(?:inity)?)$/;
