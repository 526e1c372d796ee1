// Computations in the thread have the same results as on the event loop.

import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { dictionaryOf, makeTable, type Table } from '../../../src/catalog/columns.ts';
import { type DatasetName, type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import { unavailable } from '../../../src/errors.ts';
import { runOnEventLoop } from '../../../src/query/computations/computations.ts';
import { selectedCodes, withoutColumns } from '../../../src/query/computations/jobs.ts';
import { createJobThread, jobRunner } from '../../../src/query/computations/jobThread.ts';
import { compile, conditionsOf } from '../../../src/query/selection/compile.ts';
import { collectGarbage } from '../../support/collectGarbage.ts';
import { itInDepth, runs } from '../../support/depth.ts';
import { aTable, distinctRows } from '../../support/memoryTable.ts';
import { aRow } from '../../support/snapshot.ts';

const SCRIPT = new URL('../../../dist/src/query/computations/jobThreadMain.js', import.meta.url);
const thread = createJobThread(SCRIPT);
afterAll(() => thread.close());

const isLinux = process.platform === 'linux';
const itOnLinux = isLinux ? it : it.skip;

const never = () => new AbortController().signal;

/** The same table in shared memory. */
function shared(table: Table): Table {
  const copy = makeTable(table.dataset, table.rows, table.dimensions, 0);
  for (const [name, { codes }] of table.dimensions) copy.dimensions.get(name)?.codes.set(codes);
  for (const [name, values] of table.metrics) copy.metrics.get(name)?.set(values);
  return copy;
}

const manyYears = (count: number) => Array.from({ length: count }, (_, i) => aRow('ggr', { year: 2000 + i }));

const rows = fc
  .array(
    fc.record({
      year: fc.constantFrom(2019, 2020),
      country: fc.constantFrom('A', 'B', '\u{1f600}'),
      state: fc.constantFrom('', 'X'),
      temporal: fc.constantFrom('Current', 'Forecast'),
      ggr: fc.constantFrom(null, 0.1, 2.5, 1e300),
    }),
    { maxLength: 30 },
  )
  .map((some) =>
    distinctRows(
      'ggr',
      some.map((one) => aRow('ggr', one)),
    ),
  );

const filters = fc
  .record(
    { country: fc.constantFrom('A', 'B', 'C'), temporal: fc.constantFrom('Current', 'Forecast') },
    { requiredKeys: [] },
  )
  .map((chosen) => new Map(Object.entries(chosen).map(([name, value]) => [name as DimensionName, [value]])));

describe('the thread for computations', () => {
  it('gives the same values, totals and changes as the event loop', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, filters, async (was, is, chosen) => {
        const [older, newer] = [shared(aTable('ggr', was)), shared(aTable('ggr', is))];
        const query = { filters: chosen, period: null };
        const tables = [newer] as const;
        const { dimensions } = datasetOf('ggr');
        const values = { tables, conditions: withoutColumns(conditionsOf(query, newer)), dimensions };
        expect(await thread.run('values', values, never())).toEqual(
          await runOnEventLoop('values', values, never()),
        );
        for (const by of [[], ['country', 'state', 'temporal']] as const) {
          const totals = { tables, selected: selectedCodes(compile(query, newer)), by };
          expect(await thread.run('totals', totals, never())).toEqual(
            await runOnEventLoop('totals', totals, never()),
          );
        }
        const changes = { tables: [older, newer] } as const;
        expect(await thread.run('changes', changes, never())).toEqual(
          await runOnEventLoop('changes', changes, never()),
        );
      }),
      { numRuns: runs(10) },
    );
  });

  it('computes over the tables of each job, also those that it got before others', async () => {
    const tables = [1, 2, 3].map((rows) => shared(aTable('ggr', manyYears(rows))));
    const rowsOf = async (table: Table) =>
      (await thread.run('values', { tables: [table], conditions: [], dimensions: ['year'] }, never())).rows;
    for (let times = 0; times < 2; times++)
      for (const table of tables) expect(await rowsOf(table)).toBe(table.rows);
    for (const older of tables)
      for (const newer of tables) {
        const changes = await thread.run('changes', { tables: [older, newer] }, never());
        expect(changes.before.length).toBe(Math.abs(older.rows - newer.rows));
      }
  });

  it('gets each table once, however many jobs compute over it: its texts are copied each time', async () => {
    const posted = jest.spyOn(Worker.prototype, 'postMessage');
    const tables = [1, 2].map((rows) => shared(aTable('ggr', manyYears(rows))));
    for (let times = 0; times < 3; times++)
      for (const table of tables)
        await thread.run('values', { tables: [table], conditions: [], dimensions: ['year'] }, never());
    const kinds = posted.mock.calls.map(([message]) => message.kind);
    posted.mockRestore();
    expect(kinds.filter((kind) => kind === 'table')).toHaveLength(tables.length);
    expect(kinds.filter((kind) => kind === 'job')).toHaveLength(3 * tables.length);
  });

  it('stops a job whose callers have left, and goes on with the others', async () => {
    const large = manyRows('ggr', 20_000_000);
    const job = { tables: [large], selected: 'everything', by: [] } as const;
    const controller = new AbortController();
    const stopped = thread.run('totals', job, controller.signal);
    const other = thread.run('values', { tables: [large], conditions: [], dimensions: ['year'] }, never());
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ ...unavailable() });
    expect((await other).rows).toBe(20_000_000);
  });

  it('fails a job that cannot be computed, and goes on with others', async () => {
    const tables = [shared(aTable('ggr', [aRow('ggr')]))] as const;
    const job = { tables, conditions: [], dimensions: ['year' as const] };
    await expect(thread.run('nonsense' as 'values', job, never())).rejects.toThrow('is not a function');
    expect((await thread.run('values', job, never())).rows).toBe(1);
  });

  it('fails the jobs of a thread that cannot start, and starts another one for the next', async () => {
    const broken = createJobThread(new URL('./no-such-script.js', SCRIPT));
    const job = { tables: [shared(aTable('ggr', [aRow('ggr')]))], conditions: [], dimensions: [] } as const;
    await expect(broken.run('values', job, never())).rejects.toThrow('no-such-script');
    await expect(broken.run('values', job, never())).rejects.toThrow('no-such-script');
  });

  it('is ended by `close` in the middle of a job, which fails, and starts anew for the next one', async () => {
    const closed = createJobThread(SCRIPT);
    const tables = [manyRows('ggr', 5_000_000)] as const;
    const running = closed.run('totals', { tables, selected: 'everything', by: [] }, never());
    const failed = expect(running).rejects.toThrow('the thread for computations ended');
    await closed.close();
    await failed;
    const job = { tables: [shared(aTable('ggr', [aRow('ggr')]))], conditions: [], dimensions: [] } as const;
    expect((await closed.run('values', job, never())).rows).toBe(1);
    await closed.close();
  });

  itInDepth('ends once a table of it has gone, and is started anew for the next job', async () => {
    const own = createJobThread(SCRIPT);
    const ended = jest.spyOn(Worker.prototype, 'terminate');
    const count = async () => {
      const tables = [shared(aTable('ggr', manyYears(3)))] as const;
      return (await own.run('values', { tables, conditions: [], dimensions: ['year'] }, never())).rows;
    };
    expect(await count()).toBe(3);
    for (let turns = 0; turns < 100 && ended.mock.calls.length === 0; turns++) {
      collectGarbage();
      await new Promise(setImmediate);
    }
    const calls = ended.mock.calls.length;
    ended.mockRestore();
    expect(calls).toBeGreaterThan(0);
    expect(await count()).toBe(3);
    await own.close();
  });

  itInDepth(
    'gives the memory of tables back that have gone, without being asked to collect garbage',
    async () => {
      const before = process.memoryUsage.rss();
      // The tables have 1 GB in all.
      for (let table = 0; table < 10; table++) await countOnce();
      expect(process.memoryUsage.rss() - before).toBeLessThan(7e8);
    },
  );

  it('computes at a lower priority than the server, where a thread has one of its own', async () => {
    const tables = [shared(aTable('ggr', [aRow('ggr')]))] as const;
    await thread.run('values', { tables, conditions: [], dimensions: ['year'] }, never());
    const own = os.getPriority();
    expect(isLinux ? niceness(nicestThread()) : own).toBe(isLinux ? Math.min(own + 10, 19) : own);
  });

  itOnLinux(
    'gives its core away every few milliseconds: the scheduler would let Redis wait for longer',
    async () => {
      const [small, large] = [shared(aTable('ggr', [aRow('ggr')])), manyRows('ggr', 1_500_000)];
      // This starts the thread.
      await thread.run('changes', { tables: [small, small] }, never());
      const before = useOf(nicestThread());
      await thread.run('changes', { tables: [large, large] }, never());
      const after = useOf(nicestThread());
      const usedMs = after.cpuMs - before.cpuMs;
      expect(usedMs).toBeGreaterThan(40);
      expect(after.sleeps - before.sleeps).toBeGreaterThan(usedMs / 5);
    },
  );

  it('computes where a sandbox does not let it lower its priority', async () => {
    const sandboxed = `
      import os from 'node:os';
      import { syncBuiltinESMExports } from 'node:module';
      os.setPriority = () => { throw new Error('EPERM'); };
      syncBuiltinESMExports();
      await import(${JSON.stringify(SCRIPT.href)});`;
    const forbidden = createJobThread(new URL(`data:text/javascript,${encodeURIComponent(sandboxed)}`));
    const tables = [shared(aTable('ggr', [aRow('ggr')]))] as const;
    try {
      const job = { tables, conditions: [], dimensions: ['year' as const] };
      expect(await forbidden.run('values', job, never())).toEqual(
        await runOnEventLoop('values', job, never()),
      );
    } finally {
      await forbidden.close();
    }
  });
});

/** The thread of this process with the lowest priority. */
const nicestThread = (): string =>
  readdirSync('/proc/self/task').reduce((nicest, task) =>
    niceness(task) > niceness(nicest) ? task : nicest,
  );

/** Field 19 of proc_pid_stat(5). */
function niceness(task: string): number {
  const [, fields = ''] = /\) (.+)/.exec(readFileSync(`/proc/self/task/${task}/stat`, 'utf8')) ?? [];
  return Number(fields.split(' ')[16]);
}

/** The CPU time of a thread, and how often it yielded its core. */
function useOf(task: string) {
  const folder = `/proc/self/task/${task}`;
  const [ns] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
  const [, sleeps] =
    /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${folder}/status`, 'utf8')) ?? [];
  return { cpuMs: Number(ns) / 1e6, sleeps: Number(sleeps) };
}

it('a job runs on the event loop as long as one of its tables is small', async () => {
  const run = jobRunner(new URL('./no-such-script.js', SCRIPT));
  const small = aTable('ggr', [aRow('ggr')]);
  const large = shared(small);
  const changes = async (older: Table, newer: Table) =>
    (await run('changes', { tables: [older, newer] }, never())).before.length;
  expect([await changes(small, small), await changes(small, large), await changes(large, small)]).toEqual([
    0, 0, 0,
  ]);
  await expect(changes(large, large)).rejects.toThrow('no-such-script');
});

/** Counts a new table of 100 MB. This is a function of its own, so that nothing refers to the table afterwards. */
async function countOnce(): Promise<void> {
  const table = manyRows('ggr', 5_000_000);
  for (const { codes } of table.dimensions.values()) codes.fill(0);
  for (const values of table.metrics.values()) values.fill(1);
  await thread.run('values', { tables: [table], conditions: [], dimensions: [] }, never());
}

/** A table of `count` equal rows in shared memory. */
const manyRows = (dataset: DatasetName, count: number): Table =>
  makeTable(
    dataset,
    count,
    new Map(datasetOf(dataset).dimensions.map((name) => [name, dictionaryOf(['1'])])),
    0,
  );
