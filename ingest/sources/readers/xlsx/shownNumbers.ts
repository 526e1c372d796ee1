// Finds the numbers that a number format shows otherwise: with another sign or other digits, as a text, or as nothing.

import { unitBesideNumber } from '../../../messages/statedUnits.ts';
import { NOT_SHOWN, SHOWN_AS_TEXT } from '../cellLooks.ts';
import { COMPARE } from '../formatConditions.ts';
import { type Cell, isKind, storedNumber } from '../rawFile.ts';
import { bare, isInexact, isNegative, NUMBER, standsForZero } from '../shownText.ts';
import { CONDITION, divisorOf, isDateFormat, isPercentFormat, shownBy, withoutText } from './numberFormat.ts';

/** The text that a format shows in place of a number: another number, or a word such as `n/a`. */
export interface ShownReplacement {
  /** The shown text; `''` when the format shows nothing. */
  readonly text: string;
  readonly isNumber: boolean;
}

/** A number format that does not show every number as it is. */
export class ShownNumbers {
  readonly #sections: readonly Section[];
  readonly #isConditional: boolean;
  readonly #hidesTexts: boolean;

  private constructor(parts: readonly string[]) {
    const ofNumbers = parts.length > 1 && parts.at(-1)?.includes('@') ? parts.slice(0, -1) : parts;
    this.#sections = ofNumbers.slice(0, MOST_SECTIONS).map(sectionOf);
    this.#isConditional = this.#sections.some(({ condition }) => condition !== null);
    this.#hidesTexts = parts.length > MOST_SECTIONS && shownBy(parts[MOST_SECTIONS] ?? '').trim() === '';
  }

  /** The format of this code; null when it shows every number and every text. */
  static of(code: string): ShownNumbers | null {
    if (code === '' || isDateFormat(code)) return null;
    const format = new ShownNumbers(partsOf(code));
    return format.#hidesTexts || format.#samples().some((value) => format.of(value) !== null) ? format : null;
  }

  /** The text that the format shows in place of a number. Null when it shows the number, or a dash or nothing for 0. */
  of(value: number): ShownReplacement | null {
    const section = this.#sectionOf(value);
    if (section === undefined) return null;
    const { colour } = section;
    if (!section.hasDigits || colour === 'white') {
      const shown = colour === 'white' ? '' : section.text.trim();
      const isZero = value === 0 && (standsForZero(shown) || Number(shown) === 0);
      return isZero ? null : { text: shown, isNumber: false };
    }
    if (Math.abs(value) < section.leastShown) return null;
    const replacement = (number: number) => ({ text: withNumber(section, number), isNumber: true });
    if (section.addsDigits || section.isInexact) return replacement(value);
    if (section.divisor > 1) return replacement(value / section.divisor);
    if (value > 0) return section.isMarked ? replacement(value) : null;
    const isBare = this.#isOnlyForNegatives(section) && !isMarkedBeside(section, this.#sectionOf(-value));
    return isBare ? replacement(-value) : null;
  }

  /** The flags of `cellLooks.ts` that a cell gets because of its value. */
  lookOf(cell: Cell): number {
    if (typeof cell === 'string' || isKind(cell, 'footnoted')) return this.#hidesTexts ? NOT_SHOWN : 0;
    const value = storedNumber(cell);
    const shown = value === undefined ? null : this.of(value);
    if (shown === null || shown.isNumber) return 0;
    return shown.text === '' ? NOT_SHOWN : SHOWN_AS_TEXT;
  }

  #sectionOf(value: number): Section | undefined {
    const [first, second, third] = this.#sections;
    if (second === undefined) return first?.condition?.(value) === false ? undefined : first;
    const isFirst =
      first?.condition ?? ((number: number) => (third === undefined ? number >= 0 : number > 0));
    if (isFirst(value)) return first;
    if (third === undefined) return second.condition?.(value) === false ? undefined : second;
    const isSecond = second.condition ?? ((number: number) => number < 0);
    return isSecond(value) ? second : third;
  }

  /**
   * Whether a section is only for negative numbers. Programs show these without a minus sign unless the section writes one.
   */
  #isOnlyForNegatives(section: Section): boolean {
    if (!this.#isConditional) return section === this.#sections[1];
    return (
      this.#sections.length > 1 &&
      !this.#samples().some((value) => value > 0 && this.#sectionOf(value) === section)
    );
  }

  /** Examples of numbers on both sides of each limit. */
  #samples(): readonly number[] {
    return this.#sections
      .flatMap(({ limit }) => (limit === null ? [] : [limit, -limit]))
      .concat(0)
      .flatMap((limit) => [limit, limit - 1, limit + 1, limit * (1 - 1e-9), limit * (1 + 1e-9)])
      .concat(1e15, -1e15);
  }
}

/** How many sections of a format are for numbers: for positive numbers, for negative numbers and for zero. */
const MOST_SECTIONS = 3;

interface Section {
  /** The condition of the section; null when it has none. */
  readonly condition: ((value: number) => boolean) | null;
  readonly limit: number | null;
  readonly colour: string;
  readonly hasDigits: boolean;
  /** The text that the section shows, with NUMBER in place of digits. */
  readonly text: string;
  readonly isPercent: boolean;
  /** The smallest number that the section does not round to 0. */
  readonly leastShown: number;
  /** Whether the section itself writes a minus sign or parentheses. */
  readonly isMarked: boolean;
  /** Whether the section writes digits beside those of the number: `0"00"`. */
  readonly addsDigits: boolean;
  /**
   * How many digits each run of digits shows, when literal digits separate the runs: 2 and 1 in `00"00"0`. Null for other
   * sections.
   */
  readonly runs: readonly number[] | null;
  /** Whether the section shows numbers as bounds or estimates: `"<"0`. */
  readonly isInexact: boolean;
  /** The divisor of a literal decimal point among the digits: 100 in `0\.00`. */
  readonly divisor: number;
}

function sectionOf(code: string): Section {
  const [, operator = '', limit = ''] = CONDITION.exec(code) ?? [];
  const text = shownBy(code).replaceAll('@', NUMBER);
  const parts = text.split(NUMBER);
  const [before, behind] = [parts[0] ?? '', parts.at(-1) ?? ''];
  const colour = COLOUR.exec(code)?.[0].toLowerCase().slice(1, -1) ?? '';
  const hasUnit = [before, behind].some((part) => unitBesideNumber(part.trim()) !== null);
  const runs = parts.slice(1, -1).some((part) => /\d/.test(part)) ? runsOf(code) : null;
  const point = /[0#?](?:\\[.,]|"[.,]")([0#?]{1,2})[^0#?]*$/.exec(code)?.[1];
  return {
    condition: operator === '' ? null : (value) => COMPARE[operator]?.(value, Number(limit)) ?? true,
    limit: operator === '' ? null : Number(limit),
    colour: colour === 'black' ? '' : colour,
    hasDigits: parts.length > 1,
    text,
    isPercent: isPercentFormat(code),
    leastShown: leastShown(code),
    isMarked: parts.length > 1 && isNegative(bare(before), bare(behind)),
    addsDigits: !hasUnit && (runs !== null || (parts.length > 1 && hasDigitsBeside(before, behind))),
    runs: hasUnit ? null : runs,
    isInexact: parts.length > 1 && isInexact(bare(before)),
    divisor: point === undefined || hasUnit ? 1 : 10 ** point.length,
  };
}

/**
 * Whether digits stand directly before or behind the digits of the number. Decimal zeros, as in `0".00"`, change no value.
 */
const hasDigitsBeside = (before: string, behind: string): boolean =>
  (/(?<![\d.,])[0.,]*[1-9][\d.,]*$|\d[.,]$/.test(before) || /^[.,]?\d/.test(behind)) &&
  !/^[.,]0{1,2}(?!\d)/.test(behind);

/** The smallest number that a section does not round to 0: 0.05 in `0.0`. */
function leastShown(code: string): number {
  const digits = withoutText(code);
  if (/general|@|e[+-]|\//i.test(digits) || !/[0#?]/.test(digits)) return Number.MIN_VALUE;
  const decimals = /\.([0#?]+)/.exec(digits)?.[1]?.length ?? 0;
  return (0.5 * divisorOf(code)) / 10 ** decimals / (isPercentFormat(code) ? 100 : 1);
}

const COLOUR = /\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]/i;

/**
 * Whether a section for negative numbers looks different from the section for positive numbers. A plus sign does not count.
 */
const isMarkedBeside = (section: Section, positive: Section | undefined): boolean =>
  section.isMarked ||
  (section.colour !== '' && section.colour !== positive?.colour) ||
  [...besideDigits(section.text)].some(
    (sign) => sign !== '+' && !besideDigits(positive?.text ?? '').includes(sign),
  );

const besideDigits = (text: string): string => bare(text.replaceAll(NUMBER, ''));

/** How many digits each run of digits in a section shows. */
const runsOf = (code: string): readonly number[] =>
  [...code.matchAll(/"[^"]*"|\\.|\[[^\][]*\]|[_*].|([0#?][0#?.,]*)/gs)].flatMap(([, run]) =>
    run === undefined ? [] : [run.replace(/[.,]/g, '').length],
  );

function withNumber({ text, isPercent, runs }: Section, number: number): string {
  if (runs !== null) return withRuns(text, runs, number);
  const [before = ''] = text.split(NUMBER, 1);
  const behind = text.slice(text.lastIndexOf(NUMBER) + 1);
  const digits = Number((Math.abs(number) * (isPercent ? 100 : 1)).toPrecision(15));
  return `${number < 0 ? '-' : ''}${before}${digits}${behind}`.trim();
}

/**
 * The text of a section with several runs of digits. Each run except the first shows the number of digits that the section
 * sets.
 */
function withRuns(text: string, runs: readonly number[], number: number): string {
  let digits = `${Math.round(Math.abs(number))}`;
  const parts = text.split(NUMBER);
  let shown = parts.at(-1) ?? '';
  for (let i = runs.length - 1; i >= 0; i--) {
    const from = i === 0 ? 0 : Math.max(0, digits.length - (runs[i] ?? 0));
    shown = `${parts[i] ?? ''}${digits.slice(from).padStart(runs[i] ?? 0, '0')}${shown}`;
    digits = digits.slice(0, from);
  }
  return `${number < 0 ? '-' : ''}${shown}`.trim();
}

/** The parts between the semicolons of a format. */
function partsOf(code: string): readonly string[] {
  const parts = [''];
  for (const [token] of code.matchAll(/"[^"]*"|\\.|\[[^\][]*\]|[_*].|./gs)) {
    if (token === ';') parts.push('');
    else parts.push(`${parts.pop() ?? ''}${token}`);
  }
  return parts;
}
