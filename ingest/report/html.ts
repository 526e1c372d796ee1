// Writes HTML and SVG in which every value is escaped: `html` takes text, and gives what may stand in a page.

/** Markup that is ready to stand in a page. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a template: text and numbers are escaped, markup stays, lists follow one another. */
export type Piece = string | number | Html | null | readonly Piece[];

/** Markup around values: `` html`<td>${country}</td>` ``. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.map((part, i) => part + markupOf(pieces[i] ?? null)).join(''));
}

function markupOf(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Html) return piece.markup;
  if (typeof piece === 'object') return piece.map(markupOf).join('');
  const text = String(piece);
  // Nearly all text is plain, and asking once costs half of replacing twice.
  return PLAIN.test(text) ? text : text.replace(NOT_TEXT, '\ufffd').replace(SPECIAL, entity);
}

const PLAIN = /^[\w .,:;/%()+–−→·-]*$/;

/** Characters that no page may hold, and those that turn the direction of what follows them. */
const NOT_TEXT = /(?![\t\n])\p{Cc}|[\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const SPECIAL = /[&<>"'`]/g;

const entity = (character: string) => `&#${character.charCodeAt(0)};`;
