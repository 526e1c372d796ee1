// Reads what a Parquet file says of its columns beside their values: units and descriptions in its metadata.

import type { DuckDBConnection } from '../../../src/duckdb.ts';
import { type Aside, Asides } from './asides.ts';
import { translatingDamage } from './parquetFaults.ts';
import { pathOf } from './parquetSql.ts';

/** The texts of metadata that are about a unit, with the index of the column whose name they begin with. */
export async function asidesOf(
  connection: DuckDBConnection,
  path: string,
  name: string,
  columns: readonly { readonly name: string }[],
): Promise<readonly Aside[]> {
  const found = await translatingDamage(path, name, () =>
    connection.runAndReadAll(
      `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${pathOf(path)})
       WHERE octet_length(value) < ${LONGEST_BYTES} AND regexp_matches(decode(key), '(^|[._])(units?|description)$', 'i')`,
    ),
  );
  const asides = new Asides();
  for (const [key, value] of found.getRowsJS()) {
    const of = String(key).replace(/[._][^._]+$/, '');
    const column = columns.findIndex((one) => one.name === of);
    asides.add({
      what: 'unit in its metadata',
      text: String(value),
      ...(column >= 0 && { cell: [0, column] as const }),
    });
  }
  return asides.list();
}

const LONGEST_BYTES = 4096;
