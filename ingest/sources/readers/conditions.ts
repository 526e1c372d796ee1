// Finds example numbers that fulfil the condition of a conditional format. Messages show its effect on one of them.

/** How the operators of conditions compare. */
export const COMPARE: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

/** Numbers that fulfil a comparison; without an operator, or beside a limit that is no number, any may. */
export function samplesOf(operator: string | undefined, limit: string): readonly number[] {
  const number = limit.trim() === '' ? Number.NaN : Number(limit);
  const compare = Number.isNaN(number) ? undefined : COMPARE[operator ?? ''];
  return compare === undefined
    ? [404, -404]
    : [404, -404, number, number + 1, number - 1].filter((one) => compare(one, number));
}

/** Whether a formula asks for errors, empty cells, texts or zeros: `ISERROR(K2)`, `K2=""`, `LEN(TRIM(K2))=0`. */
export const asksForNoFigure = (formula: string): boolean =>
  /\bIS(?:NA|ERR|ERROR|BLANK|TEXT|NONTEXT)\s*\(|\bLEN\s*\(|""|^\s*(?:\(\s*)?\[?\.?\$?[A-Z]{1,3}\$?\d+\]?\s*=\s*0\s*(?:\)\s*)?$/i.test(
    formula,
  ) && !/\bNOT\s*\(|<>/i.test(formula);

/** What a style does to figures, in words that follow `shows numbers such as 404`; null when people see them. */
export const effectOf = (look: { readonly isPale: boolean; readonly isStruck: boolean }): string | null => {
  if (look.isPale) return 'in the colour of the background';
  return look.isStruck ? 'struck out' : null;
};
