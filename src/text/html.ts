// Builds HTML and SVG from tagged templates. They escape all values, so that text can never become markup.

import { printable } from './printable.ts';

/** Markup that is ready to be put into a page. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/**
 * A value in a template. Text is escaped, including invisible characters, which could change how a page reads. Markup
 * stays as it is, lists are joined, and `null` and `false` are empty.
 */
export type HtmlContent = string | number | Html | null | false | readonly HtmlContent[];

/** Markup around values: `` html`<td title="${note}">${country}</td>` ``. Attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...pieces: readonly HtmlContent[]): Html {
  return new Html(parts.map((part, i) => part + markupOfContent(pieces[i] ?? null)).join(''));
}

/** Marks a text as markup, style or script that needs no escaping. It must not contain text from outside. */
export const verbatim = (markup: string): Html => new Html(markup);

function markupOfContent(piece: HtmlContent): string {
  if (piece === null || piece === false) return '';
  if (piece instanceof Html) return piece.markup;
  if (typeof piece === 'object') return piece.map(markupOfContent).join('');
  const text = String(piece);
  // Most text is plain, and one test takes half the time of two replacements.
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, printable).replace(SPECIAL, entity);
}

const PLAIN = /^[\w .,:;/%()+–−→·-]*$/;

/** The characters that `printable` escapes, except tabs and line breaks, because pages show code of several lines. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

const SPECIAL = /[&<>"'`]/g;

const entity = (character: string) => ENTITIES.get(character) ?? `&#${character.charCodeAt(0)};`;

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);
