// Publishes sources that are bulky in one way: a million different texts, a field of 100 MB, 10,000 row groups.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { pythonWith } from '../../bench/python.ts';
import type { CellInput } from '../../ingest/workbook/sheets.ts';
import { writeWorkbook } from '../../ingest/workbook/workbook.ts';
import { DATASET_NAMES, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import { csvOf } from '../support/month.ts';
import { notTried } from '../support/notTried.ts';
import { aRow } from '../support/snapshot.ts';

const MB = 1024 * 1024;
const COLUMNS = [...datasetOf('ggr').dimensions, ...metricNames('ggr')];

/** Publishes a month whose ggr `write` puts into a folder. Gives the command's output and its peak memory. */
async function published(write: (folder: string) => Promise<void>) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'bulky-'));
  try {
    for (const name of DATASET_NAMES)
      if (name !== 'ggr') await writeFile(path.join(root, `${name}.csv`), csvOf(name));
    await write(root);
    const dataDir = path.join(root, '.data');
    const child = spawn(
      process.execPath,
      [
        '--import',
        path.resolve('dist/bench/reportUsage.js'),
        'dist/ingest/cli.js',
        'publish',
        root,
        '--month',
        '2026-11',
      ],
      { env: { ...process.env, DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
    );
    const [, stdout, stderr, report] = child.stdio;
    if (!stdout || !stderr || !report || !('setEncoding' in report)) throw new Error('no pipes');
    const [output, errors, used, [code]] = await Promise.all([
      text(stdout),
      text(stderr),
      text(report),
      once(child, 'close'),
    ]);
    const { peakBytes, cpuMs } = JSON.parse(used);
    const manifest = await readFile(path.join(dataDir, 'current', 'manifest.json'), 'utf8').catch(() => null);
    const rows: unknown = manifest === null ? null : JSON.parse(manifest).datasets.ggr.rows;
    return { code, output: `${output}${errors}`, rows, peakMb: peakBytes / MB, cpuMs };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe('a source that is bulky in one way', () => {
  it('is published when a workbook has a million different texts, within 2 GB', async () => {
    function* rows(): Iterable<CellInput[]> {
      yield [...COLUMNS];
      for (let i = 0; i < 1_000_000; i++) {
        const row = aRow('ggr', { product: `Product number ${i}`, year: 2003 + (i % 24), ggr: i + 0.5 });
        yield COLUMNS.map((column) => (row[column] === '' ? null : (row[column] ?? null)));
      }
    }
    const { code, output, ...used } = await published(async (folder) => {
      const file = openSync(path.join(folder, 'ggr.xlsx'), 'w');
      writeWorkbook([{ name: 'Data', rows: rows() }], {}, (chunk) => void writeSync(file, chunk));
      closeSync(file);
    });
    expect({ code, output: code === 0 ? '' : output, rows: used.rows }).toEqual({
      code: 0,
      output: '',
      rows: 1_000_000,
    });
    expect(used.peakMb).toBeLessThan(2_000);
  }, 600_000);

  it('is refused where a csv has a field of 100 MB, in quotes or not, and little memory is taken', async () => {
    for (const [quote, message] of [
      ['"', 'ggr.csv › line 2: a quote opens here and is not closed within 16 MB; close it'],
      ['', 'ggr.csv › line 2: begins a record of more than 16 MB; split it'],
    ]) {
      const { code, output, peakMb } = await published((folder) =>
        writeFile(
          path.join(folder, 'ggr.csv'),
          `${COLUMNS.join(',')}\n2024,Europe,${quote}${'x'.repeat(100_000_000)}${quote},,a,b,c,d,EUR,Current,1\n`,
        ),
      );
      expect(code).toBe(3);
      expect(output).toContain(message);
      expect(peakMb).toBeLessThan(400);
    }
  }, 120_000);

  it('is published where a Parquet file has 10,000 row groups, within 1.6 GB', async () => {
    const python = await pythonWith('bench/requirements.txt');
    if ('missing' in python) {
      notTried(`10,000 row groups: ${python.missing}`);
      return;
    }
    const row = aRow('ggr');
    const { code, output, ...used } = await published(async (folder) => {
      const columns = COLUMNS.map((column) => {
        if (column === 'year') return `'year': [2003 + i % 24 for i in range(n)]`;
        if (column === 'product') return `'product': [f'P{i // 24}' for i in range(n)]`;
        if (column === 'ggr') return `'ggr': [i % 1000 + 1.5 for i in range(n)]`;
        return `'${column}': ['${row[column] ?? ''}'] * n`;
      });
      const script = `import sys, pyarrow, pyarrow.parquet
n = 200_000
table = pyarrow.table({${columns.join(', ')}})
pyarrow.parquet.write_table(table, sys.argv[1], row_group_size=20)
assert pyarrow.parquet.ParquetFile(sys.argv[1]).num_row_groups == 10_000`;
      execFileSync(python.interpreter, ['-c', script, path.join(folder, 'ggr.parquet')]);
    });
    expect({ code, output: code === 0 ? '' : output, rows: used.rows }).toEqual({
      code: 0,
      output: '',
      rows: 200_000,
    });
    expect(used.peakMb).toBeLessThan(1_600);
  }, 300_000);
});
