// Says why a recipe's SQL may not be run: anything but one SELECT, over its own tables, that always gives the same.

import { type DuckDBConnection, StatementType } from '@duckdb/node-api';

const REMEDY = 'write one SELECT (WITH … SELECT counts as one)';

/** What may stand in FROM besides tables; all others reach files, settings or SQL made at run time. */
const TABLE_FUNCTIONS: readonly string[] = [
  'generate_series',
  'histogram',
  'histogram_values',
  'json_each',
  'json_tree',
  'range',
  'repeat',
  'repeat_row',
  'unnest',
];

/** Ends a SELECT with a message of its own: what a recipe says of sources that changed their shape. */
const STOPS = 'error';

/**
 * Null for what may be run. Throws what DuckDB finds wrong with the SQL. Preparing it may take as long as running it:
 * constant expressions are computed then.
 */
export async function whyNot(connection: DuckDBConnection, sql: string): Promise<string | null> {
  const withoutComments = sql.replace(/--[^\n]*/g, '').replace(/\/\*.*?\*\//gs, '');
  if (/^[\s;]*$/.test(withoutComments)) return `holds no statement; ${REMEDY}`;
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) return `holds ${statements.count} statements; ${REMEDY}`;
  // Before it is prepared: binding a function of tables is enough to call it.
  const refused = await refusedFunction(connection, sql);
  if (refused !== null) return refused;
  const statement = await statements.prepare(0);
  try {
    if (statement.statementType !== StatementType.SELECT)
      return `holds a statement that is no SELECT; ${REMEDY}`;
    return statement.parameterCount > 0 ? 'asks for parameters ($1 or ?), and there are none to give' : null;
  } finally {
    statement.destroySync();
  }
}

async function refusedFunction(connection: DuckDBConnection, sql: string): Promise<string | null> {
  const [parsed] = await rows(connection, 'SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  // What it cannot take apart is no SELECT, and is said to be none.
  const called = functionsIn(JSON.parse(String(parsed?.[0])));
  const table = called.find(({ isTable, name }) => isTable && !TABLE_FUNCTIONS.includes(name));
  if (table !== undefined)
    return (
      `asks ${table.name}(…) for a table, and a recipe reads its own tables alone: name files under "tables" in ` +
      `recipe.json (allowed are ${TABLE_FUNCTIONS.join(', ')})`
    );
  const names = called.filter(({ isTable }) => !isTable).map(({ name }) => name);
  const [unsteady] = await rows(
    connection,
    `SELECT function_name FROM duckdb_functions() WHERE stability = 'VOLATILE' AND function_name <> '${STOPS}'
     AND list_contains(json_extract_string($1::VARCHAR, '$[*]'), function_name)`,
    [JSON.stringify(names)],
  );
  return unsteady === undefined
    ? null
    : `calls ${unsteady[0]}(), which is not the same every time; the same sources must give the same rows`;
}

interface Called {
  readonly name: string;
  readonly isTable: boolean;
}

/** Every function that a parsed statement names, wherever it stands. */
function functionsIn(node: unknown, isTable = false): Called[] {
  if (typeof node !== 'object' || node === null) return [];
  const { function_name: name } = node as { function_name?: unknown };
  const own = typeof name === 'string' ? [{ name: name.toLowerCase(), isTable }] : [];
  // A node of this kind holds its call under `function`; elsewhere calls are expressions.
  const isTableFunction = (node as { type?: unknown }).type === 'TABLE_FUNCTION';
  return Object.entries(node).reduce<Called[]>((found, [key, child]) => {
    found.push(...functionsIn(child, isTableFunction && key === 'function'));
    return found;
  }, own);
}

async function rows(connection: DuckDBConnection, sql: string, values: string[]): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql, values)).getRowsJS();
}
