// Reads units and descriptions of columns from the metadata of a Parquet file.

import { filePath } from '../../../../src/duckdb.ts';
import { type Aside, Asides } from '../asides.ts';
import { arrowFields } from './arrowSchema.ts';
import { type QueriedFile, rowsIn } from './queriedFile.ts';

/**
 * The texts of the metadata that may be about a unit. For a text whose key begins with the name of a column, `cell` is the
 * heading of that column.
 */
export async function asidesOf(
  file: QueriedFile,
  columns: readonly { readonly name: string }[],
): Promise<readonly Aside[]> {
  const found = await rowsIn(
    file,
    `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${filePath(file.path)})
     WHERE octet_length(value) < ${LONGEST_BYTES} AND regexp_matches(decode(key), '${KEYS.source}', 'i')
       OR decode(key) IN ('${ARROW}', '${PANDAS}')`,
  );
  const asides = new Asides();
  for (const [key, value] of found.flatMap(([key, value]) => entriesOf(`${key}`, `${value}`))) {
    if (!KEYS.test(key)) continue;
    const prefix = key.replace(/[._][^._]+$/, '');
    const column = columns.findIndex(({ name }) => name === prefix);
    asides.add({
      what: 'unit in its metadata',
      text: value,
      ...(column >= 0 && { cell: [0, column] as const }),
    });
  }
  return asides.list();
}

const LONGEST_BYTES = 4096;

/** Matches the keys of texts that may be about a unit. */
const KEYS = /(^|[._])(units?|description)$/i;

/** The keys of the metadata under which Arrow stores its schema, and pandas the attributes of a data frame. */
export const ARROW = 'ARROW:schema';
const PANDAS = 'PANDAS_ATTRS';

/** The keys and texts in an entry of the metadata. The key `ggr.unit` has the unit of the column `ggr`. */
function entriesOf(key: string, value: string): readonly (readonly [key: string, value: string])[] {
  if (key === ARROW)
    return arrowFields(value).flatMap(({ column, texts }) =>
      texts.map(([name, text]) => [`${column}.${name}`, text] as const),
    );
  return key === PANDAS ? attributesIn(value) : [[key, value]];
}

function attributesIn(json: string): readonly (readonly [key: string, value: string])[] {
  try {
    const attributes: unknown = JSON.parse(json);
    return Object.entries(attributes ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  } catch {
    return [];
  }
}
