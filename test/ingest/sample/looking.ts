// Selects rows of the sample as the filters of the API do.

type Cell = string | number | null;
export type AnyRow = Readonly<Record<string, Cell>>;

/** The rows that have, in every given column, the value or one of the values. */
export const where = <Row extends AnyRow>(
  rows: readonly Row[],
  wanted: Readonly<Partial<Record<keyof Row, Cell | readonly Cell[]>>>,
): readonly Row[] =>
  rows.filter((row) =>
    Object.entries(wanted).every(([column, value]) =>
      Array.isArray(value) ? value.includes(row[column]) : row[column] === value,
    ),
  );

export const sum = <Row extends AnyRow>(rows: readonly Row[], column: keyof Row): number =>
  rows.reduce((total, row) => total + Number(row[column]), 0);

/** The rows by their values in these columns. */
export function by<Row extends AnyRow>(
  rows: readonly Row[],
  columns: readonly (keyof Row)[],
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = columns.map((column) => row[column]).join('|');
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** The dimensions of ggr and turnover that distinguish series. */
export const SERIES = ['country', 'state', 'category', 'product', 'channel', 'sub_channel', 'fx'] as const;
