// Collects the content of a cell of an .ods workbook: its text with the styles of its parts, its comment and its shapes.

import { UnreadableError } from '../../../messages/fault.ts';
import type { Place } from '../../../messages/place.ts';
import { LONGEST_ASIDE } from '../asides.ts';
import type { TextRun } from '../footnotes.ts';
import { LIMITS, LONG_TEXT } from '../sourceLimits.ts';
import type { Attributes } from '../xml/attributes.ts';
import type { OdsStyles } from './odsStyles.ts';

type TextLook = Required<Pick<TextRun, 'raised' | 'struck'>> & Pick<TextRun, 'colour'>;

const PLAIN: TextLook = { raised: false, struck: false };

/** Elements in a paragraph whose text is part of it. */
const IN_TEXT = new Set('span a s tab line-break ruby ruby-base date time sheet-name'.split(' '));

/** Collects the content from the elements and texts of one cell. */
export class OdsCellContent {
  readonly #styles: OdsStyles;
  readonly #here: () => Place;
  readonly runs: TextRun[] = [];
  #paragraphs = 0;
  #characters = 0;
  /** How text looks in each open element, from the paragraph to the innermost one. */
  readonly #looks: TextLook[] = [];
  /** How deep the current element is inside a comment or shape, whose element has depth 1; 0 outside of both. */
  #skippedDepth = 0;
  /** The name of the open comment or shape element, and whether one of its paragraphs is open. */
  #skipped = '';
  #isInAside = false;
  readonly #asides = { annotation: '', frame: '' };

  /** @param here Gives the place of the cell for messages. */
  constructor(styles: OdsStyles, here: () => Place) {
    this.#styles = styles;
    this.#here = here;
  }

  /** Whether the next text is part of the cell, of its comment or of its shapes. */
  get wantsText(): boolean {
    return this.#skippedDepth > 0 || this.#looks.length > 0;
  }

  get hasParagraphs(): boolean {
    return this.#paragraphs > 0;
  }

  get characters(): number {
    return this.#characters;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skippedDepth > 0) this.#openSkipped(name);
    else if (this.#looks.length === 0 && name === 'p') {
      if (this.#paragraphs > 0) this.#add('\n', PLAIN);
      this.#paragraphs += 1;
      this.#looks.push(PLAIN);
    } else if (this.#looks.length > 0 && IN_TEXT.has(name)) {
      const around = this.#looks.at(-1) ?? PLAIN;
      const style = attributes.get('text:style-name');
      this.#looks.push({
        raised: around.raised || this.#styles.isRaised(style),
        struck: around.struck || this.#styles.strikesOut(style),
        colour: this.#styles.textColour(style) ?? around.colour,
      });
      if (name === 's') this.#add(' '.repeat(Math.min(Number(attributes.get('text:c') ?? 1), 1000)), around);
      else if (name === 'tab') this.#add('\t', around);
      else if (name === 'line-break') this.#add('\n', around);
    } else {
      this.#skippedDepth = 1;
      this.#skipped = name;
    }
  }

  /**
   * Opens an element of a comment or shape. Only the texts of paragraphs are collected, because a comment also contains its
   * author and date.
   */
  #openSkipped(name: string): void {
    this.#skippedDepth += 1;
    if (name === 'p') this.#isInAside = true;
    if (name === 'p' || name === 's' || name === 'line-break' || name === 'tab') this.#addToAside(' ');
  }

  #addToAside(text: string): void {
    const kind = this.#skipped === 'annotation' ? 'annotation' : 'frame';
    if (this.#isInAside && this.#asides[kind].length < LONGEST_ASIDE) this.#asides[kind] += text;
  }

  get comment(): string {
    return this.#asides.annotation;
  }

  get shapes(): string {
    return this.#asides.frame;
  }

  /**
   * Adds a text. White space in a paragraph of the cell becomes a single space, and is dropped at the beginning of the
   * paragraph (OpenDocument 1.2 part 1, §6.1.2).
   */
  text(text: string): void {
    if (this.#skippedDepth > 0) {
      this.#addToAside(text);
      return;
    }
    const single = text.replace(/[ \t\r\n]+/g, ' ');
    const isAtStart = /(^|\n)$/.test(this.runs.at(-1)?.text ?? '');
    this.#add(isAtStart ? single.replace(/^ /, '') : single, this.#looks.at(-1) ?? PLAIN);
  }

  #add(text: string, look: TextLook): void {
    if (text === '') return;
    this.runs.push({ text, ...look });
    this.#characters += text.length;
    if (this.#characters > LIMITS.recordBytes)
      throw new UnreadableError({ place: this.#here(), ...LONG_TEXT });
  }

  /** Closes the innermost element; false when that is the cell itself. */
  close(name: string): boolean {
    if (this.#skippedDepth > 0) {
      this.#skippedDepth -= 1;
      if (name === 'p') this.#isInAside = false;
    } else if (this.#looks.length > 0) this.#looks.pop();
    else return false;
    return true;
  }
}
