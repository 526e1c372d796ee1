// Every shell command of docs/operations.md works as printed and in order, except those that need root or another machine.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysCommandLine } from '../../src/access/commands/keysCommandLine.ts';
import { readConfig } from '../../src/config/config.ts';
import { aMonth, type Month } from '../support/month.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { ingestCommand, runInProcess } from '../support/runInProcess.ts';

const run = promisify(execFile);

/** Commands that are not run here, and why. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^(apt-get|useradd|chown|chmod|systemctl|runuser)/, 'needs root or systemd; test/deploy reads the units'],
  [
    /\/etc\/(systemd|redis|caddy)\/|^openssl/,
    'writes to /etc; test/long/installed.test.ts does the same elsewhere',
  ],
  [/^(cd|ln -s) \/opt\/data-api/, 'installs packages; test/long/image.test.ts does'],
  [/^[A-Z_]+=\S+$/, 'lines of a settings file'],
  [/^curl .*readyz/, 'needs a server; test/http/probes.test.ts asks'],
];

/** The blocks without a language, including those in lists. */
const blocks = [
  ...readFileSync('docs/operations.md', 'utf8').matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```/gm),
].filter(([, , language]) => language === '');
const commands = blocks.flatMap(([, , , text = '']) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);
const here = commands.filter((command) => !ELSEWHERE.some(([pattern]) => pattern.test(command)));

let folder: string;
let redis: TestRedis;
let store: TestStore;
let month: Month;
let environment: Record<string, string | undefined>;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'operations-'));
  [redis, store, month] = await Promise.all([startRedis(), startStore(), aMonth()]);
  for (const one of ['2026-10', '2026-11', '2026-12'])
    cpSync(month.directory, path.join(folder, 'sources', one), { recursive: true });
  environment = {
    ...process.env,
    NODE_OPTIONS: '',
    PATH: `${path.resolve('deploy/bin')}:${process.env.PATH}`,
    DATA_DIR: path.join(folder, 'data'),
    REDIS_URL: redis.url,
  };
  mkdirSync(path.join(folder, 'data'));
  // The page publishes the second month and then goes back to the first one, which must therefore be there.
  const first = [path.join(folder, 'sources/2026-10'), '--month', '2026-10'];
  const settings = environment as Record<string, string>;
  await ingestCommand(settings.DATA_DIR ?? '', ['publish', ...first], settings);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([redis.close(), store.close(), month.remove()]);
});

/** The programs that were already run in a process of their own. */
const started = new Set<string>();

/**
 * Runs a command. A program gets a process of its own the first time. After that it runs in this process, because only
 * its arguments still matter.
 */
const type = async (command: string): Promise<{ stdout: string; stderr: string }> => {
  const [, elsewhere, program, words = ''] =
    /^(?:DATA_DIR=\$PWD\/(\w+) )?(ingest|keys) ([\w ./-]+)$/.exec(command) ?? [];
  if (program === undefined || !started.has(program)) {
    started.add(command.split(' ')[0] ?? '');
    return shell(command);
  }
  const dataDir = elsewhere === undefined ? environment.DATA_DIR : path.join(folder, elsewhere);
  const settings = { ...(environment as Record<string, string>), DATA_DIR: dataDir ?? '' };
  // A shell would run in `folder`, but this process has another current folder.
  const args = words.split(' ').map((word) => (FILES.test(word) ? path.join(folder, word) : word));
  const ran =
    program === 'ingest'
      ? await ingestCommand(settings.DATA_DIR, args, settings)
      : await runInProcess(
          keysCommandLine(() => readConfig(settings)),
          args,
        );
  if (ran.code !== 0) throw Object.assign(new Error(`it ends with ${ran.code}`), ran);
  return ran;
};

/** Files and folders that are arguments of commands. */
const FILES = /^(?:sources\/|inbox$|keys\.jsonl$)/;

const shell = (command: string) => run('sh', ['-c', command], { cwd: folder, env: environment });

describe('docs/operations.md', () => {
  it('has commands, and excepts none without need', () => {
    expect(here.length).toBeGreaterThan(12);
    for (const [pattern] of ELSEWHERE)
      expect([pattern, commands.some((command) => pattern.test(command))]).toEqual([pattern, true]);
  });

  it('shows commands that run', async () => {
    for (const command of here) {
      // A restore needs an empty Redis. The commands from `mkdir -p inbox` on need a store with a snapshot.
      if (command.startsWith('keys import')) await redis.empty();
      if (command.startsWith('mkdir -p inbox')) {
        Object.assign(environment, {
          SNAPSHOT_STORE: 's3://snapshots/team',
          AWS_ENDPOINT_URL_S3: store.endpoint,
          ...STORE_LOGIN,
        });
        await type('ingest push 2026-11.1');
      }
      const { stdout, stderr } = await type(command).catch((error) => {
        throw new Error(`${command}: ${error.stdout}${error.stderr}`);
      });
      expect([command, /error/i.test(stderr)]).toEqual([command, false]);
      if (command.startsWith('keys invite')) expect(stdout).toMatch(/^http\S+\/claim\/\w+$/m);
      if (command.startsWith('keys export'))
        expect(statSync(path.join(folder, 'keys.jsonl')).mode & 0o777).toBe(0o600);
      if (command.includes('list --store')) expect(stdout).toContain('current');
    }
  }, 120_000);
});
