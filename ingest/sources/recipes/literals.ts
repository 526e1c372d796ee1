// Finds numbers in SQL that DuckDB reads as 0, because they are nearer to 0 than any other double.

import { vanishes } from '../numberForms.ts';

/** The first such number, by itself or as a whole text: `1e-400`, `'1e-400'`. Null when there is none. */
export function vanishingNumber(sql: string): string | null {
  for (const [, text, , number] of sql.matchAll(TOKENS)) {
    const written = (text ?? number ?? '').trim();
    if (NUMBER.test(written) && vanishes(written, Number(written.replaceAll('_', '')))) return written;
  }
  return null;
}

/** Comments, quoted names, texts (also between dollars), names, and numbers; each is skipped as a whole. */
const TOKENS =
  /--[^\n]*|\/\*.*?(?:\*\/|$)|"(?:[^"]|"")*"|'((?:[^']|'')*)'|(\$\w*\$).*?\2|[\p{L}_$][\p{L}\p{N}_$]*|((?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?)/gsu;

const NUMBER = /^-?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?$/;
