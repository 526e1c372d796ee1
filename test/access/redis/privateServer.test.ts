// The private Redis of a data directory starts once, and ends with the last process that uses it.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type OpenRedis, openRedis } from '../../../src/access/redis/connection.ts';
import { ANNOUNCEMENT_BYTES, isListening } from '../../../src/access/redis/startLock.ts';
import { isDeep, itInDepth } from '../../support/depth.ts';
import { redisProgram } from '../../support/redis.ts';
import { aDataDir } from '../../support/snapshot.ts';

let dataDir: string;
let remove: () => Promise<void>;
let opened: OpenRedis[];
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
  opened = [];
});
afterEach(async () => {
  for (const redis of opened) await redis.close();
  // On a slow disk, Redis may end later than the closing process waits.
  while (await isListening(path.join(dataDir, 'redis', 'redis.sock'))) await sleep(20);
  await remove();
});

async function open(directory = dataDir): Promise<OpenRedis> {
  const redis = openRedis({ address: null, dataDir: directory });
  opened.push(redis);
  await redis.untilAnswered(60_000);
  return redis;
}

/** Opens the private Redis without waiting for it. `reasons` collects why it did not start. */
function openReporting(): { readonly redis: OpenRedis; readonly reasons: readonly string[] } {
  const reasons: string[] = [];
  const redis = openRedis({
    address: null,
    dataDir,
    observe: (one) => one.event === 'redis not started' && reasons.push(one.reason),
  });
  opened.push(redis);
  return { redis, reasons };
}

const info = async (redis: OpenRedis, field: string) =>
  new RegExp(`^${field}:(.*?)\r?$`, 'm').exec(await redis.client.info('server'))?.[1];

/** The id that Redis gives itself at each start. */
const serverOf = (redis: OpenRedis) => info(redis, 'run_id');

const settingOf = async (redis: OpenRedis, name: string) =>
  ((await redis.client.config('GET', name)) as string[])[1];

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/** Repeats `act` until Redis answers again. */
async function again<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let turns = 0; ; turns++) {
    try {
      return await act();
    } catch (error) {
      if (turns > 3000) throw error;
      await sleep(10);
    }
  }
}

describe('the private Redis of a data directory', () => {
  it('listens only on a socket, persists every write and never evicts', async () => {
    const redis = await open();
    expect(await settingOf(redis, 'port')).toBe('0');
    expect(await settingOf(redis, 'appendonly')).toBe('yes');
    expect(await settingOf(redis, 'maxmemory-policy')).toBe('noeviction');
    expect(await settingOf(redis, 'unixsocketperm')).toBe('700');
    expect(path.dirname((await settingOf(redis, 'unixsocket')) ?? '')).toBe(path.join(dataDir, 'redis'));
  });

  it('is a valkey-server where no redis-server is installed', async () => {
    const { stdout } = await promisify(execFile)('which', [redisProgram()]);
    const programs = path.join(dataDir, 'programs');
    await mkdir(programs);
    await symlink(stdout.trim(), path.join(programs, 'valkey-server'));
    const { PATH = '' } = process.env;
    process.env.PATH = programs;
    const redis = await open().finally(() => {
      process.env.PATH = PATH;
    });
    expect(path.basename((await info(redis, 'executable')) ?? '')).toBe('valkey-server');
  });

  it('is the same server for simultaneous and for later clients', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => open()));
    const servers = await Promise.all([...all, await open()].map(serverOf));
    expect(new Set(servers).size).toBe(1);
  });

  it('is the same server when the folder is named by another path', async () => {
    const link = path.join(dataDir, 'link');
    await symlink(dataDir, link);
    expect(await serverOf(await open(link))).toBe(await serverOf(await open()));
  });

  it('keeps running while any process is connected, and ends with the last one', async () => {
    const [first, second] = [await open(), await open()];
    const server = await serverOf(first);
    await first.close();
    expect(await serverOf(second)).toBe(server);
    await second.client.set('kept', 'yes');
    await second.close();
    const third = await open();
    expect(await serverOf(third)).not.toBe(server);
    expect(await third.client.get('kept')).toBe('yes');
  });

  it('runs in a process group of its own, so that Ctrl-C reaches only us', async () => {
    const process_id = (await info(await open(), 'process_id')) ?? '';
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pgid=', '-p', process_id]);
    expect(stdout.trim()).toBe(process_id);
  });

  it('is restarted after a kill, with all data, for all of its clients', async () => {
    const [first, second] = [await open(), await open()];
    await first.client.set('kept', 'yes');
    const server = await serverOf(first);
    process.kill(Number(await info(first, 'process_id')), 'SIGKILL');
    const startMs = performance.now();
    expect(await again(() => first.client.get('kept'))).toBe('yes');
    expect(await again(() => second.client.get('kept'))).toBe('yes');
    expect(performance.now() - startMs).toBeLessThan(isDeep ? 1500 : 60_000);
    expect(await serverOf(second)).toBe(await serverOf(first));
    expect(await serverOf(first)).not.toBe(server);
  });

  it('is not started a second time while it does not answer', async () => {
    const first = await open();
    const [server, process_id] = [await serverOf(first), Number(await info(first, 'process_id'))];
    process.kill(process_id, 'SIGSTOP');
    const second = open();
    await sleep(500);
    process.kill(process_id, 'SIGCONT');
    expect(await serverOf(await second)).toBe(server);
  });

  itInDepth('ends with its only client also while it does not answer', async () => {
    const redis = await open();
    const server = Number(await info(redis, 'process_id'));
    process.kill(server, 'SIGSTOP');
    await redis.close();
    while (isRunning(server)) await sleep(20);
  });

  it.each([0, 12, 120])(
    'has a socket that systems take, in a path %s bytes too long for one',
    async (bytes) => {
      // The folder has the longest path with which a socket still fits into the folder itself.
      const rest = 103 - ANNOUNCEMENT_BYTES - Buffer.byteLength(path.join(dataDir, '/redis/redis/'));
      const deep = path.join(dataDir, 'x'.repeat(Math.max(rest, 1) + bytes));
      await mkdir(deep);
      const redis = await open(deep);
      expect(Buffer.byteLength((await settingOf(redis, 'unixsocket')) ?? '')).toBeLessThan(104);
      expect(await settingOf(redis, 'dir')).toBe(path.join(deep, 'redis'));
      expect(await serverOf(await open(deep))).toBe(await serverOf(redis));
    },
  );

  it('that does not start is reported once with the last line of its log, and starts once it can', async () => {
    // A folder has the name of the socket.
    const taken = path.join(dataDir, 'redis', 'redis.sock');
    await mkdir(taken, { recursive: true });
    const reasons: string[] = [];
    const listeners = process.listenerCount('exit');
    const redis = openRedis({
      address: null,
      dataDir,
      observe: (one) => one.event === 'redis not started' && reasons.push(one.reason),
    });
    opened.push(redis);
    const log = path.join(dataDir, 'redis', 'redis.log');
    // Counts starts by their failures, because Valkey logs starts at a level that the product leaves out.
    const failures = async () =>
      (await readFile(log, 'utf8').catch(() => '')).split('Unix socket: ').length - 1;
    while ((await failures()) < 2) await sleep(20);
    expect(reasons).toEqual([
      expect.stringMatching(/^\S+ did not start: [^:]*Unix socket: .* \(.*redis\.log\)$/),
    ]);
    await rm(taken, { recursive: true });
    await redis.untilAnswered(60_000);
    await redis.close();
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  itInDepth(
    'that answered meanwhile is reported again when it does not start for the same reason',
    async () => {
      const programs = path.join(dataDir, 'programs');
      await mkdir(programs);
      const log = path.join(dataDir, 'redis', 'redis.log');
      const broken = `#!/bin/sh\n[ "$1" = --version ] && exec echo "Redis server v=7.2.4"\necho broken > '${log}'\n`;
      await writeFile(path.join(programs, 'redis-server'), broken, { mode: 0o700 });
      const { PATH = '' } = process.env;
      const { redis, reasons } = openReporting();
      try {
        process.env.PATH = `${programs}:${PATH}`;
        while (reasons.length < 1) await sleep(20);
        process.env.PATH = PATH;
        await redis.untilAnswered(60_000);
        process.env.PATH = `${programs}:${PATH}`;
        process.kill(Number(await info(redis, 'process_id')), 'SIGKILL');
        while (reasons.length < 2) await sleep(20);
      } finally {
        process.env.PATH = PATH;
      }
      expect(reasons).toEqual(Array(2).fill(expect.stringMatching(/did not start: broken/)));
    },
  );

  it('that opens its socket and ends before it answers is reported', async () => {
    const programs = path.join(dataDir, 'programs');
    await mkdir(programs);
    const log = path.join(dataDir, 'redis', 'redis.log');
    // The socket is the fourth argument. A file that is left there would make the next start fail.
    const opens = `require('fs').rmSync(process.argv[4], { force: true }); require('net').createServer().listen(process.argv[4]); setTimeout(() => {
      require('fs').writeFileSync('${log}', 'broken'); process.exit(1); }, 100)`;
    const script = `#!/bin/sh\n[ "$1" = --version ] && exec echo "Redis server v=7.2.4"\n`;
    const program = path.join(programs, 'redis-server');
    await writeFile(program, `${script}exec '${process.execPath}' -e "${opens}" -- "$@"\n`, { mode: 0o700 });
    const { PATH = '' } = process.env;
    process.env.PATH = `${programs}:${PATH}`;
    try {
      const { redis, reasons } = openReporting();
      while (reasons.length === 0) await sleep(20);
      expect(reasons).toEqual([expect.stringMatching(/redis-server did not start: broken/)]);
      await redis.close();
    } finally {
      process.env.PATH = PATH;
    }
  });

  it.each([
    [
      'another process is starting it',
      async () => {
        await mkdir(path.join(dataDir, 'redis'));
        const other = net.createServer();
        await new Promise<void>((resolve) =>
          other.listen(path.join(dataDir, 'redis', 'redis.0a1b2c3d.start'), resolve),
        );
        return () => void other.close();
      },
    ],
    [
      'its program hangs',
      async () => {
        const programs = path.join(dataDir, 'programs');
        await mkdir(programs);
        await writeFile(path.join(programs, 'redis-server'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
        const { PATH } = process.env;
        process.env.PATH = `${programs}:${PATH}`;
        return () => {
          process.env.PATH = PATH;
        };
      },
    ],
  ])('is given up at once when its client is closed while %s', async (_, hang) => {
    const end = await hang();
    try {
      const { redis } = openReporting();
      await expect(redis.untilAnswered(300)).rejects.toThrow('Redis does not answer');
      await redis.close();
    } finally {
      end();
    }
  });

  it('that is closed while it starts does not stay behind', async () => {
    const programs = path.join(dataDir, 'programs');
    await mkdir(programs);
    const { stdout } = await promisify(execFile)('which', [redisProgram()]);
    const slow = '#!/bin/sh\n[ "$1" = --version ] || { echo $$ > "$0.pid"; sleep 0.2; }\n';
    const program = path.join(programs, 'redis-server');
    await writeFile(program, `${slow}exec '${stdout.trim()}' "$@"\n`, { mode: 0o700 });
    const { PATH = '' } = process.env;
    process.env.PATH = `${programs}:${PATH}`;
    try {
      const { redis } = openReporting();
      const server = () => readFile(`${program}.pid`, 'utf8').then(Number, () => 0);
      while ((await server()) === 0) await sleep(5);
      await redis.close();
      while (isRunning(await server())) await sleep(20);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('whose data is damaged is reported once, not started again at once, and answers when its data is repaired', async () => {
    const earlier = await open();
    for (let i = 0; i < 50; i++) await earlier.client.set(`key ${i}`, 'x'.repeat(1000));
    await earlier.close();
    const folder = path.join(dataDir, 'redis', 'appendonlydir');
    const name = (await readdir(folder)).find((file) => file.endsWith('.incr.aof')) ?? '';
    const whole = await readFile(path.join(folder, name));
    const damaged = Buffer.from(whole);
    damaged.write('X', whole.indexOf('*3', 10_000));
    await writeFile(path.join(folder, name), damaged);
    const { redis, reasons } = openReporting();
    const log = path.join(dataDir, 'redis', 'redis.log');
    // Redis's own clock measures this, because this process may be slow.
    const failedMs = async () =>
      [...(await readFile(log, 'utf8')).matchAll(/^\d+:\w (.*) # Bad file format/gm)].map(([, time]) =>
        Date.parse(`${time}Z`),
      );
    while ((await failedMs()).length < 3 || reasons.length === 0) await sleep(20);
    await writeFile(path.join(folder, name), whole);
    await redis.untilAnswered(60_000);
    const [first = 0, second = 0, third = 0] = await failedMs();
    expect(second - first).toBeGreaterThan(400);
    expect(third - second).toBeGreaterThan(900);
    expect(reasons).toEqual([expect.stringContaining('Bad file format reading the append only file')]);
    expect(await redis.client.get('key 49')).toHaveLength(1000);
  });

  it('does not begin empty over its own data when the manifest of its files is missing', async () => {
    const first = await open();
    for (let i = 0; i < 9; i++) await first.client.set(`key ${i}`, 'x'.repeat(100));
    await first.close();
    const folder = path.join(dataDir, 'redis', 'appendonlydir');
    const manifest = path.join(folder, 'appendonly.aof.manifest');
    await rename(manifest, path.join(dataDir, 'manifest'));
    const { redis, reasons } = openReporting();
    while (reasons.length === 0) await sleep(20);
    expect(reasons[0]).toMatch(/would overwrite its data: appendonly\.aof\.manifest is missing; restore/);
    await rename(path.join(dataDir, 'manifest'), manifest);
    await redis.untilAnswered(60_000);
    expect(await redis.client.get('key 8')).toHaveLength(100);
  });

  it('begins over files without data, which a server leaves that was killed at its first start', async () => {
    const folder = path.join(dataDir, 'redis', 'appendonlydir');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'appendonly.aof.1.incr.aof'), '');
    const redis = await open();
    await redis.client.set('key', 'value');
    expect(await redis.client.get('key')).toBe('value');
  });

  /** The data that the next start of the private Redis reports as lost; null for none. */
  async function lossAtNextStart(): Promise<string | null> {
    let lost: string | null = null;
    const redis = openRedis({
      address: null,
      dataDir,
      observe: (one) => {
        if (one.event === 'redis lost data') lost = one.reason;
      },
    });
    await redis.untilAnswered(60_000);
    await redis.close();
    return lost;
  }

  it('reports that all of its append-only files are gone, and no loss where there was none', async () => {
    expect(await lossAtNextStart()).toBeNull();
    expect(await lossAtNextStart()).toBeNull();
    const folder = path.join(dataDir, 'redis', 'appendonlydir');
    await rm(folder, { recursive: true });
    expect(await lossAtNextStart()).toBe(
      `${folder} is gone, so it begins without keys; stop the server and restore the folder, or import a backup: keys import`,
    );
    expect(await lossAtNextStart()).toBeNull();
  });

  it('reports once that a file ends in the middle of a change', async () => {
    const first = await open();
    await first.client.set('key', 'x'.repeat(100));
    await first.close();
    const folder = path.join(dataDir, 'redis', 'appendonlydir');
    const name = (await readdir(folder)).find((file) => file.endsWith('.incr.aof')) ?? '';
    const whole = await readFile(path.join(folder, name));
    await writeFile(path.join(folder, name), whole.subarray(0, -20));
    expect(await lossAtNextStart()).toBe(
      `${name} ends in the middle of a change, so its last changes are gone; see whether the newest keys are there: keys list`,
    );
    expect(await lossAtNextStart()).toBeNull();
  });

  it('writes its files anew when they are deleted while it runs, and says so once', async () => {
    const gone: unknown[] = [];
    const redis = openRedis({
      address: null,
      dataDir,
      observe: (one) => {
        if (one.event === 'redis files gone') gone.push(one);
      },
    });
    await redis.untilAnswered(60_000);
    await redis.client.set('key', 'value');
    const folder = path.join(dataDir, 'redis', 'appendonlydir');
    const hasBase = () =>
      existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.base.rdb'));
    await rm(folder, { recursive: true });
    while (!hasBase()) await sleep(20);
    await redis.close();
    const after = await open();
    expect(await after.client.get('key')).toBe('value');
    expect(gone).toEqual([{ event: 'redis files gone', reason: `${folder} is gone`, isWrittenAnew: true }]);
  });

  it('reports a folder that is gone while it runs, which it cannot write any more', async () => {
    const folder = path.join(dataDir, 'redis');
    const reason = new Promise<unknown>((resolve) => {
      const redis = openRedis({
        address: null,
        dataDir,
        observe: (one) => one.event === 'redis files gone' && resolve(one),
      });
      void redis.untilAnswered(60_000).then(() => rename(folder, path.join(dataDir, 'away')));
      opened.push(redis);
    });
    expect(await reason).toEqual({
      event: 'redis files gone',
      reason: `${folder} is gone`,
      isWrittenAnew: false,
    });
    await rename(path.join(dataDir, 'away'), folder);
  });

  it('does not begin empty where there are files that its version cannot read', async () => {
    const first = await open();
    for (let i = 0; i < 9; i++) await first.client.set(`key ${i}`, 'x'.repeat(100));
    await first.close();
    const programs = path.join(dataDir, 'programs');
    await mkdir(programs);
    const old = '#!/bin/sh\necho "Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64 build=0"\n';
    await writeFile(path.join(programs, 'redis-server'), old, { mode: 0o700 });
    const { PATH = '' } = process.env;
    process.env.PATH = `${programs}:${PATH}`;
    const { redis, reasons } = openReporting();
    while (reasons.length === 0) await sleep(20);
    process.env.PATH = PATH;
    expect(reasons[0]).toMatch(
      /begin without keys: its version 6\.2\.14 cannot read .*; install Redis 7 or newer/,
    );
    await redis.untilAnswered(60_000);
    expect(await redis.client.get('key 8')).toHaveLength(100);
  });

  it('says what to do about files that another version wrote', async () => {
    await (await open()).close();
    const folder = path.join(dataDir, 'redis', 'appendonlydir');
    const name = (await readdir(folder)).find((file) => file.endsWith('.base.rdb')) ?? '';
    const whole = await readFile(path.join(folder, name));
    for (const [i, begin] of ['REDIS0099', 'VALKEY080'].entries()) {
      await writeFile(path.join(folder, name), Buffer.concat([Buffer.from(begin), whole.subarray(9)]));
      const { redis, reasons } = openReporting();
      while (reasons.length === 0) await sleep(20);
      expect([i, reasons[0]]).toEqual([
        i,
        expect.stringMatching(/; if another version of Redis or Valkey wrote these files, install that/),
      ]);
      await redis.close();
    }
  });

  itInDepth('that ends after it answered is not reported as one that did not start', async () => {
    const { redis, reasons } = openReporting();
    await redis.untilAnswered(60_000);
    for (let times = 0; times < 3; times++) {
      process.kill(Number(await info(redis, 'process_id')), 'SIGKILL');
      while (redis.client.status === 'ready') await sleep(1);
      await again(() => redis.client.ping());
    }
    // By now the end of the earlier server has been observed.
    expect(reasons).toEqual([]);
  });

  it('that ends at once is not waited for, and one that opens no socket is, for ten seconds', async () => {
    const programs = path.join(dataDir, 'programs');
    await mkdir(programs);
    const begin = '#!/bin/sh\n[ "$1" = --version ] && exec echo "Redis server v=7.2.4"\n';
    const write = (end: string) =>
      writeFile(path.join(programs, 'redis-server'), begin + end, { mode: 0o700 });
    const { PATH = '' } = process.env;
    process.env.PATH = `${programs}:${PATH}`;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      await write('exit 1\n');
      const ended = openReporting();
      while (ended.reasons.length === 0) await sleep(20);
      await ended.redis.close();
      await write('echo $$ > "$0.pid"; exec sleep 60\n');
      const silent = openReporting();
      const begun = path.join(programs, 'redis-server.pid');
      const process_id = () => readFile(begun, 'utf8').then(Number, () => 0);
      while ((await process_id()) === 0) await sleep(20);
      clock.mockReturnValue(10_000);
      await sleep(100);
      expect(silent.reasons).toEqual([]);
      expect(isRunning(await process_id())).toBe(true);
      clock.mockReturnValue(10_001);
      while (silent.reasons.length === 0) await sleep(20);
      while (isRunning(await process_id())) await sleep(20);
    } finally {
      clock.mockRestore();
      process.env.PATH = PATH;
    }
  });

  it('that is installed and may not be run is reported as that', async () => {
    const programs = path.join(dataDir, 'programs');
    await mkdir(programs);
    await writeFile(path.join(programs, 'redis-server'), '', { mode: 0o600 });
    const { PATH = '' } = process.env;
    process.env.PATH = programs;
    const reasons: string[] = [];
    opened.push(
      openRedis({
        address: null,
        dataDir,
        observe: (one) => one.event === 'redis not started' && reasons.push(one.reason),
      }),
    );
    while (reasons.length === 0) await sleep(20);
    process.env.PATH = PATH;
    expect(reasons).toEqual(['spawn redis-server EACCES']);
  });

  it('ends no process because no program of a server is installed', async () => {
    const programs = path.join(dataDir, 'programs');
    await mkdir(programs);
    const { PATH = '' } = process.env;
    process.env.PATH = programs;
    const { reasons } = openReporting();
    while (reasons.length === 0) await sleep(20);
    process.env.PATH = PATH;
    // A rejection that nobody awaits would fail this test.
    await sleep(20);
    expect(reasons).toEqual([expect.stringMatching(/^Neither redis-server nor valkey-server is installed/)]);
  });

  it('that does not start because of its log says that the log cannot be read', async () => {
    // Redis cannot write to the log when a folder has its name.
    const log = path.join(dataDir, 'redis', 'redis.log');
    await mkdir(log, { recursive: true });
    const { redis, reasons } = openReporting();
    while (reasons.length === 0) await sleep(20);
    expect(reasons).toEqual([
      expect.stringMatching(/^\S+ did not start, and its log \S+redis\.log cannot be read \(EISDIR\)$/),
    ]);
    await rm(log, { recursive: true });
    await redis.untilAnswered(60_000);
  });

  it('has no socket in a folder of /tmp that belongs to somebody else', async () => {
    const deep = path.join(dataDir, 'x'.repeat(120));
    await mkdir(deep);
    // The folder belongs to the user who runs the tests, not to this one.
    const user = 1_000_000 + process.pid;
    const getuid = jest.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(user);
    try {
      expect(() => openRedis({ address: null, dataDir: deep })).toThrow('is not this user');
    } finally {
      getuid.mockRestore();
      await rm(`/tmp/data-api-${user}`, { recursive: true });
    }
  });

  itInDepth('ends with a process that exits without closing it', async () => {
    const script = `import { openRedis } from '${path.resolve('dist/src/access/redis/connection.js')}';
      const redis = openRedis({ address: null, dataDir: process.argv[1] });
      await redis.untilAnswered(60_000);
      process.stdout.write(String(await redis.client.info('server')), () => process.exit(0));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, dataDir],
      { env: { ...process.env, NODE_OPTIONS: '' } },
    );
    const server = Number(/^process_id:(\d+)/m.exec(stdout)?.[1]);
    expect(server).toBeGreaterThan(0);
    for (let turns = 0; isRunning(server) && turns < 3000; turns++) await sleep(10);
    expect(isRunning(server)).toBe(false);
  });

  it('is shared by processes that start together, and ends with the last of them', async () => {
    const command = ['dist/src/access/cli.js', 'issue', '--label', 'racing', '--json'];
    const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir };
    const issued = await Promise.all(
      Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, command, { env })),
    );
    const ids = issued.map(({ stdout }) => JSON.parse(stdout).id);
    const endedMs = Date.now();
    const redis = await open();
    expect((await redis.client.hkeys('key-ids')).sort()).toEqual(ids.sort());
    const upSeconds = Number(await info(redis, 'uptime_in_seconds'));
    expect(upSeconds).toBeLessThanOrEqual(Math.ceil((Date.now() - endedMs) / 1000));
  });
});
