// Fills a table in the database of a recipe with the cells of a sheet or file, each as text.

import type { DuckDBAppender } from '@duckdb/node-api';
import { type DuckDBConnection, DuckDBDataChunk, INTEGER, identifier, VARCHAR } from '../../../src/duckdb.ts';
import { columnLetters } from '../../messages/place.ts';
import { CALCULATE_REMEDY } from '../../messages/remedies.ts';
import { looksLikeHeader } from '../header/headerRow.ts';
import { type Cell, isKind, type RawRow, type RawTable } from '../readers/rawFile.ts';
import type { RemarkCollector } from './remarkCollector.ts';
import { NamedCells, type TableFault, type TableRemark } from './tableFacts.ts';

/**
 * The number of the row that names the columns. `found` means the first row that looks like a header. With `none`, the
 * columns are named A, B, C…
 */
export type HeaderRow = number | 'found' | 'none';

/** The cells of a table, and which of their rows names the columns. */
export interface TableSource {
  readonly source: RawTable;
  readonly header: HeaderRow;
}

/** The outcome of filling a table. */
export interface FilledTable {
  /** The faults that keep SELECTs from reading the table; empty when they can read it. */
  readonly faults: readonly TableFault[];
  readonly remarks: readonly TableRemark[];
}

/** How many rows go to DuckDB in one call: as many as its vectors hold. */
const CHUNK_ROWS = 2048;

/** The most columns of a table. The memory of a chunk grows with them, and one stray cell may be far to the right. */
const WIDEST_COLUMNS = 2000;

/**
 * Creates and fills the table. Its first column is `_row`, the number of the row in the source. All other columns are text:
 * numbers in their shortest form, dates in ISO 8601, truth values as TRUE and FALSE, errors of spreadsheets as they are
 * written. An empty cell is NULL. A column without a name is named by its letter.
 */
export async function fillTable(
  connection: DuckDBConnection,
  name: string,
  { source, header }: TableSource,
  collector: RemarkCollector,
): Promise<FilledTable> {
  const uncalculated = new NamedCells();
  let table = header === 'none' ? await TextTable.create(connection, name, []) : null;
  try {
    for await (const batch of source.rows()) {
      let rows = batch;
      if (table === null) {
        const found = findHeader(batch, header);
        for (const row of found?.above ?? batch) collector.addAbove(row);
        if (found === null) continue;
        if (found.faults.length > 0) return { faults: found.faults, remarks: [] };
        collector.addHeader(found.row);
        table = await TextTable.create(connection, name, found.names);
        rows = found.below;
      }
      for (const row of rows) {
        if (row.cells.length > WIDEST_COLUMNS) return { faults: [tooFarRight(row)], remarks: [] };
        addUncalculated(row, uncalculated);
        collector.add(row);
        table.add(row.row, row.cells.map(textOf));
        if (table.isFull) await table.flush();
      }
    }
  } finally {
    await table?.close();
  }
  if (table === null) return { faults: [noHeader(header)], remarks: [] };
  const faults = uncalculated.list((more) => `${more} more formulas without a calculated value`);
  return { faults, remarks: await collector.remarks(source) };
}

/** Adds the formulas of a row that were never calculated, so that SQL has no value to read. */
function addUncalculated({ row, cells }: RawRow, found: NamedCells): void {
  cells.forEach((cell, column) => {
    if (isKind(cell, 'uncalculated')) found.add([row, column], UNCALCULATED);
  });
}

const UNCALCULATED = { problem: 'formula without a calculated value', remedy: CALCULATE_REMEDY };

interface FoundHeader {
  readonly names: readonly string[];
  readonly row: RawRow;
  /** The rows of the batch above the header, and below it. */
  readonly above: readonly RawRow[];
  readonly below: readonly RawRow[];
  /** The faults because of which the table is not filled; empty when there are none. */
  readonly faults: readonly TableFault[];
}

/** Looks for the header in a batch. Null when a later batch may have it. */
function findHeader(batch: readonly RawRow[], header: HeaderRow): FoundHeader | null {
  for (const [i, row] of batch.entries()) {
    const parts = () => ({ row, above: batch.slice(0, i), below: batch.slice(i + 1) });
    const refused = (fault: TableFault) => ({ ...parts(), names: [], faults: [fault] });
    if (row.cells.length > WIDEST_COLUMNS) return refused(tooFarRight(row));
    if (isHeader(row, header)) return { ...parts(), ...namesIn(row) };
    if (typeof header === 'number' && row.row > header) return refused(noHeader(header));
  }
  return null;
}

function tooFarRight({ row, cells }: RawRow): TableFault {
  return {
    at: [row, cells.length - 1],
    problem: `is in column ${cells.length}`,
    remedy: `delete the cells to the right of column ${WIDEST_COLUMNS}, the last that a recipe reads`,
  };
}

function textOf(cell: Cell): string | null {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (typeof cell !== 'object') return String(cell);
  if (cell.kind === 'date') return cell.iso;
  if (cell.kind === 'footnoted') return cell.text;
  if ('value' in cell) return String(cell.value);
  return cell.kind === 'error' ? cell.code : null;
}

const isHeader = (row: RawRow, header: HeaderRow): boolean =>
  typeof header === 'number' ? row.row === header : looksLikeHeader(row);

const noHeader = (header: HeaderRow): TableFault =>
  typeof header === 'number'
    ? {
        at: null,
        problem: `row ${header} is empty`,
        remedy: 'give the number of the row with the columns\' names as "header" in recipe.json',
      }
    : {
        at: null,
        problem: 'has no row that looks like a header (three names or more, none missing between them)',
        remedy: 'give the number of its header row as "header" in recipe.json',
      };

/**
 * The names of the columns, each on one line. Names that differ only in case are a fault, because SQL treats them as equal.
 */
function namesIn({ row, cells }: RawRow): { names: string[]; faults: TableFault[] } {
  const headings = cells.map((cell) => (textOf(cell) ?? '').replace(/\s+/g, ' ').trim());
  const faults: TableFault[] = [];
  const columnOf = new Map<string, number>([['_row', -1]]);
  headings.forEach((name, column) => {
    const other = columnOf.get(name.toLowerCase());
    if (other !== undefined) {
      const where = other < 0 ? 'is the name of the row number' : `is in ${columnLetters(other)} already`;
      faults.push({
        at: [row, column],
        problem: `the column name "${name}" ${where}`,
        remedy: 'rename it, or set "cells": true in recipe.json, which names the columns A, B, C …',
      });
    }
    if (name !== '') columnOf.set(name.toLowerCase(), column);
  });
  return { names: headings.map((name, column) => name || letterName(column, columnOf)), faults };
}

/** The name of a column without a heading: its letter, with `_` behind it when another column has that name. */
function letterName(column: number, columnOf: ReadonlyMap<string, number>): string {
  let name = columnLetters(column);
  while (columnOf.has(name.toLowerCase())) name += '_';
  return name;
}

/** Collects rows by column, and appends them to DuckDB in chunks. A wider row adds columns to the table. */
class TextTable {
  readonly #connection: DuckDBConnection;
  readonly #name: string;
  readonly #names: string[];
  #appender: DuckDBAppender;
  /** How many columns the table has in DuckDB so far. */
  #width: number;
  #rows: number[] = [];
  #columns: (string | null)[][];

  private constructor(
    connection: DuckDBConnection,
    name: string,
    names: readonly string[],
    appender: DuckDBAppender,
  ) {
    this.#connection = connection;
    this.#name = name;
    this.#names = [...names];
    this.#appender = appender;
    this.#width = names.length;
    this.#columns = names.map(() => []);
  }

  static async create(
    connection: DuckDBConnection,
    name: string,
    names: readonly string[],
  ): Promise<TextTable> {
    const columns = ['_row INTEGER', ...names.map((column) => `${identifier(column)} VARCHAR`)];
    await connection.run(`CREATE TABLE ${identifier(name)} (${columns.join(', ')})`);
    return new TextTable(connection, name, names, await connection.createAppender(name));
  }

  get isFull(): boolean {
    return this.#rows.length >= CHUNK_ROWS;
  }

  add(row: number, texts: readonly (string | null)[]): void {
    while (this.#columns.length < texts.length) {
      const columnOf = new Map(this.#names.map((name, i) => [name.toLowerCase(), i]));
      this.#names.push(letterName(this.#columns.length, columnOf));
      this.#columns.push(new Array<string | null>(this.#rows.length).fill(null));
    }
    this.#rows.push(row);
    this.#columns.forEach((column, i) => {
      column.push(texts[i] ?? null);
    });
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    if (this.#columns.length > this.#width) await this.#widen();
    const chunk = DuckDBDataChunk.create([INTEGER, ...this.#columns.map(() => VARCHAR)], this.#rows.length);
    chunk.setColumns([this.#rows, ...this.#columns]);
    this.#appender.appendDataChunk(chunk);
    this.#rows = [];
    this.#columns = this.#columns.map(() => []);
  }

  async close(): Promise<void> {
    await this.flush();
    this.#appender.closeSync();
  }

  async #widen(): Promise<void> {
    this.#appender.closeSync();
    for (const name of this.#names.slice(this.#width)) {
      await this.#connection.run(
        `ALTER TABLE ${identifier(this.#name)} ADD COLUMN ${identifier(name)} VARCHAR`,
      );
    }
    this.#width = this.#names.length;
    this.#appender = await this.#connection.createAppender(this.#name);
  }
}
