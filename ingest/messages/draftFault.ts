// Recognises texts which say that the figures of a table do not count: `DRAFT`, `Test data`, `do not use`.

import type { Diagnostic } from './fault.ts';

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

/**
 * The same about a text that is in no cell; null for kinds of texts that may be about something else.
 *
 * @param what The kind of the text, such as `print header`.
 */
export function draftFaultBeside(what: string, text: string): Diagnostic | null {
  const fault = PRINTED.has(what) ? draftFault(text) : null;
  return fault && { ...fault, problem: `the ${what} ${fault.problem}` };
}

const PRINTED: ReadonlySet<string> = new Set(['print header', 'print footer', 'text box']);

/** The length, in characters, of the longest text that is searched. A longer one is prose, which may be about a part of the figures. */
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
