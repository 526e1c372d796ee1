// Runs a recipe: SQL in a closed-off DuckDB turns other people's tables into rows of our datasets.

import path from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import { type FileFormat, printed } from '../../messages/place.ts';
import { openFile } from '../readers/open.ts';
import type { RawFile, RawTable } from '../readers/raw.ts';
import { openText, TEXT_HEADER_ROW } from '../readers/wholeText.ts';
import { identifier, MAKE_RESULTS, openDatabase } from './engine.ts';
import type { Recipe, RecipeProblem, TableRule } from './folder.ts';
import { filesBelow, matcher } from './glob.ts';
import { LIMITS, type Limits, runContained } from './sandbox.ts';
import { selected } from './select.ts';
import { fillTable, type HeaderRow } from './tables.ts';

export { type Recipe, readRecipe } from './folder.ts';

export interface RecipeResult {
  /** Per dataset a header in row 0, then the rows, with `_table` and `_row` where the SELECT gives them. */
  readonly tables: ReadonlyMap<DatasetName, RawTable>;
  /** The files of the source directory that were read, as paths below it. */
  readonly files: readonly string[];
  /** Where the rows of a recipe's table stand, so that `_table` and `_row` name a place. */
  readonly origins: ReadonlyMap<string, TableOrigin>;
  readonly problems: readonly RecipeProblem[];
  /** Ends the database behind `tables`. */
  close(): Promise<void>;
}

export interface TableOrigin {
  readonly file: string;
  readonly sheet: string | null;
  readonly format: FileFormat;
  /** How many of its rows the SELECTs can see. */
  readonly rows: number;
}

/**
 * Fills the recipe's tables from the files below `sourceDir` and runs its SELECTs, on disk in `workDir` and in a
 * process of their own.
 *
 * What is wrong in the recipe or the sources is in `problems`, all of one run; a file that cannot be read at
 * all throws UnreadableError.
 */
export async function runRecipe(
  recipe: Recipe,
  sourceDir: string,
  workDir: string,
  progress: (text: string) => void = () => {},
  limits: Limits = LIMITS,
): Promise<RecipeResult> {
  const problems = [...recipe.problems];
  const tables = new Map<DatasetName, RawTable>();
  if (problems.length > 0) return { tables, files: [], origins: new Map(), problems, close: async () => {} };
  const origins = new Map<string, TableOrigin>();
  const broken = new Set<string>();
  const files = await inDatabase(workDir, async (connection) => {
    await connection.run(MAKE_RESULTS);
    const filling = { connection, origins, broken, problems, progress };
    const read = await fillFromSources(recipe, sourceDir, filling);
    await fillLookups(recipe, filling);
    return read;
  });

  // Without its table every error of a SELECT would only follow from that.
  const selects = [...recipe.selects].filter(([, sql]) => ![...broken].some((table) => mentions(sql, table)));
  const begun = (dataset: DatasetName) => progress(`${dataset}.sql`);
  const faults = await runContained(workDir, selects, { limits, begun });

  const instance = await openDatabase(workDir);
  const connection = await instance.connect();
  const close = async () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    const known = new Set([...recipe.tables.keys(), ...recipe.lookups.keys()]);
    const selecting = { connection, connect: () => instance.connect(), tables: known };
    for (const [dataset] of selects) {
      const fault = faults.get(dataset);
      const found = fault === undefined ? await selected(dataset, selecting) : { faults: [fault] };
      if ('rows' in found) tables.set(dataset, found.rows);
      else for (const message of found.faults) problems.push({ place: `${dataset}.sql`, message });
    }
    return { tables, files, origins, problems, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the recipe's database for as long as `act` takes. */
async function inDatabase<T>(workDir: string, act: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance: DuckDBInstance = await openDatabase(workDir);
  const connection = await instance.connect();
  try {
    return await act(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** What filling the tables adds to. */
interface Filling {
  readonly connection: DuckDBConnection;
  readonly origins: Map<string, TableOrigin>;
  /** Tables that could not be filled. */
  readonly broken: Set<string>;
  readonly problems: RecipeProblem[];
  readonly progress: (text: string) => void;
}

/** Reads each source file once, for all the tables that ask for it; gives the files read, in name order. */
async function fillFromSources(recipe: Recipe, sourceDir: string, filling: Filling): Promise<string[]> {
  const asked = await filesAsked(recipe, sourceDir, filling);
  for (const [name, tables] of asked) {
    const asText = tables.filter(([, rule]) => rule.text === true);
    const asTable = tables.filter(([, rule]) => rule.text !== true);
    for (const [open, some] of [
      [openText, asText],
      [openFile, asTable],
    ] as const) {
      if (some.length === 0) continue;
      const file = await open(path.join(sourceDir, name), name);
      try {
        for (const [table, rule] of some) {
          filling.progress(`${table} ← ${name}`);
          await fillFrom(file, table, rule, filling);
        }
      } finally {
        await file.close();
      }
    }
  }
  return [...asked.keys()].sort();
}

/** Which tables each file is asked for. A pattern must match one file: the wrong vintage is a quiet error. */
async function filesAsked(
  recipe: Recipe,
  sourceDir: string,
  { broken, problems }: Filling,
): Promise<Map<string, [string, TableRule][]>> {
  const files = await filesBelow(sourceDir);
  const asked = new Map<string, [string, TableRule][]>();
  for (const [table, rule] of recipe.tables) {
    const matching = files.filter(matcher(rule.file));
    const [name] = matching;
    if (name !== undefined && matching.length === 1)
      asked.set(name, [...(asked.get(name) ?? []), [table, rule]]);
    else {
      broken.add(table);
      const message =
        name === undefined
          ? `"${rule.file}" matches no file below ${sourceDir}; add the file or change the pattern`
          : `"${rule.file}" matches ${matching.length} files (${matching.join(', ')}); make it match one`;
      problems.push({ place: `recipe.json › tables.${table}.file`, message });
    }
  }
  return asked;
}

async function fillFrom(file: RawFile, table: string, rule: TableRule, filling: Filling): Promise<void> {
  const source = tableIn(file, rule);
  if (typeof source === 'string') {
    filling.broken.add(table);
    filling.problems.push({ place: `recipe.json › tables.${table}.sheet`, message: source });
    return;
  }
  const header =
    rule.text === true ? TEXT_HEADER_ROW : rule.cells === true ? 'none' : (rule.header ?? 'found');
  await fill(file, table, source, header, filling);
}

async function fill(
  file: RawFile,
  table: string,
  source: RawTable,
  header: HeaderRow,
  filling: Filling,
): Promise<void> {
  const origin = { file: file.name, sheet: source.name, format: file.format };
  const faults = await fillTable(filling.connection, table, source, header);
  const rows = faults.length > 0 ? 0 : await countOf(filling.connection, table);
  filling.origins.set(table, { ...origin, rows });
  for (const { cell, message } of faults) {
    filling.broken.add(table);
    filling.problems.push({ place: printed({ file: origin.file, sheet: origin.sheet, cell }), message });
  }
}

async function countOf(connection: DuckDBConnection, table: string): Promise<number> {
  const found = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${identifier(table)}`);
  return Number(found.getRowsJS()[0]?.[0]);
}

/** The sheet a rule asks for, or why there is none; without `sheet` the only visible one. */
function tableIn(file: RawFile, { sheet }: TableRule): RawTable | string {
  const found =
    sheet === undefined ? file.tables.filter((t) => !t.hidden) : file.tables.filter((t) => t.name === sheet);
  const [table] = found;
  if (table !== undefined && found.length === 1) return table;
  if (file.format !== 'xlsx') return `${file.name} has no sheets; leave "sheet" out`;
  const names = file.tables.map(({ name }) => `"${name}"`).join(', ');
  return sheet === undefined
    ? `${file.name} has ${found.length} visible sheets; name the one to read: ${names}`
    : `${file.name} has no sheet "${sheet}"; there are: ${names}`;
}

/** The csv files beside recipe.json: their first row names the columns. */
async function fillLookups(recipe: Recipe, filling: Filling): Promise<void> {
  for (const [table, name] of recipe.lookups) {
    const file = await openFile(path.join(recipe.directory, name), name);
    try {
      for (const source of file.tables) await fill(file, table, source, 1, filling);
    } finally {
      await file.close();
    }
  }
}

/** Whether SQL names a table, as a word of its own. */
const mentions = (sql: string, table: string) =>
  new RegExp(`(?<!\\w)${table.replace(/[\\^$.*+?|()[\]{}]/g, '\\$&')}(?!\\w)`, 'i').test(sql);
