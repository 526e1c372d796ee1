// The rule by which a country counts once in a total: its own row where there is one, else its states.

/** How a relation tells a state's row from its country's. */
export interface StateRows {
  /** A SQL condition: the row is of the country as a whole. */
  readonly isWhole: string;
  /** The columns as expressions in which a state's row agrees with its country's. */
  readonly same: readonly string[];
}

/**
 * `FROM …` of the rows that count in a total: countries as a whole, and states where their country has no row of its
 * own that is alike in all else.
 */
export function countedOnce(relation: string, { isWhole, same }: StateRows): string {
  const own = same.map((column, i) => `${column} AS own${i}`).join(', ');
  const names = same.map((_, i) => `own${i}`).join(', ');
  return `FROM ${relation} WHERE ${isWhole}
    UNION ALL SELECT * EXCLUDE (${names})
    FROM (SELECT *, ${own} FROM ${relation} WHERE NOT (${isWhole}))
    ANTI JOIN (SELECT ${own} FROM ${relation} WHERE ${isWhole}) USING (${names})`;
}
