// Reads the folder of a recipe: the tables that recipe.json names, its SELECTs and lookups, and the sha256 of each file.

import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../../src/basics/sha256.ts';
import { DATASET_NAMES, type DatasetName, isDatasetName } from '../../../src/catalog/datasets.ts';
import type { SourceManifest } from '../../../src/catalog/manifest.ts';
import type { Fault } from '../../messages/fault.ts';
import { type Place, wholeFile } from '../../messages/place.ts';
import { didYouMean } from '../../messages/spelling.ts';
import { refuseUnlessFile, withFileErrors } from '../readers/openFile.ts';
import { repeatedKeys } from './repeatedKeys.ts';

/** A recipe as its folder has it. */
export interface Recipe {
  readonly name: string;
  /** The digest of the names and digests of `files`. Equal recipes have equal digests. */
  readonly sha256: string;
  readonly files: readonly SourceManifest[];
  /** The tables that are read from the sources, in the order of recipe.json. */
  readonly tables: ReadonlyMap<string, TableRule>;
  /** The tables that are read from csv files beside recipe.json, by their names. */
  readonly lookups: ReadonlyMap<string, Lookup>;
  /**
   * The SELECTs whose results other SELECTs read, in the order of recipe.json. Each result is a table named after its file.
   */
  readonly steps: ReadonlyMap<string, string>;
  /** The SELECT of each dataset for which the recipe has one. */
  readonly selects: ReadonlyMap<DatasetName, string>;
  /** The reading options for the rows of the SELECTs, written as on the command line. */
  readonly options: RecipeReading;
  /** The problems of the files of the recipe. A recipe with a problem is not run. */
  readonly problems: readonly Fault[];
}

/** A csv file of the recipe, with the bytes that were hashed. */
export interface Lookup {
  readonly file: string;
  readonly bytes: Buffer;
}

const tableSchema = z
  .strictObject({
    /** A pattern for the path below the source directory. */
    file: z.string().min(1),
    sheet: z.string().min(1).optional(),
    /** The row with the names of the columns. */
    header: z.int().positive().optional(),
    /** Whether the sheet has no row of names. Its columns are then named A, B, C… */
    cells: z.boolean().optional(),
    /** Whether the whole file is read as one text in one row. It is for JSON and similar formats, which SQL can parse. */
    text: z.boolean().optional(),
    /**
     * Whether the SELECTs take account of the units and number formats of the sheet, so that faults of values are only
     * notes.
     */
    values: z.boolean().optional(),
  })
  .refine(({ header, cells }) => header === undefined || cells !== true, {
    path: ['header'],
    message: 'contradicts "cells": true, which means that there is no header; delete one of them',
  })
  .refine(
    ({ text, file: _, ...others }) =>
      text !== true || Object.values(others).every((value) => value === undefined),
    {
      path: ['text'],
      message: 'takes the file as it is: delete "sheet", "header", "cells" and "values" beside it',
    },
  );

/** The value of an option as on the command line, or a list of such values. */
const optionSchema = z
  .union([z.string().min(1), z.array(z.string().min(1))], { error: 'is neither a text nor a list of texts' })
  .transform((value) => (typeof value === 'string' ? [value] : value))
  .optional();

const recipeSchema = z.strictObject({
  tables: z.record(z.string().min(1), tableSchema),
  /** The names of .sql files without their extension. */
  steps: z.array(z.string().min(1)).optional(),
  numbers: optionSchema,
  missing: optionSchema,
  fillDown: optionSchema,
  scale: optionSchema,
});

/** The reading options of recipe.json. */
export type RecipeReading = Omit<z.infer<typeof recipeSchema>, 'tables' | 'steps'>;

/** The entry of a table in recipe.json. */
export type TableRule = z.infer<typeof tableSchema>;

export const RECIPE_FILE = 'recipe.json';

/**
 * Reads and validates a recipe.
 *
 * @throws {UnreadableError} for a file of the recipe that cannot be read.
 */
export async function readRecipe(directory: string): Promise<Recipe> {
  const found = await readFiles(directory);
  const problems: Fault[] = [];
  const { tables: rules, steps: stepNames = [], ...options } = rulesOf(found.get(RECIPE_FILE), problems);
  const tables = new Map(Object.entries(rules));
  const lookups = lookupsOf(found);
  const steps = stepsOf(found, stepNames, problems);
  refuseSameNames(tables, lookups, stepNames, problems);
  const selects = selectsOf(found, stepNames, problems);
  const files = [...found].map(([file, bytes]) => ({
    file,
    bytes: bytes.length,
    sha256: sha256(bytes, 'hex'),
  }));
  return {
    name: path.basename(path.resolve(directory)),
    sha256: sha256(files.map(({ file, sha256: digest }) => `${digest} ${file}\n`).join(''), 'hex'),
    files,
    tables,
    lookups,
    steps,
    selects,
    options,
    problems,
  };
}

/** The files of a recipe, in the order of their names. Other files in the folder, such as notes, are not part of it. */
async function readFiles(directory: string): Promise<Map<string, Buffer>> {
  const names = await readdir(directory).catch(() => []);
  const recipeFiles = names
    .filter((name) => name === RECIPE_FILE || /^(?!\.|~\$).*\.(?:sql|csv)$/.test(name))
    .sort();
  const files = new Map<string, Buffer>();
  for (const name of recipeFiles) {
    const file = path.join(directory, name);
    const bytes = await withFileErrors(name, async () => {
      await refuseUnlessFile(file, name);
      return await readFile(file);
    });
    files.set(name, bytes);
  }
  return files;
}

function rulesOf(bytes: Buffer | undefined, problems: Fault[]): z.infer<typeof recipeSchema> {
  if (bytes === undefined) {
    problems.push({
      place: wholeFile(RECIPE_FILE),
      problem: 'is missing from the recipe',
      remedy: 'write one: it says which tables to read',
    });
    return { tables: {} };
  }
  const text = textOf(RECIPE_FILE, bytes, problems);
  const parsed = text === null ? null : recipeSchema.safeParse(json(text, problems));
  if (parsed?.success === true) return parsed.data;
  if (problems.length === 0) problems.push(...(parsed?.error.issues ?? []).map(worded));
  return { tables: {} };
}

function json(text: string, problems: Fault[]): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = `is not JSON: ${(error as Error).message}`;
    problems.push({ place: wholeFile(RECIPE_FILE), problem, remedy: null });
    return null;
  }
  for (const { path: keys, lines } of repeatedKeys(text)) {
    const [first, second] = lines;
    problems.push({
      place: recipeKey(...keys),
      problem: `the key "${keys.at(-1)}" appears twice, ${first === second ? `both times in line ${first}` : `in line ${first} and in line ${second}`}, and only one of them would count`,
      remedy: 'delete or rename one of them',
    });
  }
  return value;
}

/** The place of a key in recipe.json: `recipe.json › tables.rates.file`. */
export const recipeKey = (...keys: readonly PropertyKey[]): Place => ({
  ...wholeFile(RECIPE_FILE),
  cell: keys.length === 0 ? null : keys.join('.'),
});

function worded(issue: z.core.$ZodIssue): Fault {
  const place = recipeKey(...issue.path);
  if (issue.code !== 'unrecognized_keys') return { place, problem: issue.message, remedy: null };
  const known = Object.keys((issue.path.length === 0 ? recipeSchema : tableSchema).shape);
  const unknown = issue.keys.map((name) => `"${name}"${didYouMean(name, known)}`).join(', ');
  return { place, problem: `unknown key ${unknown} (known: ${known.join(', ')})`, remedy: null };
}

const lookupsOf = (files: ReadonlyMap<string, Buffer>): Map<string, Lookup> =>
  new Map(
    [...files]
      .filter(([file]) => file.endsWith('.csv'))
      .map(([file, bytes]) => [file.slice(0, -'.csv'.length), { file, bytes }]),
  );

function stepsOf(
  files: ReadonlyMap<string, Buffer>,
  names: readonly string[],
  problems: Fault[],
): Map<string, string> {
  const steps = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const place = recipeKey('steps', index);
    const bytes = files.get(`${name}.sql`);
    const text = bytes === undefined ? null : textOf(`${name}.sql`, bytes, problems);
    if (text !== null) steps.set(name, text);
    if (isDatasetName(name))
      problems.push({
        place,
        problem: `"${name}" is a dataset, and its SELECT is run without being a step`,
        remedy: 'delete the name',
      });
    else if (bytes === undefined)
      problems.push({
        place,
        problem: `there is no ${name}.sql beside recipe.json`,
        remedy: 'add the file or delete the name',
      });
  }
  return steps;
}

/**
 * Refuses tables, csv files and steps whose names are equal or differ only in case. All of them become tables in SQL, where
 * case does not count.
 */
function refuseSameNames(
  tables: ReadonlyMap<string, TableRule>,
  lookups: ReadonlyMap<string, Lookup>,
  steps: readonly string[],
  problems: Fault[],
): void {
  const places: (readonly [name: string, place: Place])[] = [
    ...[...tables.keys()].map((name) => [name, recipeKey('tables', name)] as const),
    ...[...lookups].map(([name, { file }]) => [name, wholeFile(file)] as const),
    ...steps.map((name, index) => [name, recipeKey('steps', index)] as const),
  ];
  const seen = new Map<string, string>();
  for (const [name, place] of places) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined)
      problems.push({
        place,
        problem: `makes a second table "${name}" beside "${other}"`,
        remedy: 'rename one of them',
      });
    seen.set(name.toLowerCase(), name);
  }
}

function selectsOf(
  files: ReadonlyMap<string, Buffer>,
  steps: readonly string[],
  problems: Fault[],
): Map<DatasetName, string> {
  const selects = new Map<DatasetName, string>();
  for (const [file, bytes] of files) {
    const name = file.slice(0, -'.sql'.length);
    if (!file.endsWith('.sql') || steps.includes(name)) continue;
    const text = textOf(file, bytes, problems);
    if (!isDatasetName(name))
      problems.push({
        place: wholeFile(file),
        problem: `is not named after a dataset${didYouMean(name, DATASET_NAMES)} (there are: ${DATASET_NAMES.join(', ')})`,
        remedy: 'rename it, or name it under "steps" in recipe.json',
      });
    else if (text !== null) selects.set(name, text);
  }
  if (selects.size === 0 && problems.length === 0)
    problems.push({
      place: wholeFile(RECIPE_FILE),
      problem: 'has no SELECT beside it',
      remedy: 'write one per dataset, such as country.sql',
    });
  return selects;
}

/**
 * The text of a file; null when it is not UTF-8, because replaced characters would change the texts that the SQL compares.
 */
function textOf(file: string, bytes: Buffer, problems: Fault[]): string | null {
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\ufeff/, '');
  problems.push({ place: wholeFile(file), problem: 'is not UTF-8 text', remedy: 'save it as UTF-8' });
  return null;
}
