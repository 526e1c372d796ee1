// Lets DuckDB read a csv file whose lines have no quotes, so that it splits them as `CsvRecords` does.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DuckDBConnection,
  filePath,
  isDuckDbError,
  literal,
  queryRows,
} from '../../../../src/duckdb.ts';
import { textOrFootnoted } from '../footnotes.ts';
import {
  NO_NUMBER,
  ODD_NUMBER,
  PLAIN_NUMBER,
  type RawRow,
  type SqlColumn,
  type SqlTable,
  UNGROUPED_NUMBER,
  type WantedColumn,
} from '../rawFile.ts';
import { CsvRecords } from './csvRecords.ts';
import { type CsvFile, lineEndAfter, linesAt, type PlainLines, plainLines } from './plainLines.ts';

/** The most different texts of a column. A table with more of them in a column is not read by DuckDB. */
const MOST_TEXTS = 5_000;

/** From this size on, DuckDB may read a file. A smaller file is read faster row by row than with SQL statements. */
export const SQL_FROM_BYTES = 4 * 1024 * 1024;

/**
 * Creates the table `lines` from the remaining records, with texts as codes. Null when DuckDB and `CsvRecords` may read the
 * file differently, because of quotes, mixed line ends or records with another number of fields. Null also when a column
 * has too many different texts.
 */
export async function csvSqlTable(
  connection: DuckDBConnection,
  file: CsvFile,
  wanted: readonly WantedColumn[],
): Promise<SqlTable | null> {
  const newLine = await lineEndAfter(file.handle, file.byte);
  if (newLine === null) return null;
  let table: SqlTable | null = null;
  try {
    table = await tableOf(connection, file, newLine, wanted);
  } catch (error) {
    // DuckDB refuses records with another number of fields. `CsvRecords` then reads the file, or reports the place of the
    // record.
    if (!isDuckDbError(error)) throw error;
  } finally {
    if (table === null) await dropLines(connection);
  }
  return table;
}

async function tableOf(
  connection: DuckDBConnection,
  file: CsvFile,
  newLine: PlainLines['newLine'],
  wanted: readonly WantedColumn[],
): Promise<SqlTable | null> {
  const from = csvRows(file, newLine, wanted.length);
  let texts: Texts = wanted.map(({ likelyTexts }) => [...new Set(likelyTexts)]);
  // DuckDB reads the records while this thread checks their bytes.
  const created = areFew(texts) ? createLines(connection, from, wanted, texts) : Promise.resolve(null);
  const lines = await linesOrInterrupt(plainLines(file, wanted.length), newLine, connection, created);
  if (lines === null) return null;
  let counts = await created;
  if (counts === null || counts.unknown > 0) {
    texts = await differentTexts(connection, from, wanted);
    if (!areFew(texts)) return null;
    counts = await createLines(connection, from, wanted, texts);
  }
  if (counts.rows !== lines.count || counts.unknown > 0) return null;
  const columns = wanted.map(
    ({ kind }, i): SqlColumn =>
      kind === 'texts'
        ? { kind: 'codes', sql: `c${i}`, texts: texts[i] ?? [] }
        : { kind: 'numbers', sql: `c${i}`, state: `s${i}` },
  );
  return tableOfLines(connection, file, lines.count, columns);
}

/** The different texts of each column of texts, by the index of the column. */
type Texts = readonly (readonly string[])[];

const areFew = (texts: Texts): boolean => texts.every((ofColumn) => ofColumn.length <= MOST_TEXTS);

/**
 * Waits for the counted lines, and returns them. When there are none, or when they are not plain or do not end in
 * `newLine`, it interrupts DuckDB, which is still reading them. The result is then null.
 *
 * @param counting Counts the lines, and checks their bytes.
 * @param created Ends when DuckDB has read the lines.
 */
async function linesOrInterrupt(
  counting: Promise<PlainLines | null>,
  newLine: PlainLines['newLine'],
  connection: DuckDBConnection,
  created: Promise<unknown>,
): Promise<PlainLines | null> {
  let isDone = false;
  const setDone = () => {
    isDone = true;
  };
  const done = created.then(setDone, setDone);
  let lines: PlainLines | null = null;
  try {
    lines = await counting;
    if (lines === null || lines.count === 0 || lines.newLine !== newLine) lines = null;
    return lines;
  } finally {
    // An interruption has no effect before the statement runs, so it is repeated until the statement ends.
    while (lines === null && !isDone) {
      connection.interrupt();
      await Promise.race([done, sleep(INTERRUPT_MS)]);
    }
  }
}

const INTERRUPT_MS = 10;

const dropLines = async (connection: DuckDBConnection) =>
  void (await connection.run('DROP TABLE IF EXISTS lines'));

/** The created table `lines`, as a reader returns it. */
function tableOfLines(
  connection: DuckDBConnection,
  file: CsvFile,
  lineCount: number,
  columns: readonly SqlColumn[],
): SqlTable {
  const row = `rowid + ${file.line}`;
  return {
    from: 'lines',
    row,
    firstRow: file.line,
    lastRow: file.line + lineCount - 1,
    columns,
    cellOf: textOrFootnoted,
    rowsWhere: async function* (condition) {
      const numbers = await queryRows(
        connection,
        `SELECT (${row})::DOUBLE AS n FROM lines WHERE ${condition} ORDER BY n`,
      );
      yield* recordsAt(
        file,
        numbers.map(([number]) => Number(number)),
      );
    },
    drop: () => dropLines(connection),
  };
}

interface LineCounts {
  readonly rows: number;
  /** How many rows have a text without a code, because it was not among the given texts. */
  readonly unknown: number;
}

/** Creates the table `lines`, with the texts of each column as codes. */
async function createLines(
  connection: DuckDBConnection,
  from: string,
  wanted: readonly WantedColumn[],
  texts: Texts,
): Promise<LineCounts> {
  const unknown: string[] = ['false'];
  const selected = wanted.map(({ kind }, i) => {
    if (kind === 'numbers') return `TRY_CAST(c${i} AS DOUBLE) AS c${i}, ${stateOf(`c${i}`)} AS s${i}`;
    const code = codeOf(`c${i}`, texts[i] ?? []);
    unknown.push(`(e${i} IS NULL AND t${i} IS NOT NULL)`);
    return `${code} AS e${i}`;
  });
  const renamed = wanted.map(({ kind }, i) => (kind === 'texts' ? `e${i} AS c${i}` : `c${i}, s${i}`));
  await connection.run('DROP TABLE IF EXISTS lines');
  await connection.run(
    `CREATE TEMP TABLE lines AS SELECT ${renamed.join(', ')}, ${unknown.join(' OR ')} AS is_unknown
     FROM (SELECT ${selected.join(', ')}, ${wanted.map((_, i) => `c${i} AS t${i}`).join(', ')} FROM ${from})`,
  );
  const [[rows, withUnknown] = []] = await queryRows(
    connection,
    'SELECT count(*)::DOUBLE, (count(*) FILTER (is_unknown))::DOUBLE FROM lines',
  );
  return { rows: Number(rows), unknown: Number(withUnknown) };
}

/** From this number of texts on, an ENUM finds a text faster than a search of a list. */
const MANY_TEXTS = 33;

/** SQL of the position of a text among all texts of its column, from 1; NULL for a text that is not among them. */
function codeOf(text: string, texts: readonly string[]): string {
  const listed = texts.map(literal).join(', ');
  if (texts.length < MANY_TEXTS) return `list_position([${listed}]::VARCHAR[], ${text})::UTINYINT`;
  return `enum_code(TRY_CAST(${text} AS ENUM(${listed})))::USMALLINT + 1::USMALLINT`;
}

/**
 * The item of a FROM clause that reads the records in order: columns `c0`, `c1` … of texts, with NULL for an empty field.
 */
function csvRows(
  { path, separator, line }: CsvFile,
  newLine: PlainLines['newLine'],
  columns: number,
): string {
  const names = Array.from({ length: columns }, (_, i) => `'c${i}': 'VARCHAR'`);
  // In strict mode, DuckDB finds no lines when this option names CRLF. Without the option, it finds lines that end in CRLF.
  const ends = newLine === '\\r\\n' ? '' : `new_line = '${newLine}',`;
  return `read_csv(${filePath(path)}, auto_detect = false, header = false, skip = ${line - 1},
    delim = ${literal(separator)}, quote = '', escape = '', ${ends} strict_mode = true,
    null_padding = false, ignore_errors = false, hive_partitioning = false, columns = {${names.join(', ')}})`;
}

async function differentTexts(
  connection: DuckDBConnection,
  from: string,
  wanted: readonly WantedColumn[],
): Promise<Texts> {
  const selected = wanted.map(({ kind }, i) => (kind === 'texts' ? `list(DISTINCT c${i})` : 'NULL'));
  const [found = []] = await queryRows(connection, `SELECT ${selected.join(', ')} FROM ${from}`);
  return found.map((list) => (Array.isArray(list) ? list.filter((text) => text !== null).map(String) : []));
}

/**
 * SQL of the state of the number in a text, such as PLAIN_NUMBER. The same numbers are plain as in `CsvColumns`. The
 * condition on 9 to 15 characters is true for most figures, and spares them the conditions below it.
 */
function stateOf(text: string): string {
  const isNegative = `starts_with(${text}, '-')::INTEGER`;
  return `CASE WHEN ${text} IS NULL THEN ${NO_NUMBER}
    WHEN NOT regexp_full_match(${text}, '-?(0|[1-9][0-9]*)(\\.[0-9]+)?') THEN ${ODD_NUMBER}
    WHEN strlen(${text}) BETWEEN 9 AND 15 THEN ${UNGROUPED_NUMBER}
    WHEN strlen(${text}) > 15 + ${isNegative} + contains(${text}, '.')::INTEGER THEN ${ODD_NUMBER}
    WHEN strlen(${text}) < 9 AND regexp_full_match(${text}, '-?[1-9][0-9]{0,2}\\.[0-9]{3}') THEN ${ODD_NUMBER}
    WHEN contains(${text}, '.') OR strlen(${text}) > 3 + ${isNegative} THEN ${UNGROUPED_NUMBER}
    ELSE ${PLAIN_NUMBER} END::UTINYINT`;
}

/** The records on the lines with these numbers, each as `CsvRecords` reads it. */
async function* recordsAt(
  { handle, byte, line, name, separator }: CsvFile,
  numbers: readonly number[],
): AsyncGenerator<readonly RawRow[]> {
  for await (const { number, bytes } of linesAt(handle, byte, line, numbers)) {
    const records = new CsvRecords(name, separator);
    const [row] = [...records.push(bytes), ...records.end()];
    yield [{ row: number, cells: row?.cells ?? [] }];
  }
}
