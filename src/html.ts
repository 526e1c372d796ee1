// Builds HTML and SVG from tagged templates that escape every value: text can never become markup.

/** Markup that is ready to stand in a page. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a template: text and numbers are escaped, markup stays, lists are joined, `null` and `false` are empty. */
export type Piece = string | number | Html | null | false | readonly Piece[];

/** Markup around values: `` html`<td title="${note}">${country}</td>` ``. Attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.map((part, i) => part + markupOf(pieces[i] ?? null)).join(''));
}

/** Text of our own that is markup, style or script already. */
export const verbatim = (markup: string): Html => new Html(markup);

function markupOf(piece: Piece): string {
  if (piece === null || piece === false) return '';
  if (piece instanceof Html) return piece.markup;
  if (typeof piece === 'object') return piece.map(markupOf).join('');
  const text = String(piece);
  // Most text is plain: one test costs half of two replacements.
  return PLAIN.test(text) ? text : text.replace(NOT_TEXT, '\ufffd').replace(SPECIAL, entity);
}

const PLAIN = /^[\w .,:;/%()+–−→·-]*$/;

/** Control characters, half surrogate pairs, byte order marks, and characters that turn the direction of the text after them. */
const NOT_TEXT = /(?![\t\n])\p{Cc}|[\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const SPECIAL = /[&<>"'`]/g;

const entity = (character: string) => ENTITIES.get(character) ?? `&#${character.charCodeAt(0)};`;

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);
