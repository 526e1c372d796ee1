// Opens every real and odd file beside the repository. Each is read, or refused with a reason.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { UnreadableError } from '../../ingest/messages/fault.ts';
import { isReadable, openFile } from '../../ingest/sources/readers/openFile.ts';
import { notTried } from '../support/notTried.ts';
import { allOf } from '../support/sourceFile.ts';

const CORPUS = path.resolve('..', 'shared', 'real-data');
const FILE_SECONDS = 10;
const GROWTH_BYTES = 400 * 1024 * 1024;

/** openpyxl reads these files and we refuse them: a sheet without a part, and a workbook without sheets. */
const REFUSED_BY_US = ['Test_git_issue_68_NullSheetPath.xlsm', 'BadWorkbook.xlsx'];

describe('every file of the corpus', () => {
  it('is read or refused with its name and a reason, in bounded time and memory', async () => {
    if (!existsSync(CORPUS)) {
      notTried(`${CORPUS} is not there`);
      return;
    }
    const files = (await readdir(CORPUS, { recursive: true })).filter(isReadable).sort();
    const before = process.memoryUsage().rss;
    const refused: string[] = [];
    for (const file of files) {
      const begun = performance.now();
      const outcome = await outcomeOf(file);
      expect([file, (performance.now() - begun) / 1000 < FILE_SECONDS]).toEqual([file, true]);
      process.stderr.write(`${file}: ${outcome}\n`);
      if (!/^\d+ rows$/.test(outcome)) refused.push(file);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(GROWTH_BYTES);
    expect(files.length).toBeGreaterThan(100);
    const fine = await readByAnother();
    const wronglyRefused = refused.filter((file) => fine.has(file)).map((file) => path.basename(file));
    expect(wronglyRefused.sort()).toEqual(REFUSED_BY_US.sort());
  }, 300_000);
});

/** The number of rows, or why the file cannot be read. Other errors are thrown. */
async function outcomeOf(file: string): Promise<string> {
  const name = path.basename(file);
  try {
    const opened = await openFile(path.join(CORPUS, file), name);
    try {
      const tables = await allOf(opened);
      return `${tables.reduce((rows, table) => rows + table.rows.length, 0)} rows`;
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    expect(error.message.startsWith(name)).toBe(true);
    return error.message;
  }
}

/** The workbooks that openpyxl reads, according to the list of the corpus. */
async function readByAnother(): Promise<ReadonlySet<string>> {
  const manifest = await openFile(path.join(CORPUS, 'MANIFEST.csv'), 'MANIFEST.csv');
  try {
    const [table] = await allOf(manifest);
    const [header, ...rows] = table?.rows ?? [];
    const note = header?.cells.indexOf('note') ?? -1;
    const fine = rows.filter(({ cells }) => /^openpyxl [\d.]+: ok$/.test(String(cells[note])));
    return new Set(fine.map(({ cells }) => String(cells[0])));
  } finally {
    await manifest.close();
  }
}
