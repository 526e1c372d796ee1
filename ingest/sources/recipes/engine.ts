// The database of a recipe: it reads no file but its own, loads nothing and spills to disk.

import path from 'node:path';
import { type DuckDb, identifier, openDuckDb } from '../../../src/duckdb.ts';

/** The database's file in the folder of unfinished work. */
export const databaseIn = (workDir: string): string => path.join(workDir, 'recipe.duckdb');

/** Opens the database, creating it when there is none. Only one process at a time can open it. */
export const openDatabase = (workDir: string): Promise<DuckDb> =>
  openDuckDb({
    file: databaseIn(workDir),
    settings: {
      memory_limit: '384MB',
      temp_directory: path.join(workDir, 'recipe-spill'),
      max_temp_directory_size: '16GB',
      enable_external_access: 'false',
      allow_community_extensions: 'false',
    },
  });

/** The schema of the datasets' results, apart from the recipe's tables. */
const RESULTS = identifier('recipe results');

export const MAKE_RESULTS = `CREATE SCHEMA ${RESULTS}`;

/** The table with the result of a dataset's SELECT. */
export const resultOf = (dataset: string): string => `${RESULTS}.${identifier(dataset)}`;
