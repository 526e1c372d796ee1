// Three servers behind HAProxy follow a store. Under 200 requests a second, the store hangs, disappears and returns.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { killedAfter } from '../support/killedCommand.ts';
import { aMonth, csvOf } from '../support/month.ts';
import { notTried } from '../support/notTried.ts';
import { aDataDir, aRow } from '../support/snapshot.ts';
import { startLoad } from '../support/steadyLoad.ts';
import {
  failuresOf,
  figuresOf,
  issueKey,
  missingPrograms,
  type ProxiedServers,
  startProxiedServers,
} from './proxiedServers.ts';
import { startSentinels } from './sentinel.ts';
import { missingGateway, startGateway } from './versitygw.ts';

const missing = missingGateway() ?? missingPrograms().map((program) => `${program} is not installed`)[0];
if (missing !== undefined) notTried(missing);
const long = missing === undefined ? it : it.skip;

const PER_SECOND = Number(process.env.PER_SECOND ?? 200);

long(
  'serves on while the store hangs or is away, also after a restart, and takes up the next month when it is back',
  async () => {
    const [gateway, redis] = await Promise.all([startGateway(), startSentinels()]);
    const machine = await aMonth();
    const dataDirs = await Promise.all([aDataDir(), aDataDir(), aDataDir()]);
    const store = {
      ...gateway.settings,
      SNAPSHOT_STORE: 's3://snapshots/away',
      SNAPSHOT_POLL_SECONDS: '1',
    };
    const publish = async (ggr: number) => {
      await machine.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr })]) });
      const args = ['publish', machine.directory, '--month', '2026-11'];
      return await killedAfter(machine.dataDir, args, 120_000, store);
    };
    let site: ProxiedServers | null = null;
    try {
      expect(await publish(100)).toMatchObject({ code: 0 });
      site = await startProxiedServers({
        dataDir: dataDirs.map(({ dataDir }) => dataDir),
        redisUrl: redis.url,
        settings: store,
      });
      const { key } = await issueKey(redis.client, 1_000_000);
      const url = `${site.url}/v1/financials?metric=ggr`;
      const pinned = startLoad(url, { 'x-api-key': key, 'x-snapshot': '2026-11.1' }, PER_SECOND);
      const current = startLoop(() => askOnce(url, key));
      try {
        await everyServer(site, { id: '2026-11.1', store: 'up' });
        gateway.hang();
        await everyServer(site, { id: '2026-11.1', store: 'down' });
        await gateway.kill();
        expect(await publish(100.1)).toMatchObject({
          code: 1,
          output: expect.stringContaining('does not answer'),
        });
        for (const server of site.servers) await site.restart(server);
        await everyServer(site, { id: '2026-11.1', store: 'down' });
        await gateway.start();
        await everyServer(site, { id: '2026-11.1', store: 'up' });
        expect(await publish(100.2)).toMatchObject({ code: 0 });
        await everyServer(site, { id: '2026-11.2', store: 'up' });
        await sleep(1000);
      } finally {
        await Promise.all([pinned.stop(), current.stop()]);
      }
      process.stderr.write(`store away: ${figuresOf(pinned)}; ${site.tooSlow()} × Redis too slow\n`);
      expect(pinned.wrong).toEqual([]);
      expect(failuresOf(pinned, site)).toEqual([]);
      expect(pinned.asked).toBeGreaterThan(PER_SECOND * 5);
      expect(new Set(current.answers)).toEqual(new Set(['200 2026-11.1 100', '200 2026-11.2 100.2']));
      // While the servers switch one after the other, old and new answers may alternate. In the end, all are new.
      expect(current.answers.at(-1)).toBe('200 2026-11.2 100.2');
    } finally {
      await site?.close();
      await Promise.all([gateway.close(), redis.close(), machine.remove()]);
      await Promise.all(dataDirs.map(({ remove }) => remove()));
    }
  },
  600_000,
);

/** The answer of a server: its status, its snapshot, and the only figure in it. */
async function askOnce(url: string, key: string): Promise<string> {
  const answer = await fetch(url, { headers: { 'x-api-key': key } });
  const { data } = (await answer.json()) as { data?: readonly { values: { ggr: number } }[] };
  return `${answer.status} ${answer.headers.get('x-snapshot')} ${data?.[0]?.values.ggr}`;
}

/** Waits until every server is ready with this snapshot, and reports this state of the store. */
async function everyServer(site: ProxiedServers, { id, store }: { id: string; store: string }) {
  for (const server of site.servers) {
    let state = '';
    for (let attempts = 0; state !== `200 ${id} ${store}`; attempts++) {
      if (attempts > 600) throw new Error(`${server} says ${state} for a minute, not ${id} ${store}`);
      await sleep(100);
      const answer = await fetch(`${server}/readyz`);
      const ready = (await answer.json()) as { snapshot?: { id: string }; store?: string };
      state = `${answer.status} ${ready.snapshot?.id} ${ready.store}`;
    }
  }
}

/** Repeats `ask` until it is stopped. */
function startLoop(ask: () => Promise<string>) {
  const answers: string[] = [];
  let isDone = false;
  const looping = (async () => {
    while (!isDone) {
      answers.push(await ask().catch(String));
      await sleep(20);
    }
  })();
  return {
    answers,
    stop() {
      isDone = true;
      return looping;
    },
  };
}
