// The database of a recipe: it sees no file but its own, loads nothing and spills to disk.

import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Where it lies in the folder of unfinished work. */
export const databaseIn = (workDir: string): string => path.join(workDir, 'recipe.duckdb');

/** Opens the database, making it when there is none; one process at a time can. */
export const openDatabase = (workDir: string): Promise<DuckDBInstance> =>
  DuckDBInstance.create(databaseIn(workDir), {
    memory_limit: '384MB',
    temp_directory: path.join(workDir, 'recipe-spill'),
    max_temp_directory_size: '16GB',
    enable_external_access: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });

/** A name as SQL writes it, whatever characters it holds. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The schema that results are kept in, away from the recipe's tables. */
const RESULTS = identifier('recipe results');

export const MAKE_RESULTS = `CREATE SCHEMA ${RESULTS}`;

/** The table that holds what the SELECT of a dataset gave. */
export const resultOf = (dataset: string): string => `${RESULTS}.${identifier(dataset)}`;
