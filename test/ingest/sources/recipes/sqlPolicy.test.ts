// The functions that the SQL of a recipe may call, and the data that it cannot reach.

import type { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf } from '../../../../ingest/messages/fault.ts';
import { databaseIn, openDatabase } from '../../../../ingest/sources/recipes/recipeDatabase.ts';
import { refusalOf } from '../../../../ingest/sources/recipes/sqlPolicy.ts';
import type { DuckDb } from '../../../../src/duckdb.ts';
import { aDataDir, type DataDir } from '../../../support/snapshot.ts';

let folder: DataDir;
let database: DuckDb;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await aDataDir();
  database = await openDatabase(folder.dataDir);
  [connection] = database.connections;
  await connection.run("CREATE TABLE countries AS SELECT 'Malta' AS name, 1 AS i");
  await connection.run('SET lock_configuration = true');
});
afterAll(async () => {
  database.close();
  await folder.remove();
});

/** The reason why the SQL is refused. If it is allowed, the error of running it, or null. */
async function outcome(sql: string): Promise<string | null> {
  try {
    const reason = await refusalOf(connection, sql);
    if (reason === null) await connection.run(`CREATE OR REPLACE TABLE result AS ${sql}`);
    return reason === null ? null : messageOf(reason);
  } catch (error) {
    return String(error).replace(/^Error: /, '');
  }
}

const ONE_SELECT = 'write one SELECT (WITH … SELECT counts as one)';

describe('a recipe’s SQL', () => {
  it.each([
    'SELECT name FROM countries',
    'SELECT name FROM countries; -- all of them',
    'WITH c AS (FROM countries) FROM c',
    'FROM countries SELECT name, sum(i) GROUP BY ALL',
    'FROM (PIVOT countries ON i IN (1, 2) USING count(*))',
    'FROM (UNPIVOT countries ON i INTO NAME n VALUE v)',
    'SELECT * FROM range(3) r(i), generate_series(1, 2), unnest([1, 2]) u(x)',
    `SELECT j.value FROM json_each('{"a": 1}') j, json_tree('[1]') t`,
    "SELECT unnest([1, 2]), list_transform([1], x -> x + 1), regexp_extract('a1', '\\d')",
    'SELECT row_number() OVER (ORDER BY name) FROM countries',
    "SELECT CASE WHEN i > 1 THEN error('new column') ELSE i END FROM countries",
  ])('is run: %s', async (sql) => {
    expect(await outcome(sql)).toBeNull();
  });

  it.each([
    ['', `holds no statement; ${ONE_SELECT}`],
    ['-- SELECT 1;\n/* nothing */ ;', `holds no statement; ${ONE_SELECT}`],
    ['SELECT 1; SELECT 2', `holds 2 statements; ${ONE_SELECT}`],
    [
      'FROM (PIVOT countries ON country USING count(*))',
      'holds a PIVOT without its values; list them: PIVOT … ON column IN (…)',
    ],
    ['SELECT 1; FROM (PIVOT countries ON country USING count(*))', `holds 3 statements; ${ONE_SELECT}`],
    ['SELECT $1', 'asks for parameters ($1 or ?), and there are none to give'],
    ['SELECT ?', 'asks for parameters ($1 or ?), and there are none to give'],
  ])('is one statement, and whole: %j', async (sql, message) => {
    expect(await outcome(sql)).toBe(message);
  });

  it.each([
    'DELETE FROM countries',
    'DROP TABLE countries',
    'CREATE MACRO m() AS 1',
    "SET memory_limit = '1TB'",
    'RESET threads',
    "ATTACH 'other.duckdb'",
    'INSTALL httpfs',
    'LOAD httpfs',
    'PRAGMA enable_profiling',
    'USE memory',
    'CALL enable_logging()',
    'BEGIN',
    'CHECKPOINT',
    'EXPLAIN ANALYZE SELECT 1',
    "COPY countries TO '/tmp/out.csv'",
    "EXPORT DATABASE '/tmp/out'",
    'CREATE SECRET (TYPE s3)',
  ])('changes nothing: %s', async (sql) => {
    expect(await outcome(sql)).toBe(`holds a statement that is not a SELECT; ${ONE_SELECT}`);
  });

  it.each([
    "FROM read_csv('/etc/passwd')",
    "FROM read_text('/etc/passwd')",
    "FROM READ_BLOB('/etc/passwd')",
    "FROM system.main.read_blob('/etc/passwd')",
    `FROM "sniff_csv"('/etc/passwd')`,
    "FROM parquet_metadata('/etc/passwd')",
    "FROM read_duckdb('/etc/passwd')",
    "FROM glob('/*')",
    "SELECT (SELECT max(content) FROM read_text('/proc/self/environ'))",
    "WITH a AS MATERIALIZED (FROM glob('*')) FROM a",
    "FROM countries SEMI JOIN sniff_csv('x') s USING (i)",
    "FROM query('COPY countries TO ''/tmp/out.csv''')",
    "FROM query('FROM enable_log' || 'ging()')",
    "FROM query_table('countries')",
    "FROM json_execute_serialized_sql(json_serialize_sql('SELECT 2'))",
    'FROM enable_logging()',
    "FROM enable_logging(storage = 'file', storage_path = '/tmp/logs')",
    'FROM truncate_duckdb_logs()',
    'FROM enable_profiling()',
    'FROM disable_peg_parser()',
    'FROM checkpoint()',
    'FROM duckdb_settings()',
    'FROM duckdb_databases()',
    "FROM which_secret('s3://x', 's3')",
    'FROM pragma_database_size()',
    "FROM sqlite_scan('/etc/passwd', 'x')",
    "FROM read_xlsx('/etc/x.xlsx')",
    'FROM duckdb_databases',
    'FROM information_schema.tables',
    'SHOW TABLES',
    'SELECT (SELECT max(path) FROM duckdb_databases)',
  ])('has no table but its own: %s', async (sql) => {
    expect(await outcome(sql)).toMatch(
      /^asks \w+\(…\) for a table, and a recipe may read only its own tables; name files under "tables" in recipe\.json/,
    );
  });

  it('cannot read the very database it runs in', async () => {
    expect(await outcome(`FROM read_blob('${databaseIn(folder.dataDir)}')`)).toMatch(/^asks read_blob\(…\)/);
  });

  it.each([
    "FROM '/etc/passwd.csv'",
    "FROM 'https://example.com/data.parquet'",
    "FROM 's3://bucket/data.parquet'",
    "SELECT getenv('HOME')",
    'FROM other.main.countries',
  ])('reaches no file, no network and no environment: %s', async (sql) => {
    expect(await outcome(sql)).toMatch(/^(Permission|Catalog|Binder|IO) Error: /);
  });

  it.each([
    'random()',
    'RANDOM()',
    'uuid()',
    'list_transform([1], x -> random())',
    'setseed(0.5)',
    'sleep_ms(1)',
    'extract(year FROM now())',
    'today()',
    'txid_current()',
    'get_current_timestamp()',
    "age(DATE '2020-01-01')",
    'current_localtimestamp()',
    'current_localtime()',
    "current_setting('TimeZone')",
    'reservoir_quantile(1, 0.5)',
    'system.main.now()',
    'list_filter([1], x -> x < epoch(now()))',
    '1 LIMIT extract(day FROM now())',
    "2 FROM repeat(age(DATE '2020-01-01'), 2)",
    'quantile_cont(1, epoch(now()) / 1e12)',
  ])('gives the same every time: %s is refused', async (call) => {
    expect(await outcome(`SELECT ${call}`)).toMatch(
      /^calls \w+\(\), which is not the same every time; leave it out: the same sources must give the same rows$/,
    );
  });

  it.each([
    'current_date',
    'CURRENT_TIMESTAMP',
    'localtimestamp',
    'localtime',
    'i FROM countries LIMIT extract(day FROM current_date)',
    'i FROM countries, range(extract(day FROM current_date)::INT)',
    'string_agg(name, current_date::VARCHAR) FROM countries',
    'c FROM (SELECT current_date AS c)',
  ])('gives the same every day: %s is refused', async (expression) => {
    expect(await outcome(`SELECT ${expression}`)).toMatch(
      /^reads (current_|local)\w+, which is not the same every time; leave it out: the same sources must give the same rows/,
    );
  });

  it.each(['1e-400', "'-1E-400'::DOUBLE", '0.5 * .1e-999', `0.${'0'.repeat(400)}1`])(
    'has no number that would be 0: %s',
    async (number) => {
      expect(await outcome(`SELECT ${number} -- 1e-500`)).toMatch(
        /^has the number -?[\d.]+(?:[eE]-\d+|…), closer to 0 than the smallest number, which would be 0; write 0/,
      );
    },
  );

  it.each([
    '0e-400',
    '1e-320',
    "'a 1e-400'",
    '"1e-400" FROM (SELECT 5 AS "1e-400")',
    '1 /* 1e-400 */',
    'a1e FROM (SELECT 1 AS a1e)',
  ])('may have other numbers, texts and comments: %s', async (expression) => {
    expect(await outcome(`SELECT ${expression}`)).toBeNull();
  });

  it('may read a column that is called like the clock, by its table', async () => {
    expect(
      await outcome('SELECT t.current_date FROM (SELECT i AS current_date FROM countries) t'),
    ).toBeNull();
  });

  it.each([
    'SELECT i FROM countries TABLESAMPLE 50%',
    'SELECT i FROM countries USING SAMPLE 1',
    'FROM (FROM countries USING SAMPLE 10 PERCENT (bernoulli))',
    'FROM range(10) TABLESAMPLE reservoir(2 ROWS)',
  ])('takes all rows and no sample: %s', async (sql) => {
    expect(await outcome(sql)).toMatch(/^takes a sample, which is not the same every time/);
  });

  it.each([
    'ago(INTERVAL 1 DAY)',
    'pg_postmaster_start_time()',
    'current_user()',
    'pg_typeof(1)',
    'format_type(1, 1)',
  ])('calls no macro but those that are stated: %s', async (call) => {
    expect(await outcome(`SELECT ${call}`)).toMatch(/^calls \w+\(\), a macro that recipes may not use/);
  });

  it('may call every function that is consistent, and the stated macros', async () => {
    const sql = `SELECT age(DATE '2020-01-01', DATE '2019-01-01'), list_sum([1]), nullif(1, 2), split_part('a b', ' ', 1),
      strptime('2020', '%Y'), json_extract_string('{"a": 1}', '$.a'), json_group_array(i), median(i) FROM countries`;
    expect(await outcome(sql)).toBeNull();
  });

  it('leaves the engine as it was, whatever was tried', async () => {
    for (const sql of ["SELECT write_log('x')", 'FROM enable_logging()', 'FROM enable_profiling()'])
      await outcome(sql);
    const settings = await connection.runAndReadAll(
      "SELECT name, value FROM duckdb_settings() WHERE name IN ('enable_logging', 'enable_external_access', 'lock_configuration') ORDER BY 1",
    );
    expect(settings.getRowsJS()).toEqual([
      ['enable_external_access', 'false'],
      ['enable_logging', '0'],
      ['lock_configuration', 'true'],
    ]);
  });
});
