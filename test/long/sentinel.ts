// Starts a Redis master with a replica and three Sentinels on loopback: `const redis = await startSentinels()`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRedis, type RedisClient } from '../../src/access/redis/connection.ts';
import { parseRedisAddress } from '../../src/access/redis/redisAddress.ts';
import { freePort } from '../support/freePort.ts';
import { redisProgram } from '../support/redis.ts';
import { removeFolder } from '../support/removeFolder.ts';

export interface Sentinels {
  /** The value for REDIS_URL. */
  readonly url: string;
  /** A client of the master, like that of the server. */
  readonly client: RedisClient;
  /** Kills the master as `kill -9` does. The Sentinels promote the replica. */
  killMaster(): Promise<void>;
  close(): Promise<void>;
}

/** A master without an answer for this long counts as gone. */
const DOWN_AFTER_MS = 1000;

/** Starts the five processes. Resolves when the replica follows the master and the first Sentinel knows all of them. */
export async function startSentinels(): Promise<Sentinels> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sentinel-'));
  const [master = '', replica = '', ...sentinels] = await Promise.all(Array.from({ length: 5 }, freePort));
  const children: ChildProcess[] = [];
  const start = async (port: string, text: string, ...more: readonly string[]) => {
    const file = path.join(folder, `${port}.conf`);
    await writeFile(file, `port ${port}\nbind 127.0.0.1\ndir ${folder}\nloglevel warning\n${text}\n`);
    const child = spawn(redisProgram(), [file, ...more], { stdio: 'ignore' });
    children.push(child);
    return child;
  };
  const first = await start(master, 'save ""\nappendonly no');
  await start(replica, `save ""\nappendonly no\nreplicaof 127.0.0.1 ${master}`);
  for (const port of sentinels)
    await start(
      port,
      [
        `sentinel monitor mymaster 127.0.0.1 ${master} 2`,
        `sentinel down-after-milliseconds mymaster ${DOWN_AFTER_MS}`,
        'sentinel failover-timeout mymaster 5000',
      ].join('\n'),
      '--sentinel',
    );
  const url = `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/mymaster`;
  const opened = openRedis({ address: parseRedisAddress(url) ?? null, dataDir: folder });
  await opened.untilAnswered(20_000);
  const { client } = opened;
  while (!String(await client.info('replication')).includes('state=online')) await sleep(100);
  while (!(await knowsAll(sentinels[0] ?? ''))) await sleep(200);
  return {
    url,
    client,
    async killMaster() {
      const ended = once(first, 'exit');
      first.kill('SIGKILL');
      await ended;
    },
    async close() {
      await opened.close();
      for (const child of children.filter(
        ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
      )) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await removeFolder(folder);
    },
  };
}

/** Whether the Sentinel at a port knows the replica and both other Sentinels. */
async function knowsAll(port: string): Promise<boolean> {
  const at = openRedis({ address: parseRedisAddress(`redis://127.0.0.1:${port}`) ?? null, dataDir: '' });
  await at.untilAnswered(60_000);
  const [[facts = []]] = [await at.client.call('SENTINEL', 'MASTERS')] as unknown as [string[][]];
  await at.close();
  const factOf = (name: string) => facts[facts.indexOf(name) + 1];
  return factOf('num-slaves') === '1' && factOf('num-other-sentinels') === '2';
}
