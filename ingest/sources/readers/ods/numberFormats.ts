// Collects the number formats of an .ods workbook: the units, currencies, years and colours that they show with numbers.

import { getOrInsert } from '../../../../src/basics/maps.ts';
import { currencyIn } from '../../../messages/currencySigns.ts';
import { unitBesideNumber } from '../../../messages/statedUnits.ts';
import { isPercent, isSmallShare } from '../../numberForms.ts';
import { type ConditionalDivisor, type FormatUnit, type NumberKind, PLAIN } from '../numberKind.ts';
import { endsInMark, marksYear, NUMBER } from '../shownText.ts';
import type { Attributes } from '../xml/attributes.ts';

export const BLACK = '#000000';

/** A number format, or a part of one that applies to numbers under a condition. */
interface NumberFormat {
  /** The text that the format shows, with NUMBER in place of the number. */
  text: string;
  /** The format shows a number divided by this. */
  divisor: number;
  /** Whether the format shows 0.05 as 5 %. */
  readonly isPercent: boolean;
  /** Condition, such as `value()>=1000` → name of the format that numbers have when they fulfil it. */
  readonly mapped: Map<string, string>;
  /** The power of ten by which a literal dot among the digits seems to divide: 1e4 when 123456 is shown as `12.3456`. */
  point: number;
  colour: string;
  /** Whether this format shows only texts. Then the formats in `mapped` show all numbers. */
  readonly isForTexts: boolean;
}

/** Gives the names of the number formats of a cell style, including those of its conditional formats. */
type FormatsOf = (style: string) => readonly (string | undefined)[];

/** Collects number formats from their elements. Once all are read, it answers questions about cell styles. */
export class NumberFormats {
  readonly #formatsOf: FormatsOf;
  readonly #formats = new Map<string, NumberFormat>();
  /** A cache of the parts of number formats, by cell style, because many cells have the same few styles. */
  readonly #sectionsOf = new Map<string, readonly NumberFormat[]>();
  readonly #kinds = new Map<string, NumberKind>();
  /** A cache of whether each cell style shows a mark behind its number. */
  readonly #marked = new Map<string, boolean>();
  #open: NumberFormat | undefined;
  /** Whether the element that is being read holds text that the format shows. */
  #isLiteral = false;

  constructor(formatsOf: FormatsOf) {
    this.#formatsOf = formatsOf;
  }

  /** Begins a number format. `name` is the name of its element. */
  begin(name: string, attributes: Attributes): void {
    this.#open = {
      text: '',
      divisor: 1,
      point: 1,
      colour: BLACK,
      mapped: new Map(),
      isForTexts: name === 'text-style',
      isPercent: name === 'percentage-style',
    };
    this.#formats.set(attributes.get('style:name') ?? '', this.#open);
  }

  end(): void {
    this.#open = undefined;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  colour(colour: string): void {
    if (this.#open !== undefined) this.#open.colour = colour;
  }

  /** Adds an element of the open format. An element of digits adds NUMBER to the text of the format. */
  part(name: string, attributes: Attributes): void {
    if (this.#open === undefined) return;
    this.#isLiteral = name === 'text' || name === 'currency-symbol';
    if (name === 'map')
      this.#open.mapped.set(
        attributes.get('style:condition') ?? '',
        attributes.get('style:apply-style-name') ?? '',
      );
    if (name === 'embedded-text')
      this.#open.point = 10 ** Math.min(12, Number(attributes.get('number:position') ?? 0));
    if (!name.endsWith('number') && name !== 'fraction') return;
    this.#open.text += NUMBER;
    this.#open.divisor = Number(attributes.get('number:display-factor') ?? 1);
  }

  /** Whether the next text is one that the open format shows. */
  get wantsText(): boolean {
    return this.#isLiteral && this.#open !== undefined && this.#open.text.length < LONGEST_FORMAT;
  }

  text(text: string): void {
    if (this.#open !== undefined) this.#open.text += text;
  }

  endPart(): void {
    this.#isLiteral = false;
  }

  /** Whether a style shows only some of its numbers in a colour, such as negative numbers in red. */
  coloursSome(style: string | undefined): boolean {
    return new Set(this.#sections(style).map(({ colour }) => colour)).size > 1;
  }

  /** The unit that makes a cell of this style show another value than its number; null without such a unit. */
  unitBeside(style: string | undefined): FormatUnit | null {
    for (const { text, divisor, point, isPercent: multiplies } of this.#sections(style)) {
      if (multiplies) continue;
      const parts = text.split(NUMBER).map((part) => part.trim());
      const share = parts.find((part) => isSmallShare(part) || (divisor === 1 && isPercent(part)));
      if (share !== undefined) return { unit: share, divisor };
      const unit = parts.find((part) => unitBesideNumber(part) !== null);
      // When the number is divided by as much as the unit means, the cell shows the true value.
      const isDivided = [divisor, divisor * point].some((by) => unitBesideNumber(unit ?? '', by) === null);
      if (unit !== undefined && !isDivided) return { unit, divisor };
    }
    return null;
  }

  showsPercent(style: string | undefined): boolean {
    return this.#sections(style).some(({ isPercent }) => isPercent);
  }

  kindOf(style = ''): NumberKind {
    return getOrInsert(this.#kinds, style, () => this.#findKind(style));
  }

  #findKind(style: string): NumberKind {
    const unit = this.unitBeside(style);
    const currency = this.#currencyBeside(style);
    const shown = currency === null ? {} : { currency };
    if (unit !== null) return { kind: 'with unit', ...unit, ...shown };
    const sections = this.#sections(style);
    if (sections.some(({ divisor, point }) => divisor !== 1 || point !== 1)) {
      const divisors = this.#unnamedDivisors(style);
      if (divisors !== null) return { kind: 'divided by size', divisors, ...shown };
      const divisor = unnamedDivisor(sections);
      return { kind: 'divided', ...(divisor > 1 && { divisor }), ...shown };
    }
    if (currency !== null) return { kind: 'with currency', currency };
    const form = sections.find(({ text }) => marksYear(text))?.text;
    return form === undefined ? PLAIN : { kind: 'in form', form };
  }

  /**
   * The divisors of a format without a unit that divides only some numbers, in the order of its conditions; null for
   * others.
   */
  #unnamedDivisors(style: string): readonly ConditionalDivisor[] | null {
    const [format, ...others] = this.#formatsOf(style).flatMap((name) => this.#formats.get(name ?? '') ?? []);
    if (format === undefined || others.length > 0) return null;
    const mapped = [...format.mapped].map(([condition, name]) => {
      const [, operator = '', limit = ''] = CONDITION.exec(condition) ?? [];
      return { operator, limit: Number(limit), part: this.#formats.get(name) };
    });
    const all = [...mapped, { operator: '', limit: 0, part: format }];
    const divisors = all.map(({ operator, limit, part }) => ({
      operator,
      limit,
      divisor: part?.divisor ?? 1,
    }));
    const isUnnamed = all.every(({ part }) => part !== undefined && !hasUnit(part.text) && part.point === 1);
    return isUnnamed && new Set(divisors.map(({ divisor }) => divisor)).size > 1 ? divisors : null;
  }

  #currencyBeside(style: string | undefined): string | null {
    for (const { text } of this.#sections(style)) {
      const currency = currencyIn(text);
      if (currency !== null) return currency;
    }
    return null;
  }

  /** Whether a cell of this style shows the mark of an estimate or a footnote behind its number, and no currency. */
  showsMark(style = ''): boolean {
    const isMarked = () =>
      this.#currencyBeside(style) === null && this.#sections(style).some(({ text }) => endsInMark(text));
    return getOrInsert(this.#marked, style, isMarked);
  }

  /** Whether a cell of this style may rightly show other digits than its number, because it divides the number. */
  mayShowOtherDigits(style: string | undefined): boolean {
    return this.#sections(style).some(
      ({ text, divisor, point }) => divisor !== 1 || (point !== 1 && hasUnit(text)),
    );
  }

  /** The text, such as `n/a`, that a style shows in place of every number except 0; null when it shows some numbers. */
  textInPlaceOf(style: string | undefined): string | null {
    const sections = this.#sections(style);
    const [first] = sections;
    if (first === undefined || sections.some(({ text }) => text.includes(NUMBER))) return null;
    return first.text.trim();
  }

  /** The parts of the number formats of a style, one for each condition, without parts that only apply to 0. */
  #sections(style = ''): readonly NumberFormat[] {
    return getOrInsert(this.#sectionsOf, style, () => this.#findSections(style));
  }

  #findSections(style: string): readonly NumberFormat[] {
    return this.#formatsOf(style).flatMap((name) => {
      const format = this.#formats.get(name ?? '');
      if (format === undefined) return [];
      const others = [...format.mapped].flatMap(([condition, other]) =>
        condition === 'value()=0' ? [] : (this.#formats.get(other) ?? []),
      );
      const isForZero = format.mapped.has('value()>0') && format.mapped.has('value()<0');
      return isForZero || format.isForTexts ? others : [...others, format];
    });
  }
}

/** The least divisor of the parts of a number format without a unit; 1 for a number format with a unit. */
const unnamedDivisor = (sections: readonly NumberFormat[]): number =>
  sections.some(({ text }) => hasUnit(text)) ? 1 : Math.min(...sections.map(({ divisor }) => divisor));

const hasUnit = (text: string): boolean =>
  text.split(NUMBER).some((part) => unitBesideNumber(part.trim()) !== null);

/** Matches the condition of a part of a format: `value()>=1000000`. */
const CONDITION = /^value\(\)\s*(<=|>=|<>|[<>=])\s*(-?[\d.]+)$/;

const LONGEST_FORMAT = 1000;
