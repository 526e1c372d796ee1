// Finds numbers that fulfil the condition of a conditional format, as examples for messages about the effect of the format.

/** Operator of a condition → the comparison that it makes. */
export const COMPARE: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

/**
 * Examples of numbers that fulfil a comparison with `limit`. When the operator is unknown or the limit is not a number,
 * they are 404 and -404.
 */
export function samplesOf(operator: string | undefined, limit: string): readonly number[] {
  const number = limit.trim() === '' ? Number.NaN : Number(limit);
  const compare = Number.isNaN(number) ? undefined : COMPARE[operator ?? ''];
  return compare === undefined
    ? [404, -404]
    : [404, -404, number, number + 1, number - 1].filter((sample) => compare(sample, number));
}

/**
 * Whether a condition is about errors, empty cells, texts or zeros, and not about figures: `ISERROR(K2)`, `K2=""`,
 * `LEN(TRIM(K2))=0`.
 */
export const isNotAboutFigures = (formula: string): boolean =>
  /\bIS(?:NA|ERR|ERROR|BLANK|TEXT|NONTEXT)\s*\(|\bLEN\s*\(|""|^\s*(?:\(\s*)?\[?\.?\$?[A-Z]{1,3}\$?\d+\]?\s*=\s*0\s*(?:\)\s*)?$/i.test(
    formula,
  ) && !/\bNOT\s*\(|<>/i.test(formula);

/** How a format that shows a text in place of a number does so, in the words of a message. */
export const shownInstead = (value: number, text: string): string =>
  `numbers such as ${value} as ${text === '' ? 'nothing' : `"${text}"`}`;

/** The effect of a style on figures, in words that follow `shows numbers such as 404`; null when figures stay visible. */
export const effectOf = (look: { readonly isPale: boolean; readonly isStruck: boolean }): string | null => {
  if (look.isPale) return 'in the colour of the background';
  return look.isStruck ? 'struck out' : null;
};
