// Reads a source file from bytes in tests: `await tablesOf('a.csv', 'year,country\n2020,Malta')`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openFile } from '../../ingest/sources/readers/openFile.ts';
import type { Cell, RawFile, RawRow, Remark } from '../../ingest/sources/readers/rawFile.ts';
import type { CellInput } from '../../ingest/workbook/sheets.ts';
import { workbook } from '../../ingest/workbook/workbook.ts';

export interface Table {
  readonly name: string | null;
  readonly hidden: boolean;
  readonly rows: readonly RawRow[];
}

/** Reads all tables of a file with this name and content. Throws the errors of the reader. */
export async function tablesOf(name: string, content: string | Uint8Array): Promise<Table[]> {
  return withFile(name, content, async (file) => {
    const opened = await openFile(file, name);
    try {
      return await allOf(opened);
    } finally {
      await opened.close();
    }
  });
}

/** The rows of the only table of a file, each with its number: `[1, 'year', 'country']`. */
export async function rowsOf(name: string, content: string | Uint8Array): Promise<(Cell | number)[][]> {
  const tables = await tablesOf(name, content);
  if (tables.length !== 1) throw new Error(`${name} holds ${tables.length} tables`);
  return tables.flatMap(({ rows }) => rows.map(({ row, cells }) => [row, ...cells]));
}

/** Calls `use` with the path of a temporary file with this name and content. */
export async function withFile<T>(
  name: string,
  content: string | Uint8Array,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'source-'));
  try {
    const file = path.join(directory, name);
    await writeFile(file, content);
    return await use(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The remarks on the first table of a file, after all rows have been read. */
export const remarksIn = (name: string, content: string | Uint8Array): Promise<readonly Remark[]> =>
  withFile(name, content, async (path) => {
    const file = await openFile(path, name);
    await allOf(file);
    const remarks = (await file.tables[0]?.findings())?.remarks ?? [];
    await file.close();
    return remarks;
  });

/** All tables of an open file with their rows. */
export async function allOf(file: RawFile): Promise<Table[]> {
  const tables: Table[] = [];
  for (const { name, hidden, rows } of file.tables) {
    const all: RawRow[] = [];
    for await (const batch of rows()) all.push(...batch);
    tables.push({ name, hidden, rows: all });
  }
  return tables;
}

/** A workbook with one sheet named Data. */
export const dataSheet = (rows: readonly (readonly CellInput[])[]): Uint8Array =>
  workbook([{ name: 'Data', rows }]);
