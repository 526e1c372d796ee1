// Publishes every real and odd file beside the repository: directly, and with all its cells through a recipe.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { UnreadableError } from '../../ingest/messages/fault.ts';
import { isReadable, openFile } from '../../ingest/sources/readers/openFile.ts';
import type { Cell, RawTable } from '../../ingest/sources/readers/rawFile.ts';
import { DATASET_NAMES, type DatasetName } from '../../src/catalog/datasets.ts';
import { aMonth } from '../support/month.ts';
import { notTried } from '../support/notTried.ts';
import { columnsOf } from '../support/selects.ts';

const CORPUS = path.resolve('..', 'shared', 'real-data');

/** The dataset that the name of a published file gets, by the file's folder. */
const DATASET_OF: Readonly<Record<string, DatasetName>> = {
  country: 'country',
  fx: 'fx',
  reference: 'country_reference',
};

const present = existsSync(CORPUS);
if (!present) notTried(`${CORPUS} is not there`);

(present ? describe : describe.skip)('every file of the corpus', () => {
  it('is published, or refused with a place and a remedy, alone and through a recipe', async () => {
    const files = (await readdir(CORPUS, { recursive: true })).filter(isReadable).sort();
    expect(files.length).toBeGreaterThan(100);
    const lines = ['| file | alone | each cell, through a recipe |', '|---|---|---|'];
    for (const file of files) {
      const alone = await published(file, null);
      const cells = await cellsIn(file);
      const isEmpty = cells.count === 0 && cells.unreadable === null;
      const through = isEmpty ? NOTHING : await published(file, cells.recipe);
      lines.push(`| ${file} | ${textOf(alone)} | ${textOf(through)} |`);
      process.stderr.write(`${lines.at(-1)}\n`);
      for (const { problems } of [alone, through])
        expect(problems.filter((problem) => !isClear(problem))).toEqual([]);
      if (cells.unreadable !== null) expect(through.problems).toContain(cells.unreadable);
      else if (through.status === 'published') expect([file, through.rows]).toEqual([file, cells.count]);
      // A recipe over all cells may fail only because of a formula without a value, a cell too far to the right, or a
      // number that its format hides, such as -12345.68 as a date.
      else
        expect([
          file,
          through.problems.filter(
            (text) => !/calculated|a recipe's table has|number formats? shows?/.test(text),
          ),
        ]).toEqual([file, []]);
    }
    if (process.env.CORPUS_TABLE !== undefined)
      await writeFile(process.env.CORPUS_TABLE, `${lines.join('\n')}\n`);
  }, 1_800_000);
});

interface Outcome {
  readonly status: string;
  /** The rows of the dataset that the file gives. */
  readonly rows: number;
  readonly problems: readonly string[];
}

/** Publishes a folder with this file alone. The file is named after a dataset, or a recipe reads it. */
async function published(file: string, recipe: Readonly<Record<string, string>> | null): Promise<Outcome> {
  const dataset = recipe === null ? (DATASET_OF[file.split(path.sep)[0] ?? ''] ?? 'ggr') : 'ggr';
  const month = await aMonth({}, recipe !== null);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recipe-'));
  try {
    if (recipe === null) await rm(path.join(month.directory, `${dataset}.csv`));
    await copyFile(path.join(CORPUS, file), path.join(month.directory, `${dataset}${path.extname(file)}`));
    await mkdir(folder, { recursive: true });
    for (const [name, content] of Object.entries(recipe ?? {}))
      await writeFile(path.join(folder, name), content);
    const { status, manifest, problems } = await month.publish({ recipe: recipe === null ? null : folder });
    return {
      status,
      rows: manifest?.datasets[dataset].rows ?? 0,
      problems: problems
        .filter(({ severity }) => severity === 'error' || severity === 'unreadable')
        .map(({ place, message }) => `${place}: ${message}`),
    };
  } finally {
    await rm(folder, { recursive: true });
    await month.remove();
  }
}

/** A recipe that makes a row of every filled cell, and the number of these rows. */
async function cellsIn(
  file: string,
): Promise<{ recipe: Record<string, string>; count: number; unreadable: string | null }> {
  const name = `ggr${path.extname(file)}`;
  const sheets: (string | null)[] = [];
  let count = 0;
  let unreadable: string | null = null;
  try {
    const opened = await openFile(path.join(CORPUS, file), name);
    try {
      for (const table of opened.tables) {
        const filled = await filledIn(table);
        if (filled > 0) sheets.push(table.name);
        count += filled;
      }
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    unreadable = error.message;
    sheets.push(null);
  }
  const tables = sheets.map((sheet, i) => [
    `t${i}`,
    { file: name, cells: true, ...(sheet === null ? {} : { sheet }) },
  ]);
  const cells = sheets.map(
    (_, i) =>
      `SELECT 't${i} ' || _row AS place, col FROM (UNPIVOT t${i} ON COLUMNS(* EXCLUDE (_row)) INTO NAME col VALUE text)`,
  );
  const ggr = `SELECT 2024 AS year, 'Europe' AS region, 'Malta' AS country, place AS state, col AS category, 'Poker' AS product,
    'Online' AS channel, 'Onshore' AS sub_channel, 'EUR' AS fx, 'Current' AS temporal, 1.0 AS ggr FROM (${cells.join(' UNION ALL ')})`;
  const others = DATASET_NAMES.filter((dataset) => dataset !== 'ggr').map((dataset) => [
    `${dataset}.sql`,
    `SELECT ${columnsOf(dataset)}`,
  ]);
  return {
    recipe: {
      'recipe.json': JSON.stringify({ tables: Object.fromEntries(tables) }),
      'ggr.sql': ggr,
      ...Object.fromEntries(others),
    },
    count,
    unreadable,
  };
}

async function filledIn(table: RawTable): Promise<number> {
  let count = 0;
  const holds = (cell: Cell) => cell !== null && cell !== '';
  for await (const batch of table.rows()) for (const { cells } of batch) count += cells.filter(holds).length;
  return count;
}

/** The form of an error: place, problem and remedy. */
const isClear = (problem: string): boolean =>
  /^[^:]+: .{15,}/s.test(problem) && /[;:(] ?[a-z].*/s.test(problem.replace(/^[^:]+: /, ''));

/** The outcome for a file without cells, from which no recipe can select. */
const NOTHING: Outcome = { status: 'published', rows: 0, problems: [] };

function textOf({ status, rows, problems }: Outcome): string {
  if (status === 'published') return `${rows} rows`;
  const [first = status] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return `${first.replaceAll('|', '\\|').replace(/\s+/g, ' ')}${more}`;
}
