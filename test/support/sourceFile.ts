// Lets tests read a file made of bytes: `await tablesOf('a.csv', 'year,country\n2020,Malta')`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openFile } from '../../ingest/sources/readers/open.ts';
import type { Cell, RawFile, RawRow } from '../../ingest/sources/readers/raw.ts';
import type { CellInput } from '../../ingest/workbook/sheets.ts';
import { workbook } from '../../ingest/workbook/workbook.ts';

export interface Table {
  readonly name: string | null;
  readonly hidden: boolean;
  readonly rows: readonly RawRow[];
}

/** Reads everything of a file with that name and content. Throws what the reader throws. */
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

/** The rows of its only table, each with its number: `[1, 'year', 'country']`. */
export async function rowsOf(name: string, content: string | Uint8Array): Promise<(Cell | number)[][]> {
  const tables = await tablesOf(name, content);
  if (tables.length !== 1) throw new Error(`${name} holds ${tables.length} tables`);
  return tables.flatMap(({ rows }) => rows.map(({ row, cells }) => [row, ...cells]));
}

/** Calls `use` with the path of a temporary file. */
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
