// Collects the text of a cell as people see it, from all its runs and without phonetic guides.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { isNumeral } from '../cellLooks.ts';
import { isStruckOut, type TextRun, textOfRuns, textOrFootnoted } from '../footnotes.ts';
import type { Footnoted } from '../rawFile.ts';
import { LIMITS, LONG_TEXT } from '../sourceLimits.ts';
import type { Attributes } from '../xml/attributes.ts';
import { damagedXml } from '../xml/damage.ts';
import { type PlaceOrMaker, textOf } from '../xml/text.ts';
import { isSpace } from '../xml/xml.ts';
import { colourIn } from './colours.ts';

/** Follows the elements in one `<si>` or `<is>` element at a time. Throws UnreadableError for misplaced elements. */
export class RichText {
  readonly #place: Place;
  /** The text of the current run, or of the item when it has no runs. */
  #text = '';
  /** The runs before the current one. */
  #runs: TextRun[] = [];
  /** Whether a character has several bytes, so that the text may have superscript characters. */
  #hasLongCharacters = false;
  #characters = 0;
  #inText = false;
  #inRun = false;
  /** How deep the current element is inside a skipped element, which has depth 1; 0 outside of skipped elements. */
  #skippedDepth = 0;
  #hasText = false;
  #hasRuns = false;
  #runHasText = false;
  #runIsRaised = false;
  #runIsStruck = false;
  #runColour: string | null = null;
  /** The colours of the runs before the current one, as far as people see text in them. */
  #colours: (string | null)[] = [];
  /**
   * The colours of the parts of the number that `take` returned last; null for a part in the colour of the cell. Undefined
   * when the text is no number of several parts.
   */
  colours: readonly (string | null)[] | undefined;
  /** Whether the whole text that `take` returned last is struck out. */
  isStruckOut = false;

  constructor(place: Place) {
    this.#place = place;
  }

  open(name: string, attributes: Attributes): void {
    if (name !== 't' || this.#skippedDepth > 0) {
      this.#openOther(name, attributes);
      return;
    }
    const isSecond = this.#inRun ? this.#runHasText : this.#hasText || this.#hasRuns;
    if (this.#inText || isSecond) throw this.#misplaced(name);
    this.#inText = true;
    if (this.#inRun) this.#runHasText = true;
    else this.#hasText = true;
  }

  #openOther(name: string, attributes: Attributes): void {
    // Run properties and phonetic guides are skipped. A cell in them is refused, because it would be lost without a
    // message.
    const isStray = CELLS.has(name) || (this.#inRun && name === 't');
    if (this.#skippedDepth > 0 ? !isStray : this.#isSkipped(name)) {
      this.#skippedDepth += 1;
      if (name === 'vertAlign' && this.#inRun) this.#runIsRaised ||= isRaised(attributes.get('val'));
      if (name === 'color' && this.#inRun) this.#runColour = colourIn(attributes);
      if (name === 'strike' && this.#inRun) this.#runIsStruck ||= !attributes.isOff('val');
    } else if (name === 'r' && !this.#inRun && !this.#inText && this.#skippedDepth === 0) {
      this.#inRun = true;
      this.#hasRuns = true;
      this.#runHasText = false;
      this.#runIsRaised = false;
      this.#runIsStruck = false;
      this.#runColour = null;
    } else throw this.#misplaced(name);
  }

  #isSkipped(name: string): boolean {
    return !this.#inText && (this.#inRun ? IN_RUN : IN_ITEM).has(name);
  }

  #misplaced(name: string): UnreadableError {
    return damagedXml(this.#place, `<${name}> has no place where it stands in a text`);
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#skippedDepth > 0) return;
    if (!this.#inText) {
      if (isSpace(bytes, start, end)) return;
      throw damagedXml(this.#place, 'a text in it stands outside of <t>');
    }
    const text = spreadsheetText(bytes, start, end, this.#place);
    this.#text += text;
    this.#characters += text.length;
    if (text.length !== end - start) this.#hasLongCharacters = true;
    if (this.#characters > LIMITS.recordBytes)
      throw new UnreadableError({ place: this.#place, ...LONG_TEXT });
  }

  close(): void {
    if (this.#skippedDepth > 0) this.#skippedDepth -= 1;
    else if (this.#inText) this.#inText = false;
    else this.#closeRun();
  }

  #closeRun(): void {
    this.#inRun = false;
    const isSeen = this.#text.trim() !== '' && !this.#runIsRaised && !this.#runIsStruck;
    if (isSeen) this.#colours.push(this.#runColour);
    this.#runs.push({ text: this.#text, raised: this.#runIsRaised, struck: this.#runIsStruck });
    this.#text = '';
  }

  /** The text collected since the last call. */
  take(): string | Footnoted {
    const taken = this.#collected();
    this.isStruckOut = this.#hasRuns && isStruckOut(this.#runs);
    this.colours =
      this.#colours.length > 1 && isNumeral(typeof taken === 'string' ? taken : taken.value)
        ? this.#colours
        : undefined;
    if (this.#hasRuns) {
      this.#runs = [];
      this.#colours = [];
    }
    this.#text = '';
    this.#hasLongCharacters = false;
    this.#characters = 0;
    this.#hasText = false;
    this.#hasRuns = false;
    return taken;
  }

  #collected(): string | Footnoted {
    if (this.#hasRuns) return textOfRuns(this.#runs);
    return this.#hasLongCharacters ? textOrFootnoted(this.#text) : this.#text;
  }
}

/** Elements that hold no part of the text. */
const IN_ITEM = new Set(['rPh', 'phoneticPr', 'extLst']);
const IN_RUN = new Set(['rPr']);
const CELLS = new Set(['c', 'row', 'v', 'is', 'si']);
/** The values of `vertAlign` for raised text (ECMA-376 part 1, §22.9.2.17). Its third value is `baseline`. */
const RAISED = new Set(['superscript', 'subscript']);

/** Whether a `vertAlign` raises or lowers text. */
export const isRaised = (vertAlign: string | undefined): boolean => RAISED.has(vertAlign ?? '');

/** A text of a part, with its escapes resolved. */
export function spreadsheetText(bytes: Buffer, start: number, end: number, place: PlaceOrMaker): string {
  return unescaped(textOf(bytes, start, end, place));
}

/** Resolves `_xHHHH_`, which stands for a character that XML cannot hold (ECMA-376 part 1, §22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
