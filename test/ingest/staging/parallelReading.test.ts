// A month whose files are read by other processes equals one whose files are read here, one after another.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Problems } from '../../../ingest/messages/problems.ts';
import { SourceCopies } from '../../../ingest/sources/sourceCopies.ts';
import { Staging } from '../../../ingest/staging/database/staging.ts';
import { stagingTable } from '../../../ingest/staging/database/stagingTables.ts';
import { KnownValues } from '../../../ingest/staging/knownValues.ts';
import type { ParallelReadingOptions } from '../../../ingest/staging/parallelReading.ts';
import { nothingRead } from '../../../ingest/staging/reading.ts';
import { readingOptions } from '../../../ingest/staging/readingOptions.ts';
import { readSources } from '../../../ingest/staging/readSources.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { isDeep, itInDepth } from '../../support/depth.ts';
import { cellsOf, csvOf } from '../../support/month.ts';
import { runProgram } from '../../support/program.ts';
import { aRow } from '../../support/snapshot.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'read-ahead-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ggr = (country: string, more: Parameters<typeof aRow>[1] = {}) => aRow('ggr', { country, ...more });

/** Files with every outcome: plain ones, some with notes, warnings or errors, a damaged one, and one of no dataset. */
async function writeMonth(directory: string): Promise<void> {
  const sheets = (rows: ReturnType<typeof cellsOf>) => workbook([{ name: 'Data', rows }]);
  const withoutTemporal = cellsOf('ggr', [ggr('Peru')]).map((row) => row.filter((_, i) => i !== 9));
  const files: Record<string, string | Uint8Array> = {
    'country.csv': csvOf('country', [
      aRow('country', { country: 'Malta' }),
      aRow('country', { country: 'Chile' }),
    ]),
    'ggr-1.xlsx': sheets(cellsOf('ggr', [ggr('Malta'), ggr('Spain', { product: 'Bingo' })])),
    'ggr-2.csv': csvOf('ggr', [ggr('Chile'), ggr('Malta ', { fx: 'eur' })]).replaceAll(
      /,([\d.]+)$/gm,
      ',"1.234,$1"',
    ),
    'ggr-3.csv': csvOf('ggr', [ggr('Japan'), ggr('Spain', { ggr: -5 }), ggr('Spain', { year: null })]),
    'ggr-4.xlsx': sheets(withoutTemporal),
    'ggr-5.csv': `${csvOf('ggr', [ggr('Norway')])}2024,"never closed`,
    'ggr-6.csv': 'nothing\nin,here\n',
    'notes.xlsx': sheets([['Nothing'], ['of any dataset']]),
    'turnover.csv': csvOf('turnover', [
      aRow('turnover', { country: 'Brazil' }),
      aRow('turnover', { country: 'Malta' }),
    ]),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(directory, name), content);
}

async function read(directory: string, options: ParallelReadingOptions) {
  const workDir = await mkdtemp(path.join(folder, 'work-'));
  const staging = await Staging.open(workDir);
  try {
    const values = [{ value: 'Norway', rows: 1 }];
    const datasets = { ggr: { rows: 1, years: [], dimensions: { country: values } } };
    const to = {
      staging,
      problems: new Problems(),
      reading: nothingRead(),
      sourceCopies: new SourceCopies(workDir),
      options: readingOptions({ scale: ['ggr-3.csv=ggr=1e3'] }),
      known: new KnownValues({ datasets }),
    };
    const progress: number[] = [];
    const onProgress = (_: string, done: number, total: number) => void progress.push(done / total);
    await readSources({ directory, workDir, onProgress }, to, options);
    await staging.finish();
    const rows = async (sql: string) => (await staging.connection.runAndReadAll(sql)).getRowsJS();
    const tables = [];
    for (const name of DATASET_NAMES)
      tables.push(await rows(`FROM ${stagingTable(name)} ORDER BY _source, _row, _column`));
    return plain({
      tables,
      texts: await rows('SELECT code, text FROM texts ORDER BY code'),
      origins: staging.origins,
      problems: to.problems.list(),
      counts: to.problems.stored.counts,
      reading: to.reading,
      versions: to.sourceCopies.versions,
      ended: progress.at(-1),
    });
  } finally {
    staging.close();
  }
}

/** Maps and sets become lists, because those of another process are of other classes than those of a test. */
const plain = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, part) =>
      /\[object (Map|Set)\]/.test(Object.prototype.toString.call(part)) ? [...part] : part,
    ),
  );

describe('files of a month that other processes read', () => {
  it('give the same rows, codes, problems and record as read one after another', async () => {
    const directory = await mkdtemp(path.join(folder, 'sources-'));
    await writeMonth(directory);
    const alone = await read(directory, { processes: 1 });
    expect(alone.counts.unreadable).toBeGreaterThan(0);
    expect(alone.tables.flat().length).toBeGreaterThan(5);
    const isLarge = (name: string) => name !== 'ggr-3.csv';
    expect(await read(directory, { processes: 2, isLarge })).toEqual(alone);
    // Other processes read all files but the first one.
    if (isDeep) expect(await read(directory, { processes: 9, isLarge: () => true })).toEqual(alone);
  });

  it('are read here when the processes end without a word', async () => {
    const directory = await mkdtemp(path.join(folder, 'sources-'));
    await writeMonth(directory);
    const alone = await read(directory, { processes: 1 });
    const reader = path.join(folder, 'ends.cjs');
    await writeFile(reader, 'process.exit(3)');
    expect(await read(directory, { processes: 2, isLarge: () => true, reader })).toEqual(alone);
  });

  itInDepth('are read here when the machine starts no process', async () => {
    const directory = await mkdtemp(path.join(folder, 'sources-'));
    await writeMonth(directory);
    const alone = await read(directory, { processes: 1 });
    process.env.TOO_LONG_FOR_A_PROCESS = 'x'.repeat(2 ** 20);
    try {
      expect(await read(directory, { processes: 2, isLarge: () => true })).toEqual(alone);
    } finally {
      delete process.env.TOO_LONG_FOR_A_PROCESS;
    }
    // Where their program is missing, Node reports by an event that the processes cannot start.
    const taken = await runProgram('test/ingest/staging/programs/readWithoutProcesses.ts', [folder]);
    expect(taken).toEqual([null, null]);
  });
});
