// Reads the style of a conditional format: its number format, its colours, and whether it strikes text out.

import { effectOf } from '../formatConditions.ts';
import type { FormatUnit } from '../numberKind.ts';
import type { Attributes } from '../xml/attributes.ts';
import { BLACK, colourIn, WHITE, withPalette } from './colours.ts';
import { unitInFormat } from './numberFormat.ts';
import { unescaped } from './richText.ts';
import { ShownNumbers } from './shownNumbers.ts';

/** The look that a conditional format gives to cells that fulfil its condition. */
export interface ConditionalFormat {
  /** The unit with which the format shows another value than the number; null without such a unit. */
  readonly unit: FormatUnit | null;
  /** How the number format shows numbers; null when it shows every number as it is. */
  readonly format: ShownNumbers | null;
  /** The effect of the colours and lines on figures, such as `struck out`; null when figures stay visible. */
  readonly effect: string | null;
}

/** Collects one differential style from its elements. */
export class DifferentialStyle {
  /** The part of the style that is being read. */
  #part = '';
  #code: string | undefined;
  /** The colour of text; null when it is unknown, undefined when it stays that of the cell. */
  #colour: string | null | undefined;
  /** The colour of the background; null when it is unknown, undefined when it stays that of the cell. */
  #background: string | null | undefined;
  #isStruck = false;

  open(name: string, attributes: Attributes): void {
    if (PARTS.has(name)) this.#part = name;
    if (name === 'numFmt') this.#code = unescaped(attributes.get('formatCode') ?? '');
    else if (this.#part === 'font' && name === 'strike') this.#isStruck = !attributes.isOff('val');
    else if (this.#part === 'font' && name === 'color') this.#colour = withPalette(colourIn(attributes), []);
    else if (this.#part === 'fill' && name === 'patternFill') this.#openPattern(attributes);
    else if (this.#part === 'fill' && name === 'gradientFill') this.#background = null;
    else if (this.#part === 'fill' && name === 'bgColor' && this.#background === undefined)
      this.#background = withPalette(colourIn(attributes), []);
  }

  /**
   * Opens a pattern. Excel treats a pattern without a type as solid, and its background colour as the colour of the cell.
   */
  #openPattern(attributes: Attributes): void {
    const pattern = attributes.get('patternType') ?? 'solid';
    if (pattern === 'solid') this.#background = undefined;
    else this.#background = pattern === 'none' ? WHITE : null;
  }

  /** Records that the style draws something in place of the number. */
  hide(): void {
    this.#code = HIDING;
  }

  /** How the style changes the look of figures; null when it does not. */
  get format(): ConditionalFormat | null {
    const isPale = this.#isPale;
    if (this.#code === undefined && !isPale && !this.#isStruck) return null;
    return {
      unit: unitInFormat(this.#code ?? ''),
      format: ShownNumbers.of(this.#code ?? ''),
      effect: effectOf({ isPale, isStruck: this.#isStruck }),
    };
  }

  /**
   * Whether text has the colour of its background. When the style sets only one of the two colours, black text or a white
   * background is assumed.
   */
  get #isPale(): boolean {
    if (this.#colour === null || this.#background === null) return false;
    if (this.#colour === undefined && this.#background === undefined) return false;
    return (this.#colour ?? BLACK) === (this.#background ?? WHITE);
  }
}

const PARTS: ReadonlySet<string> = new Set(['font', 'fill', 'border', 'alignment', 'protection', 'numFmt']);

/** A number format that shows no number. */
const HIDING = ';;;';
