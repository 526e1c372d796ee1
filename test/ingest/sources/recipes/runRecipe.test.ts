// Recipes run in their sandbox: results, limits, refusals.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultText, UnreadableError } from '../../../../ingest/messages/fault.ts';
import type { Cell } from '../../../../ingest/sources/readers/rawFile.ts';
import { type Recipe, readRecipe } from '../../../../ingest/sources/recipes/readRecipe.ts';
import { type RecipeResult, runRecipe } from '../../../../ingest/sources/recipes/runRecipe.ts';
import { SELECT_LIMITS } from '../../../../ingest/sources/recipes/sandbox.ts';
import { workbook } from '../../../../ingest/workbook/workbook.ts';
import { DATASET_NAMES, type DatasetName } from '../../../../src/catalog/datasets.ts';
import { isDeep, itInDepth } from '../../../support/depth.ts';
import { columnsOf } from '../../../support/selects.ts';
import { parquetOf } from '../../../support/testEngine.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const scratch: string[] = [];
afterAll(() => Promise.all(scratch.map((directory) => rm(directory, { recursive: true }))));

/** A new folder with these files. */
async function aFolder(files: Files): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'recipe-'));
  scratch.push(directory);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), content);
  }
  return directory;
}

interface Run {
  readonly problems: readonly string[];
  readonly files: readonly string[];
  /** For each dataset, the rows as objects. `#` is the number of a row. */
  readonly rows: Partial<Record<DatasetName, Record<string, Cell | undefined>[]>>;
  readonly origins: ReadonlyMap<string, unknown>;
}

/** Runs a recipe over sources, both given as files, and reads everything that it gives. */
async function run(recipe: Files, sources: Files, limits: Partial<typeof SELECT_LIMITS> = {}): Promise<Run> {
  const read = await readRecipe(await aFolder(recipe));
  const result = await runRecipe(read, await aFolder(sources), await aFolder({}), {
    limits: { ...SELECT_LIMITS, ...limits },
  });
  try {
    return await readResult(result);
  } finally {
    await result.close();
  }
}

async function readResult(result: RecipeResult): Promise<Run> {
  const rows: Run['rows'] = {};
  for (const [dataset, table] of result.tables) {
    const all = [];
    for await (const batch of table.rows()) all.push(...batch);
    const [header, ...data] = all;
    rows[dataset] = data.map(({ row, cells }) =>
      Object.fromEntries([['#', row], ...(header?.cells ?? []).map((name, i) => [name, cells[i]])]),
    );
  }
  const problems = result.problems.map(faultText);
  return { problems, files: result.files.map(({ file }) => file), origins: result.origins, rows };
}

/** The file recipe.json with these tables. */
const tables = (rules: Record<string, object>): Files => ({
  'recipe.json': JSON.stringify({ tables: rules }),
});

const COUNTRIES = 'Code,Name,Region\nMLT,Malta,Europe\nPER,Peru,Latin America and Caribbean\n';
const ONE_TABLE = tables({ countries: { file: 'countries.csv', header: 1 } });
const SELECT = `SELECT "Region" AS region, "Name" AS country, 'Tracked' AS country_type FROM countries`;

describe('a recipe', () => {
  let result: RecipeResult;
  let ran: Run;
  // One run serves all tests, because every recipe starts a process.
  beforeAll(async () => {
    const recipe = await aFolder({
      ...ONE_TABLE,
      'names.csv': 'published,name\nMalta,Republic of Malta\n',
      'country_reference.sql': `${SELECT} ORDER BY country DESC`,
      'turnover.sql': `SELECT ${columnsOf('turnover')}, 'countries' AS _table, _row FROM countries`,
      'ggr.sql': `SELECT ${columnsOf('ggr', { country: `coalesce(names.name, countries."Name") AS country` })}
        FROM countries LEFT JOIN names ON published = countries."Name" ORDER BY Code`,
      'fx.sql': `SELECT ${columnsOf('fx')} FROM countries WHERE false`,
      'country.sql': `SELECT 2020::BIGINT AS year, 'Europe' AS region, 'Malta' AS country, NULL AS state,
        'Current'::ENUM ('Current') AS temporal, 'Reported' AS calculation, '1.5' AS gdp_local_currency,
        sum(1) AS gdp_usd, 0.25::DECIMAL(5, 2) AS adult_population, 9010083840419609.94 AS inflation`,
    });
    const sources = await aFolder({ 'countries.csv': COUNTRIES, 'other.csv': 'never asked for' });
    const read = await readRecipe(recipe);
    await writeFile(path.join(recipe, 'names.csv'), 'published,name\nMalta,Other\n');
    result = await runRecipe(read, sources, await aFolder({}));
    ran = await readResult(result);
  });
  afterAll(() => result.close());

  it('turns the tables it asks for into rows of our columns, in whatever order', () => {
    const { rows, problems, files } = ran;
    expect(problems).toEqual([]);
    expect(files).toEqual(['countries.csv']);
    expect(rows.country_reference).toEqual([
      { '#': 1, region: 'Latin America and Caribbean', country: 'Peru', country_type: 'Tracked' },
      { '#': 2, region: 'Europe', country: 'Malta', country_type: 'Tracked' },
    ]);
  });

  it('keeps _table and _row, and says where each table stands', () => {
    const { rows, origins } = ran;
    expect(rows.turnover?.map(({ _table, _row }) => [_table, _row])).toEqual([
      ['countries', 2],
      ['countries', 3],
    ]);
    expect(origins.get('countries')).toEqual({ file: 'countries.csv', sheet: null, format: 'csv', rows: 2 });
  });

  it('joins the csv files of its own folder, as they were when it was hashed', () => {
    expect(ran.rows.ggr?.map(({ country }) => country)).toEqual(['Republic of Malta', 'Peru']);
  });

  it('gives a header and no row when its SELECT finds none', () => {
    expect(ran.rows.fx).toEqual([]);
  });

  it('gives numbers as numbers, text as text and NULL as empty', () => {
    expect(ran.rows.country).toEqual([
      {
        '#': 1,
        year: 2020,
        region: 'Europe',
        country: 'Malta',
        state: null,
        temporal: 'Current',
        calculation: 'Reported',
        gdp_local_currency: '1.5',
        gdp_usd: 1,
        adult_population: 0.25,
        inflation: Number('9010083840419609.94'),
      },
    ]);
  });

  it('can be read again, by two readers at once', async () => {
    const count = async () => {
      let rows = 0;
      for await (const batch of result.tables.get('country_reference')?.rows() ?? []) rows += batch.length;
      return rows;
    };
    expect(await Promise.all([count(), count()])).toEqual([3, 3]);
    expect(await count()).toBe(3);
  });
});

describe('the steps of a recipe', () => {
  const steps = (...names: string[]): Files => ({
    'recipe.json': JSON.stringify({
      tables: { countries: { file: 'countries.csv', header: 1 } },
      steps: names,
    }),
  });
  const sources = { 'countries.csv': COUNTRIES };

  it('are tables to the SELECTs and to later steps; one that fails is named once, not again by its users', async () => {
    const { rows, problems } = await run(
      {
        ...steps('places', 'upper_places', 'broken', 'upper_broken', 'clock'),
        'upper_places.sql': 'SELECT region, upper(country) AS country FROM places',
        'places.sql': 'SELECT Region AS region, "Name" AS country FROM countries',
        'broken.sql': 'SELECT nonesuch FROM countries',
        'upper_broken.sql': 'FROM broken',
        'clock.sql': 'SELECT now() AS at',
        'ggr.sql': 'FROM upper_broken',
        'fx.sql': 'FROM clock',
        'country_reference.sql': `SELECT *, '' AS country_type FROM upper_places ORDER BY country`,
      },
      sources,
    );
    expect(problems).toEqual([
      expect.stringMatching(/^broken\.sql: Binder Error: Referenced column "nonesuch" not found/),
      'clock.sql: calls now(), which is not the same every time; leave it out: the same sources must give the same rows',
    ]);
    expect(rows.country_reference?.map(({ country }) => country)).toEqual(['MALTA', 'PERU']);
  });

  it('are not run when a table they use could not be filled', async () => {
    const { problems } = await run(
      { ...steps('places'), 'places.sql': 'FROM countries', 'ggr.sql': 'FROM places' },
      {},
    );
    expect(problems).toEqual([expect.stringMatching(/^recipe\.json › tables\.countries\.file: /)]);
  });
});

describe('a table', () => {
  const sheet = (name: string, state: 'visible' | 'hidden') => ({
    name,
    state,
    rows: [['a', 'b', 'c'], [name]],
  });
  const lines = Array.from({ length: 5000 }, (_, i) => (i === 4000 ? `${i},a,b` : `${i}`));
  const json = '{"years": [{"year": 2024, "data": [1, 2, null]}]}';
  const sources: Files = {
    'a/written.csv': 'Notes above\n\nCode,"A\n  name",n\n007, x ,1.50\n,,\n"","q""q",-\n',
    'kinds.xlsx': workbook([
      {
        name: 'Data',
        rows: [
          ['n', 'd', 'b', 'e'],
          [0.1, { date: '2020-01-31' }, true, { error: '#N/A' }],
          [1e21, null, false, { formula: '1+1', cached: 2 }],
          [14345970869, 'x', null, 2003],
        ],
      },
    ]),
    't.json': json,
    'wide.xlsx': workbook([
      { name: '1', rows: [['Title'], [null, 1, 2], { row: 5, cells: [...Array(27).fill(null), 'far'] }] },
    ]),
    'headed.csv': 'Report,2024\n\nx,,y,z\na,b,c\n1,2,3\n',
    'figures.xlsx': workbook([
      {
        name: '1',
        rows: [
          [null, 2023, null],
          ['North', 175, 212],
          ['Area', 2023, '2024'],
          ['x', 1, 2],
        ],
      },
    ]),
    'grouped.csv': 'a;;b\nNorth;175;19\u2009972\nArea;2023;2024\nx;1;2\n',
    'unnamed.csv': 'a,,c\n1,2,3,4\n',
    'long.csv': `n\n${lines.join('\n')}\n`,
    'hidden.xlsx': workbook([sheet('Seen', 'visible'), sheet('Lists', 'hidden')]),
  };
  const asked: Readonly<Record<string, readonly [rule: object, columns: readonly string[]]>> = {
    written: [{ file: '**/written.csv', header: 3 }, ['Code', 'A name', 'n']],
    kinds: [{ file: 'kinds.xlsx' }, ['n', 'd', 'b', 'e']],
    text: [{ file: 't.json', text: true }, ['text']],
    wide: [{ file: 'wide.xlsx', sheet: '1', cells: true }, ['A', 'C', 'AB']],
    headed: [{ file: 'headed.csv' }, ['a', 'b', 'c']],
    figures: [{ file: 'figures.xlsx' }, ['Area', '2023', '2024']],
    grouped: [{ file: 'grouped.csv' }, ['Area', '2023', '2024']],
    unnamed: [{ file: 'unnamed.csv', header: 1 }, ['a', 'B', 'c', 'D']],
    long: [{ file: 'long.csv', header: 1 }, ['n', 'C']],
    hidden: [{ file: 'hidden.xlsx', sheet: 'Lists', header: 1 }, ['a']],
    visible: [{ file: 'hidden.xlsx', header: 1 }, ['a']],
    columnar: [{ file: 'two.parquet' }, ['year', 'ggr']],
  };

  /** The wanted columns of each table as one text. One recipe fills all tables. */
  const texts: Record<string, string[]> = {};
  beforeAll(async () => {
    const selects = Object.entries(asked).map(([table, [, columns]]) => {
      const list = columns.map((name) => `coalesce("${name}", 'NULL')`).join(` || '|' || `);
      return `SELECT '${table}' AS region, _row || ': ' || ${list} AS country, '' AS country_type, _row AS place FROM "${table}"`;
    });
    const { rows, problems } = await run(
      {
        ...tables(Object.fromEntries(Object.entries(asked).map(([table, [rule]]) => [table, rule]))),
        'country_reference.sql': `SELECT region, country, country_type FROM (${selects.join(' UNION ALL ')}) ORDER BY region, place`,
      },
      { ...sources, 'two.parquet': await parquetOf('SELECT 2024 AS year, 1.50 AS ggr') },
    );
    expect(problems).toEqual([]);
    for (const { region, country } of rows.country_reference ?? []) {
      texts[String(region)] ??= [];
      texts[String(region)]?.push(String(country));
    }
  });

  it('holds csv fields exactly as written', () => {
    expect(texts.written).toEqual(['5: 007| x |1.50', '7: NULL|q"q|-']);
  });

  it('holds spreadsheet cells as text: shortest numbers, ISO dates, TRUE and FALSE, errors as written', () => {
    expect(texts.kinds).toEqual([
      '2: 0.1|2020-01-31|TRUE|#N/A',
      '3: 1e+21|NULL|FALSE|2',
      '4: 14345970869|x|NULL|2003',
    ]);
  });

  it('takes a file as one text with "text", for SQL to take apart', () => {
    expect(texts.text).toEqual([`1: ${json}`]);
  });

  it('names columns by their letters with "cells", however wide later rows are', () => {
    expect(texts.wide).toEqual(['1: Title|NULL|NULL', '2: NULL|2|NULL', '5: NULL|NULL|far']);
  });

  it('finds a header by itself: the first row of three names or more without a gap', () => {
    expect(texts.headed).toEqual(['5: 1|2|3']);
  });

  it('takes no row of figures for a header, but one of years', () => {
    expect([texts.figures, texts.grouped]).toEqual([['4: x|1|2'], ['4: x|1|2']]);
  });

  it('calls a column without a name by its letter', () => {
    expect(texts.unnamed).toEqual(['2: 1|2|3|4']);
  });

  it('loses no row where chunks meet', () => {
    expect(texts.long).toEqual(lines.map((_, i) => `${i + 2}: ${i}|${i === 4000 ? 'b' : 'NULL'}`));
  });

  it('has the column names of a Parquet file, however few', () => {
    expect(texts.columnar).toEqual(['1: 2024|1.5']);
  });

  it('may be a hidden sheet when it is named', () => {
    expect([texts.hidden, texts.visible]).toEqual([['2: Lists'], ['2: Seen']]);
  });
});

describe('a recipe that cannot be read', () => {
  const read = async (files: Files) => (await readRecipe(await aFolder(files))).problems.map(faultText);

  it('has no folder', async () => {
    const { problems } = await readRecipe(path.join(os.tmpdir(), 'no-such-recipe'));
    expect(problems.map(faultText)).toEqual([
      'recipe.json: is missing from the recipe; write one: it says which tables to read',
    ]);
  });

  it.each([
    ['{"tables": {,}}', ': is not JSON: '],
    ['[]', ': Invalid input: expected object, received array'],
    [
      '{"tables": {}, "tabels": {}}',
      ': unknown key "tabels"; did you mean "tables"? (known: tables, steps, numbers, missing, fillDown, scale)',
    ],
    ['{"tables": {"t": {}}}', ' › tables.t.file: Invalid input: expected string, received undefined'],
    [
      '{"tables": {"t": {"file": "a", "shet": "1", "x": 1}}}',
      ' › tables.t: unknown key "shet"; did you mean "sheet"?, "x" (known: file, sheet, header, cells, text, values)',
    ],
    ['{"tables": {"t": {"file": "a", "header": 0}}}', ' › tables.t.header: Too small'],
    [
      '{"tables": {"t": {"file": "a", "sheet": "1", "text": true}}}',
      ' › tables.t.text: takes the file as it is',
    ],
    [
      '{"tables": {"t": {"file": "a", "header": 1, "cells": true}}}',
      ' › tables.t.header: contradicts "cells": true',
    ],
    [
      '{"tables": {\n"t": {"file": "a", "sheet": "}, \\"file\\": "},\n"u": {"file": "t"},\n"\\u0074": {"file": "b"}}}',
      ' › tables.t: the key "t" appears twice, in line 2 and in line 4, and only one of them would count; delete or rename one of them',
    ],
    [
      '{"scale": ["ggr=1e3"], "tables": {"t": {"file": "a"}}, "scale": "ggr=1e6"}',
      ' › scale: the key "scale" appears twice, both times in line 1',
    ],
  ])('is refused: %s', async (json, message) => {
    const problems = await read({ 'recipe.json': json, 'ggr.sql': 'SELECT 1' });
    expect(problems).toEqual([expect.stringContaining(`recipe.json${message}`)]);
  });

  it('names an .sql file after no dataset', async () => {
    expect(await read({ ...ONE_TABLE, 'ggr.sql': 'SELECT 1', 'turn-over.sql': 'SELECT 1' })).toEqual([
      `turn-over.sql: is not named after a dataset; did you mean "turnover"? (there are: ${DATASET_NAMES.join(', ')}); rename it, or name it under "steps" in recipe.json`,
    ]);
  });

  const withSteps = (...steps: string[]) => ({
    'recipe.json': JSON.stringify({ tables: { countries: { file: 'countries.csv' } }, steps }),
    'country_reference.sql': SELECT,
  });

  it('names a step without a file, a dataset as a step, and a step twice', async () => {
    expect(await read(withSteps('missing', 'country_reference'))).toEqual([
      'recipe.json › steps.0: there is no missing.sql beside recipe.json; add the file or delete the name',
      'recipe.json › steps.1: "country_reference" is a dataset, and its SELECT is run without being a step; delete the name',
    ]);
    expect(await read({ ...withSteps('shared', 'shared'), 'shared.sql': SELECT })).toEqual([
      'recipe.json › steps.1: makes a second table "shared" beside "shared"; rename one of them',
    ]);
    expect(await read({ ...withSteps('Countries'), 'Countries.sql': SELECT })).toEqual([
      'recipe.json › steps.0: makes a second table "Countries" beside "countries"; rename one of them',
    ]);
  });

  it('has no SELECT at all', async () => {
    expect(await read(ONE_TABLE)).toEqual([expect.stringMatching(/^recipe\.json: has no SELECT beside it/)]);
  });

  it('makes one table twice, without distinguishing upper and lower case', async () => {
    expect(await read({ ...ONE_TABLE, 'Countries.csv': 'a\n', 'ggr.sql': 'SELECT 1' })).toEqual([
      'Countries.csv: makes a second table "Countries" beside "countries"; rename one of them',
    ]);
  });

  it('is not run: its problems are the result', async () => {
    const { problems, rows } = await run({ 'ggr.sql': 'SELECT 1' }, {});
    expect(problems).toEqual([
      'recipe.json: is missing from the recipe; write one: it says which tables to read',
    ]);
    expect(rows).toEqual({});
  });
});

it('a text without a byte is refused as an empty table is: SQL would find no rows in it', async () => {
  const files = { ...tables({ t: { file: 't.json', text: true } }), 'country_reference.sql': SELECT };
  await expect(run(files, { 't.json': '' })).rejects.toThrow('t.json: is empty (0 bytes); copy it again');
});

describe('a recipe file', () => {
  it.each(['ggr.sql', 'names.csv', 'recipe.json'])('that is a folder is named: %s', async (name) => {
    const directory = await aFolder({ ...ONE_TABLE, 'country_reference.sql': SELECT });
    await rm(path.join(directory, name), { force: true });
    await mkdir(path.join(directory, name));
    await expect(readRecipe(directory)).rejects.toThrow(`${name}: is a folder, not a file`);
  });

  it('that is not UTF-8 is refused, for its SQL would compare other texts', async () => {
    const latin = Buffer.from("SELECT 'Cura\u00e7ao'", 'latin1');
    const { problems } = await run(
      { ...ONE_TABLE, 'country_reference.sql': latin },
      { 'countries.csv': COUNTRIES },
    );
    expect(problems).toEqual(['country_reference.sql: is not UTF-8 text; save it as UTF-8']);
  });
});

describe('the digest of a recipe', () => {
  const digestOf = async (files: Files): Promise<Recipe> => readRecipe(await aFolder(files));

  it('is the same for the same files, and another for any other byte in them', async () => {
    const files = { ...ONE_TABLE, 'ggr.sql': 'SELECT 1', 'names.csv': 'a\n' };
    const recipe = await digestOf(files);
    expect(recipe.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await digestOf({ ...files, 'README.md': 'about it' })).sha256).toBe(recipe.sha256);
    expect((await digestOf({ ...files, 'names.csv': 'b\n' })).sha256).not.toBe(recipe.sha256);
    expect(recipe.files.map(({ file, bytes }) => [file, bytes])).toEqual([
      ['ggr.sql', 8],
      ['names.csv', 2],
      ['recipe.json', ONE_TABLE['recipe.json']?.length],
    ]);
  });
});

describe('sources that do not fit a recipe', () => {
  it('are all named in one run, and what they do not touch is run all the same', async () => {
    const rules = {
      none: { file: '**/gdp_*.csv' },
      several: { file: '**/fx_*.csv' },
      sheetless: { file: 'book.xlsx', sheet: '6d' },
      ambiguous: { file: 'book.xlsx' },
      shortened: { file: 'countries.csv', header: 9 },
      unheaded: { file: 'a/fx_1.csv' },
      flat: { file: 'countries.csv', sheet: 'Data' },
      columnar: { file: 'a.parquet', header: 1 },
      countries: { file: 'countries.csv', header: 1 },
    };
    const sheet = (name: string) => ({ name, rows: [['a', 'b', 'c']] });
    const { problems, rows } = await run(
      {
        ...tables(rules),
        'country_reference.sql': SELECT,
        'country.sql': 'SELECT * FROM none',
        'fx.sql': 'SELECT * FROM SEVERAL',
        'ggr.sql': 'SELECT * FROM nonesuch',
      },
      {
        'a/fx_1.csv': 'a\n',
        'b/fx_2.csv': 'a\n',
        'countries.csv': COUNTRIES,
        'book.xlsx': workbook([sheet('6a'), sheet('6b')]),
        'a.parquet': await parquetOf('SELECT 2024 AS year'),
      },
    );
    expect(problems).toEqual([
      expect.stringMatching(
        /^recipe\.json › tables\.none\.file: "\*\*\/gdp_\*\.csv" matches no file below \/.*; add the file or/,
      ),
      'recipe.json › tables.several.file: "**/fx_*.csv" matches 2 files (a/fx_1.csv, b/fx_2.csv); make it match one',
      'recipe.json › tables.sheetless.sheet: book.xlsx has no sheet "6d"; name one of: "6a", "6b"',
      'recipe.json › tables.ambiguous.sheet: book.xlsx has 2 visible sheets; name the one to read: "6a", "6b"',
      `countries.csv: row 9 is empty; give the number of the row with the columns' names as "header" in recipe.json`,
      'recipe.json › tables.flat.sheet: countries.csv has no sheets; leave "sheet" out',
      expect.stringMatching(/^a\/fx_1\.csv: has no row that looks like a header \(three names or more/),
      'recipe.json › tables.columnar.header: a.parquet names its columns itself, and row 1 holds data; leave "header" out',
      'ggr.sql: reads a table "nonesuch", which the recipe does not have; it has countries',
    ]);
    expect(rows.country_reference).toHaveLength(2);
  });

  describe('one workbook each', () => {
    type Rows = Parameters<typeof workbook>[0][number]['rows'];
    const formula = { formula: 'A1+1' };
    const SHEETS: Readonly<Record<string, Rows>> = {
      few: [['a', 'b', 'c'], [1, formula], [formula]],
      many: [['a', 'b', 'c'], ...Array.from({ length: 25 }, () => [formula])],
      twice: [['Total', '_row', 'TOTAL']],
      far: [['a'], [1], [...Array(2000).fill(null), 'stray']],
    };
    let problems: readonly string[] = [];
    // One run serves all tests, because every recipe starts a process.
    beforeAll(async () => {
      const names = Object.keys(SHEETS);
      ({ problems } = await run(
        {
          ...tables(Object.fromEntries(names.map((name) => [name, { file: `${name}.xlsx`, header: 1 }]))),
          'country_reference.sql': names.map((name) => `SELECT * FROM ${name}`).join(' UNION '),
        },
        Object.fromEntries(
          names.map((name) => [`${name}.xlsx`, workbook([{ name: 'Data', rows: SHEETS[name] ?? [] }])]),
        ),
      ));
    });
    const problemsOf = (name: string) => problems.filter((problem) => problem.startsWith(`${name}.xlsx`));

    it('hold formulas that were never calculated: the first twenty are named', () => {
      const remedy =
        'formula without a calculated value; open the file in a spreadsheet program, let it calculate, save it again';
      expect(problemsOf('few')).toEqual([`few.xlsx › Data!B2: ${remedy}`, `few.xlsx › Data!A3: ${remedy}`]);
      expect(problemsOf('many')).toHaveLength(21);
      expect(problemsOf('many').at(-1)).toBe('many.xlsx › Data: 5 more formulas without a calculated value');
    });

    it('are refused when they name a column twice, or after the row number', () => {
      expect(problemsOf('twice')).toEqual([
        'twice.xlsx › Data!B1: the column name "_row" is the name of the row number; rename it, or set "cells": true in recipe.json, which names the columns A, B, C …',
        'twice.xlsx › Data!C1: the column name "TOTAL" is in A already; rename it, or set "cells": true in recipe.json, which names the columns A, B, C …',
      ]);
    });

    it('reach too far to the right', () => {
      expect(problemsOf('far')).toEqual([
        expect.stringMatching(
          /^far\.xlsx › Data!BXY3: is in column 2001; delete the cells to the right of column 2000/,
        ),
      ]);
    });

    it('and nothing else is wrong', () => {
      const names = new Set(problems.map((problem) => problem.split('.xlsx')[0]));
      expect([...names].sort()).toEqual(Object.keys(SHEETS).sort());
    });
  });

  it('cannot be read at all: that is the reader’s own error', async () => {
    const recipe = await readRecipe(
      await aFolder({ ...tables({ t: { file: 't.xlsx' } }), 'ggr.sql': 'SELECT * FROM t' }),
    );
    const sources = await aFolder({ 't.xlsx': 'this is not a workbook' });
    await expect(runRecipe(recipe, sources, await aFolder({}))).rejects.toThrow(UnreadableError);
  });
});

describe('the SQL of a recipe', () => {
  /** SQL that is refused, and the message. Each is a step of the same recipe. */
  const REFUSED: readonly (readonly [sql: string, message: unknown])[] = [
    ['SELEC 1', 'Parser Error: syntax error at or near "SELEC" (line 1: SELEC 1)'],
    [
      'SELECT Nmae\n  FROM countries',
      expect.stringMatching(/^Binder Error: Referenced column "Nmae" not found .*\(line 1: SELECT Nmae\)$/),
    ],
    [
      "SELECT 'x'::INTEGER",
      expect.stringMatching(/^Conversion Error: Could not convert string 'x' to INT32/),
    ],
    ["SELECT error('new column')", 'Invalid Input Error: new column'],
    [
      `SELECT coalesce(n.country, error('names.csv lacks ' || "Country Name")) AS country
       FROM (VALUES ('Malta'), ('Spian')) AS t("Country Name")
       LEFT JOIN (VALUES ('Malta', 'Malta')) AS n(published, country) ON n.published = "Country Name"`,
      expect.stringMatching(/^Invalid Input Error: names\.csv lacks Spian/),
    ],
  ];
  const names = REFUSED.map((_, i) => `refused_${i}`);
  const messages = new Map<string, string>();
  let ran: Run;
  beforeAll(async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Tokyo';
    try {
      ran = await run(
        {
          'recipe.json': JSON.stringify({ tables: { countries: { file: 'countries.csv' } }, steps: names }),
          ...Object.fromEntries(REFUSED.map(([sql], i) => [`${names[i]}.sql`, sql])),
          'country_reference.sql': `-- Countries\n${SELECT}; -- all of them`,
          'ggr.sql': `SELECT ${columnsOf('ggr', { country: 'to_timestamp(0)::VARCHAR AS country' })}`,
        },
        { 'countries.csv': COUNTRIES },
      );
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
    for (const problem of ran.problems) {
      const [file = ''] = problem.split(': ');
      messages.set(file, problem.slice(file.length + 2));
    }
  });

  it.each(REFUSED.map(([sql, message], i) => [sql, `${names[i]}.sql`, message] as const))(
    'is refused: %s',
    (_, file, message) => {
      expect(messages.get(file)).toEqual(message);
    },
  );

  it('gives the same texts on every machine, whatever its time zone', () => {
    expect(ran.rows.ggr?.[0]?.country).toBe('1970-01-01 00:00:00+00');
  });

  it('may end with a semicolon and comments, and runs beside others that are refused', () => {
    expect(messages.size).toBe(REFUSED.length);
    expect(ran.rows.country_reference).toHaveLength(2);
  });

  it('is stopped at its deadline, whatever the engine is at, and what is left is run', async () => {
    const stopped = isDeep ? ['country.sql', 'ggr.sql'] : ['country.sql'];
    // On a busy machine any statement may take longer than that deadline. The test is then repeated with a later one.
    for (let seconds = 0.5; ; seconds *= 2) {
      const { problems, rows } = await run(
        {
          ...ONE_TABLE,
          ...(isDeep && {
            'ggr.sql':
              'WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r',
          }),
          // DuckDB cannot be interrupted while it computes one value, and it computes constants before the statement
          // begins.
          'country.sql': "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000))",
          'country_reference.sql': SELECT,
        },
        { 'countries.csv': COUNTRIES },
        { deadlineMs: seconds * 1000 },
      );
      const message = `did not finish within ${seconds} s; look for a join without a condition or an endless recursion`;
      if (seconds < 16 && problems.includes(`country_reference.sql: ${message}`)) continue;
      expect([...problems].sort()).toEqual(stopped.map((file) => `${file}: ${message}`));
      expect(rows.country_reference).toHaveLength(2);
      return;
    }
  });

  itInDepth('is stopped when it takes too much memory or disk', async () => {
    const { problems } = await run(
      {
        ...ONE_TABLE,
        'country.sql': "SELECT length(repeat('x', 4000000000)) AS n",
        'country_reference.sql': 'SELECT hash(i) AS n FROM range(1000000000000) AS r(i)',
      },
      { 'countries.csv': COUNTRIES },
      { mostMemoryBytes: 300 * 2 ** 20, mostDiskBytes: 5 * 2 ** 20 },
    );
    expect([...problems].sort()).toEqual([
      'country.sql: took more than 300 MB of memory; look for lists and texts that grow without bound',
      'country_reference.sql: took more than 5 MB of disk; look for a join without a condition',
    ]);
  });

  it('may go to any depth: that is an error and nothing worse, for itself alone', async () => {
    const { problems, rows } = await run(
      {
        ...ONE_TABLE,
        'ggr.sql': `SELECT ${'('.repeat(50_000)}1${')'.repeat(50_000)} AS region`,
        'turnover.sql': `SELECT ${'1 + '.repeat(50_000)}1 AS region`,
        'fx.sql': `${'SELECT * FROM ('.repeat(5_000)}SELECT 1${')'.repeat(5_000)}`,
        'country.sql': `SELECT ${'['.repeat(20_000)}1${']'.repeat(20_000)} AS region`,
        'country_reference.sql': SELECT,
      },
      { 'countries.csv': COUNTRIES },
    );
    const places = new Set(problems.map((problem) => problem.split(': ')[0]));
    expect([...places].sort()).toEqual(['country.sql', 'fx.sql', 'ggr.sql', 'turnover.sql']);
    expect(rows.country_reference).toHaveLength(2);
  });

  it('gives every column of the dataset and no other, with values of their types and places that exist', async () => {
    const { problems } = await run(
      {
        ...ONE_TABLE,
        'country_reference.sql': `SELECT 'Europe' AS region, 'Malta' AS contry, 1 AS n`,
        'country.sql': `SELECT * FROM (VALUES ('2020'), ('2020P'), ('n/a'), ('-'), ('n/a'), ('?')) AS years (year),
          (SELECT 'Europe' AS region, 5 AS country, [1] AS state, 'Current' AS temporal, 'Reported' AS calculation,
                  '1,000' AS gdp_usd, DATE '2020-01-31' AS gdp_local_currency, 24187903::FLOAT AS adult_population, '1e-3' AS inflation)`,
        'ggr.sql': `SELECT ${columnsOf('ggr')}, 'country'::ENUM ('country') AS _table, _row FROM countries`,
        'turnover.sql': `SELECT ${columnsOf('turnover')}, _row FROM countries`,
        'fx.sql': `SELECT ${columnsOf('fx', {
          fx_current_usd: `'0.0067'::DECIMAL AS fx_current_usd`,
          fx_constant_usd: `0.0067::DECIMAL(18, 6) AS fx_constant_usd`,
        })}, 'countries' AS _table, 'third' AS _row FROM countries`,
      },
      { 'countries.csv': COUNTRIES },
    );
    const problemsOf = (dataset: DatasetName) =>
      problems.filter((problem) => problem.startsWith(`${dataset}.sql`));
    expect(problemsOf('country_reference')).toEqual([
      'country_reference.sql: the columns country, country_type are missing; select them: country_reference has region, country, country_type',
      `country_reference.sql: column "contry" is not one of country_reference's; did you mean "country"?`,
      `country_reference.sql: column "n" is not one of country_reference's; leave it out`,
    ]);
    expect(problemsOf('country')).toEqual([
      'country.sql: column year holds "n/a", "-", "2020P" … (5 rows); it must be a year of four digits',
      'country.sql: column country holds "5" (6 rows); it must be text; cast it with ::VARCHAR',
      'country.sql: column state holds "[1]" (6 rows); it must be text; cast it with ::VARCHAR',
      'country.sql: column gdp_usd holds "1,000" (6 rows); it must be a number; make it one, or NULL, or let "numbers" and "missing" in recipe.json read its texts',
      'country.sql: column gdp_local_currency holds "2020-01-31" (6 rows); it must be a number; make it one, or NULL',
      'country.sql: column adult_population holds "24187904.0" (6 rows); it must be a DOUBLE: a FLOAT keeps seven digits; cast it with ::DOUBLE instead',
    ]);
    expect([...problemsOf('ggr'), ...problemsOf('turnover'), ...problemsOf('fx')]).toEqual([
      'ggr.sql: column _table holds "country" (2 rows): no table of the recipe is called that; write the name of one of its tables: countries',
      'turnover.sql: column _row is alone; give both _table and _row, or neither',
      'fx.sql: column _row holds "third" (2 rows); it must be the number of a row',
      'fx.sql: column fx_current_usd is a DECIMAL of three decimals, which rounds rates; it must be a DOUBLE: cast it with ::DOUBLE instead',
    ]);
  });
});
