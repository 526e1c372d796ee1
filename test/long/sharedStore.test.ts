// A store of a real S3 server, shared by machines that publish, roll back, follow and are killed.

import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { pythonWith } from '../../bench/python.ts';
import { randomOf } from '../../bench/seededRandom.ts';
import { verify } from '../../ingest/store/verify.ts';
import { keysOf } from '../../src/access/keys/keys.ts';
import { currentId } from '../../src/catalog/dataDirectory.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { readSharedState } from '../../src/store/sharedState.ts';
import { blocksOf } from '../support/documents.ts';
import { freePort } from '../support/freePort.ts';
import { killedAfter } from '../support/killedCommand.ts';
import { aMonth, csvOf, type Month } from '../support/month.ts';
import { notTried } from '../support/notTried.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { SEED } from '../support/seed.ts';
import { type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import { wrongInStore } from '../support/sharedStoreWorld.ts';
import { aDataDir, aRow } from '../support/snapshot.ts';
import { type Gateway, missingGateway, startGateway } from './versitygw.ts';

const missing = missingGateway();
if (missing !== null) notTried(missing);
const long = missing === null ? it : it.skip;

/** Each run draws other moments. KILLS=1000 and RACES=100 make a longer run. */
const KILLS = Number(process.env.KILLS ?? 100);
const RACES = Number(process.env.RACES ?? 20);

let gateway: Gateway;
/** The servers share this Redis, because a killed server would leave a private one behind. */
let redis: TestRedis;
let made: Month[] = [];
let round = 0;
const draw = randomOf(SEED);
beforeAll(async () => {
  if (missing === null) [gateway, redis] = await Promise.all([startGateway(), startRedis()]);
}, 600_000);
afterEach(async () => {
  await Promise.all(made.map((machine) => machine.remove()));
  made = [];
});
afterAll(async () => {
  if (missing === null) await Promise.all([gateway.close(), redis.close()]);
});

/** Makes a machine with a data directory of its own. */
async function aMachine(): Promise<Month> {
  const machine = await aMonth();
  made.push(machine);
  return machine;
}

const settingsOf = (prefix: string) => ({
  ...gateway.settings,
  SNAPSHOT_STORE: `s3://snapshots/${prefix}`,
  SNAPSHOT_POLL_SECONDS: '1',
  REDIS_URL: redis.url,
});
const opened = (prefix: string) =>
  new ObjectStore({ bucket: 'snapshots', prefix: `${prefix}/` }, gateway.settings);

const revise = (machine: Month) =>
  machine.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 + ++round / 1000 })]) });

const run = (machine: Month, prefix: string, args: readonly string[], killMs = 600_000) =>
  killedAfter(machine.dataDir, args, killMs, settingsOf(prefix));

const publish = (machine: Month, prefix: string, killMs?: number) =>
  run(machine, prefix, ['publish', machine.directory, '--month', '2026-11'], killMs);

async function serve(dataDir: string, prefix: string): Promise<ServerProcess & { readonly port: string }> {
  const port = await freePort();
  return Object.assign(spawnServer({ ...settingsOf(prefix), DATA_DIR: dataDir, PORT: port }), { port });
}

const readiness = (port: string) =>
  fetch(`http://127.0.0.1:${port}/readyz`)
    .then(async (answer) => JSON.parse(await answer.text()))
    .catch(() => ({}));

async function follows(port: string, id: string): Promise<void> {
  for (let turns = 0; (await readiness(port)).snapshot?.id !== id; turns++) {
    if (turns > 600) throw new Error(`${id} was not taken up within a minute`);
    await sleep(100);
  }
}

long(
  'publishes, rolls back and follows through a real store, which may go away',
  async () => {
    const [here, there] = await Promise.all([aMachine(), aDataDir()]);
    await revise(here);
    expect(await publish(here, 'one')).toMatchObject({ code: 0 });
    const server = await serve(there.dataDir, 'one');
    try {
      await follows(server.port, '2026-11.1');
      await revise(here);
      expect(await publish(here, 'one')).toMatchObject({ code: 0 });
      await follows(server.port, '2026-11.2');
      expect(await run(here, 'one', ['rollback'])).toMatchObject({ code: 0 });
      await follows(server.port, '2026-11.1');
      await gateway.kill();
      await revise(here);
      expect(await publish(here, 'one')).toMatchObject({
        code: 1,
        output: expect.stringContaining('does not answer'),
      });
      for (let turns = 0; (await readiness(server.port)).store !== 'down'; turns++) {
        if (turns > 300) throw new Error('the server does not say that the store is away');
        await sleep(100);
      }
      expect(await readiness(server.port)).toMatchObject({ status: 'ready', snapshot: { id: '2026-11.1' } });
      await gateway.start();
      expect(await publish(here, 'one')).toMatchObject({ code: 0 });
      await follows(server.port, '2026-11.3');
      expect(await wrongInStore(here.dataDir, opened('one'))).toEqual([]);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
      await gateway.start().catch(() => {});
      await there.remove();
    }
  },
  300_000,
);

long(
  'is read in place by DataFusion, with the program of docs/operations.md',
  async () => {
    const here = await aMachine();
    await here.write({
      'ggr.csv': csvOf('ggr', [
        aRow('ggr', { year: 2023, ggr: 1.5 }),
        aRow('ggr', { year: 2024, ggr: 2 }),
        aRow('ggr', { year: 2024, ggr: 3, product: 'Poker', category: 'Gaming' }),
        aRow('ggr', { year: 2024, ggr: 100, fx: 'USD' }),
      ]),
    });
    const { code, output } = await publish(here, 'analysts');
    expect([code, output]).toEqual([0, output]);
    const [program] = blocksOf('docs/operations.md', 'python');
    const python = await pythonWith('test/long/store.requirements.txt');
    if ('missing' in python) {
      notTried(python.missing);
      return;
    }
    const { stdout } = await promisify(execFile)(python.interpreter, ['-c', program?.text ?? ''], {
      env: {
        ...process.env,
        ...gateway.settings,
        BUCKET: 'snapshots',
        SNAPSHOT: 'analysts/snapshots/2026-11.1',
      },
    });
    expect(stdout.trim()).toBe("{'year': [2023, 2024], 'ggr': [1.5, 5.0]}");
  },
  600_000,
);

long(
  `of two publishers never both win, in ${RACES} races`,
  async () => {
    const machines = await Promise.all([aMachine(), aMachine()]);
    const [here, there] = machines;
    const store = opened('races');
    const lengths = { won: 0, lost: 0 };
    for (let race = 0; race < RACES; race++) {
      await Promise.all(machines.map(revise));
      const before = await readSharedState(store);
      const ended = await Promise.all([
        publish(here, 'races'),
        sleep(draw() * 500).then(() => publish(there, 'races')),
      ]);
      for (const { code, output } of ended)
        expect([[0, 6].includes(code ?? -1), output]).toEqual([true, output]);
      const after = await readSharedState(store);
      if (after === null) throw new Error('there is no state');
      const entries = before?.history.length ?? 0;
      const won = ended.filter(({ code }) => code === 0).length;
      lengths.won += won;
      lengths.lost += ended.length - won;
      expect(after.history.length - entries).toBe(won);
      expect(won).toBeGreaterThan(0);
    }
    process.stderr.write(`races: ${lengths.won} won, ${lengths.lost} lost\n`);
    for (const { dataDir } of machines) expect(await wrongInStore(dataDir, store)).toEqual([]);
    expect(await store.names('reserved')).toEqual([]);
  },
  1_200_000,
);

long(
  `leaves a whole current everywhere after kill -9 at ${KILLS} random moments`,
  async () => {
    let [publisher, there] = await Promise.all([aMachine(), aDataDir()]);
    const counts = { publisher: 0, server: 0, gateway: 0 };
    let prefix = '';
    let wholeMs = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      // A store with few snapshots is checked faster.
      if (kill % 20 === 0) {
        prefix = `kills-${kill}`;
        await there.remove();
        [publisher, there] = await Promise.all([aMachine(), aDataDir()]);
        await revise(publisher);
        const begunMs = performance.now();
        expect(await publish(publisher, prefix)).toMatchObject({ code: 0 });
        wholeMs = performance.now() - begunMs;
      }
      await revise(publisher);
      const server = await serve(there.dataDir, prefix);
      // Most moments lie in the second half, in which the store is written.
      const ended = publish(publisher, prefix, wholeMs * (0.4 + draw() * 0.8));
      await sleep(draw() * wholeMs);
      server.child.kill('SIGKILL');
      if (draw() < 0.2) {
        await gateway.kill();
        counts.gateway += 1;
        await gateway.start();
      }
      await server.ended;
      counts.server += 1;
      if ((await ended).signal === 'SIGKILL') counts.publisher += 1;
      expect(await wrongInStore(publisher.dataDir, opened(prefix))).toEqual([]);
      const current = await currentId(there.dataDir);
      if (current !== null) expect(await verify(there.dataDir, current)).toEqual([]);
      if (kill % 20 === 19 || kill === KILLS - 1)
        process.stderr.write(`${kill + 1} kills: ${JSON.stringify(counts)}\n`);
    }
    expect(counts.publisher).toBeGreaterThan(KILLS / 4);
    // Whatever a killed server has left, the next one serves the newest snapshot, and the key works.
    const server = await serve(there.dataDir, prefix);
    try {
      const state = await readSharedState(opened(prefix));
      if (state === null) throw new Error('there is no state');
      await follows(server.port, state.current);
      const { key } = await keysOf(redis.client).issue({ label: 'test', by: 'test' });
      const answer = await fetch(`http://127.0.0.1:${server.port}/v1/catalog`, {
        headers: { 'x-api-key': key },
      });
      expect([answer.status, answer.headers.get('x-snapshot')]).toEqual([200, state.current]);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
      await there.remove();
    }
  },
  3_600_000,
);
