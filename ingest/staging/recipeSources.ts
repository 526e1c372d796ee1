// Stages the rows that a recipe computes from a source directory, each with the place in the source of its values.

import { type DatasetName, metricNames } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { UnreadableError } from '../messages/fault.ts';
import { type Origin, wholeFile } from '../messages/place.ts';
import type { RawTable } from '../sources/readers/rawFile.ts';
import type { TableOrigin } from '../sources/recipes/fillTables.ts';
import { RECIPE_FILE, type Recipe, readRecipe } from '../sources/recipes/readRecipe.ts';
import { type RecipeResult, runRecipe } from '../sources/recipes/runRecipe.ts';
import { expectDataset, type ReadingRun, type SourceFolder, type TableRead } from './reading.ts';
import { type OptionName, optionsFor, type ReadingOptions, readingOptions } from './readingOptions.ts';
import { readTable } from './readTable.ts';
import type { LocatedRow } from './remarks.ts';
import { reportUnusedOptions } from './unusedOptions.ts';

/** Runs a recipe, stages its rows, and returns the recipe's entry in the manifest. */
export async function readRecipeSources(
  recipeDir: string,
  { directory, workDir, onProgress }: SourceFolder,
  readingRun: ReadingRun,
): Promise<NonNullable<Manifest['recipe']>> {
  const recipe = await readRecipe(recipeDir);
  const run = { ...readingRun, options: optionsWithRecipe(recipe, readingRun) };
  const { name, sha256, files } = recipe;
  let step = 0;
  const steps = recipe.tables.size + recipe.steps.size + recipe.selects.size;
  const progress = (what: string) => onProgress(what, step++, steps);
  try {
    const options = { progress, sourceCopies: run.sourceCopies, ...optionsOfSelects(recipe, run.options) };
    const result = await runRecipe(recipe, directory, workDir, options);
    try {
      await stageResult(result, recipe, run);
    } finally {
      await result.close();
    }
    if ((await readRecipe(recipeDir)).sha256 !== sha256)
      run.problems.add('unreadable', wholeFile(name), {
        problem: 'the recipe changed while it was used',
        remedy: 'run again when it is complete',
      });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    run.problems.add('unreadable', error.fault.place, error.fault);
    run.reading.mayLackDatasets = true;
  }
  return { name, sha256, files: [...files] };
}

/** The options for the SELECT of a dataset: whether its numbers may be texts, and the factors of its metrics. */
function optionsOfSelects({ name }: Recipe, options: ReadingOptions) {
  const ofSelect = (dataset: DatasetName) => optionsFor(options, sqlFile(name, dataset));
  return {
    readsTexts: (dataset: DatasetName) => {
      const { numbers, missing } = ofSelect(dataset);
      return numbers !== null || missing.size > 0;
    },
    factorsOf: (dataset: DatasetName) =>
      [...ofSelect(dataset).scale].flatMap(([metric, factor]) =>
        metricNames(dataset).includes(metric) ? [Number(factor)] : [],
      ),
  };
}

const sqlFile = (recipe: string, dataset: DatasetName): string => `${recipe}/${dataset}.sql`;

/** Stages the rows of all SELECTs, and reports their problems. */
async function stageResult(result: RecipeResult, { name, selects }: Recipe, run: ReadingRun): Promise<void> {
  for (const fault of result.problems) run.problems.add('error', fault.place, fault);
  for (const { severity, place, ...diagnostic } of result.remarks)
    run.problems.add(severity, place, diagnostic);
  run.reading.files.push(...result.files);
  run.reading.tables.push(...tablesRead(result));
  for (const dataset of selects.keys()) expectDataset(dataset, run.reading);
  for (const [dataset, table] of result.tables) {
    const origin: Origin = {
      file: sqlFile(name, dataset),
      sheet: null,
      format: 'parquet',
      columns: new Map(),
    };
    let rows = 0;
    const onRow = () => {
      rows += 1;
    };
    await readTable({ table: withLocatedRows(table, result.origins, run, onRow), dataset, origin }, run);
    if (rows === 0)
      run.problems.add('note', wholeFile(origin.file), {
        problem: 'gave no rows; the dataset is empty',
        remedy: null,
      });
  }
  reportUnusedOptions(
    [...selects.keys()].map((dataset) => sqlFile(name, dataset)),
    run,
  );
}

/**
 * The options of the recipe together with those of the command line. An option for one SELECT names it `ggr.sql`, or with
 * its recipe `public/ggr.sql`.
 */
function optionsWithRecipe(
  { name, options, selects }: Recipe,
  { options: typed, problems, reading }: ReadingRun,
): ReadingOptions {
  const withRecipeName = (text: string): string => {
    const isOfSelect = [...selects.keys()].some((dataset) => text.startsWith(`${dataset}.sql=`));
    return isOfSelect ? `${name}/${text}` : text;
  };
  const { numbers = [], missing = [], fillDown = [], scale = [] } = options;
  const all: Record<OptionName, string[]> = { numbers, missing, 'fill-down': fillDown, scale };
  const parsed = () =>
    readingOptions(
      Object.fromEntries(Object.entries(all).map(([option, texts]) => [option, texts.map(withRecipeName)])),
    );
  try {
    // The options of the recipe are parsed separately, because the manifest lists them apart from those of the command
    // line.
    reading.recorded.push(...parsed().recorded);
    for (const { option, value, file } of typed.recorded)
      all[option] = [...all[option], file === undefined ? value : `${file}=${value}`];
    return parsed();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    problems.add('error', wholeFile(RECIPE_FILE), { problem: error.message, remedy: null });
    return typed;
  }
}

/** The sheets and files that the recipe's tables read. Each is listed once, even if several tables read it. */
function tablesRead({ files, origins }: RecipeResult): TableRead[] {
  const read = new Map<string, TableRead>();
  for (const { file, sheet, rows } of origins.values()) {
    if (files.some((one) => one.file === file))
      read.set(JSON.stringify([file, sheet]), { file, sheet, dataset: null, rows, facts: 0 });
  }
  return [...read.values()];
}

/**
 * The table without the columns `_table` and `_row`. Their cells become the place of each row. It calls `onRow` for each
 * row below the header.
 */
function withLocatedRows(
  table: RawTable,
  origins: ReadonlyMap<string, TableOrigin>,
  { staging }: ReadingRun,
  onRow: () => void,
): RawTable {
  const sources = new Map<string, number>();
  const sourceOf = (name: string): number | undefined => {
    const origin = origins.get(name);
    if (origin !== undefined && !sources.has(name)) {
      sources.set(name, staging.origins.push({ ...origin, columns: new Map() }) - 1);
    }
    return sources.get(name);
  };
  return {
    ...table,
    async *rows() {
      let [tableAt, rowAt] = [-1, -1];
      for await (const batch of table.rows()) {
        yield batch.map((row): LocatedRow => {
          if (row.row > 0) onRow();
          else [tableAt, rowAt] = [row.cells.indexOf('_table'), row.cells.indexOf('_row')];
          const cells = row.cells.map((cell, index) => (index === tableAt || index === rowAt ? null : cell));
          const [name, number] = [row.cells[tableAt], Number(row.cells[rowAt])];
          const isPlace = row.row > 0 && typeof name === 'string' && Number.isInteger(number);
          // A row number that no file can have is ignored: the row is staged without a place.
          const source = isPlace && number > 0 && number < 2 ** 31 ? sourceOf(name) : undefined;
          return source === undefined ? { row: row.row, cells } : { row: number, cells, source };
        });
      }
    },
  };
}
