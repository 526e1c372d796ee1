// Runs the steps of docs/operations.md that write below /etc, in another folder: Redis, settings of commands, Caddy.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysOf } from '../../src/access/keys/keys.ts';
import { openRedis } from '../../src/access/redis/connection.ts';
import { parseRedisAddress } from '../../src/access/redis/redisAddress.ts';
import { freePort } from '../support/freePort.ts';
import { notTried } from '../support/notTried.ts';
import { redisProgram } from '../support/redis.ts';
import { startServer } from '../support/server.ts';

const PAGE = readFileSync('docs/operations.md', 'utf8');

const missing = ['caddy', 'openssl'].filter((program) => spawnSync(program, ['version']).status !== 0);
if (missing.length > 0) notTried(`all steps: ${missing.join(' and ')} is not installed`);

let folder: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'installed-'));
  for (const one of ['etc/redis', 'etc/caddy', 'root', 'redis', 'data'])
    mkdirSync(path.join(folder, one), { recursive: true });
});
afterAll(async () => {
  for (const child of children) {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the lines of the page that match, with `folder` in place of the machine's root. */
function runLines(pattern: RegExp): void {
  const lines = PAGE.split('\n').filter((line) => pattern.test(line));
  expect(lines.length).toBeGreaterThan(0);
  const script = lines.join('\n').replaceAll(/(?<![\w-])\/(etc|root)\//g, `${folder}/$1/`);
  execFileSync('sh', ['-e', '-c', script], { stdio: 'pipe' });
}

describe('an installed machine', () => {
  const withOpenssl = missing.includes('openssl') ? it.skip : it;
  withOpenssl(
    'has a Redis that keeps what is written and lets in the user of the settings alone',
    async () => {
      // The file of the distribution, reduced to the lines that matter here.
      const port = await freePort();
      const file = path.join(folder, 'etc/redis/redis.conf');
      writeFileSync(
        file,
        `bind 127.0.0.1\nport ${port}\nappendonly no\nmaxmemory-policy allkeys-lru\ndir ${folder}/redis\n`,
      );
      runLines(/^ {3}(openssl|sed "s\/PASSWORD|cp deploy\/redis|printf 'include)/);
      children.push(spawn(redisProgram(), [file, '--loglevel', 'warning'], { stdio: 'ignore' }));
      const password = readFileSync(path.join(folder, 'root/redis-password'), 'utf8').trim();
      const url = (user: string) => `redis://${user}127.0.0.1:${port}`;
      const opened = openRedis({
        address: parseRedisAddress(url(`data-api:${password}@`)) ?? null,
        dataDir: '',
      });
      await opened.untilAnswered(60_000);
      const { id } = await keysOf(opened.client).issue({ label: 'test', by: 'test' });
      expect(existsSync(path.join(folder, 'redis/appendonlydir'))).toBe(true);
      const anybody = openRedis({ address: parseRedisAddress(url('')) ?? null, dataDir: '' });
      await anybody.untilAnswered(2000).catch(() => {});
      await expect(anybody.client.hgetall('key-ids')).rejects.toThrow();
      await anybody.close();

      // The commands find this Redis and the data directory in the settings file of the service.
      const settings = path.join(folder, 'etc/data-api.env');
      writeFileSync(settings, `REDIS_URL=${url(`data-api:${password}@`)}\nDATA_DIR=${folder}/data\n`);
      const { REDIS_URL: _, DATA_DIR: __, ...inherited } = process.env;
      const run = (name: string, args: readonly string[], more: Record<string, string> = {}) =>
        execFileSync(path.resolve('deploy/bin', name), args, {
          cwd: '/',
          encoding: 'utf8',
          env: { ...inherited, NODE_OPTIONS: '', DATA_API_SETTINGS: settings, ...more },
        });
      expect(JSON.parse(run('keys', ['list', '--json'])).keys).toMatchObject([{ id }]);
      expect(run('ingest', ['list'])).toContain('no snapshot');
      expect(() => run('keys', ['list'], { REDIS_URL: 'redis://127.0.0.1:1' })).toThrow();
      await opened.close();
    },
  );

  const withCaddy = missing.includes('caddy') ? it.skip : it;
  withCaddy('has a Caddy that passes clients on and keeps probes to itself', async () => {
    const server = await startServer();
    runLines(/^ {3}sed 's\/\{\$SITE\}/);
    const [file, port] = [path.join(folder, 'etc/caddy/Caddyfile'), await freePort()];
    expect(readFileSync(file, 'utf8')).toMatch(/^data\.example \{$/m);
    // This machine cannot get a certificate for that name.
    writeFileSync(file, readFileSync(file, 'utf8').replace('data.example', `http://127.0.0.1:${port}`));
    const env = {
      ...process.env,
      UPSTREAM: new URL(server.url).host,
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
      HOME: folder,
    };
    children.push(
      spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' }),
    );
    const ask = (asked: string) =>
      fetch(`http://127.0.0.1:${port}${asked}`).then(
        async (answer) => [answer.status, await answer.text()] as const,
        () => [0, ''] as const,
      );
    for (let turns = 0; (await ask('/v1/catalog'))[0] !== 200 && turns < 1200; turns++) await sleep(50);
    const direct = await server.get('/v1/catalog');
    expect(await ask('/v1/catalog')).toEqual([200, direct.text]);
    const unknown = '{"error":"Endpoint does not exist"}';
    for (const asked of ['/readyz', '/healthz', '/metrics']) expect(await ask(asked)).toEqual([404, unknown]);
    await server.close();
    const away = '{"error":"Service temporarily unavailable — please try again later"}';
    expect(await ask('/v1/catalog')).toEqual([503, away]);
  });
});
