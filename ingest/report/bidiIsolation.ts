// Isolates names in right-to-left letters, so that browsers do not move the numbers around them.

import { Html, html } from '../../src/html.ts';
import { RIGHT_TO_LEFT } from '../../src/rightToLeft.ts';

/**
 * The markup with each name in right-to-left letters in a `<bdi>`. Without it, a browser shows `ישראל: 1 → 2` as the
 * change from 2 to 1. Texts in SVG stay unchanged, because SVG has no `<bdi>`. Each of them is a label of its own.
 */
export function bidiIsolated({ markup }: Html): Html {
  if (!ANY.test(markup)) return new Html(markup);
  const pieces = markup.split(NOT_TEXT);
  // `split` with a captured group returns the tags and whole drawings at the odd indexes.
  return new Html(pieces.map((piece, i) => (i % 2 === 1 ? piece : piece.replace(NAME, inBdi))).join(''));
}

const inBdi = (name: string): string => html`<bdi>${new Html(name)}</bdi>`.markup;

const NOT_TEXT = /(<svg[^>]*>[\s\S]*?<\/svg>|<[^>]*>)/;

const ANY = new RegExp(RIGHT_TO_LEFT, 'u');

/** Words in right-to-left letters, with the characters between them: spaces, hyphens, apostrophes, quotes, joiners. */
const NAME = new RegExp(
  `${RIGHT_TO_LEFT}+(?:(?:[ \\u00a0\\u200c\\u200d'’.־-]|&#39;|&quot;)+${RIGHT_TO_LEFT}+)*`,
  'gu',
);
