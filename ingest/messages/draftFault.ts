// Recognises texts that declare figures invalid (`DRAFT`, `Test data`, `do not use`) or rows missing (`Results truncated`).

import type { Diagnostic } from './fault.ts';

/** The warning about a text that declares figures invalid or rows missing; null for any other text. */
export function draftFault(text: string): Diagnostic | null {
  const shown = text.replace(/\s+/g, ' ').trim();
  if (shown.length > LONGEST_TEXT) return null;
  const has = (patterns: readonly RegExp[]) =>
    patterns.some((words) => words.test(shown.replaceAll('_', ' ')));
  if (has(CUT))
    return {
      problem: `"${shown}" says that rows are missing`,
      remedy: 'export all rows again, or delete the text if none is missing',
      kind: 'texts that say that rows are missing',
    };
  if (!has(DRAFT)) return null;
  return {
    problem: `"${shown}" says that the figures do not count, and they were read like all others`,
    remedy: 'delete it if they count, else move the table away',
    kind: 'texts that say that figures do not count',
  };
}

/**
 * The warning of `draftFault` about a text outside the cells. Null unless it is a print header, print footer or text box.
 * A text of another kind, such as a comment, may be about some of the figures only.
 *
 * @param what The kind of the text, such as `print header`.
 */
export function draftFaultInAside(what: string, text: string): Diagnostic | null {
  const fault = PRINTED.has(what) ? draftFault(text) : null;
  return fault && { ...fault, problem: `the ${what} ${fault.problem}` };
}

const PRINTED: ReadonlySet<string> = new Set(['print header', 'print footer', 'text box']);

/** The most characters of a text that is searched. A longer text is prose and may be about a part of the figures. */
const LONGEST_TEXT = 100;

/**
 * Words that declare figures invalid. `provisional` and `estimate` are not among them, because such figures are valid.
 * Words of licences, such as `do not use for other purposes`, and draft laws do not match either.
 */
const DRAFT: readonly RegExp[] = [
  /(?<!\bthe )\bdrafts?\b(?!(?: \p{L}+){0,2} (?:laws?|bills?|acts?|regulations?|legislation|decrees?|ordinances?|directives?|treaty|rules?|amendments?|guidelines?|contests?|picks?|lotter(?:y|ies))\b)/iu,
  /(?<!\p{L})(?:entwurf|brouillon|borrador|bozza|rascunho|utkast|taslak)(?!\p{L})(?! (?:eines|de (?:loi|ley))\b)/iu,
  /\b(?:do not|don['’]t) (?:use|publish|cite|quote)\b(?! (?:for|in|with|without|or)\b)/i,
  /\b(?:test|dummy|mock|fake|fictitious|placeholder|illustrative) (?:data|figures|numbers|values)\b/i,
  /\bwork in progress\b|\bto be (?:confirmed|checked|verified|corrected|replaced)\b/i,
  /\b(?:obsolete|outdated)\b|\bsuperseded by\b/i,
];

/**
 * Words of programs that left out rows: a limit of Power BI, of a query, of a printed data frame, of a table on a web page.
 */
const CUT: readonly RegExp[] = [
  /\bexceed(?:s|ed)? the (?:allowed|maximum|row) (?:volume|limit|number of rows)\b/i,
  /\b(?:data|rows|records|results?|output|export) (?:(?:is|are|was|were|has been|have been) )?(?:truncated|cut off)\b/i,
  /\b(?:data|rows|records|results) (?:may|might) (?:be|have been) (?:omitted|missing|truncated)\b/i,
  /\b(?:first|top) \d[\d,. ]* (?:rows|records|results)\b/i,
  /\b\d[\d,. ]* (?:more|further) (?:rows|records)\b/i,
  /\bshowing \d[\d,. ]*(?:to|[-–]|of) ?\d/i,
];
