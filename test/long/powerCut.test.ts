// Cuts the power at random moments of publish, push, rollback, prune and serve, on a disk that loses unsynced writes.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomOf } from '../../bench/seededRandom.ts';
import { verify } from '../../ingest/store/verify.ts';
import { currentId, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { flushToDisk } from '../../src/system/flushToDisk.ts';
import { freePort } from '../support/freePort.ts';
import { killedAfter, killedAt, wrongIn } from '../support/killedCommand.ts';
import { aMonth, csvOf, type Month } from '../support/month.ts';
import { notTried } from '../support/notTried.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { ingestCommand } from '../support/runInProcess.ts';
import { SEED } from '../support/seed.ts';
import { spawnServer } from '../support/serverProcess.ts';
import { wrongInStore } from '../support/sharedStoreWorld.ts';
import { aRow } from '../support/snapshot.ts';
import { CUT_MODES, type Disk, missingDisk, startDisk } from './powerCut/disk.ts';

const missing = missingDisk();
if (missing !== null) notTried(missing);
const long = missing === null ? it : it.skip;

/** Each run draws other moments. CUTS=1000 makes a longer run. */
const CUTS = Number(process.env.CUTS ?? 100);
const draw = randomOf(SEED);
/** A directory with few snapshots is checked faster, so a machine is replaced after some cuts. */
const CUTS_PER_MACHINE = 10;

let disk: Disk;
/** The store is on another machine, whose power stays on. */
let store: TestStore;
let redis: TestRedis;
let month: Month;
let round = 0;
beforeAll(async () => {
  if (missing !== null) return;
  [disk, store, redis, month] = await Promise.all([startDisk(), startStore(), startRedis(), aMonth()]);
}, 600_000);
afterAll(async () => {
  if (missing !== null) return;
  await Promise.all([disk.close(), store.close(), redis.close(), month.remove()]);
});

const revise = () => month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 + ++round / 1000 })]) });
const publishArgs = () => ['publish', month.directory, '--month', '2026-11'];

/** The commands that run when the power is cut. Most are publications. */
const COMMANDS: readonly (readonly [name: string, args: () => readonly string[]])[] = [
  ['publish', publishArgs],
  ['publish', publishArgs],
  ['publish', publishArgs],
  ['rollback', () => ['rollback']],
  ['prune', () => ['prune', '--keep', '2']],
];

long('loses what was not synced, and nothing else, or the tests below prove nothing', async () => {
  const folder = path.join(disk.folder, 'probe');
  await mkdir(folder);
  await writeFile(path.join(folder, 'synced'), 'synced', { flush: true });
  await flushToDisk(folder);
  await flushToDisk(disk.folder);
  await writeFile(path.join(folder, 'synced'), 'not synced');
  await writeFile(path.join(folder, 'not synced'), '');
  await disk.cut('synced', SEED);
  expect(await readdir(folder)).toEqual(['synced']);
  expect(await readFile(path.join(folder, 'synced'), 'utf8')).toBe('synced');
});

long(
  `leaves a whole current snapshot and history after ${CUTS} power cuts, and everything that a command had finished`,
  async () => {
    const lastMs: Record<string, number> = {};
    const counts: Record<string, number> = {};
    let machine = { publisher: '', follower: '', settings: {}, prefix: '' };
    for (let cut = 0; cut < CUTS; cut++) {
      // Every other machine has a store.
      if (cut % CUTS_PER_MACHINE === 0)
        machine = await aMachine(String(cut), (cut / CUTS_PER_MACHINE) % 2 === 0);
      const { publisher, follower, settings, prefix } = machine;
      const [name, args] = COMMANDS[cut % COMMANDS.length] ?? ['', publishArgs];
      const mode = CUT_MODES[cut % CUT_MODES.length] ?? 'synced';
      const before = await currentId(publisher);
      await revise();
      const server = spawnServer({
        ...settings,
        DATA_DIR: prefix === '' ? publisher : follower,
        PORT: await freePort(),
        REDIS_URL: redis.url,
        SNAPSHOT_POLL_SECONDS: '1',
      });
      const cutMs = (lastMs[name] ?? 2000) * (0.2 + 1.1 * draw());
      const begunMs = performance.now();
      const ended = killedAfter(publisher, args(), cutMs, settings).then((result) => {
        // A cut may also come later than the last command took, because the next one may be slower.
        lastMs[name] =
          result.signal === null ? performance.now() - begunMs : Math.max(lastMs[name] ?? 2000, cutMs);
        return result;
      });
      await sleep(cutMs);
      const { code, signal, output } = await ended;
      server.child.kill('SIGKILL');
      await server.ended;
      const lost = await disk.cut(mode, SEED + cut);
      const what = `cut ${cut} (${mode}) of ${name}, ended with ${code ?? signal}, lost ${lost}`;
      expect([code ?? 0, what, output]).toEqual([0, what, output]);
      counts[`${name} ${signal === null ? 'done' : 'cut'}`] =
        (counts[`${name} ${signal === null ? 'done' : 'cut'}`] ?? 0) + 1;
      // Work that the command has reported as done must survive.
      if (signal === null && name !== 'prune')
        expect([what, (await currentId(publisher)) === before]).toEqual([what, false]);
      const wrong = prefix === '' ? await wrongIn(publisher) : await wrongInStore(publisher, opened(prefix));
      for (const id of await snapshotIds(follower))
        wrong.push(...(await verify(follower, id)).map(({ file, message }) => `${id}/${file}: ${message}`));
      const served = await currentId(follower);
      if (served !== null && !(await snapshotIds(follower)).includes(served))
        wrong.push(`the server has ${served} as current, which is not there`);
      expect([what, wrong]).toEqual([what, []]);
      await revise();
      expect([what, await ingestCommand(publisher, publishArgs(), settings)]).toEqual([
        what,
        expect.objectContaining({ code: 0 }),
      ]);
      if (cut % 10 === 9 || cut === CUTS - 1)
        process.stderr.write(`${cut + 1} power cuts: ${JSON.stringify(counts)}\n`);
    }
    // If every cut came after its command, this test would prove nothing.
    const cuts = Object.entries(counts).map(([what, count]) => (what.endsWith('cut') ? count : 0));
    expect(cuts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(CUTS / 4);
  },
  3_600_000,
);

const EACH = CUT_MODES.flatMap((mode) =>
  [...new Map(COMMANDS)].map(([name, args]) => [mode, name, args] as const),
);

long.each(EACH)(
  'leaves everything whole when the power is cut before each change of the disk (%s, %s)',
  async (mode, name, args) => {
    const failures: string[] = [];
    const { publisher } = await aMachine(`${mode}-${name}`, false);
    for (let change = 1; ; change++) {
      await revise();
      const { signal, code } = await killedAt(publisher, args(), ['', '', change]);
      const lost = await disk.cut(mode, SEED + change);
      const wrong = await wrongIn(publisher);
      if (wrong.length > 0) failures.push(`change ${change}, lost ${lost}: ${wrong}`);
      if (signal === null) {
        expect([name, code]).toEqual([name, 0]);
        expect(change).toBeGreaterThan(8);
        break;
      }
      // Rollback and prune need several snapshots.
      for (let i = 0; name !== 'publish' && i < 2; i++) {
        await revise();
        expect(await ingestCommand(publisher, publishArgs())).toMatchObject({ code: 0 });
      }
    }
    expect(failures).toEqual([]);
  },
  1_200_000,
);

const opened = (prefix: string) =>
  new ObjectStore(
    { bucket: 'snapshots', prefix: `${prefix}/` },
    { AWS_ENDPOINT_URL: store.endpoint, ...STORE_LOGIN },
  );

/** Makes data directories for a publisher and a server, with two published months. */
async function aMachine(name: string, hasStore: boolean) {
  const [publisher, follower] = ['publisher', 'follower'].map((one) =>
    path.join(disk.folder, `${one}-${name}`),
  );
  const prefix = hasStore ? `machine-${name}` : '';
  const settings = hasStore
    ? { SNAPSHOT_STORE: `s3://snapshots/${prefix}`, AWS_ENDPOINT_URL_S3: store.endpoint, ...STORE_LOGIN }
    : {};
  for (const folder of [publisher ?? '', follower ?? '']) await mkdir(folder);
  await flushToDisk(disk.folder);
  for (let i = 0; i < 2; i++) {
    await revise();
    expect(await ingestCommand(publisher ?? '', publishArgs(), settings)).toMatchObject({ code: 0 });
  }
  return { publisher: publisher ?? '', follower: follower ?? '', settings, prefix };
}
