// Reads a recipe's folder: which tables it asks for, its SELECTs and lookups, and the sha256 of each file.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { DATASET_NAMES, type DatasetName, isDatasetName } from '../../../src/catalog/datasets.ts';
import type { SourceManifest } from '../../../src/catalog/manifest.ts';
import { didYouMean } from '../../messages/spelling.ts';

/** What stands in the way, ready to be printed; `place` is a file of the recipe or a place in a source. */
export interface RecipeProblem {
  readonly place: string;
  readonly message: string;
}

export interface Recipe {
  /** The folder's name. */
  readonly name: string;
  readonly directory: string;
  /** Over the names and digests of `files`: equal recipes, equal digests. */
  readonly sha256: string;
  readonly files: readonly SourceManifest[];
  /** Tables read from the sources, in the order of recipe.json. */
  readonly tables: ReadonlyMap<string, TableRule>;
  /** Tables of the recipe itself: name → csv file beside recipe.json. */
  readonly lookups: ReadonlyMap<string, string>;
  /** The SQL of each dataset that has one. */
  readonly selects: ReadonlyMap<DatasetName, string>;
  /** When there are any, the recipe is not run. */
  readonly problems: readonly RecipeProblem[];
}

const tableSchema = z
  .strictObject({
    /** A pattern below the source directory. */
    file: z.string().min(1),
    sheet: z.string().min(1).optional(),
    /** The row that holds the names of the columns. */
    header: z.int().positive().optional(),
    /** No names: the columns are called A, B, C… */
    cells: z.boolean().optional(),
    /** The whole file as one text, in one row: for JSON and the like, which SQL takes apart. */
    text: z.boolean().optional(),
  })
  .refine(({ header, cells }) => header === undefined || cells !== true, {
    path: ['header'],
    message: 'stands beside "cells": true, which means that there is no header; delete one of them',
  })
  .refine(({ sheet, header, cells, text }) => text !== true || (sheet ?? header ?? cells) === undefined, {
    path: ['text'],
    message: 'takes the file as it is: delete "sheet", "header" and "cells" beside it',
  });

const recipeSchema = z.strictObject({ tables: z.record(z.string().min(1), tableSchema) });

export type TableRule = z.infer<typeof tableSchema>;

const RECIPE_FILE = 'recipe.json';

/** Reads and validates a recipe. Never throws for what people write in one: that is in `problems`. */
export async function readRecipe(directory: string): Promise<Recipe> {
  const found = await readFiles(directory);
  const problems: RecipeProblem[] = [];
  const tables = tablesOf(found.get(RECIPE_FILE), problems);
  const lookups = lookupsOf([...found.keys()], tables, problems);
  const selects = selectsOf(found, problems);
  const files = [...found].map(([file, bytes]) => ({ file, bytes: bytes.length, sha256: digest(bytes) }));
  return {
    name: path.basename(path.resolve(directory)),
    directory,
    sha256: digest(files.map(({ file, sha256 }) => `${sha256} ${file}\n`).join('')),
    files,
    tables,
    lookups,
    selects,
    problems,
  };
}

/** The files that make a recipe, in name order; notes and pictures beside them do not count. */
async function readFiles(directory: string): Promise<Map<string, Buffer>> {
  const names = await readdir(directory).catch(() => []);
  const counts = names
    .filter((name) => name === RECIPE_FILE || /^(?!\.|~\$).*\.(?:sql|csv)$/.test(name))
    .sort();
  const bytes = await Promise.all(counts.map((name) => readFile(path.join(directory, name))));
  return new Map(counts.map((name, i) => [name, bytes[i] ?? Buffer.alloc(0)]));
}

function tablesOf(bytes: Buffer | undefined, problems: RecipeProblem[]): Map<string, TableRule> {
  if (bytes === undefined) {
    problems.push({
      place: RECIPE_FILE,
      message: 'is missing from the recipe; it says which tables to read',
    });
    return new Map();
  }
  const parsed = recipeSchema.safeParse(json(bytes, problems));
  if (parsed.success) return new Map(Object.entries(parsed.data.tables));
  if (problems.length === 0) problems.push(...parsed.error.issues.map(worded));
  return new Map();
}

function json(bytes: Buffer, problems: RecipeProblem[]): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch (error) {
    problems.push({ place: RECIPE_FILE, message: `is not JSON: ${(error as Error).message}` });
    return null;
  }
}

function worded(issue: z.core.$ZodIssue): RecipeProblem {
  const key = issue.path.join('.');
  const place = key === '' ? RECIPE_FILE : `${RECIPE_FILE} › ${key}`;
  if (issue.code !== 'unrecognized_keys') return { place, message: issue.message };
  const known = Object.keys((issue.path.length === 0 ? recipeSchema : tableSchema).shape);
  const unknown = issue.keys.map((name) => `"${name}"${didYouMean(name, known)}`).join(', ');
  return { place, message: `unknown key ${unknown} (known: ${known.join(', ')})` };
}

function lookupsOf(
  files: readonly string[],
  tables: ReadonlyMap<string, TableRule>,
  problems: RecipeProblem[],
): Map<string, string> {
  const lookups = new Map(
    files.filter((f) => f.endsWith('.csv')).map((f) => [f.slice(0, -'.csv'.length), f]),
  );
  // SQL does not tell upper from lower case in names.
  const taken = new Map<string, string>();
  for (const name of [...tables.keys(), ...lookups.keys()]) {
    const other = taken.get(name.toLowerCase());
    if (other !== undefined)
      problems.push({
        place: lookups.get(name) ?? `${RECIPE_FILE} › tables.${name}`,
        message: `makes a second table "${name}" beside "${other}"; rename one of them`,
      });
    taken.set(name.toLowerCase(), name);
  }
  return lookups;
}

function selectsOf(files: ReadonlyMap<string, Buffer>, problems: RecipeProblem[]): Map<DatasetName, string> {
  const selects = new Map<DatasetName, string>();
  for (const [file, bytes] of files) {
    if (!file.endsWith('.sql')) continue;
    const name = file.slice(0, -'.sql'.length);
    if (isDatasetName(name)) selects.set(name, textOf(bytes));
    else
      problems.push({
        place: file,
        message: `is named after no dataset${didYouMean(name, DATASET_NAMES)} (there are: ${DATASET_NAMES.join(', ')})`,
      });
  }
  if (selects.size === 0 && problems.length === 0)
    problems.push({
      place: RECIPE_FILE,
      message: 'has no SELECT beside it; write one per dataset: country.sql',
    });
  return selects;
}

const textOf = (bytes: Buffer) => bytes.toString('utf8').replace(/^\ufeff/, '');

const digest = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
