// Reads the sources of a month into the staging database: its files or its recipe, and the datasets it carries over.

import path from 'node:path';
import { currentId, snapshotDirectory } from '../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES, type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import type { Manifest } from '../../../src/catalog/manifest.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { type Place, wholeFile, wholeTable } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import { listSources } from '../../sources/folder.ts';
import { SOURCE_CHANGED } from '../../sources/sourceCopies.ts';
import { readFile } from '../../staging/readFile.ts';
import type { Reading, ReadingRun } from '../../staging/reading.ts';
import { NO_OPTIONS } from '../../staging/readingOptions.ts';
import { readSources } from '../../staging/readSources.ts';
import { readRecipeSources } from '../../staging/recipeSources.ts';
import { type Damage, verify } from '../../store/verify.ts';
import type { Progress } from '../output/progress.ts';
import { currentManifest } from './currentManifest.ts';
import type { PublishOptions } from './publishOptions.ts';

/**
 * Stages all sources of the month, then the carried rows of the current snapshot like those of another source. Their
 * problems are added to those of `run`.
 *
 * @returns The recipe as the manifest records it; null without one.
 */
export async function readMonth(
  options: PublishOptions,
  run: ReadingRun,
  workDir: string,
  progress: Progress,
): Promise<Manifest['recipe']> {
  const onProgress = (name: string, done: number, total: number) => progress.update(name, done, total);
  const folder = { directory: options.directory, workDir, onProgress };
  let recipe: Manifest['recipe'] = null;
  if (options.recipe === null) await readSources(folder, run);
  else recipe = await readRecipeSources(options.recipe, folder, run);
  if (options.carry.length > 0) await carryDatasets(options, run);
  return recipe;
}

/** Stages the rows of each carried dataset from the current snapshot. The reading options do not apply to them. */
async function carryDatasets({ dataDir, carry }: PublishOptions, run: ReadingRun): Promise<void> {
  const current = await currentId(dataDir);
  const damages = current === null ? [] : await verify(dataDir, current);
  // A dataset may be named twice.
  for (const name of new Set(carry)) {
    if (run.reading.facts.has(name)) {
      run.problems.add('error', wholeFile(name), {
        problem: 'has a source and is carried as well',
        remedy: `drop --carry ${name} or the source`,
        kind: 'a dataset has a source and is carried as well',
      });
    } else if (current === null) {
      run.problems.add('error', wholeFile(name), {
        problem: 'cannot be carried: there is no snapshot yet',
        remedy: 'add a source',
      });
    } else if (damages.length === 0 && (await currentManifest(dataDir))?.datasets[name] === undefined) {
      // A snapshot of another version of the program may lack the dataset.
      run.problems.add('error', wholeFile(name), {
        problem: `cannot be carried: ${current} does not hold it with these columns`,
        remedy: 'add a source',
      });
    } else {
      const damage = damages.find(({ file }) => file === `${name}.parquet` || file === 'manifest.json');
      if (damage === undefined) await carryRows(dataDir, current, name, run);
      else refuseDamaged(current, name, damage, run);
    }
  }
}

async function carryRows(dataDir: string, id: string, name: DatasetName, run: ReadingRun): Promise<void> {
  const file = { name: `${id}/${name}.parquet`, dataset: name };
  const source = { ...file, path: path.join(snapshotDirectory(dataDir, id), `${name}.parquet`) };
  await readFile(source, { ...run, options: NO_OPTIONS }, () => {});
}

function refuseDamaged(id: string, name: DatasetName, { file, message }: Damage, run: ReadingRun): void {
  run.problems.add('unreadable', wholeFile(`${id}/${file}`), {
    problem: `${message}, so its rows cannot be carried`,
    remedy: 'add a source',
    kind: 'the rows of a damaged file cannot be carried',
  });
  run.reading.facts.set(name, 0);
}

/**
 * Refuses sources that changed after they were read, and files that were added meanwhile: the snapshot would not have their
 * present content.
 */
export async function refuseChanged(
  {
    sourceCopies,
    problems,
    namesBeforeReading,
  }: ReadingRun & { readonly namesBeforeReading: ReadonlySet<string> },
  directory: string,
): Promise<void> {
  for (const name of await sourceCopies.changedNames())
    problems.add('unreadable', wholeFile(name), SOURCE_CHANGED);
  for (const name of await sourceNamesIn(directory))
    if (!namesBeforeReading.has(name)) problems.add('unreadable', wholeFile(name), APPEARED);
}

const APPEARED: Diagnostic = {
  problem: 'appeared while the folder was being read',
  remedy: 'run again when the folder is complete',
};

/**
 * The names of the files in a folder of sources. Empty for a folder that cannot be read, because reading the sources
 * reports it.
 */
export const sourceNamesIn = async (directory: string): Promise<ReadonlySet<string>> =>
  new Set((await listSources(directory).catch(() => ({ files: [] }))).files.map(({ name }) => name));

/**
 * Refuses a month in which a dataset has no source or no rows. Warns of an empty table of a dataset that has rows
 * elsewhere.
 */
export async function requireEveryDataset(
  options: PublishOptions,
  reading: Reading,
  problems: Problems,
): Promise<void> {
  // Rows with errors are not staged, so a table without staged rows may have rows.
  const isRefused = problems.count('error', 'unreadable') > 0;
  for (const name of DATASET_NAMES) {
    const facts = reading.facts.get(name);
    if (facts === undefined) {
      if (reading.mayLackDatasets || options.carry.includes(name)) continue;
      const source =
        options.recipe === null
          ? `add a file named after it, such as ${name.replaceAll('_', '-')}.xlsx`
          : `add ${name}.sql to the recipe`;
      const remedy = await orCarry(source, 'keep', name, options);
      problems.add('error', wholeFile(name), { problem: 'has no source', remedy });
      continue;
    }
    if (options.recipe !== null) {
      if (facts === 0 && !isRefused && isLookup(name)) problems.add('error', wholeFile(name), noRowOf(name));
      continue;
    }
    const empty = emptyTables(name, reading, problems);
    if (facts > 0) for (const table of empty) problems.add('warning', table, EMPTY_TABLE);
    else if (empty.length > 0 || !isRefused) {
      const remedy = await orCarry('fill it in', 'remove it and keep', name, options);
      for (const place of empty.length > 0 ? empty : [wholeFile(name)])
        problems.add('error', place, { ...EMPTY_TABLE, remedy });
    }
  }
}

/** The places of the tables of a dataset that have no row with a value, except in files with errors. */
function emptyTables(name: DatasetName, { tables }: Reading, problems: Problems): readonly Place[] {
  const empty = tables.filter(({ dataset, facts }) => dataset === name && facts === 0);
  const errors = problems.list().filter(({ severity }) => severity === 'error');
  // When there are very many errors, only the first ones are stored, so the files of the others are unknown.
  if (errors.length < problems.count('error')) return [];
  const faulty = new Set(errors.map(({ file }) => file));
  return empty.filter(({ file }) => !faulty.has(file)).map(wholeTable);
}

const EMPTY_TABLE: Diagnostic = {
  problem: 'has no row with a value below its header',
  remedy: 'fill it in, or remove it if nothing is missing',
};

/** The remedy, followed by the option to carry the current rows when the current snapshot has the dataset. */
const orCarry = async (
  remedy: string,
  keep: string,
  name: DatasetName,
  { dataDir }: PublishOptions,
): Promise<string> =>
  (await currentManifest(dataDir))?.datasets[name] === undefined
    ? remedy
    : `${remedy}, or ${keep} the current rows with --carry ${name}`;

const noRowOf = (name: DatasetName) => ({
  problem: `has no row from ${name}.sql, and the countries of other datasets are looked up in it`,
  remedy: 'correct the SELECT',
});

/** Whether other datasets look up their countries in this one. A recipe may leave every other dataset empty. */
const isLookup = (name: DatasetName): boolean =>
  DATASET_NAMES.some((other) => datasetOf(other).lookup === name);
