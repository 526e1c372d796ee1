// Marks the numbers in a sentence so that no line ends inside one: `+0.739 %`, `1,234,567`, `2003–2030`.

import { type Html, html } from '../../../src/html.ts';

/** The text, with every number on one line together with its sign and unit. */
export function unbroken(text: string): Html {
  const pieces = text.split(NUMBER);
  // `split` puts each captured number at an odd place.
  return html`${pieces.map((piece, i) => (i % 2 === 1 && BREAKABLE.test(piece) ? html`<span class="keep">${piece}</span>` : piece))}`;
}

const NUMBER =
  /((?<![\w.])[+−±≈×-]?\d[\d.,]*(?:[–-]\d[\d.,]*)*(?:[ \u00a0](?:%|tn|bn|m|k|kB|MB|GB|B)(?![\w]))?)/;

/** Where a line could end inside a number. */
const BREAKABLE = /[ –-]/;
