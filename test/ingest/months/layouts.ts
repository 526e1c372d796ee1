// Writes intended rows in layouts that people use: long or wide, in any format, split, shuffled and decorated.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Cell } from '../../../ingest/sources/readers/rawFile.ts';
import type { CellInput, SheetInput } from '../../../ingest/workbook/sheets.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import { literal } from '../../../src/duckdb.ts';
import type { Row } from '../../support/snapshot.ts';
import { zipped } from '../mutants/container.ts';
import type { Random } from '../mutants/random.ts';
import { dressed } from '../mutants/render.ts';
import type { Intended } from './intended.ts';

/** The files of a month. Reading them must give these rows. */
export async function filesOf(month: Intended, random: Random): Promise<Record<string, string | Uint8Array>> {
  const files: Record<string, string | Uint8Array> = {};
  const together = random.chance(0.2) ? DATASET_NAMES.filter(() => random.chance(0.5)) : [];
  const sheets: NamedTable[] = [];
  for (const dataset of DATASET_NAMES) {
    const shares = shared(random.shuffled(month[dataset]), random.pick([1, 1, 2, 3]), random);
    const spelled = dataset.replaceAll('_', random.pick(['_', '-', ' ']));
    for (const [i, rows] of shares.entries()) {
      const table = tableOf(dataset, rows, random);
      const name = `${random.chance(0.5) ? spelled : dataset}${i === 0 ? '' : `-${i}`}`;
      if (together.includes(dataset)) sheets.push({ name, table });
      else {
        const [ending, write] = random.pick(WRITERS);
        files[`${name}${ending}`] = await write(dataset, table, random);
      }
    }
  }
  if (sheets.length > 0) files['month.xlsx'] = workbookOf(sheets, random);
  return files;
}

/** Splits rows into `parts` parts, none of them empty. */
function shared(rows: readonly Row[], parts: number, random: Random): (readonly Row[])[] {
  const count = Math.min(parts, rows.length);
  const cuts = [
    0,
    ...Array.from({ length: count - 1 }, () => 1 + random.below(rows.length - 1)),
    rows.length,
  ];
  const ends = [...new Set(cuts)].sort((a, b) => a - b);
  return ends.slice(1).map((end, i) => rows.slice(ends[i], end));
}

interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

interface NamedTable {
  readonly name: string;
  readonly table: Table;
}

/** Makes a long or wide table with its columns in any order. */
function tableOf(dataset: DatasetName, rows: readonly Row[], random: Random): Table {
  const isWide = metricNames(dataset).length > 0 && random.chance(0.4);
  const { columns, records } = isWide ? wide(dataset, rows) : long(dataset, rows);
  const order = random.chance(0.5) ? random.shuffled(columns) : columns;
  return {
    headings: order,
    rows: random.shuffled(records).map((record) => order.map((column) => record[column] ?? null)),
  };
}

interface Columns {
  readonly columns: readonly string[];
  readonly records: readonly Row[];
}

const long = (dataset: DatasetName, rows: readonly Row[]): Columns => ({
  columns: [...datasetOf(dataset).dimensions, ...metricNames(dataset)],
  records: rows,
});

function wide(dataset: DatasetName, rows: readonly Row[]): Columns {
  const dimensions = datasetOf(dataset).dimensions.filter((name) => name !== 'year');
  const metrics = metricNames(dataset);
  const years = [...new Set(rows.map(({ year }) => String(year)))].sort();
  const records = new Map<string, Record<string, string | number | null>>();
  for (const row of rows) {
    for (const metric of metrics) {
      const value = row[metric] ?? null;
      if (value === null) continue;
      const own = Object.fromEntries(dimensions.map((name) => [name, row[name] ?? null]));
      if (metrics.length > 1) own.metric = metric;
      const key = JSON.stringify(own);
      records.set(key, { ...own, ...records.get(key), [String(row.year)]: value });
    }
  }
  return {
    columns: [...(metrics.length > 1 ? ['metric'] : []), ...dimensions, ...years],
    records: [...records.values()],
  };
}

type Write = (dataset: DatasetName, table: Table, random: Random) => Promise<string | Uint8Array>;

const WRITERS: readonly (readonly [ending: string, write: Write])[] = [
  [
    '.xlsx',
    async (_, table, random) =>
      workbookOf([{ name: random.pick(['Data', 'Sheet1', 'Blatt & 1']), table }], random),
  ],
  ['.XLSX', async (dataset, table, random) => workbookOf(inSheets(dataset, table, random), random)],
  ['.csv', async (_, table, random) => csvOf(table, random.pick([',', ',', ';', '\t', '|']), random)],
  ['.tsv', async (_, table, random) => csvOf(table, '\t', random)],
  ['.parquet', async (_, table, random) => parquetOf(table, random)],
];

/** Splits a table over two sheets, or leaves it on one. All are read, because the file is named after the dataset. */
function inSheets(_: DatasetName, { headings, rows }: Table, random: Random): NamedTable[] {
  const cut = random.below(rows.length + 1);
  const parts = [rows.slice(0, cut), rows.slice(cut)].filter((part) => part.length > 0);
  return parts.map((part, i) => ({ name: `Part ${i + 1}`, table: { headings, rows: part } }));
}

function workbookOf(tables: readonly NamedTable[], random: Random): Uint8Array {
  const sheets = tables.map(({ name, table }) => ({ name, rows: linesOf(table, random) }));
  if (random.chance(0.2))
    sheets.push({ name: 'Notes', rows: [['Figures as published'], [], ['Second note', 1]] });
  if (random.chance(0.4)) {
    const model = sheets.map(({ name, rows }) => ({
      name,
      hidden: false,
      merged: [],
      rows: rows.flatMap((cells, i) => (cells.length > 0 ? [{ row: i + 1, cells: cells as Cell[] }] : [])),
    }));
    return zipped(dressed(model, random), { odd: random });
  }
  const formatted = (cell: string | number | null): CellInput =>
    typeof cell === 'number' && random.chance(0.3)
      ? { value: cell, format: random.pick(['0', '#,##0', '0.00E+00', '"€" #,##0.00', '0.0']) }
      : typeof cell === 'number' && random.chance(0.1)
        ? { formula: 'A1*2', cached: cell }
        : cell;
  const inputs: SheetInput[] = sheets.map(({ name, rows }) => ({
    name,
    rows: rows.map((row) => row.map(formatted)),
  }));
  if (random.chance(0.2))
    inputs.push({
      name: 'Old',
      state: 'hidden',
      rows: [
        ['a', 'b'],
        [1, 2],
      ],
    });
  return workbook(inputs, { strings: random.pick(['shared', 'inline']), date1904: random.chance(0.2) });
}

/** All lines of a sheet or csv: a preamble, the headings, the rows with blank ones between, and footnotes. */
function linesOf({ headings, rows }: Table, random: Random): (string | number | null)[][] {
  const lines: (string | number | null)[][] = [];
  if (random.chance(0.3)) lines.push(['Monthly delivery, 2026-11'], []);
  if (random.chance(0.1)) lines.push(['Source: own research', 'page 3'], [], []);
  lines.push(headings.map((heading) => spelled(heading, random)));
  for (const row of rows) {
    if (random.chance(0.05)) lines.push([]);
    lines.push(row.map((cell, i) => cellAs(cell, headings[i] ?? '', random)));
  }
  if (random.chance(0.2)) lines.push([], ['* preliminary'], ['Source: regulators; see the contents']);
  return lines;
}

function spelled(heading: string, random: Random): string {
  const words = heading.replaceAll('_', random.pick(['_', ' ', '-', '  ', '\n']));
  return random.pick([
    heading,
    words,
    words.toUpperCase(),
    words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    ` ${words} `,
  ]);
}

/** The same value as people may write it: with spaces around it, with decomposed letters, or a number as text. */
function cellAs(cell: string | number | null, heading: string, random: Random): string | number | null {
  if (typeof cell === 'number') return random.chance(0.08) ? numberText(cell, heading, random) : cell;
  if (cell === null || cell === '') return random.pick([null, null, '', ' ']);
  return random.weighted<string>([
    [20, cell],
    [1, ` ${cell}`],
    [1, `${cell}\u00a0`],
    [1, cell.normalize('NFD')],
  ]);
}

const numberText = (value: number, heading: string, random: Random): string =>
  heading === 'year' || random.chance(0.5) ? String(value) : value.toExponential();

function csvOf(table: Table, separator: string, random: Random): string {
  const lineEnd = random.pick(['\n', '\r\n', '\r']);
  const quotesAll = random.chance(0.3);
  const field = (cell: string | number | null) => {
    const text = String(cell ?? '');
    const mustQuote = text.includes(separator) || /["\r\n]/.test(text);
    return mustQuote || quotesAll ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = linesOf(table, random).map((cells) => cells.map(field).join(separator));
  return `${random.chance(0.3) ? '\ufeff' : ''}${lines.join(lineEnd)}${random.chance(0.8) ? lineEnd : ''}`;
}

async function parquetOf({ headings, rows }: Table, random: Random): Promise<Uint8Array> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'months-'));
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    const types = headings.map((heading, i) => {
      if (heading === 'year') return random.pick(['INTEGER', 'SMALLINT', 'BIGINT', 'DOUBLE', 'VARCHAR']);
      return rows.some((row) => typeof row[i] === 'number') ? 'DOUBLE' : 'VARCHAR';
    });
    const value = (cell: string | number | null | undefined, type: string | undefined) =>
      `${cell === null || cell === undefined ? 'NULL' : literal(String(cell))}::${type}`;
    const tuples = rows.map((row) => `(${row.map((cell, i) => value(cell, types[i])).join(', ')})`);
    const names = headings.map((heading) => `"${spelled(heading, random).replaceAll('"', '""')}"`);
    const file = path.join(directory, 'a.parquet');
    const options = random.pick(['', ', COMPRESSION zstd', ', PARQUET_VERSION v2', ', ROW_GROUP_SIZE 2048']);
    const select = `SELECT * FROM (VALUES ${tuples.join(', ')}) AS t(${names.join(', ')})`;
    await connection.run(`COPY (${select}) TO ${literal(file)} (FORMAT parquet${options})`);
    connection.closeSync();
    return await readFile(file);
  } finally {
    instance.closeSync();
    await rm(directory, { recursive: true });
  }
}
