// Warns of texts around a table which say that its figures do not count: `DRAFT`, `Test data`, `do not use`.

import type { Diagnostic } from '../messages/fault.ts';
import { type Origin, placeOfCell, wholeTable } from '../messages/place.ts';
import type { Problems } from '../messages/problems.ts';
import type { Aside } from '../sources/readers/asides.ts';
import type { RawRow } from '../sources/readers/raw.ts';
import { isFootnoted } from './values.ts';

/** Warns of the first text above the header which says that the figures do not count. */
export function warnOfDraft(titles: readonly RawRow[], origin: Origin, problems: Problems): void {
  for (const { row, cells } of titles)
    for (const [index, cell] of cells.entries()) {
      const text = isFootnoted(cell) ? cell.text : cell;
      const fault = typeof text === 'string' ? draftFault(text) : null;
      if (fault === null) continue;
      problems.add('warning', placeOfCell(origin, row, `${index + 1}`, index), fault);
      return;
    }
}

/** Warns of print headers, print footers and text boxes that say so. */
export function warnOfDraftBeside(asides: readonly Aside[], origin: Origin, problems: Problems): void {
  for (const { what, text } of asides) {
    const fault = PRINTED.has(what) ? draftFault(text) : null;
    if (fault === null) continue;
    problems.add('warning', wholeTable(origin), { ...fault, problem: `a ${what}, ${fault.problem}` });
  }
}

const PRINTED: ReadonlySet<Aside['what']> = new Set(['print header', 'print footer', 'text box']);

/** The warning about a text which says that figures do not count; null for any other text. */
export function draftFault(text: string): Diagnostic | null {
  const shown = text.replace(/\s+/g, ' ').trim();
  if (shown.length > LONGEST_TEXT || !DRAFT.some((words) => words.test(shown.replaceAll('_', ' '))))
    return null;
  return {
    problem: `"${shown}" says that the figures do not count, and they were read like all others`,
    remedy: 'delete it if they count, else move the table away',
    kind: 'texts that say that figures do not count',
  };
}

/** The most characters of a text. A longer one consists of sentences, which need not be about all figures. */
const LONGEST_TEXT = 100;

/**
 * Words for `provisional` and `estimate` are left out, because such figures are valid. So are words of licences, such as `do not
 * use for other purposes`, and draft laws.
 */
const DRAFT: readonly RegExp[] = [
  /(?<!\bthe )\bdrafts?\b(?!(?: \p{L}+){0,2} (?:laws?|bills?|acts?|regulations?|legislation|decrees?|ordinances?|directives?|treaty|rules?|amendments?|guidelines?|contests?|picks?|lotter(?:y|ies))\b)/iu,
  /(?<!\p{L})(?:entwurf|brouillon|borrador|bozza|rascunho|utkast|taslak)(?!\p{L})(?! (?:eines|de (?:loi|ley))\b)/iu,
  /\b(?:do not|don['’]t) (?:use|publish|cite|quote)\b(?! (?:for|in|with|without|or)\b)/i,
  /\b(?:test|dummy|mock|fake|fictitious|placeholder|illustrative) (?:data|figures|numbers|values)\b/i,
  /\bwork in progress\b|\bto be (?:confirmed|checked|verified|corrected|replaced)\b/i,
  /\b(?:obsolete|outdated)\b|\bsuperseded by\b/i,
];
