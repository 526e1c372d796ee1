// Cleans the texts of dimensions (trimmed, Unicode NFC, ordinary spaces), each text once, and refuses invalid ones.

import { DIMENSION_NAMES, type Dimension } from '../../src/catalog/datasets.ts';
import { codePoint } from '../messages/characters.ts';
import type { Diagnostic } from '../messages/fault.ts';
import { headingKey } from '../messages/spelling.ts';
import { damagedTextFault } from './damagedText.ts';
import type { Staging } from './database/staging.ts';

/** A text of a dimension after cleaning. */
export interface DimensionText {
  /** The text as it is published. */
  readonly text: string;
  /** The code of the text in the staging database; -1 for a refused text. */
  readonly code: number;
  /** The changes of the text in words, which follow the name of the dimension. */
  readonly changes: readonly string[];
  /** The fault of a refused text; null for a valid text. */
  readonly fault: Diagnostic | null;
}

const MOST_CHARACTERS = 500;

const HEADINGS = new Set(DIMENSION_NAMES.map(headingKey));

/** Cleans the texts of one table. Each different text is cleaned once. */
export class DimensionTexts {
  readonly #staging: Staging;
  readonly #seen: Record<'plain' | 'currency', Map<string, DimensionText>> = {
    plain: new Map(),
    currency: new Map(),
  };
  readonly #headings = new Map<string, boolean>();
  /** The code of the empty text, such as the state of a row about a nation. */
  readonly emptyCode: number;

  constructor(staging: Staging) {
    this.#staging = staging;
    this.emptyCode = staging.code('');
  }

  /** The cleaned text of `raw`, a text as the file has it. `form` is the form that its dimension requires. */
  textOf(raw: string, form: Dimension['form']): DimensionText {
    const seen = this.#seen[form ?? 'plain'];
    let known = seen.get(raw);
    if (known === undefined) {
      known = this.#clean(raw, form);
      seen.set(raw, known);
    }
    return known;
  }

  /** Whether a text is the name of a dimension. The comparison is as lenient as that of headings. */
  isHeading(raw: string): boolean {
    let is = this.#headings.get(raw);
    if (is === undefined) {
      is = HEADINGS.has(headingKey(raw));
      this.#headings.set(raw, is);
    }
    return is;
  }

  #clean(raw: string, form: Dimension['form']): DimensionText {
    const composed = raw.normalize('NFC');
    const plain = withPlainSpaces(composed);
    const trimmed = plain.trim();
    const text = cleanText(raw, form);
    const changes = [
      ...(composed === raw ? [] : ['was composed to Unicode NFC']),
      ...(trimmed === plain ? [] : ['was trimmed']),
      // Special spaces at the ends count as trimmed.
      ...(trimmed === composed.trim() ? [] : ['had its special spaces made plain']),
      ...(text !== trimmed ? ['was written in lower case'] : []),
    ];
    const fault = faultOf(text, form);
    return { text, code: fault === null ? this.#staging.code(text) : -1, changes, fault };
  }
}

/** A text of a dimension as it is published. */
export function cleanText(raw: string, form: Dimension['form']): string {
  const text = withPlainSpaces(raw.normalize('NFC')).trim();
  return form === 'currency' && /^[a-z]{3}$/i.test(text) ? text.toUpperCase() : text;
}

const withPlainSpaces = (text: string) => text.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');

/** The fault of a text; null for a valid text. The words of the problem follow the name of the dimension. */
function faultOf(text: string, form: Dimension['form']): Diagnostic | null {
  const odd = damagedTextFault(text);
  if (odd !== null) return odd;
  if (text.length > MOST_CHARACTERS)
    return {
      problem: `is ${text.length} characters long`,
      remedy: `shorten it to ${MOST_CHARACTERS} characters or fewer`,
    };
  if (form === 'currency' && !/^[A-Z]{3}$/.test(text)) {
    const problem = `"${text}" is not a currency code`;
    const letter = /^\p{L}{3}$/u.test(text) ? /[^A-Za-z]/u.exec(text)?.[0] : undefined;
    if (letter === undefined) return { problem, remedy: 'write three capital letters, such as GBP' };
    const plain = text.normalize('NFKC').toUpperCase();
    return {
      problem: `${problem}: "${letter}" is ${codePoint(letter)}, not a letter from A to Z`,
      remedy: /^[A-Z]{3}$/.test(plain)
        ? `write "${plain}" in plain letters`
        : 'write three letters from A to Z, such as GBP',
    };
  }
  return null;
}
