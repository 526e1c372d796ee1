// Opens the database of a recipe. It cannot read other files or load extensions, and it may spill to disk.

import path from 'node:path';
import { type DuckDb, identifier, openDuckDb } from '../../../src/duckdb.ts';

/** The file of the database in the folder of unfinished work. */
export const databaseIn = (workDir: string): string => path.join(workDir, 'recipe.duckdb');

/** Opens the database, and creates it when there is none. Only one process at a time can open it. */
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

/** The results of the SELECTs have a schema of their own, so that a table of the recipe may have the name of a dataset. */
const RESULTS = identifier('recipe results');

/** SQL that creates the schema of the results. */
export const MAKE_RESULTS = `CREATE SCHEMA ${RESULTS}`;

/** The table with the result of the SELECT of a dataset. */
export const resultOf = (dataset: string): string => `${RESULTS}.${identifier(dataset)}`;
