// Texts and files as SQL writes them.

/** A text as a literal, for what takes no parameters. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * The rows of one Parquet file, in its order. Its path is taken as it is: `*`, `?` and `[` are no pattern, and a folder
 * called `env=prod` is no column.
 */
export const parquetRows = (file: string, options = ''): string =>
  `read_parquet(${literal(file.replace(/[*?[]/g, '[$&]'))}, hive_partitioning = false${options && `, ${options}`})`;
