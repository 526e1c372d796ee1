// Starts a real Redis Cluster of three masters on loopback, with or without replicas: `await startCluster()`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRedis, type RedisClient } from '../../src/access/redis/connection.ts';
import { freePort } from './freePort.ts';
import { redisProgram } from './redis.ts';
import { removeFolder } from './removeFolder.ts';

export interface Cluster {
  readonly client: RedisClient;
  /** The value for REDIS_URL. */
  readonly url: string;
  /** The masters. */
  readonly nodes: readonly ClusterNode[];
  /** The replica of each master, in the same order; empty without replicas. */
  readonly replicas: readonly ClusterNode[];
  close(): Promise<void>;
}

export interface ClusterNode {
  /** A client of this node alone. */
  readonly client: RedisClient;
  readonly port: number;
  /** The port on which the nodes talk to each other. */
  readonly busPort: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const SLOTS = 16_384;

/** A node without an answer for this long counts as gone, and its replica asks to be promoted. */
const NODE_TIMEOUT_MS = 1000;

/** Starts the nodes and joins them. Waits until the cluster serves all slots. */
export async function startCluster({ hasReplicas = false } = {}): Promise<Cluster> {
  const starting = await Promise.allSettled(Array.from({ length: hasReplicas ? 6 : 3 }, () => startNode()));
  const started = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = starting.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    for (const node of started) await node.close();
    throw failed.reason;
  }
  const [nodes, replicas] = [started.slice(0, 3), started.slice(3)];
  const [first] = nodes;
  for (const [i, { client, port, busPort }] of nodes.entries()) {
    const from = Math.floor((i * SLOTS) / 3);
    const to = Math.floor(((i + 1) * SLOTS) / 3) - 1;
    await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    await first?.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  }
  for (const { port, busPort } of replicas)
    await first?.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  for (const { client } of started) {
    const says = async (text: string) => String(await client.call('CLUSTER', 'INFO')).includes(text);
    while (!(await says('cluster_state:ok')) || !(await says(`cluster_known_nodes:${started.length}`)))
      await sleep(50);
  }
  for (const [i, { client }] of replicas.entries())
    await client.call('CLUSTER', 'REPLICATE', String(await nodes[i]?.client.call('CLUSTER', 'MYID')));
  for (const [i, { client }] of replicas.entries()) {
    while (!(await client.info('replication')).includes('master_link_status:up')) await sleep(50);
    while (!(await nodes[i]?.client.info('replication'))?.includes('state=online')) await sleep(50);
  }
  const address = { ...NO_LOGIN, nodes: nodes.map(at), cluster: true };
  const opened = openRedis({ address, dataDir: '' });
  await opened.untilAnswered(60_000);
  return {
    client: opened.client,
    url: `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    replicas,
    async close() {
      await opened.close();
      for (const node of started) await node.close();
    },
  };
}

export const NO_LOGIN = { tls: false, username: null, password: null, db: 0 } as const;

const at = ({ port }: { readonly port: number }) => ({ host: '127.0.0.1', port });

async function startNode(): Promise<ClusterNode> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cluster-'));
  const port = Number(await freePort());
  // By default, the bus port is `port` + 10,000, which a connection of another program may use.
  const busPort = Number(await freePort());
  const options = {
    port,
    'cluster-port': busPort,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'yes',
    'cluster-enabled': 'yes',
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    loglevel: 'warning',
    // While a master is down, the other masters still serve their keys.
    'cluster-require-full-coverage': 'no',
    'repl-diskless-sync-delay': 0,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const run = () => spawn(redisProgram(), words, { stdio: 'ignore' });
  let child: ChildProcess = run();
  const address = { ...NO_LOGIN, nodes: [at({ port })], cluster: false };
  const opened = openRedis({ address, dataDir: '' });
  const isOver = once(child, 'exit').then(([code]) => {
    throw new Error(`a node of the cluster ended with ${code} before it answered`);
  });
  await Promise.race([opened.untilAnswered(60_000), isOver]).catch(async (error) => {
    await opened.close();
    throw error;
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    client: opened.client,
    port,
    busPort,
    kill,
    async start() {
      child = run();
      // The client repeats its attempts to connect until the node listens.
      await new Promise((resolve) => opened.client.once('ready', resolve));
    },
    async close() {
      await opened.close();
      await kill();
      await removeFolder(folder);
    },
  };
}
