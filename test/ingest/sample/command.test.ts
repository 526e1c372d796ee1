// The command that writes the sample.

import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { count } from '../../../ingest/messages/numbers.ts';
import { sampleCommandLine } from '../../../ingest/sample/command.ts';
import { sampleFiles } from '../../../ingest/sample/sampleFiles.ts';
import { isDeep, itInDepth } from '../../support/depth.ts';
import { runInProcess } from '../../support/runInProcess.ts';
import { rowsOf } from './rowsOf.ts';

let here: string;
beforeEach(async () => {
  here = await mkdtemp(path.join(os.tmpdir(), 'sample-'));
});
afterEach(() => rm(here, { recursive: true, force: true }));

/** Runs the command. The folders in its arguments lie below `here`. */
const sample = (...args: string[]) =>
  runInProcess(
    sampleCommandLine((typed) => path.resolve(here, typed)),
    args,
  );

/** The folder of the sample that all tests share. It was written without --month. */
const written = path.join(process.env.SAMPLE_DATA_DIR ?? '', 'sources');

/**
 * The names of the files of a month. `make test` takes them from the shared sample, because making the files takes long.
 */
const FILES = isDeep
  ? [...sampleFiles('2026-10', rowsOf('2026-10')).keys(), 'turnover.parquet'].sort()
  : readdirSync(path.join(written, '2026-10')).sort();

describe('sample', () => {
  it('writes both months, and replaces no file that holds something else', async () => {
    for (const month of ['2026-10', '2026-11'])
      expect((await readdir(path.join(written, month))).sort()).toEqual(FILES);
    const november = path.join(here, 'sources', '2026-11');
    await cp(path.join(written, '2026-11'), november, { recursive: true });
    const fx = path.join(november, 'fx.csv');
    await writeFile(fx, 'my own rates');
    await rm(path.join(november, 'country.xlsx'));
    const refused = await sample('sources', '--month', '2026-11', '--json');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toBe('');
    expect(JSON.parse(refused.stdout)).toEqual({
      status: 'usage',
      error: `${november} already holds other files of these names: fx.csv; move them away or replace them with --force`,
    });
    expect(await readFile(fx, 'utf8')).toBe('my own rates');
    expect((await readdir(november)).sort()).toEqual(FILES.filter((file) => file !== 'country.xlsx'));
  });

  itInDepth('replaces files that hold something else when forced, and leaves the others', async () => {
    const november = path.join(here, 'sources', '2026-11');
    await cp(path.join(written, '2026-11'), november, { recursive: true });
    await writeFile(path.join(november, 'fx.csv'), 'my own rates');
    await rm(path.join(november, 'country.xlsx'));
    const forced = await sample('sources', '--month', '2026-11', '--force');
    expect(forced.code).toBe(0);
    expect(forced.stdout).toContain(`${count(rowsOf('2026-11').ggr.length)} ggr`);
    expect(forced.stdout.match(/unchanged$/gm)).toHaveLength(FILES.length - 2);
    expect(forced.stdout.match(/written$/gm)).toHaveLength(2);
    expect((await readdir(november)).sort()).toEqual(FILES);
    for (const file of FILES)
      expect(
        (await readFile(path.join(november, file))).equals(
          await readFile(path.join(written, '2026-11', file)),
        ),
      ).toBe(true);
    expect(await readdir(path.join(here, 'sources'))).toEqual(['2026-11']);
  });

  itInDepth('writes a month alone into an empty folder, and says so as JSON', async () => {
    const other = await sample('sources', '--month', '2026-10', '--json');
    expect([other.code, other.stderr]).toEqual([0, '']);
    const { status, months } = JSON.parse(other.stdout);
    expect([status, months.length, months[0].month, months[0].rows.ggr]).toEqual([
      'done',
      1,
      '2026-10',
      rowsOf('2026-10').ggr.length,
    ]);
    expect(
      months[0].files.map(({ file, status }: { file: string; status: string }) => [file, status]),
    ).toEqual(FILES.map((file) => [file, 'written']));
    expect((await readdir(path.join(here, 'sources', '2026-10'))).sort()).toEqual(FILES);
  });

  it('explains itself, and what is wrong with its arguments', async () => {
    const help = await sample('--help');
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('Usage: sample [options] <dir>');
    expect(await sample()).toEqual({
      code: 2,
      stdout: '',
      stderr: "missing required argument 'dir'; see --help\n",
    });
    const other = await sample('.', '--month', '2026-12', '--json');
    expect(other.code).toBe(2);
    expect(JSON.parse(other.stdout).error).toContain('Allowed choices are 2026-10, 2026-11');
    expect(await readdir(here)).toEqual([]);
  });

  it('says why a folder cannot be made', async () => {
    await writeFile(path.join(here, 'file'), '');
    const { code, stderr } = await sample('file', '--month', '2026-10');
    expect(code).toBe(1);
    expect(stderr).toMatch(/file/);
  });
});
