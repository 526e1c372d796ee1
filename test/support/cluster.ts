// Starts a real Redis Cluster of three masters on loopback: `const cluster = await startCluster()`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/freePort.ts';
import { openRedis, type RedisClient } from '../../src/access/redis/connection.ts';
import { redisProgram } from './redis.ts';

export interface Cluster {
  readonly client: RedisClient;
  /** What REDIS_URL has to be. */
  readonly url: string;
  readonly nodes: readonly ClusterNode[];
  close(): Promise<void>;
}

export interface ClusterNode {
  /** To this node alone. */
  readonly client: RedisClient;
  readonly port: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const SLOTS = 16_384;

export async function startCluster(): Promise<Cluster> {
  const nodes = await Promise.all([0, 1, 2].map(() => startNode()));
  const [first] = nodes;
  for (const [i, { client, port }] of nodes.entries()) {
    const from = Math.floor((i * SLOTS) / 3);
    const to = Math.floor(((i + 1) * SLOTS) / 3) - 1;
    await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    await first?.client.call('CLUSTER', 'MEET', '127.0.0.1', port);
  }
  for (const { client } of nodes) {
    while (!String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(50);
    while (!String(await client.call('CLUSTER', 'INFO')).includes('cluster_known_nodes:3')) await sleep(50);
  }
  const address = { nodes: nodes.map(at), cluster: true, tls: false, username: null, password: null, db: 0 };
  const opened = openRedis({ address, dataDir: '' });
  await opened.answers(10_000);
  return {
    client: opened.client,
    url: `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    async close() {
      await opened.close();
      for (const node of nodes) await node.close();
    },
  };
}

const at = ({ port }: { readonly port: number }) => ({ host: '127.0.0.1', port });

async function startNode(): Promise<ClusterNode> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cluster-'));
  const port = Number(await freePort());
  const run = () =>
    spawn(
      redisProgram(),
      [
        ...[
          '--port',
          String(port),
          '--bind',
          '127.0.0.1',
          '--dir',
          folder,
          '--save',
          '',
          '--appendonly',
          'yes',
        ],
        ...['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', '--loglevel', 'warning'],
        // What the others hold goes on being served.
        ...['--cluster-require-full-coverage', 'no'],
      ],
      { stdio: 'ignore' },
    );
  let child: ChildProcess = run();
  const address = {
    nodes: [at({ port })],
    cluster: false,
    tls: false,
    username: null,
    password: null,
    db: 0,
  };
  const opened = openRedis({ address, dataDir: '' });
  await opened.answers(10_000);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    client: opened.client,
    port,
    kill,
    async start() {
      child = run();
      // Attempts to connect fail until it listens.
      await new Promise((resolve) => opened.client.once('ready', resolve));
    },
    async close() {
      await opened.close();
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
