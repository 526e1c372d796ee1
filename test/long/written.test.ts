// Reads workbooks that openpyxl, xlsxwriter and LibreOffice wrote. Every kind gives correct rows or a named problem.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { aMonth } from '../support/month.ts';
import { notTried } from '../support/notTried.ts';

const run = promisify(execFile);
const SECONDS = 1000;

/**
 * The problems of a month with this file as ggr, by kind. An empty list means that its rows were read without a
 * problem.
 */
const KINDS: Readonly<Record<string, readonly RegExp[]>> = {
  plain: [],
  'raised-number': [/Data!K2: .*(footnote|mark)/],
  'raised-product': [/Data!F2: .*(footnote|mark)/],
  formula: [/^error ggr\.\w+ › Data!K2: ggr is a formula without a calculated value/],
  'year-dates': [],
  'two-row-header': [],
  'hidden-row': [/^note ggr\.\w+ › Data: 1 row is hidden, and was read like all others: 3$/],
  filtered: [/^note ggr\.\w+ › Data: 1 row is hidden, by a filter or by hand, .*: 3$/],
  'hidden-column': [/^note ggr\.\w+ › Data: 1 column is hidden, and was read like all others: J$/],
  'hidden-sheet': [/^warning ggr\.\w+ › Old: a hidden sheet was not read/],
  table: [],
  'table-below': [/^error ggr\.\w+ › Data!A3: 1 row is below the table "Revenue"/],
};

/** LibreOffice keeps the zero that xlsxwriter stores for a formula, and has no table objects in .ods. */
const BY_LIBREOFFICE: Readonly<Record<string, readonly RegExp[]>> = {
  formula: [/^error ggr\.\w+ › Data!K2: holds 0, and its formula has the value 6;/],
};
const IN_ODS: Readonly<Record<string, readonly RegExp[]>> = { ...BY_LIBREOFFICE, 'table-below': [] };

let python: Python;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'written-'));
  python = await pythonWith('test/long/written.requirements.txt');
  if ('interpreter' in python) await run(python.interpreter, ['test/long/written.py', folder]);
}, 300 * SECONDS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function problemsOf(file: string): Promise<string[]> {
  const month = await aMonth({ [`ggr${path.extname(file)}`]: await readFile(file) });
  try {
    return (await month.problems()).filter((problem) => / ggr\.(?!csv)/.test(problem));
  } finally {
    await month.remove();
  }
}

describe.each(['openpyxl', 'xlsxwriter'])('workbooks by %s', (program) => {
  it.each(Object.entries(KINDS))(
    'give right rows or a named problem: %s',
    async (kind, expected) => {
      if ('missing' in python) {
        notTried(python.missing);
        return;
      }
      const problems = await problemsOf(path.join(folder, `${kind}-${program}.xlsx`));
      expect(problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
    },
    60 * SECONDS,
  );
});

describe('workbooks by LibreOffice', () => {
  it(
    'give right rows or a named problem, as .ods and as .xlsx',
    async () => {
      const version = await run('soffice', ['--version']).catch(() => null);
      if (version === null || 'missing' in python) {
        notTried('soffice is not there');
        return;
      }
      for (const format of ['ods', 'xlsx']) {
        const to = path.join(folder, format);
        await mkdir(to);
        const files = (await readdir(folder)).filter((name) => name.endsWith('-xlsxwriter.xlsx'));
        const from = files.map((name) => path.join(folder, name));
        await run('soffice', ['--headless', '--convert-to', format, '--outdir', to, ...from]);
        for (const [kind, inExcel] of Object.entries(KINDS)) {
          const expected = (format === 'ods' ? IN_ODS : BY_LIBREOFFICE)[kind] ?? inExcel;
          const problems = await problemsOf(path.join(to, `${kind}-xlsxwriter.${format}`));
          expect([kind, problems]).toEqual([kind, expected.map((pattern) => expect.stringMatching(pattern))]);
        }
      }
    },
    300 * SECONDS,
  );
});
