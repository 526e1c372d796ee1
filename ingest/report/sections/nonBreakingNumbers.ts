// Keeps numbers in a sentence on one line, such as `+0.739 %`, `1,234,567` and `2003–2030`.

import { type Html, html } from '../../../src/text/html.ts';

/** The text as HTML in which every number stays on one line with its sign and unit. */
export function withNonBreakingNumbers(text: string): Html {
  const pieces = text.split(NUMBER);
  // `split` with a captured group returns the numbers at the odd indexes.
  return html`${pieces.map((piece, i) => (i % 2 === 1 && BREAKABLE.test(piece) ? html`<span class="keep">${piece}</span>` : piece))}`;
}

const NUMBER =
  /((?<![\w.])[+−±≈×-]?\d[\d.,]*(?:[–-]\d[\d.,]*)*(?:[ \u00a0](?:%|tn|bn|m|k|kB|MB|GB|B)(?![\w]))?)/;

/** The characters of a number after which a browser may break the line. */
const BREAKABLE = /[ –-]/;
