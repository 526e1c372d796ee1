// Kills publish, rollback and prune before each change of the disk and at random moments. The data stays complete.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomOf } from '../../bench/seededRandom.ts';
import { prune } from '../../ingest/store/prune.ts';
import { rollback } from '../../ingest/store/rollback.ts';
import { currentId, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { readHistory } from '../../src/catalog/readHistory.ts';
import { type KilledCommand, killedAfter, killedAt, wrongIn } from '../support/killedCommand.ts';
import { aMonth, csvOf, type Month } from '../support/month.ts';
import { SEED } from '../support/seed.ts';
import { aRow, publishRows } from '../support/snapshot.ts';

let month: Month;
let round = 0;
const draw = randomOf(SEED);
beforeAll(async () => {
  month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 })]) });
  await month.publish();
});
afterAll(() => month.remove());

interface Command {
  /** Prepares the work of the command. */
  readonly prepare: () => Promise<unknown>;
  readonly args: () => readonly string[];
}

const COMMANDS: Readonly<Record<string, Command>> = {
  publish: {
    prepare: () => month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 + ++round / 1000 })]) }),
    args: () => ['publish', month.directory, '--month', '2026-11'],
  },
  rollback: {
    prepare: async () => {
      await publishRows(month.dataDir, `2026-12.${++round}`);
      await rollback(month.dataDir, (await snapshotIds(month.dataDir)).at(-1), { at: new Date(0) });
    },
    args: () => ['rollback'],
  },
  prune: {
    prepare: async () => {
      for (let i = 0; i < 3; i++) await publishRows(month.dataDir, `2026-12.${++round}`);
    },
    args: () => ['prune', '--keep', '2'],
  },
};

/** Prepares, runs and checks. Gives how the command ended. */
async function once(
  { prepare, args }: Command,
  run: (args: readonly string[]) => Promise<KilledCommand>,
): Promise<KilledCommand> {
  // Every check reads all snapshots, so old ones are removed.
  await prune({ dataDir: month.dataDir, keep: 3, dryRun: false, at: new Date(0) });
  await prepare();
  const ended = await run(args());
  expect(await wrongIn(month.dataDir)).toEqual([]);
  expect(await misrecorded()).toEqual([]);
  return ended;
}

/** The snapshots that exist although the history says that they were pruned, or the reverse, and a wrong current one. */
async function misrecorded(): Promise<string[]> {
  const there = await snapshotIds(month.dataDir);
  const events = await readHistory(month.dataDir);
  const idsOf = (wanted: string) => events.flatMap(({ event, id }) => (event === wanted ? [id] : []));
  const pruned = idsOf('pruned');
  const wrong = idsOf('published').filter((id) => there.includes(id) === pruned.includes(id));
  const last = events.filter(({ event }) => event !== 'pruned').at(-1)?.id;
  return last === (await currentId(month.dataDir)) ? wrong : [...wrong, `current is not ${last}`];
}

describe.each(Object.entries(COMMANDS))('%s', (name, command) => {
  it('leaves everything whole when killed before each change of the disk', async () => {
    for (let change = 1; ; change++) {
      const { signal, code } = await once(command, (args) => killedAt(month.dataDir, args, ['', '', change]));
      if (signal === null) {
        expect(code).toBe(0);
        expect(change).toBeGreaterThan(8);
        return;
      }
    }
  }, 600_000);

  const rounds = name === 'publish' ? 100 : 50;
  it(`leaves everything whole when killed at ${rounds} random moments`, async () => {
    let wholeMs = 0;
    const { code } = await once(command, async (args) => {
      const begun = performance.now();
      const ended = await killedAfter(month.dataDir, args, 600_000);
      wholeMs = performance.now() - begun;
      return ended;
    });
    expect(code).toBe(0);
    let killed = 0;
    for (let i = 0; i < rounds; i++) {
      const { signal } = await once(command, (args) => killedAfter(month.dataDir, args, draw() * wholeMs));
      if (signal === 'SIGKILL') killed += 1;
    }
    process.stderr.write(`${name}: ${killed} of ${rounds} were killed\n`);
    expect(killed).toBeGreaterThan(rounds / 4);
    await command.prepare();
    expect((await killedAfter(month.dataDir, command.args(), 600_000)).code).toBe(0);
  }, 1_200_000);
});
