// Reads the style that a conditional format gives to cells: its number format, its colours, and whether it strikes out.

import { effectOf } from '../conditions.ts';
import type { Attributes } from '../xml/attributes.ts';
import { BLACK, colourIn, WHITE, withPalette } from './colours.ts';
import { type FormatUnit, unitInFormat } from './numberFormat.ts';
import { ShownNumbers } from './shownNumbers.ts';

/** What cells show otherwise while they fulfil a condition. */
export interface ConditionalFormat {
  /** The unit that makes it show another value than the number; null for none. */
  readonly unit: FormatUnit | null;
  /** Null when its number format shows every number. */
  readonly format: ShownNumbers | null;
  /** What its colours and lines do to figures: `struck out`; null when people see them. */
  readonly effect: string | null;
}

/** Fed with the elements of one differential style. */
export class DifferentialStyle {
  /** The part of the style that is being read. */
  #part = '';
  #code: string | undefined;
  /** The colour of texts; null for an unknown one, undefined for that of the cell. */
  #colour: string | null | undefined;
  /** The colour of the background, likewise. */
  #background: string | null | undefined;
  #isStruck = false;

  open(name: string, attributes: Attributes): void {
    if (PARTS.has(name)) this.#part = name;
    const isSet = !/^(?:0|false)$/.test(attributes.get('val') ?? '');
    if (name === 'numFmt') this.#code = attributes.get('formatCode') ?? '';
    else if (this.#part === 'font' && name === 'strike') this.#isStruck = isSet;
    else if (this.#part === 'font' && name === 'color') this.#colour = withPalette(colourIn(attributes), []);
    else if (this.#part === 'fill' && name === 'patternFill') this.#openPattern(attributes);
    else if (this.#part === 'fill' && name === 'gradientFill') this.#background = null;
    else if (this.#part === 'fill' && name === 'bgColor' && this.#background === undefined)
      this.#background = withPalette(colourIn(attributes), []);
  }

  /** Excel takes a pattern without a type as solid, and its background colour as that of the cell. */
  #openPattern(attributes: Attributes): void {
    const pattern = attributes.get('patternType') ?? 'solid';
    this.#background = pattern === 'solid' ? undefined : pattern === 'none' ? WHITE : null;
  }

  /** Draws something in place of the number. */
  hide(): void {
    this.#code = HIDING;
  }

  /** How the style changes what people see of a figure; null when it changes nothing. */
  get format(): ConditionalFormat | null {
    const isPale = this.#isPale;
    if (this.#code === undefined && !isPale && !this.#isStruck) return null;
    return {
      unit: unitInFormat(this.#code ?? ''),
      format: ShownNumbers.of(this.#code ?? ''),
      effect: effectOf({ isPale, isStruck: this.#isStruck }),
    };
  }

  /** A cell without a background of the style has most likely that of the paper, and black text. */
  get #isPale(): boolean {
    if (this.#colour === null || this.#background === null) return false;
    if (this.#colour === undefined && this.#background === undefined) return false;
    return (this.#colour ?? BLACK) === (this.#background ?? WHITE);
  }
}

const PARTS: ReadonlySet<string> = new Set(['font', 'fill', 'border', 'alignment', 'protection', 'numFmt']);

/** A number format that shows no number. */
const HIDING = ';;;';
