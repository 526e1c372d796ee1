// Fills the tables of a recipe from the sources, and from the csv files of the recipe.

import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SourceManifest } from '../../../src/catalog/manifest.ts';
import { identifier, queryRows } from '../../../src/duckdb.ts';
import { makeFolders } from '../../../src/system/makeFolders.ts';
import { namingFile } from '../../../src/system/systemError.ts';
import type { Diagnostic, Fault } from '../../messages/fault.ts';
import { type FileFormat, factsOf } from '../../messages/fileFormats.ts';
import { cellName, placeOfRow, wholeTable } from '../../messages/place.ts';
import type { StatedUnit } from '../../messages/statedUnits.ts';
import { openFile } from '../readers/openFile.ts';
import type { RawFile, RawTable } from '../readers/rawFile.ts';
import { openText, TEXT_HEADER_ROW } from '../readers/wholeText.ts';
import type { SourceCopies } from '../sourceCopies.ts';
import { type Recipe, recipeKey, type TableRule } from './readRecipe.ts';
import { RemarkCollector } from './remarkCollector.ts';
import type { TableFacts, TableRemark } from './tableFacts.ts';
import { fillTable, type HeaderRow, type TableSource } from './textTable.ts';

/** The origin of the rows of a table, so that `_table` and `_row` of a result name a place. */
export interface TableOrigin {
  readonly file: string;
  readonly sheet: string | null;
  readonly format: FileFormat;
  /** How many rows the table has for SELECTs. */
  readonly rows: number;
}

/** A remark on something in a source that people see and SQL does not read. */
export interface SourceRemark extends Fault {
  readonly severity: TableRemark['severity'];
}

/** What is found while tables are filled. */
export interface FilledTables {
  readonly origins: Map<string, TableOrigin>;
  readonly unfilled: Set<string>;
  readonly problems: Fault[];
  /** The remarks by place and text. Several tables may read the same sheet, and its remarks are made once. */
  readonly remarks: Map<string, SourceRemark>;
}

/** The inputs for filling tables, and what is found. */
export interface FillContext extends FilledTables {
  readonly connection: DuckDBConnection;
  readonly workDir: string;
  readonly sourceCopies: SourceCopies;
  readonly progress: (text: string) => void;
  /** Whether every dataset that reads a table has an option `--scale` for the unit that the table states. */
  readonly hasScaleFor: (table: string, unit: StatedUnit) => boolean;
}

/** Fills the tables that recipe.json names. Each source file is opened once for all tables that read it. */
export async function fillFromSources(
  recipe: Recipe,
  sourceDir: string,
  filling: FillContext,
): Promise<SourceManifest[]> {
  const read: SourceManifest[] = [];
  for (const [name, tables] of await tablesByFile(recipe, sourceDir, filling)) {
    const asText = tables.filter(([, rule]) => rule.text === true);
    const asTable = tables.filter(([, rule]) => rule.text !== true);
    const { copy, ...source } = await filling.sourceCopies.copy(path.join(sourceDir, name), name);
    try {
      if (asText.length > 0) await fillFromFile(await openText(copy, name), asText, filling);
      if (asTable.length > 0) await fillFromFile(await openFile(copy, name), asTable, filling);
    } finally {
      await rm(copy, { force: true });
    }
    read.push(source);
  }
  return read.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Fills several tables from one file, and closes it. */
async function fillFromFile(
  file: RawFile,
  tables: readonly (readonly [string, TableRule])[],
  filling: FillContext,
): Promise<void> {
  try {
    for (const [table, rule] of tables) {
      filling.progress(`${table} ← ${file.name}`);
      await fillByRule(file, table, rule, filling);
    }
  } finally {
    await file.close();
  }
}

/**
 * The tables that each file fills. A pattern must match only one file. Of two files, one may be outdated, and nobody would
 * notice.
 */
async function tablesByFile(
  recipe: Recipe,
  sourceDir: string,
  { unfilled, problems }: FillContext,
): Promise<Map<string, [string, TableRule][]>> {
  const files = await filesBelow(sourceDir);
  const tablesOfFile = new Map<string, [string, TableRule][]>();
  for (const [table, rule] of recipe.tables) {
    const matching = files.filter(globTest(rule.file));
    const [name] = matching;
    if (name !== undefined && matching.length === 1)
      tablesOfFile.set(name, [...(tablesOfFile.get(name) ?? []), [table, rule]]);
    else {
      unfilled.add(table);
      problems.push({
        place: recipeKey('tables', table, 'file'),
        ...mismatch(rule.file, matching, sourceDir),
      });
    }
  }
  return tablesOfFile;
}

const mismatch = (pattern: string, matching: readonly string[], sourceDir: string): Diagnostic =>
  matching.length === 0
    ? {
        problem: `"${pattern}" matches no file below ${sourceDir}`,
        remedy: 'add the file or change the pattern',
      }
    : {
        problem: `"${pattern}" matches ${matching.length} files (${matching.join(', ')})`,
        remedy: 'make it match one',
      };

async function fillByRule(
  file: RawFile,
  table: string,
  rule: TableRule,
  filling: FillContext,
): Promise<void> {
  const refuse = (key: 'sheet' | 'header', diagnostic: Diagnostic) => {
    filling.unfilled.add(table);
    filling.problems.push({ place: recipeKey('tables', table, key), ...diagnostic });
  };
  const source = tableIn(file, rule);
  if ('problem' in source) return refuse('sheet', source);
  if (file.format === 'parquet' && rule.header !== undefined)
    return refuse('header', {
      problem: `${file.name} names its columns itself, and row ${rule.header} holds data`,
      remedy: 'leave "header" out',
    });
  await fill(file, table, { source, header: headerOf(file, rule), values: reportingOf(rule) }, filling);
}

function reportingOf({ text, values }: TableRule): TableFacts['values'] {
  if (text === true) return 'ignored';
  return values === true ? 'known' : 'reported';
}

function headerOf(file: RawFile, { text, cells, header }: TableRule): HeaderRow {
  if (text === true) return TEXT_HEADER_ROW;
  if (cells === true) return 'none';
  return file.format === 'parquet' ? PARQUET_HEADER_ROW : (header ?? 'found');
}

/** The row in which the reader of Parquet files returns the names of the columns. */
const PARQUET_HEADER_ROW = 0;

async function fill(
  file: RawFile,
  table: string,
  from: TableSource & Pick<TableFacts, 'values'>,
  filling: FillContext,
): Promise<void> {
  const sheet = from.source.name;
  const origin = { file: file.name, sheet, format: file.format };
  const collector = new RemarkCollector({
    hasHeader: from.header !== 'none',
    values: from.values,
    hasSheets: factsOf(file.format).hasSheets,
    hasScaleFor: (unit) => filling.hasScaleFor(table, unit),
    names: [path.posix.basename(file.name).replace(/\.\w+$/, ''), sheet ?? ''],
  });
  const { faults, remarks } = await fillTable(filling.connection, table, from, collector);
  const rows = faults.length > 0 ? 0 : await countOf(filling.connection, table);
  filling.origins.set(table, { ...origin, rows });
  for (const { at, ...diagnostic } of faults) {
    const cell = at === null ? null : cellName(at[1], at[0]);
    filling.unfilled.add(table);
    filling.problems.push({ place: { file: file.name, sheet, cell }, ...diagnostic });
  }
  for (const { at, ...remark } of remarks) {
    const located = { ...origin, columns: new Map() };
    const place = at === null ? wholeTable(located) : placeOfRow(located, ...at);
    filling.remarks.set(JSON.stringify([place, remark.problem]), { place, ...remark });
  }
}

async function countOf(connection: DuckDBConnection, table: string): Promise<number> {
  const [found = []] = await queryRows(connection, `SELECT count(*)::INTEGER FROM ${identifier(table)}`);
  return Number(found[0]);
}

/** The sheet that a rule names, or the problem when there is none. A rule without `sheet` means the only visible sheet. */
function tableIn(file: RawFile, { sheet }: TableRule): RawTable | Diagnostic {
  const found =
    sheet === undefined
      ? file.tables.filter((table) => !table.hidden)
      : file.tables.filter((table) => table.name === sheet);
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
    : { problem: `${file.name} has no sheet "${sheet}"`, remedy: `name one of: ${names}` };
}

/** Fills the tables of the csv files beside recipe.json. Their first row names the columns. */
export async function fillLookups(recipe: Recipe, filling: FillContext): Promise<void> {
  const folder = path.join(filling.workDir, 'lookups');
  makeFolders(folder);
  for (const [table, { file: name, bytes }] of recipe.lookups) {
    // The hashed bytes are read from a copy, because the file itself may have changed.
    const copy = path.join(folder, 'lookup.csv');
    await namingFile(copy, writeFile(copy, bytes));
    const file = await openFile(copy, name);
    try {
      for (const source of file.tables)
        await fill(file, table, { source, header: 1, values: 'ignored' }, filling);
    } finally {
      await file.close();
      await rm(copy, { force: true });
    }
  }
}

/**
 * The files below a folder as paths with `/`, in the order of their names. Dotfiles, files in dot folders and the lock
 * files of spreadsheet programs (`~$…`) are left out.
 */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = (await readdir(directory, { recursive: true })).map((entry) =>
    entry.split(path.sep).join('/'),
  );
  const visible = entries.filter((entry) => !/(?:^|\/)(?:\.|~\$)/.test(entry));
  const isFile = await Promise.all(
    visible.map(
      async (entry) => (await stat(path.join(directory, entry)).catch(() => null))?.isFile() ?? false,
    ),
  );
  return visible.filter((_, i) => isFile[i]).sort();
}

/**
 * A function that tests whether a whole path matches a pattern. `**` matches any number of folders, `*` any number of
 * characters except `/`, and `?` one such character. Every other character matches only itself, in the same case.
 */
export function globTest(pattern: string): (file: string) => boolean {
  const source = pattern
    .normalize('NFC')
    .replace(
      /\*\*\/|\*\*|\*|\?|[^*?]+/g,
      (part) => WILDCARDS[part] ?? part.replace(/[\\^$.|+()[\]{}]/g, '\\$&'),
    );
  const expression = new RegExp(`^${source}$`, 's');
  return (file) => expression.test(file.normalize('NFC'));
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
