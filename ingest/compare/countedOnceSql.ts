// SQL of the rule that a country counts once in a total: by its own row if it has one, else by the rows of its states.

import type { DimensionName } from '../../src/catalog/datasets.ts';

/**
 * The dimensions in which the row of a state must agree with the row of its country to be part of it. `calculation` is not
 * among them, because states are often calculated or estimated where the figure of their country is reported.
 */
export const dimensionsSharedWithCountry = (order: readonly DimensionName[]): readonly DimensionName[] =>
  order.filter((dimension) => dimension !== 'state' && dimension !== 'calculation');

/** The SQL that distinguishes the rows of states from the rows of whole countries. */
interface StateColumns {
  /** SQL condition: whether a row is that of a whole country. */
  readonly isNationSql: string;
  /** SQL of the columns in which the row of a state must agree with the row of its country. */
  readonly same: readonly string[];
}

/**
 * A `FROM` clause with the rows that count in a total. These are the rows of whole countries, and the rows of states whose
 * country has no row that agrees in `same`.
 *
 * @param relation The table, or a SELECT in parentheses.
 */
export function countedOnceSql(relation: string, { isNationSql, same }: StateColumns): string {
  const own = same.map((column, i) => `${column} AS own${i}`).join(', ');
  const names = same.map((_, i) => `own${i}`).join(', ');
  return `FROM ${relation} WHERE ${isNationSql}
    UNION ALL SELECT * EXCLUDE (${names})
    FROM (SELECT *, ${own} FROM ${relation} WHERE NOT (${isNationSql}))
    ANTI JOIN (SELECT ${own} FROM ${relation} WHERE ${isNationSql}) USING (${names})`;
}
