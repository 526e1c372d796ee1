// Runs a PostgreSQL with the same rows as a reference for the benchmarks, if it is installed.

import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { rowOrder } from '../src/catalog/datasets.ts';
import { literal, openDuckDb, parquetRows } from '../src/duckdb.ts';
import { dataDirOf } from './benchSnapshots.ts';

export interface Postgres {
  /** The folder of its socket, which clients use as the host. */
  readonly socketDir: string;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with the rows of `dataDirOf(rows)`; null when it is not installed. The rows are loaded once, and stay
 * in the temporary folder for later runs.
 *
 * The table has a unique index on the row order, an index on each dimension, and statistics.
 */
export async function startPostgres(rows: number): Promise<Postgres | null> {
  const programs = programsIn(['/usr/lib/postgresql', '/usr/pgsql'], process.env.PATH ?? '');
  if (programs === null) return null;
  const user = userThatIsNotRoot();
  const clusterFolder = path.join(os.tmpdir(), `data-api-bench-postgres-1-${rows}`);
  if (!existsSync(clusterFolder)) {
    const fresh = aFolder(user, 'data-api-bench-making-');
    await ended(
      path.join(programs, 'initdb'),
      ['-D', fresh, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale', 'C'],
      user,
    );
    const loading = await start(programs, fresh, user);
    await load(loading.socketDir, rows, user);
    await loading.stop();
    renameSync(fresh, clusterFolder);
  }
  return start(programs, clusterFolder, user);
}

/** The connection options of a client. */
export const connectionTo = (socketDir: string) => ({ host: socketDir, user: 'bench', database: 'postgres' });

type User = Pick<SpawnOptions, 'uid' | 'gid'>;

/** The folder with the programs of the newest PostgreSQL; null if none is installed. */
function programsIn(roots: readonly string[], searched: string): string | null {
  const versions = roots
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root).map((version) => path.join(root, version, 'bin')))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return (
    [...versions, ...searched.split(path.delimiter)].find((folder) =>
      existsSync(path.join(folder, 'initdb')),
    ) ?? null
  );
}

/** PostgreSQL refuses to run as root. If we are root, it runs as the user `nobody`. */
const NOBODY = 65534;
const userThatIsNotRoot = (): User => (process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {});

function aFolder({ uid, gid }: User, prefix: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), prefix));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

async function ended(program: string, args: readonly string[], user: User): Promise<void> {
  const child = spawn(program, args, { ...user, stdio: ['ignore', 'ignore', 'inherit'], cwd: os.tmpdir() });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** Settings for reading, for a machine with enough memory. */
const SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  random_page_cost: '1.1',
  work_mem: '64MB',
  maintenance_work_mem: '512MB',
  listen_addresses: '',
};

async function start(programs: string, dataFolder: string, user: User): Promise<Postgres> {
  const socketDir = aFolder(user, 'data-api-bench-socket-');
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socketDir });
  const args = ['-D', dataFolder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const child = spawn(path.join(programs, 'postgres'), args, { ...user, stdio: 'ignore', cwd: os.tmpdir() });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGQUIT');
  process.once('exit', kill);
  await answers(socketDir);
  return {
    socketDir,
    async stop() {
      child.kill('SIGINT');
      await exited;
      process.off('exit', kill);
      rmSync(socketDir, { recursive: true, force: true });
    },
  };
}

async function answers(socketDir: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client(connectionTo(socketDir));
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt >= 200) throw error;
      await sleep(100);
    }
  }
}

async function load(socketDir: string, rows: number, user: User): Promise<void> {
  const dimensions = rowOrder('ggr');
  const folder = aFolder(user, 'data-api-bench-rows-');
  const csv = path.join(folder, 'rows.csv');
  const { connections, close } = await openDuckDb();
  const source = parquetRows(path.join(await dataDirOf(rows), 'current', 'ggr.parquet'));
  const columns = [...dimensions, 'ggr'].join(', ');
  await connections[0].run(
    `COPY (SELECT ${columns} FROM ${source}) TO ${literal(csv)} (HEADER false, FORCE_QUOTE (state))`,
  );
  close();
  chmodSync(csv, 0o644);
  const client = new pg.Client(connectionTo(socketDir));
  await client.connect();
  const types = dimensions.map((name) => `${name} ${name === 'year' ? 'integer' : 'text'} NOT NULL`);
  await client.query(`CREATE TABLE ggr (${types.join(', ')}, ggr double precision)`);
  await client.query(`COPY ggr FROM ${literal(csv)} (FORMAT csv)`);
  await client.query(`CREATE UNIQUE INDEX ON ggr (${dimensions.join(', ')})`);
  for (const name of dimensions) await client.query(`CREATE INDEX ON ggr (${name})`);
  await client.query('VACUUM ANALYZE ggr');
  await client.end();
  rmSync(folder, { recursive: true });
}
