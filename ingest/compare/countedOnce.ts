// The rule that a country counts once in a total, in SQL: its own row when there is one, else its states.

import type { DimensionName } from '../../src/catalog/datasets.ts';

/**
 * The dimensions in which a state's row agrees with its country's row. `calculation` is not among them: states are often
 * calculated or estimated where their country is reported, and are part of it all the same.
 */
export const sharedWithCountry = (order: readonly DimensionName[]): readonly DimensionName[] =>
  order.filter((dimension) => dimension !== 'state' && dimension !== 'calculation');

/** How a table separates the rows of states from those of their country. */
export interface StateColumns {
  /** A SQL condition that is true for the row of a whole country. */
  readonly isWhole: string;
  /** The columns, as SQL, in which a state's row agrees with its country's row. */
  readonly same: readonly string[];
}

/**
 * `FROM …` with the rows that count in a total: whole countries, and states whose country has no row that agrees with
 * theirs in `same`.
 */
export function countedOnce(relation: string, { isWhole, same }: StateColumns): string {
  const own = same.map((column, i) => `${column} AS own${i}`).join(', ');
  const names = same.map((_, i) => `own${i}`).join(', ');
  return `FROM ${relation} WHERE ${isWhole}
    UNION ALL SELECT * EXCLUDE (${names})
    FROM (SELECT *, ${own} FROM ${relation} WHERE NOT (${isWhole}))
    ANTI JOIN (SELECT ${own} FROM ${relation} WHERE ${isWhole}) USING (${names})`;
}
