// The format of a file selects its reader. Files without a reader are refused.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isReadable, isSpreadsheetLike, openFile } from '../../../../ingest/sources/readers/openFile.ts';
import { dataSheet } from '../../../support/sourceFile.ts';
import { query } from '../../../support/testEngine.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'open-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const at = (name: string) => path.join(directory, name);

describe('opening a file', () => {
  it('picks the reader by the ending of its name, in any case', async () => {
    await writeFile(at('a.XLSX'), dataSheet([['a']]));
    await writeFile(at('a.xlsm'), dataSheet([['a']]));
    await writeFile(at('a.Csv'), 'a');
    for (const [name, format] of [
      ['a.XLSX', 'xlsx'],
      ['a.xlsm', 'xlsx'],
      ['a.Csv', 'csv'],
    ] as const) {
      const file = await openFile(at(name), `month/${name}`);
      expect(file).toMatchObject({ name: `month/${name}`, format });
      await file.close();
    }
  });

  // There are more rows than one batch of each reader has.
  it.each([
    ['xlsx', 15_000],
    ['csv', 40_000],
    ['parquet', 15_000],
  ] as const)('says how far it has come in an .%s', async (format, count) => {
    const lines = Array.from({ length: count }, (_, i) => [`Country ${i}`, i]);
    if (format === 'xlsx') await writeFile(at('far.xlsx'), dataSheet(lines));
    else if (format === 'csv') await writeFile(at('far.csv'), lines.join('\n'));
    else await query(`COPY (FROM range(${count})) TO '${at('far.parquet')}'`);
    const file = await openFile(at(`far.${format}`), `far.${format}`);
    const shares = [file.progress?.()];
    for await (const _ of file.tables[0]?.rows() ?? []) shares.push(file.progress?.());
    await file.close();
    expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
    expect(new Set(shares).size).toBeGreaterThan(3);
    expect(shares).toEqual([...shares].sort());
  });

  it.each([
    [
      'version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n',
      'is a pointer of Git LFS, .+ with `git lfs pull`',
    ],
    ['\ufeff\n<!DOCTYPE html>\n<title>Sign in</title>', 'is a web page, .+ download the file again'],
    ['<HTML lang="en"><table>', 'is a web page, .+ open it in a spreadsheet program'],
  ])('refuses %j, which stands in for the real file', async (text, message) => {
    for (const name of ['a.csv', 'a.xlsx', 'a.ods', 'a.parquet']) {
      await writeFile(at(name), text);
      await expect(openFile(at(name), name)).rejects.toThrow(new RegExp(`^${name}: ${message}`));
    }
    await writeFile(at('a.csv'), '<htmlish>,version https\n1,2\n');
    await (await openFile(at('a.csv'), 'a.csv')).close();
  });

  it('distinguishes spreadsheets from other files by name', () => {
    expect(['a.xlsx', 'a.ods', 'a.CSV', 'b/a.tsv', 'a.parquet'].filter(isReadable)).toHaveLength(5);
    expect(
      ['a.xls', 'a.xlsb', 'a.fods', 'a.pdf', 'csv', 'a.csv.bak', 'a.constructor'].filter(isReadable),
    ).toEqual([]);
    expect(['a.xls', 'a.XLSB', 'a.ods', 'a.csv'].filter(isSpreadsheetLike)).toHaveLength(4);
    expect(['a.pdf', 'README.md', 'csv', 'a.json', 'a.constructor', ''].filter(isSpreadsheetLike)).toEqual(
      [],
    );
  });

  it.each([
    ['a.xls', 'in Excel, choose File > Save As and the file type "Excel Workbook (*.xlsx)"'],
    ['a.XLSB', 'in Excel, choose File > Save As and the file type "Excel Workbook (*.xlsx)"'],
    ['a.gsheet', 'in Google Sheets, choose File > Download > Microsoft Excel (.xlsx)'],
    ['a.numbers', 'in Numbers, choose File > Export To > Excel and the format .xlsx'],
  ])('says of %s, which is not read, how to save it', async (name, remedy) => {
    await writeFile(at(name), 'x');
    await expect(openFile(at(name), name)).rejects.toThrow(
      `${name}: .${name.slice(2).toLowerCase()} files are not read; ${remedy}`,
    );
  });

  it('says of a file that is not a spreadsheet which formats are read', async () => {
    await expect(openFile(at('a.pdf'), 'a.pdf')).rejects.toThrow('a.pdf: is not there');
    await writeFile(at('a.pdf'), 'x');
    await expect(openFile(at('a.pdf'), 'a.pdf')).rejects.toThrow(
      /^a\.pdf: is not a spreadsheet, csv or Parquet file/,
    );
  });

  it('refuses what is not a file: a folder, a pipe, a link to nothing or to itself, nothing', async () => {
    await mkdir(at('folder.csv'));
    await writeFile(at('a.XLSX'), 'x');
    execFileSync('mkfifo', [at('pipe.csv')]);
    await symlink(at('nothing'), at('dangling.csv'));
    await symlink(at('loop.csv'), at('loop.csv'));
    const messages: Record<string, string> = {};
    for (const name of ['folder', 'pipe', 'dangling', 'loop', 'missing', 'folder.csv/../a.XLSX/x']) {
      await openFile(at(`${name}.csv`), 'a.csv').catch((error: Error) => {
        messages[name] = `${error.name} ${error.message}`;
      });
    }
    expect(messages).toEqual({
      folder: 'UnreadableError a.csv: is a folder, not a file; rename or remove it',
      pipe: 'UnreadableError a.csv: is not a regular file; copy its content into one',
      dangling: 'UnreadableError a.csv: is not there, or is a link to nothing; put the file in its place',
      loop: 'UnreadableError a.csv: is a link that leads back to itself; put the file in its place',
      missing: 'UnreadableError a.csv: is not there, or is a link to nothing; put the file in its place',
      'folder.csv/../a.XLSX/x': 'UnreadableError a.csv: is not there; put the file in its place',
    });
  });

  it('refuses a file of more than 512 MB without reading it', async () => {
    await writeFile(at('large.csv'), '');
    await truncate(at('large.csv'), 512 * 1024 * 1024 + 1);
    await expect(openFile(at('large.csv'), 'large.csv')).rejects.toThrow(
      'large.csv: has 513 MB, more than the limit of 512 MB; split it',
    );
  });
});
