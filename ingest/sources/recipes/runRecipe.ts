// Runs a recipe: fills its tables from the sources, and runs its SQL in a sandbox to get the rows of the datasets.

import type { DatasetName } from '../../../src/catalog/datasets.ts';
import type { SourceManifest } from '../../../src/catalog/manifest.ts';
import { identifier } from '../../../src/duckdb.ts';
import type { Diagnostic, Fault } from '../../messages/fault.ts';
import { wholeFile } from '../../messages/place.ts';
import type { StatedUnit } from '../../messages/statedUnits.ts';
import type { RawTable } from '../readers/rawFile.ts';
import { SourceCopies } from '../sourceCopies.ts';
import {
  type FilledTables,
  fillFromSources,
  fillLookups,
  type SourceRemark,
  type TableOrigin,
} from './fillTables.ts';
import type { Recipe } from './readRecipe.ts';
import { MAKE_RESULTS, openDatabase, resultOf } from './recipeDatabase.ts';
import { runInSandbox, SELECT_LIMITS } from './sandbox.ts';
import { readSelectResult } from './selectResult.ts';
import type { Limits, Select } from './workerProcess.ts';

/** The rows that a recipe gives, with all problems and remarks. */
export interface RecipeResult {
  /** The result of each dataset: a header in row 0, then the rows, with `_table` and `_row` when the SELECT has them. */
  readonly tables: ReadonlyMap<DatasetName, RawTable>;
  /** The files of the source directory that were read, in the order of their names, which are paths below the directory. */
  readonly files: readonly SourceManifest[];
  readonly origins: ReadonlyMap<string, TableOrigin>;
  readonly problems: readonly Fault[];
  /** Remarks on facts that people see in the sources and SQL does not read. */
  readonly remarks: readonly SourceRemark[];
  /** Closes the database behind `tables`. */
  close(): Promise<void>;
}

export interface RecipeOptions {
  readonly progress?: (text: string) => void;
  readonly limits?: Limits;
  readonly sourceCopies?: SourceCopies;
  /** Whether an option says how the numbers of a dataset are written, so that its metrics may be texts. */
  readonly readsTexts?: (dataset: DatasetName) => boolean;
  /** The factors of options `--scale` for the metrics of a dataset. A factor of 1 confirms the figures as they are. */
  readonly factorsOf?: (dataset: DatasetName) => readonly number[];
}

/**
 * Fills the tables of the recipe from the files below `sourceDir`, then runs its steps and the SELECTs of the datasets. The
 * database is on disk in `workDir`, and the SQL runs in a separate process.
 *
 * `problems` of the result lists everything that is wrong in the recipe and the sources, so that one run finds all of it.
 *
 * @throws {UnreadableError} for a source that cannot be read.
 */
export async function runRecipe(
  recipe: Recipe,
  sourceDir: string,
  workDir: string,
  options: RecipeOptions = {},
): Promise<RecipeResult> {
  const { progress = () => {}, limits = SELECT_LIMITS, readsTexts = () => false } = options;
  if (recipe.problems.length > 0) return { ...NO_RESULT, problems: recipe.problems };
  const filled = await fillTables(recipe, sourceDir, workDir, options);

  const selects = withTables(selectsOf(recipe), filled.unfilled);
  const faults = await runInSandbox(workDir, selects, limits, (name) => progress(`${name}.sql`));
  const succeeded = new Set(selects.map(({ name }) => name).filter((name) => !faults.has(name)));

  const results = await resultsOf(recipe, workDir, succeeded, readsTexts);
  return {
    tables: results.tables,
    files: filled.files,
    origins: filled.origins,
    problems: [...filled.problems, ...firstFaults(recipe, selects, faults), ...results.problems],
    remarks: [...filled.remarks.values()],
    close: results.close,
  };
}

const NO_RESULT: RecipeResult = {
  tables: new Map(),
  files: [],
  origins: new Map(),
  problems: [],
  remarks: [],
  close: async () => {},
};

/** Fills the tables of the recipe from the sources and from its own lookup files. */
async function fillTables(
  recipe: Recipe,
  sourceDir: string,
  workDir: string,
  { progress = () => {}, sourceCopies = new SourceCopies(workDir), factorsOf = () => [] }: RecipeOptions,
): Promise<FilledTables & Pick<RecipeResult, 'files'>> {
  const found: FilledTables = { origins: new Map(), unfilled: new Set(), problems: [], remarks: new Map() };
  const database = await openDatabase(workDir);
  try {
    const [connection] = database.connections;
    await connection.run(MAKE_RESULTS);
    const hasScaleFor = scaleChecker(recipe, factorsOf);
    const filling = { ...found, connection, workDir, sourceCopies, progress, hasScaleFor };
    const files = await fillFromSources(recipe, sourceDir, filling);
    await fillLookups(recipe, filling);
    return { ...found, files };
  } finally {
    database.close();
  }
}

/**
 * A function that tests whether every dataset that reads a table has an option `--scale` for the unit that the table
 * states. A factor of 1 is accepted too, because it confirms the figures as they are.
 */
const scaleChecker =
  (recipe: Recipe, factorsOf: (dataset: DatasetName) => readonly number[]) =>
  (table: string, { factor, otherFactor }: StatedUnit): boolean => {
    const readers = readersOf(recipe, table);
    const accepted = [1, Number(factor), Number(otherFactor)];
    const hasScaleOption = (dataset: DatasetName) =>
      factorsOf(dataset).some((scale) => accepted.includes(scale));
    return readers.length > 0 && readers.every(hasScaleOption);
  };

/**
 * The results of the datasets, in a database that the caller closes.
 *
 * @param succeeded The names of the steps and datasets whose SELECT has succeeded.
 */
async function resultsOf(
  recipe: Recipe,
  workDir: string,
  succeeded: ReadonlySet<string>,
  readsTexts: (dataset: DatasetName) => boolean,
): Promise<Pick<RecipeResult, 'tables' | 'problems' | 'close'>> {
  const database = await openDatabase(workDir);
  const close = async () => database.close();
  const tables = new Map<DatasetName, RawTable>();
  const problems: Fault[] = [];
  try {
    for (const dataset of recipe.selects.keys()) {
      if (!succeeded.has(dataset)) continue;
      const found = await readSelectResult(dataset, {
        connection: database.connections[0],
        connect: () => database.instance.connect(),
        tables: new Set([...recipe.tables.keys(), ...recipe.lookups.keys()]),
        readsTexts: readsTexts(dataset),
      });
      if ('rows' in found) tables.set(dataset, found.rows);
      else problems.push(...found.faults.map((fault) => ({ place: sqlFile(dataset), ...fault })));
    }
    return { tables, problems, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const sqlFile = (name: string) => wholeFile(`${name}.sql`);

/** The steps in the order of recipe.json, then the SELECTs of the datasets. */
const selectsOf = ({ steps, selects }: Recipe): Select[] => [
  ...[...steps].map(([name, sql]) => ({ name, sql, into: identifier(name) })),
  ...[...selects].map(([name, sql]) => ({ name, sql, into: resultOf(name) })),
];

/**
 * The SELECTs that use none of the missing tables, neither directly nor through a step. The other SELECTs would only report
 * the missing tables again.
 */
function withTables(selects: readonly Select[], missing: ReadonlySet<string>): Select[] {
  const gone = new Set(missing);
  return selects.filter(({ name, sql, into }) => {
    const canRun = !mentionsAny(sql, gone);
    if (!canRun && into === identifier(name)) gone.add(name);
    return canRun;
  });
}

/** The datasets whose SELECTs read a table, directly or through a step. */
function readersOf({ steps, selects }: Recipe, table: string): DatasetName[] {
  const from = new Set([table]);
  // A step can read only the steps before it, so one pass in their order finds all readers.
  for (const [name, sql] of steps) if (mentionsAny(sql, from)) from.add(name);
  return [...selects].flatMap(([dataset, sql]) => (mentionsAny(sql, from) ? [dataset] : []));
}

/** The faults of failed SELECTs, except for those that read a failed step and fail only because of it. */
function firstFaults(
  { steps }: Recipe,
  selects: readonly Select[],
  faults: ReadonlyMap<string, Diagnostic>,
): Fault[] {
  const failedSteps = new Set<string>();
  return selects.flatMap(({ name, sql }) => {
    const fault = faults.get(name);
    if (fault === undefined) return [];
    const isFirst = !mentionsAny(sql, failedSteps);
    if (steps.has(name)) failedSteps.add(name);
    return isFirst ? [{ place: sqlFile(name), ...fault }] : [];
  });
}

/** Whether the SQL contains the name of one of the tables as a whole word. */
const mentionsAny = (sql: string, tables: ReadonlySet<string>): boolean =>
  [...tables].some((table) =>
    new RegExp(`(?<!\\w)${table.replace(/[\\^$.*+?|()[\]{}]/g, '\\$&')}(?!\\w)`, 'i').test(sql),
  );
