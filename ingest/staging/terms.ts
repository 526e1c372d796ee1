// Cleans the text of dimensions (trimmed, NFC, ordinary spaces) and refuses what is none; each distinct text once.

import { DIMENSION_NAMES, type Dimension } from '../../src/catalog/datasets.ts';
import type { Said } from '../messages/fault.ts';
import { headingKey } from '../messages/spelling.ts';
import type { Staging } from './staging.ts';

export interface Term {
  /** The text as it is published. */
  readonly text: string;
  readonly code: number;
  /** What was changed, in words that follow the dimension's name. */
  readonly cleaned: readonly string[];
  /** Why it is refused, and null when it is not. `code` has no meaning when it is. */
  readonly fault: Said | null;
}

const LONGEST = 500;

const HEADINGS = new Set(DIMENSION_NAMES.map(headingKey));

export class Terms {
  readonly #staging: Staging;
  readonly #seen: Record<'plain' | 'currency', Map<string, Term>> = { plain: new Map(), currency: new Map() };
  readonly #headings = new Map<string, boolean>();
  /** The code of the empty text: a row without a state. */
  readonly empty: number;

  constructor(staging: Staging) {
    this.#staging = staging;
    this.empty = staging.code('');
  }

  /** The cleaned term of a text as the file holds it; `form` is that of its dimension. */
  of(raw: string, form: Dimension['form']): Term {
    const seen = this.#seen[form ?? 'plain'];
    let term = seen.get(raw);
    if (term === undefined) {
      term = this.#clean(raw, form);
      seen.set(raw, term);
    }
    return term;
  }

  /** Whether a text is the name of a dimension, compared as forgivingly as headings are. */
  isHeading(raw: string): boolean {
    let is = this.#headings.get(raw);
    if (is === undefined) {
      is = HEADINGS.has(headingKey(raw));
      this.#headings.set(raw, is);
    }
    return is;
  }

  #clean(raw: string, form: Dimension['form']): Term {
    const composed = raw.normalize('NFC');
    const plain = composed.replace(/[\u00a0\u2007\u202f]/g, ' ');
    const trimmed = plain.trim();
    const isLowerCurrency = form === 'currency' && /^[a-z]{3}$/i.test(trimmed) && /[a-z]/.test(trimmed);
    const text = isLowerCurrency ? trimmed.toUpperCase() : trimmed;
    const cleaned = [
      ...(composed === raw ? [] : ['was composed to Unicode NFC']),
      ...(trimmed === plain ? [] : ['was trimmed']),
      // Non-breaking spaces at the ends count as trimmed.
      ...(trimmed === composed.trim() ? [] : ['had its non-breaking spaces made plain']),
      ...(isLowerCurrency ? ['was written in lower case'] : []),
    ];
    const fault = faultOf(text, form);
    return { text, code: fault === null ? this.#staging.code(text) : -1, cleaned, fault };
  }
}

/** What is wrong with a text, in words that follow the dimension's name. */
function faultOf(text: string, form: Dimension['form']): Said | null {
  // A control, surrogate or invisible character makes a value that looks equal to another and is not.
  const odd = /[\p{Cc}\p{Cs}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/u.exec(text);
  if (odd !== null) {
    const point = (odd[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return { problem: `"${text.replace(/\s/g, ' ')}" holds the character U+${point}`, remedy: 'delete it' };
  }
  if (text.length > LONGEST)
    return { problem: `is ${text.length} characters long`, remedy: `${LONGEST} are allowed` };
  if (form === 'currency' && !/^[A-Z]{3}$/.test(text)) {
    return {
      problem: `"${text}" is not a currency code`,
      remedy: 'write three capital letters, such as GBP',
    };
  }
  return null;
}
