// Collects what a person sees of a text in a workbook: all its runs, without phonetic guides.

import { LIMITS } from '../limits.ts';
import { UnreadableError } from '../raw.ts';
import { textOf } from './xmlText.ts';

/** Follows the events inside one `<si>` or `<is>` element at a time. */
export class RichText {
  readonly #place: string;
  #text = '';
  #inText = false;
  #inPhonetic = false;

  constructor(place: string) {
    this.#place = place;
  }

  open(name: string): void {
    if (name === 't') this.#inText = !this.#inPhonetic;
    else if (name === 'rPh') this.#inPhonetic = true;
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (!this.#inText) return;
    this.#text += spreadsheetText(bytes, start, end, this.#place);
    if (this.#text.length > LIMITS.recordBytes) {
      throw new UnreadableError(`${this.#place}: a text in it is too long: shorten it`);
    }
  }

  close(name: string): void {
    if (name === 't') this.#inText = false;
    else if (name === 'rPh') this.#inPhonetic = false;
  }

  /** The text collected since the last call. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** Text whose `_xHHHH_` stand for characters that XML cannot hold (ECMA-376 part 1, §22.9.2.19). */
export function spreadsheetText(bytes: Buffer, start: number, end: number, place: string): string {
  const text = textOf(bytes, start, end, place);
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
