// The files of a month are written while its rows are checked. They leave nothing behind when the checks refuse the month.

import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  startBackgroundWork,
  type WrittenFiles,
} from '../../../../ingest/commands/publish/backgroundWork.ts';
import { startReadingCurrent } from '../../../../ingest/commands/publish/openMonth.ts';
import { publishMonth } from '../../../../ingest/commands/publish/publishMonth.ts';
import { Scope } from '../../../../ingest/commands/publish/scope.ts';
import { type StagedMonth, stageMonth } from '../../../../ingest/commands/publish/stagedMonth.ts';
import type { Workplace } from '../../../../ingest/commands/publish/workplace.ts';
import { compareWithCurrent } from '../../../../ingest/compare/compareWithCurrent.ts';
import { Staging } from '../../../../ingest/staging/database/staging.ts';
import { DATASET_NAMES } from '../../../../src/catalog/datasets.ts';
import { aMonth, type Content, csvOf, type Month, publishDefaults, SILENT } from '../../../support/month.ts';
import { aRow, publishRows } from '../../../support/snapshot.ts';

let month: Month;
afterEach(() => month.remove());

/** The scope is that of the background work. It may end before that of the staging database. */
interface Staged extends Workplace {
  readonly staged: StagedMonth;
  readonly finishFiles: () => Promise<WrittenFiles>;
}

/** Stages a month, starts the background work, and calls `act`. `edit` changes the staged month before the work starts. */
async function started(
  files: Readonly<Record<string, Content>>,
  act: (started: Staged) => Promise<void>,
  edit: (staged: StagedMonth) => unknown = () => {},
): Promise<void> {
  month = await aMonth(files);
  await startedIn(month, act, { edit });
}

interface How {
  readonly edit?: (staged: StagedMonth) => unknown;
  /** Whether the current snapshot is read before the sources. */
  readonly readsCurrentFirst?: boolean;
}

async function startedIn(
  month: Month,
  act: (started: Staged) => Promise<void>,
  { edit = () => {}, readsCurrentFirst = false }: How,
): Promise<void> {
  const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
  const workDir = path.join(month.dataDir, 'work');
  await mkdir(workDir, { recursive: true });
  const work = { scope: new Scope(), workDir, directory: path.join(workDir, 'snapshot') };
  const staging = readsCurrentFirst ? await Staging.openInMemory(workDir) : await Staging.open(workDir);
  const outer = new Scope();
  outer.defer(() => staging.close());
  const currentReading = readsCurrentFirst ? startReadingCurrent(month.dataDir, staging, outer) : null;
  try {
    const staged = await stageMonth(options, staging, workDir, SILENT);
    await edit(staged);
    await currentReading?.current;
    const finishFiles = startBackgroundWork(staged, options, work, currentReading);
    await act({ ...work, staged, finishFiles });
  } finally {
    await work.scope.end();
    await outer.end();
  }
}

const filesIn = async (directory: string) => (await readdir(directory).catch(() => [])).sort();
const EVERY_FILE = DATASET_NAMES.map((name) => `${name}.parquet`).sort();

describe('the files of a month', () => {
  it('are written while its rows are checked, before anybody asks for them', async () => {
    await started({}, async ({ scope, directory }) => {
      // The end of the scope waits for running work and starts none.
      await scope.end();
      expect(await filesIn(directory)).toEqual(EVERY_FILE);
    });
  });

  it('are not written before the checks when reading found errors', async () => {
    const files = { 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 'a lot' })]) };
    await started(files, async ({ staged, scope, directory }) => {
      expect(staged.problems.count('error')).toBeGreaterThan(0);
      await scope.end();
      expect(await filesIn(directory)).toEqual([]);
    });
  });

  it('are written after the checks when memory ran out before', async () => {
    // Writing after the checks sets a limit of its own.
    const memoryIsFull = ({ staging }: StagedMonth) => staging.connection.run(`SET memory_limit = '3MB'`);
    await started(
      {},
      async ({ scope, finishFiles, directory }) => {
        await scope.end();
        expect(await filesIn(directory)).not.toEqual(EVERY_FILE);
        await (await finishFiles()).fingerprints.datasets();
        expect(await filesIn(directory)).toEqual(EVERY_FILE);
      },
      memoryIsFull,
    );
  });

  it('are not written again after any other failure, which ends the publication', async () => {
    const connectionIsGone = ({ staging }: StagedMonth) => staging.writers[0].closeSync();
    await started(
      {},
      async ({ finishFiles, directory }) => {
        await expect(finishFiles()).rejects.toThrow('disconnected');
        expect(await filesIn(directory)).toEqual([]);
      },
      connectionIsGone,
    );
  });

  it('are gone when the checks refuse the month, together with all other work', async () => {
    month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr'), aRow('ggr')]) });
    const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
    const phases: string[] = [];
    const result = await publishMonth(options, { ...SILENT, phase: (name) => phases.push(name) });
    expect(result.problems.map(({ message }) => message).join()).toContain('duplicate of');
    expect(result.status).toBe('rejected');
    expect(phases.at(-1)).toBe('checking');
    expect(await filesIn(month.dataDir)).not.toContain('tmp');
    expect(await filesIn(path.join(month.dataDir, 'snapshots'))).toEqual([]);
  });
});

describe('the rows of the current snapshot', () => {
  const before = { ggr: [aRow('ggr', { product: 'Bingo' }), aRow('ggr', { product: 'Poker' })] };
  const files = {
    'ggr.csv': csvOf('ggr', [aRow('ggr', { product: 'Poker' }), aRow('ggr', { product: 'Slots', ggr: 2 })]),
  };

  /** Like `started`, but in a data directory that has a current snapshot. */
  const overAnother = (act: (started: Staged) => Promise<void>, edit?: (staged: StagedMonth) => void) =>
    started(
      files,
      async (staged) => {
        await publishRows(month.dataDir, '2026-10.1', before);
        await act(staged);
      },
      edit,
    );

  it('are read while the month is written, and not again to compare it', async () => {
    await overAnother(async ({ finishFiles, directory, workDir }) => {
      const written = await finishFiles();
      const current = await written.current;
      if (current === null) throw new Error('there is a current snapshot');
      for (const name of DATASET_NAMES) await rm(path.join(current.side.directory, `${name}.parquet`));
      const datasets = await written.fingerprints.datasetsToCompare();
      const compared = { month: '2026-11', directory, datasets };
      const engine = await written.engine;
      const { datasets: found } = await compareWithCurrent(engine, current, compared, { workDir });
      expect(found.ggr.rows).toMatchObject({ before: 2, after: 2, added: 1, removed: 1, revised: 0 });
      expect(found.ggr.added.map(({ product }) => product)).toEqual(['Slots']);
      expect(found.ggr.removed.map(({ product }) => product)).toEqual(['Bingo']);
    });
  });

  it('of a small month are read before its sources, in an engine that outlives the background work', async () => {
    month = await aMonth(files);
    await publishRows(month.dataDir, '2026-10.1', before);
    await startedIn(
      month,
      async ({ scope, finishFiles, directory, workDir }) => {
        await rm(path.join(month.dataDir, 'snapshots/2026-10.1'), { recursive: true });
        const written = await finishFiles();
        const current = await written.current;
        if (current === null) throw new Error('there was a current snapshot');
        const datasets = await written.fingerprints.datasetsToCompare();
        const compared = { month: '2026-11', directory, datasets };
        const engine = await written.engine;
        const { datasets: found } = await compareWithCurrent(engine, current, compared, { workDir });
        expect(found.ggr.removed.map(({ product }) => product)).toEqual(['Bingo']);
        await scope.end();
        expect(await engine.rows('SELECT 1')).toEqual([[1]]);
      },
      { readsCurrentFirst: true },
    );
  });

  it.each([199_999, 200_000])('of a month of %i facts are read in advance', async (facts) => {
    await overAnother(
      async ({ finishFiles }) => {
        const { current } = await finishFiles();
        expect((await current)?.rows).toBeTruthy();
      },
      ({ reading }) => (reading.facts as Map<string, number>).set('ggr', facts - otherFacts(reading)),
    );
  });

  it('are not read when the checks refuse the month', async () => {
    await overAnother(async ({ scope, finishFiles }) => {
      const current = path.join(month.dataDir, 'snapshots/2026-10.1');
      for (const name of DATASET_NAMES) await rm(path.join(current, `${name}.parquet`));
      // Only reading reports the damage, and nothing has read yet.
      await scope.end();
      await expect((await finishFiles()).current).rejects.toThrow('2026-10.1');
    });
  });
});

const otherFacts = ({ facts }: StagedMonth['reading']) =>
  [...facts].reduce((sum, [name, count]) => sum + (name === 'ggr' ? 0 : count), 0);
