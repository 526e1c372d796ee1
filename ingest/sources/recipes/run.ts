// Runs a recipe: SQL in a closed-off DuckDB turns other people's tables into rows of our datasets.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { SourceManifest } from '../../../src/catalog/manifest.ts';
import type { Fault, Said } from '../../messages/fault.ts';
import { type FileFormat, factsOf } from '../../messages/formats.ts';
import { wholeFile } from '../../messages/place.ts';
import { Intake } from '../intake.ts';
import { openFile } from '../readers/open.ts';
import type { RawFile, RawTable } from '../readers/raw.ts';
import { openText, TEXT_HEADER_ROW } from '../readers/wholeText.ts';
import { identifier, MAKE_RESULTS, openDatabase } from './engine.ts';
import { type Recipe, recipeKey, type TableRule } from './folder.ts';
import { filesBelow, matcher } from './glob.ts';
import { LIMITS, type Limits, runInSandbox } from './sandbox.ts';
import { selected } from './select.ts';
import { fillTable, type HeaderRow } from './tables.ts';

export { RECIPE_FILE, type Recipe, readRecipe } from './folder.ts';

export interface RecipeResult {
  /** Per dataset a header in row 0, then the rows, with `_table` and `_row` where the SELECT gives them. */
  readonly tables: ReadonlyMap<DatasetName, RawTable>;
  /** The files of the source directory that were read, as paths below it, in name order. */
  readonly files: readonly SourceManifest[];
  /** Where the rows of a recipe's table stand, so that `_table` and `_row` name a place. */
  readonly origins: ReadonlyMap<string, TableOrigin>;
  readonly problems: readonly Fault[];
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

export interface RecipeOptions {
  readonly progress?: (text: string) => void;
  readonly limits?: Limits;
  /** Takes the source files in. */
  readonly intake?: Intake;
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
  { progress = () => {}, limits = LIMITS, intake = new Intake(workDir) }: RecipeOptions = {},
): Promise<RecipeResult> {
  const problems = [...recipe.problems];
  const tables = new Map<DatasetName, RawTable>();
  if (problems.length > 0) return { tables, files: [], origins: new Map(), problems, close: async () => {} };
  const origins = new Map<string, TableOrigin>();
  const broken = new Set<string>();
  const files = await inDatabase(workDir, async (connection) => {
    await connection.run(MAKE_RESULTS);
    const filling = { connection, workDir, intake, origins, broken, problems, progress };
    const read = await fillFromSources(recipe, sourceDir, filling);
    await fillLookups(recipe, filling);
    return read;
  });

  // Without its table every error of a SELECT would only follow from that.
  const selects = [...recipe.selects].filter(([, sql]) => ![...broken].some((table) => mentions(sql, table)));
  const begun = (dataset: DatasetName) => progress(`${dataset}.sql`);
  const faults = await runInSandbox(workDir, selects, { limits, begun });

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
      else for (const said of found.faults) problems.push({ place: wholeFile(`${dataset}.sql`), ...said });
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
  readonly workDir: string;
  readonly intake: Intake;
  readonly origins: Map<string, TableOrigin>;
  /** Tables that could not be filled. */
  readonly broken: Set<string>;
  readonly problems: Fault[];
  readonly progress: (text: string) => void;
}

/** Takes each source file in once, for all the tables that ask for it. */
async function fillFromSources(
  recipe: Recipe,
  sourceDir: string,
  filling: Filling,
): Promise<SourceManifest[]> {
  const read: SourceManifest[] = [];
  for (const [name, tables] of await filesAsked(recipe, sourceDir, filling)) {
    const asText = tables.filter(([, rule]) => rule.text === true);
    const asTable = tables.filter(([, rule]) => rule.text !== true);
    const { copy, ...source } = await filling.intake.take(path.join(sourceDir, name), name);
    try {
      if (asText.length > 0) await fillAll(await openText(copy, name), asText, filling);
      if (asTable.length > 0) await fillAll(await openFile(copy, name), asTable, filling);
    } finally {
      await rm(copy, { force: true });
    }
    read.push(source);
  }
  return read.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Fills several tables from one file, and closes it. */
async function fillAll(
  file: RawFile,
  tables: readonly (readonly [string, TableRule])[],
  filling: Filling,
): Promise<void> {
  try {
    for (const [table, rule] of tables) {
      filling.progress(`${table} ← ${file.name}`);
      await fillFrom(file, table, rule, filling);
    }
  } finally {
    await file.close();
  }
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
      problems.push({
        place: recipeKey('tables', table, 'file'),
        ...mismatch(rule.file, matching, sourceDir),
      });
    }
  }
  return asked;
}

const mismatch = (pattern: string, matching: readonly string[], sourceDir: string): Said =>
  matching.length === 0
    ? {
        problem: `"${pattern}" matches no file below ${sourceDir}`,
        remedy: 'add the file or change the pattern',
      }
    : {
        problem: `"${pattern}" matches ${matching.length} files (${matching.join(', ')})`,
        remedy: 'make it match one',
      };

async function fillFrom(file: RawFile, table: string, rule: TableRule, filling: Filling): Promise<void> {
  const source = tableIn(file, rule);
  if ('problem' in source) {
    filling.broken.add(table);
    filling.problems.push({ place: recipeKey('tables', table, 'sheet'), ...source });
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
  for (const { cell, ...said } of faults) {
    filling.broken.add(table);
    filling.problems.push({ place: { file: origin.file, sheet: origin.sheet, cell }, ...said });
  }
}

async function countOf(connection: DuckDBConnection, table: string): Promise<number> {
  const found = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${identifier(table)}`);
  return Number(found.getRowsJS()[0]?.[0]);
}

/** The sheet a rule asks for, or why there is none; without `sheet` the only visible one. */
function tableIn(file: RawFile, { sheet }: TableRule): RawTable | Said {
  const found =
    sheet === undefined ? file.tables.filter((t) => !t.hidden) : file.tables.filter((t) => t.name === sheet);
  const [table] = found;
  if (table !== undefined && found.length === 1) return table;
  if (!factsOf(file.format).hasSheets)
    return { problem: `${file.name} has no sheets`, remedy: 'leave "sheet" out' };
  const names = file.tables.map(({ name }) => `"${name}"`).join(', ');
  return sheet === undefined
    ? {
        problem: `${file.name} has ${found.length} visible sheets`,
        remedy: `name the one to read: ${names}`,
      }
    : { problem: `${file.name} has no sheet "${sheet}"`, remedy: `there are: ${names}` };
}

/** The csv files beside recipe.json: their first row names the columns. */
async function fillLookups(recipe: Recipe, filling: Filling): Promise<void> {
  const folder = path.join(filling.workDir, 'lookups');
  await mkdir(folder, { recursive: true });
  for (const [table, { file: name, bytes }] of recipe.lookups) {
    // Read from a copy: the file itself may have changed since its bytes were hashed.
    const copy = path.join(folder, 'lookup.csv');
    await writeFile(copy, bytes);
    const file = await openFile(copy, name);
    try {
      for (const source of file.tables) await fill(file, table, source, 1, filling);
    } finally {
      await file.close();
      await rm(copy, { force: true });
    }
  }
}

/** Whether SQL names a table, as a word of its own. */
const mentions = (sql: string, table: string) =>
  new RegExp(`(?<!\\w)${table.replace(/[\\^$.*+?|()[\]{}]/g, '\\$&')}(?!\\w)`, 'i').test(sql);
