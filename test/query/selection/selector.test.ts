// The engine finds rows within a deadline and a queue.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CACHES } from '../../../src/cache/caches.ts';
import { measuredCaches } from '../../../src/cache/measuredCaches.ts';
import type { Table } from '../../../src/catalog/columns.ts';
import { type Snapshot, tableOf } from '../../../src/catalog/snapshot.ts';
import { ApiError } from '../../../src/errors.ts';
import type { Observe } from '../../../src/observations.ts';
import { compile, type Statement } from '../../../src/query/selection/compile.ts';
import { createSelector, type SelectorOptions } from '../../../src/query/selection/selector.ts';
import { itInDepth } from '../../support/depth.ts';
import { LONG_DEADLINE } from '../../support/longDeadlines.ts';
import { anOpenSnapshot } from '../../support/openSnapshot.ts';
import { retryThrown } from '../../support/retryUnavailable.ts';
import { aRow } from '../../support/snapshot.ts';

const plain = (text: string): Statement => ({ text, values: [], types: [], conditions: [] });

/** This statement runs for minutes unless it is stopped. `n` gives it another text. */
const slow = (n = 0) => plain(`SELECT count(*)::INTEGER + ${n} AS position FROM range(100000000000)`);

const selector = (options: Partial<SelectorOptions> = {}) => createSelector({ ...LONG_DEADLINE, ...options });

const UNAVAILABLE = new ApiError(503, 'Service temporarily unavailable — please try again later');

describe('select', () => {
  let snapshot: Snapshot;
  let table: Table;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const countries = ['A', 'B', 'C', 'D'].map((country) => aRow('ggr', { country }));
    ({ snapshot, close } = await anOpenSnapshot({ ggr: countries }));
    table = tableOf(snapshot, 'ggr');
  });
  afterAll(() => close());

  const some: Statement = {
    text: 'SELECT position FROM ggr WHERE country IN ($1, $2)',
    values: [1, 3],
    types: ['UTINYINT', 'UTINYINT'],
    conditions: [],
  };

  it('gives the positions of all rows selected', async () => {
    await expect(selector().select(snapshot, table, some)).resolves.toEqual({
      rows: 2,
      positions: Uint32Array.of(1, 3),
    });
  });

  it('puts positions in order, should the engine ever not', async () => {
    const backwards = plain('SELECT position FROM ggr ORDER BY position DESC');
    await expect(selector().select(snapshot, table, backwards)).resolves.toEqual({
      rows: 4,
      positions: Uint32Array.of(0, 1, 2, 3),
    });
  });

  it('observes whether a page came from a scan, from the engine or from an earlier selection', async () => {
    const paths: string[] = [];
    const observe: Observe = (one) => one.event === 'rows selected' && paths.push(one.path);
    const measured = measuredCaches(CACHES);
    const [scanning, engine] = [1000, 0].map((scannedRows) =>
      createSelector({ ...LONG_DEADLINE, scannedRows }, measured.caches, observe),
    );
    const filter = compile({ filters: new Map([['country', ['B', 'D']]]), period: null }, table);
    for (const one of [scanning, engine, engine])
      await one?.page(snapshot, table, filter, { after: -1, limitRows: 1 });
    // A page of all rows needs neither the scan nor the engine.
    await engine?.page(snapshot, table, 'everything', { after: -1, limitRows: 1 });
    expect(paths).toEqual(['scan', 'engine', 'known', 'known']);
    // Each page reads the cache once.
    expect(measured.cacheFigures().get('selections')).toMatchObject({ hits: 1, misses: 1 });
  });

  it('reads a selection of many chunks', async () => {
    const many = plain('SELECT range::INTEGER AS position FROM range(100000)');
    const { rows, positions } = await selector().select(snapshot, table, many);
    expect(rows).toBe(100_000);
    expect(positions).toEqual(Uint32Array.from({ length: 100_000 }, (_, i) => i));
  });

  it('finds all rows, or none, without the engine', async () => {
    const idle = selector({ permits: 0, maxWaiting: 0 });
    await expect(idle.select(snapshot, table, 'everything')).resolves.toEqual({ rows: 4, positions: null });
    await expect(idle.select(snapshot, table, 'nothing')).resolves.toMatchObject({ rows: 0 });
  });

  it('runs the engine once for repeated and concurrent selections', async () => {
    const counted = selector({ permits: 1, maxWaiting: 0 });
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => counted.select(snapshot, table, some)),
    );
    expect(new Set(answers).size).toBe(1);
    await expect(counted.select(snapshot, table, some)).resolves.toBe(answers[0]);
  });

  it('distinguishes questions by their values', async () => {
    const one = selector();
    await one.select(snapshot, table, some);
    const other = await one.select(snapshot, table, { ...some, values: [0, 2] });
    expect(other.positions).toEqual(Uint32Array.of(0, 2));
  });

  it('stops a statement at the deadline, and its connection goes on working', async () => {
    const hasty = selector({ deadlineMs: 150, permits: 1, maxWaiting: 1 });
    await expect(hasty.select(snapshot, table, slow())).rejects.toEqual(UNAVAILABLE);
    // On a busy machine any question may take longer than that deadline.
    await expect(selector().select(snapshot, table, some)).resolves.toMatchObject({ rows: 2 });
  });

  it('counts the time in the queue', async () => {
    const hasty = selector({ deadlineMs: 200, permits: 1, maxWaiting: 299 });
    const startMs = performance.now();
    const questions = Array.from({ length: 300 }, (_, n) => hasty.select(snapshot, table, slow(n)));
    const outcomes = await Promise.allSettled(questions);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(300).fill('rejected'));
    // If each ran until a deadline of its own, they would take a minute together.
    expect(performance.now() - startMs).toBeLessThan(50_000);
  });

  it('runs and queues as many statements as it is made for, and refuses the rest at once', async () => {
    const full = selector({ deadlineMs: 300, permits: 2, maxWaiting: 3 });
    const accepted = [1, 2, 3, 4, 5].map((n) => full.select(snapshot, table, slow(n)));
    const settled = Promise.allSettled(accepted).then(() => 'settled');
    const refused = full.select(snapshot, table, slow(6)).catch((error) => error);
    await expect(Promise.race([refused, settled])).resolves.toEqual(UNAVAILABLE);
    await settled;
    // On a busy machine stopping the statements may take longer than that deadline.
    await expect(retryThrown(() => full.select(snapshot, table, some))).resolves.toMatchObject({ rows: 2 });
  });

  it('stops when the last caller has left, not before', async () => {
    const one = selector({ deadlineMs: 20_000, permits: 1, maxWaiting: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [first, second].map(({ signal }) => one.select(snapshot, table, slow(), signal));
    const outcomes = Promise.allSettled(asked);
    first.abort();
    await expect(asked[0]).rejects.toEqual(UNAVAILABLE);
    const next = one.select(snapshot, table, some);
    await expect(Promise.race([next, sleep(100).then(() => 'waiting')])).resolves.toBe('waiting');
    second.abort();
    await expect(next).resolves.toMatchObject({ rows: 2 });
    await outcomes;
  });

  it('starts a new run for a caller that comes after the others have left', async () => {
    const one = selector({ deadlineMs: 300, permits: 1, maxWaiting: 2 });
    const leaver = new AbortController();
    const left = one.select(snapshot, table, slow(), leaver.signal);
    leaver.abort();
    const startMs = performance.now();
    await expect(left).rejects.toEqual(UNAVAILABLE);
    await expect(one.select(snapshot, table, slow())).rejects.toEqual(UNAVAILABLE);
    expect(performance.now() - startMs).toBeGreaterThan(250);
  });

  it('throws the error of a statement, and goes on', async () => {
    const one = selector({ permits: 1, maxWaiting: 1 });
    await expect(one.select(snapshot, table, plain('SELECT nothing FROM ggr'))).rejects.toThrow(/nothing/);
    await expect(one.select(snapshot, table, some)).resolves.toMatchObject({ rows: 2 });
  });

  itInDepth('prepares more statements than it keeps, and prepares evicted ones again', async () => {
    const { connections } = snapshot;
    // Selections are not cached, so each question reaches the one connection.
    const one = selector({ permits: 1, maxWaiting: 1, cacheBytes: 0 });
    const narrow = { ...snapshot, connections: connections.slice(0, 1) };
    for (let n = 0; n < 600; n++) {
      const numbered = plain(`SELECT position FROM ggr WHERE position = ${n % 4} AND ${n % 300} >= 0`);
      const { positions } = await one.select(narrow, table, numbered);
      expect(positions).toEqual(Uint32Array.of(n % 4));
    }
  });

  it('answers more statements at a time than the snapshot has connections', async () => {
    const many = selector({ permits: 50, maxWaiting: 0 });
    const asked = Array.from({ length: 50 }, (_, n) =>
      many.select(
        snapshot,
        table,
        plain(`SELECT position FROM ggr WHERE position = ${n % 4} AND ${n} = ${n}`),
      ),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ positions }) => positions?.[0])).toEqual(asked.map((_, n) => n % 4));
  });

  it.each([
    ['UTINYINT', 'UTINYINT'],
    ['USMALLINT', 'USMALLINT'],
    ['UINTEGER', 'UINTEGER'],
  ] as const)('binds a code as %s in that very type', async (type, name) => {
    const text = `SELECT position FROM ggr WHERE position = $1 AND typeof($1) = '${name}'`;
    const statement: Statement = { text, values: [2], types: [type], conditions: [] };
    const { positions } = await selector().select(snapshot, table, statement);
    expect(positions).toEqual(Uint32Array.of(2));
  });

  it('leaves a snapshot that is closed while a statement runs whole until it has stopped', async () => {
    const other = await anOpenSnapshot();
    const stop = new AbortController();
    const release = other.snapshot.acquire();
    const asked = selector().select(other.snapshot, table, slow(), stop.signal);
    release();
    await other.close();
    expect(other.snapshot.inUse()).toBe(true);
    stop.abort();
    await expect(asked).rejects.toEqual(UNAVAILABLE);
    while (other.snapshot.inUse()) await sleep(10);
  });
});
