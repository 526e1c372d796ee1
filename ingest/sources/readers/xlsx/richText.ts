// Collects what a person sees of a text in a workbook: all its runs, without phonetic guides.

import { LIMITS } from '../limits.ts';
import { UnreadableError } from '../raw.ts';
import { damagedXml } from './damage.ts';
import { isSpace } from './xml.ts';
import { textOf } from './xmlText.ts';

/** Follows the events inside one `<si>` or `<is>` element at a time; throws UnreadableError for what has no place there. */
export class RichText {
  readonly #place: string;
  #text = '';
  #inText = false;
  #inRun = false;
  /** How deep in an element that is no part of the text; 0 outside of one. */
  #aside = 0;
  #hasText = false;
  #hasRuns = false;
  #runHasText = false;

  constructor(place: string) {
    this.#place = place;
  }

  open(name: string): void {
    if (name !== 't' || this.#aside > 0) {
      this.#openOther(name);
      return;
    }
    const isSecond = this.#inRun ? this.#runHasText : this.#hasText || this.#hasRuns;
    if (this.#inText || isSecond) throw this.#misplaced(name);
    this.#inText = true;
    if (this.#inRun) this.#runHasText = true;
    else this.#hasText = true;
  }

  #openOther(name: string): void {
    // What lies among the looks of a run or in a guide is passed over: a cell there would be lost.
    const isStray = CELLS.has(name) || (this.#inRun && name === 't');
    if (this.#aside > 0 ? !isStray : this.#isAside(name)) this.#aside += 1;
    else if (name === 'r' && !this.#inRun && !this.#inText && this.#aside === 0) {
      this.#inRun = true;
      this.#hasRuns = true;
      this.#runHasText = false;
    } else throw this.#misplaced(name);
  }

  #isAside(name: string): boolean {
    return !this.#inText && (this.#inRun ? IN_RUN : IN_ITEM).has(name);
  }

  #misplaced(name: string): UnreadableError {
    return damagedXml(this.#place, `<${name}> has no place where it stands in a text`);
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#aside > 0) return;
    if (!this.#inText) {
      if (isSpace(bytes, start, end)) return;
      throw damagedXml(this.#place, 'a text in it stands outside of <t>');
    }
    this.#text += spreadsheetText(bytes, start, end, this.#place);
    if (this.#text.length > LIMITS.recordBytes) {
      throw new UnreadableError(`${this.#place}: a text in it is too long: shorten it`);
    }
  }

  close(): void {
    if (this.#aside > 0) this.#aside -= 1;
    else if (this.#inText) this.#inText = false;
    else this.#inRun = false;
  }

  /** The text collected since the last call. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#hasText = false;
    this.#hasRuns = false;
    return text;
  }
}

/** What stands beside the text and is none. */
const IN_ITEM = new Set(['rPh', 'phoneticPr', 'extLst']);
const IN_RUN = new Set(['rPr']);
const CELLS = new Set(['c', 'row', 'v', 'is', 'si']);

/** Text whose `_xHHHH_` stand for characters that XML cannot hold (ECMA-376 part 1, §22.9.2.19). */
export function spreadsheetText(bytes: Buffer, start: number, end: number, place: string): string {
  const text = textOf(bytes, start, end, place);
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
