// Finds numbers in SQL that DuckDB reads as 0 although they are not 0, because they are too small for a double.

import { vanishes } from '../numberForms.ts';

/**
 * The first number in `sql` that DuckDB would read as 0, written as a number or as a text: `1e-400`, `'1e-400'`. Null when there
 * is none.
 */
export function vanishingNumber(sql: string): string | null {
  for (const [, text, , number] of sql.matchAll(TOKENS)) {
    const written = (text ?? number ?? '').trim();
    if (NUMBER.test(written) && vanishes(written, Number(written.replaceAll('_', '')))) return written;
  }
  return null;
}

/** Matches comments, quoted names, texts (also between dollar signs), names and numbers, each as a whole. */
const TOKENS =
  /--[^\n]*|\/\*.*?(?:\*\/|$)|"(?:[^"]|"")*"|'((?:[^']|'')*)'|(\$\w*\$).*?\2|[\p{L}_$][\p{L}\p{N}_$]*|((?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?)/gsu;

const NUMBER = /^-?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?$/;
