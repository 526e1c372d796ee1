// Refuses SQL of a recipe unless it is a single SELECT over the tables of the recipe that gives the same rows at every run.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { type DuckDBConnection, queryRows, StatementType } from '../../../src/duckdb.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { vanishes } from '../numberForms.ts';

/**
 * The reason why the SQL may not be run; null when it may be run.
 *
 * 1. The text must hold one statement, and no number other than 0 that DuckDB reads as 0.
 * 2. The parsed statement is searched before it is bound, because binding already calls table functions and computes a
 *    LIMIT and some arguments. It may name only allowed functions, table functions and macros, no clock and no sample.
 * 3. The bound statement is searched again, because DuckDB has resolved operators and expanded macros and views in it.
 * 4. The statement is prepared: it must be a SELECT without parameters. Preparing may take as long as running, because
 *    constants are computed then.
 *
 * @throws the error of DuckDB when the SQL is wrong.
 */
export async function refusalOf(connection: DuckDBConnection, sql: string): Promise<Diagnostic | null> {
  const withoutComments = sql.replace(/--[^\n]*/g, '').replace(/\/\*.*?(?:\*\/|$)/gs, '');
  if (/^[\s;]*$/.test(withoutComments)) return { problem: 'holds no statement', remedy: ONE_SELECT };
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) return notOneStatement(withoutComments, statements.count);
  const vanishing = vanishingNumber(sql);
  if (vanishing !== null)
    return {
      problem: `has the number ${shortened(vanishing)}, closer to 0 than the smallest number, which would be 0`,
      remedy: 'write 0, or the number that is meant',
    };
  const catalog = await catalogOf(connection);
  const parsed = await tree(connection, 'json_serialize_sql', sql);
  if (String(parsed.error_message).startsWith('Only SELECT')) return NO_SELECT;
  const refused = refusedIn(parsedUses(parsed), catalog);
  if (refused !== null) return refused;
  // A statement that is not a SELECT is not bound, because binding may already have effects.
  const bound = isFailed(parsed) ? parsed : await tree(connection, 'json_serialize_plan', sql);
  const refusedBound = refusedIn(boundUses(bound), catalog);
  if (refusedBound !== null) return refusedBound;
  const statement = await statements.prepare(0);
  try {
    if (statement.statementType !== StatementType.SELECT) return NO_SELECT;
    if (statement.parameterCount > 0)
      return { problem: 'asks for parameters ($1 or ?), and there are none to give', remedy: null };
    if (isFailed(bound))
      return {
        problem: `cannot be checked before it is run (${bound.error_message})`,
        remedy: 'write it another way',
      };
    return null;
  } finally {
    statement.destroySync();
  }
}

/** The fault of SQL that DuckDB splits into several statements, or into none. */
function notOneStatement(sql: string, count: number): Diagnostic {
  // DuckDB splits a PIVOT into several statements when it must first find the values that become columns.
  const isPivot = !sql.replace(/(?<![\s;])[\s;]*$/, '').includes(';') && /\bPIVOT\b/i.test(sql);
  return isPivot
    ? { problem: 'holds a PIVOT without its values', remedy: 'list them: PIVOT … ON column IN (…)' }
    : { problem: `holds ${count} statements`, remedy: ONE_SELECT };
}

/**
 * The first number in `sql` that DuckDB would read as 0, written as a number or as a text: `1e-400`, `'1e-400'`. Null when
 * there is none.
 */
function vanishingNumber(sql: string): string | null {
  for (const [, text, , number] of sql.matchAll(TOKENS)) {
    const written = (text ?? number ?? '').trim();
    if (NUMBER.test(written) && vanishes(written, Number(written.replaceAll('_', '')))) return written;
  }
  return null;
}

/** Matches comments, quoted names, texts (also between dollar signs), names and numbers, each as a whole. */
const TOKENS =
  /--[^\n]*|\/\*.*?(?:\*\/|$)|"(?:[^"]|"")*"|'((?:[^']|'')*)'|(\$\w*\$).*?\2|[\p{L}_$][\p{L}\p{N}_$]*|((?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?)/gsu;

const NUMBER = /^-?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?$/;

const shortened = (number: string): string =>
  number.length > LONGEST_SHOWN ? `${number.slice(0, LONGEST_SHOWN)}…` : number;

const LONGEST_SHOWN = 40;

const ONE_SELECT = 'write one SELECT (WITH … SELECT counts as one)';
const NO_SELECT: Diagnostic = { problem: 'holds a statement that is not a SELECT', remedy: ONE_SELECT };

/** The name that a bound statement has for the scan of a table. */
const TABLE_SCAN = 'seq_scan';

/** The function that stops a SELECT with a message. Recipes use it to refuse sources whose layout changed. */
const ERROR_FUNCTION = 'error';

/** Something in a statement that may make its result differ from run to run. */
type Use =
  | { readonly kind: 'table function'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string; readonly argumentCount: number }
  | { readonly kind: 'clock'; readonly name: string }
  | { readonly kind: 'sample' };

function refusedIn(uses: readonly Use[], catalog: Catalog): Diagnostic | null {
  const table = uses.find((use) => use.kind === 'table function' && !TABLE_FUNCTIONS.includes(use.name));
  if (table?.kind === 'table function')
    return {
      problem: `asks ${table.name}(…) for a table, and a recipe may read only its own tables`,
      remedy: `name files under "tables" in recipe.json (allowed are ${TABLE_FUNCTIONS.join(', ')})`,
    };
  if (uses.some(({ kind }) => kind === 'sample'))
    return { problem: 'takes a sample, which is not the same every time', remedy: SAME_ROWS };
  const clock = uses.find((use) => use.kind === 'clock');
  if (clock?.kind === 'clock')
    return {
      problem: `reads ${clock.name}, which is not the same every time`,
      remedy: `${SAME_ROWS}; for a column of this name, name the table as well: t."${clock.name}"`,
    };
  for (const use of uses) {
    const problem = use.kind === 'function' ? inconsistencyOf(use, catalog) : null;
    if (problem !== null) return { problem, remedy: SAME_ROWS };
  }
  return null;
}

const SAME_ROWS = 'leave it out: the same sources must give the same rows';

/**
 * The reason why a function may not be called. Null when it may be called, or when DuckDB does not have it and binding will
 * fail.
 */
function inconsistencyOf(
  { name, argumentCount }: Extract<Use, { kind: 'function' }>,
  { functions, macros }: Catalog,
): string | null {
  if (name === ERROR_FUNCTION || MACROS.has(name)) return null;
  const refusedCount = INCONSISTENT_FUNCTIONS.get(name);
  const isRefused = refusedCount === null || refusedCount === argumentCount;
  if (isRefused || functions.get(name) === false) return `calls ${name}(), which is not the same every time`;
  return macros.has(name) ? `calls ${name}(), a macro that recipes may not use` : null;
}

interface Catalog {
  /**
   * Name of a function → whether DuckDB declares all of its overloads as consistent: equal arguments give equal results.
   */
  readonly functions: ReadonlyMap<string, boolean>;
  readonly macros: ReadonlySet<string>;
}

const catalogs = new WeakMap<DuckDBConnection, Promise<Catalog>>();

/** The functions and macros of DuckDB. They are read once for a connection, because no SELECT can change them. */
function catalogOf(connection: DuckDBConnection): Promise<Catalog> {
  return getOrInsert(catalogs, connection, () => readCatalog(connection));
}

async function readCatalog(connection: DuckDBConnection): Promise<Catalog> {
  const all = await queryRows(
    connection,
    `SELECT function_name, function_type = 'macro', bool_and(stability = 'CONSISTENT') FROM duckdb_functions()
     WHERE function_type IN ('scalar', 'aggregate', 'macro') GROUP BY ALL`,
  );
  const named = (isMacro: boolean) => all.filter(([, macro]) => macro === isMacro);
  return {
    functions: new Map(named(false).map(([name, , isConsistent]) => [String(name), isConsistent === true])),
    macros: new Set(named(true).map(([name]) => String(name))),
  };
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The tree that DuckDB makes of a statement. Its field `error` is true when DuckDB cannot make a tree. */
async function tree(
  connection: DuckDBConnection,
  serialize: 'json_serialize_sql' | 'json_serialize_plan',
  sql: string,
): Promise<Node> {
  const [found = []] = await queryRows(connection, `SELECT ${serialize}($1::VARCHAR)`, [sql]);
  const parsed: unknown = JSON.parse(String(found[0]));
  return isNode(parsed) ? parsed : {};
}

const isFailed = (node: Node): boolean => node.error === true;

/** The functions, table functions, clocks and samples in any part of the parsed statement. */
function parsedUses(node: unknown, isTableFunction = false): Use[] {
  if (!isNode(node)) return [];
  const { function_name: name, children, column_names: path, sample, type } = node;
  const uses: Use[] = [];
  if (typeof name === 'string') {
    const lower = name.toLowerCase();
    const argumentCount = Array.isArray(children) ? children.length : 0;
    uses.push(
      isTableFunction
        ? { kind: 'table function', name: lower }
        : { kind: 'function', name: lower, argumentCount },
    );
  }
  if (isNode(sample)) uses.push({ kind: 'sample' });
  if (Array.isArray(path) && path.length === 1 && CLOCK_NAMES.has(String(path[0]).toLowerCase()))
    uses.push({ kind: 'clock', name: String(path[0]).toLowerCase() });
  // In a node of the type TABLE_FUNCTION, the call under the key `function` is a table function. Other calls are
  // expressions.
  const isTableCall = (key: string) => type === 'TABLE_FUNCTION' && key === 'function';
  const inside = Object.entries(node).flatMap(([key, child]) => parsedUses(child, isTableCall(key)));
  return [...uses, ...inside];
}

/** The functions, table functions and samples in any part of the bound statement. */
function boundUses(node: unknown): Use[] {
  if (!isNode(node)) return [];
  const { name, type, expression_class: expression, arguments: args } = node;
  const uses: Use[] = [];
  if (typeof name === 'string' && name !== '') {
    if (typeof expression === 'string' && expression.startsWith('BOUND_'))
      uses.push({
        kind: 'function',
        name: name.toLowerCase(),
        argumentCount: Array.isArray(args) ? args.length : 0,
      });
    else if (type === 'LOGICAL_GET' && name !== TABLE_SCAN) uses.push({ kind: 'table function', name });
  }
  if (type === 'LOGICAL_SAMPLE') uses.push({ kind: 'sample' });
  return [...uses, ...Object.values(node).flatMap(boundUses)];
}

/** The allowed table functions. All others can read files or settings, or run SQL that is made at run time. */
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

/** The macros of DuckDB whose results depend only on their arguments. */
const MACROS: ReadonlySet<string> = new Set(
  (
    'array_append array_pop_back array_pop_front array_prepend array_push_back array_push_front array_reverse ' +
    'array_to_string array_to_string_comma_default date_add days_in_month fdiv fmod generate_subscripts geomean ' +
    'geometric_mean json json_group_array json_group_object json_group_structure list_any_value list_append ' +
    'list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or ' +
    'list_count list_entropy list_first list_histogram list_kurtosis list_kurtosis_pop list_last list_mad list_max ' +
    'list_median list_min list_mode list_prepend list_product list_reverse list_sem list_skewness list_stddev_pop ' +
    'list_stddev_samp list_string_agg list_sum list_var_pop list_var_samp map_contains_entry map_contains_value ' +
    'md5_number_lower md5_number_upper nullif regexp_split_to_table round_even roundbankers split_part wavg ' +
    'weighted_avg'
  ).split(' '),
);

/**
 * Functions that DuckDB declares as consistent although their results differ from run to run or between machines. Name →
 * number of arguments with which the function is refused; null when it is refused with any number.
 */
const INCONSISTENT_FUNCTIONS: ReadonlyMap<string, number | null> = new Map([
  ['age', 1],
  ['current_localtime', null],
  ['current_localtimestamp', null],
  ['current_setting', null],
  ['getvariable', null],
  ['reservoir_quantile', null],
]);

/** Names that read the clock without parentheses, unless a column has the name. */
const CLOCK_NAMES: ReadonlySet<string> = new Set([
  'current_date',
  'current_time',
  'current_timestamp',
  'localtime',
  'localtimestamp',
]);
