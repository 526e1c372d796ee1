// A filled-in template is accepted, whichever program saved it.

import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as sheetjs from '@e965/xlsx';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { writeTemplate } from '../../../ingest/commands/template.ts';
import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import { aMonth, csvOf, type Month } from '../../support/month.ts';
import { aRow, publishRows } from '../../support/snapshot.ts';

const GGR = [aRow('ggr', { ggr: 5.5 }), aRow('ggr', { state: 'Gozo', ggr: 7 })];
let month: Month;
beforeEach(async () => {
  month = await aMonth({ 'ggr.csv': csvOf('ggr', GGR) });
});
afterEach(() => month.remove());

const write = (dataset: DatasetName, filled: boolean, name = `${dataset}.xlsx`) =>
  writeTemplate({
    dataset,
    month: '2026-12',
    filled,
    file: path.join(month.directory, name),
    dataDir: month.dataDir,
  });

describe('template', () => {
  it('filled for every dataset publishes the rows it was filled with, without a remark', async () => {
    const before = await publishRows(month.dataDir, '2026-11.1', { ggr: GGR });
    for (const dataset of DATASET_NAMES) {
      await rm(path.join(month.directory, `${dataset}.csv`));
      await write(dataset, true);
    }
    const { status, problems, manifest } = await month.publish({ month: '2026-12' });
    expect({ status, problems: problems.filter(({ severity }) => severity !== 'note') }).toEqual({
      status: 'published',
      problems: [],
    });
    expect(manifest?.fingerprint).toBe(before.fingerprint);
  });

  it('is not filled for a dataset that the snapshot of another version does not hold', async () => {
    await publishRows(month.dataDir, '2026-11.1', { ggr: GGR });
    const snapshot = path.join(month.dataDir, 'snapshots', '2026-11.1');
    const file = path.join(snapshot, 'manifest.json');
    const { datasets, ...manifest } = JSON.parse(await readFile(file, 'utf8'));
    const { fx, ...others } = datasets;
    await rm(path.join(snapshot, fx.file));
    await writeFile(file, JSON.stringify({ ...manifest, datasets: others }));
    await expect(write('fx', true)).rejects.toThrow('--filled: 2026-11.1 does not hold fx; leave it out');
  });

  it('that cannot be written as a whole leaves nothing in the way of the next attempt', async () => {
    const file = path.join(month.directory, 'ggr.xlsx');
    const limited = 'ulimit -f 4; exec "$0" dist/ingest/cli.js template ggr --month 2026-12 --out "$1"';
    const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: month.dataDir };
    const { status, stderr } = spawnSync('sh', ['-c', limited, process.execPath, file], {
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('(EFBIG); raise the limit (ulimit -f)')]);
    await write('ggr', false);
    expect(sheetjs.read(await readFile(file)).SheetNames).toContain('ggr');
  });

  it.each(['xlsx', 'ods'] as const)(
    'filled in and saved as .%s by another program passes',
    async (format) => {
      await publishRows(month.dataDir, '2026-11.1', { ggr: GGR });
      await rm(path.join(month.directory, 'ggr.csv'));
      await write('ggr', false);
      const file = path.join(month.directory, 'ggr.xlsx');
      const book = sheetjs.read(await readFile(file));
      const sheet = book.Sheets.ggr;
      if (sheet === undefined) throw new Error('there is no sheet ggr');
      const row = Object.values(aRow('ggr', { year: 2025, ggr: 1234.5 }));
      sheetjs.utils.sheet_add_aoa(sheet, [row], { origin: 'A4' });
      await rm(file);
      await writeFile(
        path.join(month.directory, `ggr.${format}`),
        sheetjs.write(book, { type: 'buffer', bookType: format }),
      );
      const { status, manifest } = await month.publish({ month: '2026-12', accept: [], dryRun: true });
      expect(['checked', 'refused']).toContain(status);
      expect(manifest?.datasets.ggr).toMatchObject({
        rows: 1,
        years: [2025],
        metrics: { ggr: { sum: 1234.5 } },
      });
    },
  );

  it('has drop-down lists of the current values', async () => {
    await publishRows(month.dataDir, '2026-11.1', { ggr: GGR });
    await write('ggr', false);
    const parts = unzipSync(await readFile(path.join(month.directory, 'ggr.xlsx')));
    const xml = Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString();
    expect(xml).toContain('<dataValidation type="list"');
    expect(xml).toContain('sqref="C4:C5003"');
  });

  it('left empty is an error that says what is missing', async () => {
    await rm(path.join(month.directory, 'ggr.csv'));
    await write('ggr', false);
    expect(await month.problems()).toContain(
      'error ggr.xlsx › ggr: has no row with a value below its header; fill it in',
    );
  });

  it.each([
    ['turnover.xlsx', false, /would be read as turnover/],
    ['ggr.csv', false, /name it \.xlsx/],
    ['ggr.xlsx', true, /no snapshot yet/],
    ['nowhere/ggr.xlsx', false, /there is no folder/],
  ])('to %s, filled: %s, is refused', async (name, filled, message) => {
    await expect(write('ggr', filled, name)).rejects.toThrow(message);
  });

  it('does not write more rows than a sheet can hold', async () => {
    await publishRows(month.dataDir, '2026-11.1', { ggr: GGR });
    const file = path.join(month.dataDir, 'current', 'manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8'));
    manifest.datasets.ggr.rows = 1_048_574;
    await writeFile(file, JSON.stringify(manifest));
    await expect(write('ggr', true)).rejects.toThrow(
      '--filled: 2026-11.1 has 1,048,574 rows of ggr, more than a sheet can hold; leave it out',
    );
  });

  it('never writes over a file', async () => {
    await write('ggr', false);
    await expect(write('ggr', false)).rejects.toThrow(/is there already/);
  });
});
