// Rewrites the formulas of .ods workbooks (OpenFormula) in the form of .xlsx: `of:=[.A2]*2` becomes `A2*2`.

import type { WrittenFormula } from '../formulas/formulaCells.ts';
import type { CellRange } from '../rawFile.ts';

/**
 * The formula in an attribute `table:formula`. A formula that cannot be rewritten has `{` as its text or
 * before it, which the parser of formulas refuses.
 */
export function formulaOf(written: string, array: CellRange | null): WrittenFormula {
  const [, prefix = '', text = ''] = /^([a-z]+):=(.*)$/s.exec(written) ?? [];
  return { text: rewritten(prefix, text) ?? `${NOT_REWRITTEN}${text}`, shared: null, array };
}

function rewritten(prefix: string, text: string): string | null {
  // This prefix marks the notation of .xlsx.
  if (prefix === 'msoxl') return text;
  return OPEN_FORMULA.has(prefix) ? fromOpenFormula(text) : NOT_REWRITTEN;
}

/** The prefixes of OpenFormula, and of the formulas that OpenOffice wrote before that standard. */
const OPEN_FORMULA: ReadonlySet<string> = new Set(['of', 'oooc']);

/** The beginning of a formula that is not rewritten. The parser understands no formula that begins with it. */
const NOT_REWRITTEN = '{';

/** The formula with the references and separators of .xlsx; null when a part of it would mean something else in .xlsx. */
export function fromOpenFormula(formula: string): string | null {
  const parts: string[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < formula.length) {
    const found = PART.exec(formula);
    if (found === null) return null;
    const [whole, reference, name] = found;
    let part: string | null = whole;
    if (reference !== undefined) part = referenceOf(reference);
    else if (name !== undefined) part = nameOf(name);
    if (part === null) return null;
    parts.push(part === ';' ? ',' : part);
  }
  return parts.join('');
}

/** Matches a text, `#REF!`, a reference, a name or function, a number, or an operator that both notations have. */
const PART =
  /"(?:[^"]|"")*"|#REF!|\[((?:'(?:[^']|'')*'(?!')|[^'[\]])*)\]|([\p{L}_\\][\p{L}\p{N}_.\\?]*)|\d[\d.]*(?:[eE][+-]?\d+)?|\.\d+|[-+*/^%&=<>(); \n\t]/uy;

/**
 * A name as .xlsx has it; null when it would mean a cell in .xlsx. The prefix of functions that only Excel has is removed.
 */
function nameOf(name: string): string | null {
  const withoutPrefix = name.replace(/^COM\.MICROSOFT\./i, '');
  return /^[A-Z]{1,3}\d+$/i.test(withoutPrefix) ? null : withoutPrefix;
}

/**
 * A reference as .xlsx has it: `$Data.A1:.B2` becomes `Data!A1:B2`, and a reference to deleted cells becomes `#REF!`. Null
 * for a reference to several sheets.
 */
function referenceOf(reference: string): string | null {
  if (DELETED.test(reference)) return '#REF!';
  const [, file, sheet, first = '', otherSheet, last] = REFERENCE.exec(reference) ?? [];
  if (first === '' || (last !== undefined && otherSheet !== undefined && otherSheet !== sheet)) return null;
  const cells = last === undefined ? first : `${first}:${last}`;
  // In .xlsx, a number such as `[1]` stands for the name of another file.
  if (file !== undefined) return `[1]!${cells}`;
  return sheet === undefined ? cells : `${quoted(sheet)}!${cells}`;
}

const SHEET = String.raw`\$?('(?:[^']|'')*'|[^'.:#$]+)?`;
const CELL = String.raw`\.(\$?[A-Z]{1,3}\$?\d{1,7}|\$?[A-Z]{1,3}(?=$|:))`;
const REFERENCE = new RegExp(`^(?:('(?:[^']|'')*')#)?${SHEET}${CELL}(?::${SHEET}${CELL})?$`, 'i');

/** Matches a reference to deleted cells, such as `.A#REF!`, or to a deleted sheet, `$#REF!.A1`. */
const DELETED = /^[^']*#REF!/;

const quoted = (sheet: string): string =>
  sheet.startsWith("'") ? sheet : `'${sheet.replaceAll("'", "''")}'`;
