// Makes mutants of Parquet files.
// DuckDB writes no checksums, so a mutant may be read as any table of the same shape, or be refused.

import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Cell } from '../../../ingest/sources/readers/rawFile.ts';
import { literal } from '../../../src/duckdb.ts';
import { firstDifference, type Mutant } from './hunt.ts';
import { withMutatedBytes } from './mutateBytes.ts';
import { Random } from './random.ts';
import type { Verdict } from './verdict.ts';

/** The forms in which the same table is written. */
const FORMS = [
  'COMPRESSION zstd',
  'COMPRESSION snappy',
  'COMPRESSION uncompressed',
  'COMPRESSION gzip',
  'COMPRESSION zstd, PARQUET_VERSION v2',
  'COMPRESSION lz4_raw, ROW_GROUP_SIZE 2048',
];

const ROWS = 3_000;
const HEADER = ['year', 'country', 'ggr'];
const TABLE = `SELECT (1990 + i % 30)::INTEGER AS year, 'Country ' || (i % 37) AS country,
  CASE WHEN i % 11 = 0 THEN NULL ELSE i / 8 END::DOUBLE AS ggr FROM range(${ROWS}) t(i)`;

/** The expected reading of every form of the table. */
const EXPECTED = [
  { row: 0, cells: HEADER },
  ...Array.from({ length: ROWS }, (_, i): { row: number; cells: Cell[] } => ({
    row: i + 1,
    cells: [1990 + (i % 30), `Country ${i % 37}`, ...(i % 11 === 0 ? [] : [i / 8])],
  })),
];

/**
 * Gives mutants by their number. One in ten is the table in one of its forms, unchanged. The others have changed
 * bytes.
 */
export async function parquetMutants(): Promise<(number: number) => Mutant> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const forms = await Promise.all(FORMS.map((form) => written(connection, form)));
  connection.closeSync();
  instance.closeSync();
  return (number) => {
    const random = new Random(number);
    const bytes = random.pick(forms);
    if (random.chance(0.1)) {
      return { kind: 'Parquet in an odd form', name: 'm.parquet', bytes, changes: [], complaint: mustBeRead };
    }
    return {
      kind: 'Parquet with changed bytes',
      name: 'm.parquet',
      ...withMutatedBytes(bytes, random),
      complaint: mustFit,
    };
  };
}

async function written(connection: DuckDBConnection, form: string): Promise<Buffer> {
  const file = path.join(os.tmpdir(), `mutants-${process.pid}-${FORMS.indexOf(form)}.parquet`);
  await connection.run(`COPY (${TABLE}) TO ${literal(file)} (FORMAT parquet, ${form})`);
  const bytes = await readFile(file);
  await rm(file);
  return bytes;
}

const mustBeRead = (verdict: Verdict): string | null =>
  verdict.outcome === 'rows' ? firstDifference(EXPECTED, verdict.read[0]?.rows) : JSON.stringify(verdict);

/** Null when the reading is possible at all: each cell is a plain value, and no row is longer than the header. */
function mustFit(verdict: Verdict): string | null {
  if (verdict.outcome !== 'rows') return null;
  const [header, ...rows] = verdict.read[0]?.rows ?? [];
  const width = header?.cells.length ?? 0;
  const isPlain = (cell: Cell) => cell === null || typeof cell !== 'object' || 'kind' in cell;
  const odd = rows.find(({ row, cells }) => row < 1 || cells.length > width || !cells.every(isPlain));
  return odd === undefined ? null : JSON.stringify(odd);
}
