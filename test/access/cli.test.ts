// The commands of `npm run keys`: their text, their JSON, their exit codes.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { ACTS } from '../../src/access/audit.ts';
import { keysCommandLine } from '../../src/access/commands/keysCommandLine.ts';
import { invitesOf } from '../../src/access/invites/invites.ts';
import { isWellFormedKey, mintKey } from '../../src/access/keys/keyText.ts';
import { sessionsOf } from '../../src/access/people/sessions.ts';
import { keyRecord } from '../../src/access/redis/keyNames.ts';
import { hashOf } from '../../src/access/secret.ts';
import { readConfig } from '../../src/config/config.ts';
import { itInDepth } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { openDatabase, startRedis, type TestDatabase } from '../support/redis.ts';
import { removeFolder } from '../support/removeFolder.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import { type Ran, runInProcess } from '../support/runInProcess.ts';
import { spawnServer } from '../support/serverProcess.ts';
import { publishRows } from '../support/snapshot.ts';

const CLI = path.resolve('dist/src/access/cli.js');

/** Runs `npm run keys -- …` as a user does, but without the build. */
const spawned = (environment: Record<string, string>, ...args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const { REDIS_URL: _, PUBLIC_URL: __, ...inherited } = process.env;
    const env = { ...inherited, NODE_OPTIONS: '', ...environment };
    execFile(process.execPath, [CLI, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

/** Whether a process accepts connections on a socket. */
const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.on('error', () => resolve(false));
  });

/** Runs the same command in this process, which saves a fifth of a second. */
const run = (environment: Record<string, string>, ...args: string[]): Promise<Ran> =>
  runInProcess(
    keysCommandLine(() => readConfig({ DATA_DIR: '/nowhere', ...environment })),
    args,
  );

it('says nothing on stderr where the user of REDIS_URL may not run INFO, but names a misspelt setting there', async () => {
  const redis = await startRedis();
  await redis.client.call('ACL', 'SETUSER', 'lowly', 'on', '>p-of-test', '~*', '+@all', '-info');
  const url = redis.url.replace('redis://', 'redis://lowly:p-of-test@');
  const [plain, misspelt] = await Promise.all([
    spawned({ REDIS_URL: url }, 'list'),
    spawned({ REDIS_URL: url, PUBLIC_ULR: 'https://data.example' }, 'list'),
  ]);
  expect([plain.code, plain.stderr]).toEqual([0, '']);
  expect([misspelt.code, misspelt.stderr]).toEqual([
    0,
    'PUBLIC_ULR is not a setting and has no effect; did you mean PUBLIC_URL?\n',
  ]);
  await redis.close();
});

describe('with a Redis of its own', () => {
  let redis: TestDatabase;
  beforeAll(async () => {
    redis = await openDatabase();
  });
  afterAll(() => redis.close());
  beforeEach(() => redis.empty());

  const keys = (...args: string[]) => run({ REDIS_URL: redis.url }, ...args);
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await keys(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('invite prints only the link on stdout, and its terms on stderr', async () => {
    const { code, stdout, stderr } = await run(
      { REDIS_URL: redis.url, PUBLIC_URL: 'https://data.example/api/' },
      ...['invite', '--label', ' Zoë Müller '],
    );
    expect(code).toBe(0);
    const [, token = ''] = /^https:\/\/data\.example\/api\/claim\/(\w+)\n$/.exec(stdout) ?? [];
    expect(await invitesOf(redis.client).stateOf(token)).toMatchObject({
      state: 'open',
      label: 'Zoë Müller',
    });
    expect(stderr).toMatch(/^Invite i\w+ for Zoë Müller: gives one key, once, until \S+ \S+ UTC\.\n$/);
  });

  it.each([['invite', '--label', 'Acme'], ['signin']])(
    '%s says what its link begins with, and how to change that, while PUBLIC_URL is not set',
    async (...args) => {
      const advice =
        'PUBLIC_URL is not set, so the link begins with http://127.0.0.1:3000; ' +
        'set it to the address by which people reach the server.\n';
      expect((await keys(...args)).stderr).toMatch(new RegExp(`UTC\\.\\n${advice.replaceAll('.', '\\.')}$`));
      const named = await run({ REDIS_URL: redis.url, PUBLIC_URL: 'http://127.0.0.1:3000' }, ...args);
      expect(named.stderr).not.toContain('PUBLIC_URL');
    },
  );

  it('prints exactly the documented JSON with --json', async () => {
    const invite = await json('invite', '--label', 'Acme', '--expires', '2h');
    expect(invite).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/claim\/\w{43}$/),
      id: expect.stringMatching(/^i\w+$/),
      label: 'Acme',
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(Math.abs(Date.parse(invite.expires) - Date.now() - 7_200_000)).toBeLessThan(60_000);

    const issued = await json('issue', '--label', 'Acme');
    expect(issued).toEqual({ key: expect.any(String), id: expect.stringMatching(/^k\w+$/), label: 'Acme' });
    expect(isWellFormedKey(issued.key)).toBe(true);

    expect(await json('limits', issued.id, '--per-minute', '5', '--per-day', '500')).toEqual({
      ...{ id: issued.id, label: 'Acme', perMinute: 5, perDay: 500 },
    });
    expect(await json('limits', issued.id, '--per-day', 'default')).toMatchObject({
      perMinute: 5,
      perDay: null,
    });

    const rotated = await json('rotate', issued.id, '--grace', '30m');
    expect(rotated).toEqual({ key: expect.any(String), id: expect.any(String), label: 'Acme' });
    expect(rotated.key).not.toBe(issued.key);

    expect(await json('revoke', rotated.id)).toEqual({ id: rotated.id, state: 'revoked' });

    const { keys: listed } = await json('list');
    expect(listed).toEqual([
      {
        id: issued.id,
        label: 'Acme',
        state: 'active',
        last4: issued.key.slice(-4),
        created: expect.any(String),
        expires: expect.any(String),
        used: null,
        perMinute: 5,
        perDay: null,
        today: 0,
        note: null,
      },
      expect.objectContaining({ id: rotated.id, state: 'revoked', expires: null, perMinute: 5 }),
    ]);
    expect(Math.abs(Date.parse(listed[0].expires) - Date.now() - 1_800_000)).toBeLessThan(60_000);

    expect((await json('revoke', invite.id)).state).toBe('revoked');
    expect((await json('invites')).invites).toMatchObject([{ id: invite.id, state: 'revoked' }]);

    const { entries } = await json('audit');
    expect(entries.map(({ act }: { act: string }) => act)).toEqual([
      ...['invite', 'issue', 'limits', 'limits', 'rotate', 'revoke', 'revoke-invite'],
    ]);
    expect(entries[0]).toEqual({
      entry: expect.any(String),
      at: expect.any(String),
      by: os.userInfo().username,
      act: 'invite',
      keyId: null,
      inviteId: invite.id,
      details: { label: 'Acme' },
    });
    expect((await json('audit', '--last', '2')).entries).toHaveLength(2);
  });

  it('prints a new key alone on its line', async () => {
    const { stdout, stderr } = await keys('issue', '--label', 'Acme');
    expect(isWellFormedKey(stdout.trimEnd())).toBe(true);
    expect(stderr).toMatch(/^Key k\w+ for Acme\. It cannot be shown again\.\n$/);
    const [{ id }] = (await json('list')).keys;
    const rotated = await keys('rotate', id);
    expect(isWellFormedKey(rotated.stdout.trimEnd())).toBe(true);
    expect(rotated.stderr).toMatch(new RegExp(`The old key ${id} ends at \\S+ \\S+ UTC\\.\n$`));
    const expires = Number(await redis.client.hget(keyRecord(hashOf(stdout.trimEnd())), 'expires'));
    expect(Math.abs(expires - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  it("signs in to the team's page", async () => {
    const { stdout } = await keys('signin');
    const [, token = ''] = /^http:\/\/127\.0\.0\.1:3000\/admin\/signin\/(\w{43})\n$/.exec(stdout) ?? [];
    expect(await sessionsOf(redis.client).isOpen(token)).toBe(true);
    expect(await json('signin')).toEqual({
      url: expect.any(String),
      name: expect.any(String),
      role: 'owner',
      expires: expect.any(String),
    });
    expect(await json('signin', '--name', 'Jane Doe', '--role', 'viewer')).toMatchObject({
      name: 'Jane Doe',
      role: 'viewer',
    });
  });

  it('lists the same facts as text and as JSON', async () => {
    expect((await keys('list')).stdout).toBe('no keys yet: invite somebody, or issue one\n');
    const { id } = await json('issue', '--label', 'Acme');
    expect((await keys('list')).stdout).toContain(`\n${id}  Acme`);
    expect((await keys('invites')).stdout).toBe('no invites yet\n');
    expect((await keys('audit')).stdout).toContain(id);
    expect((await keys('revoke', id)).stdout).toBe(`Key ${id} is revoked: its next request is refused.\n`);
    expect((await keys('revoke', id)).stdout).toBe(`Key ${id} was revoked already.\n`);
  });

  it.each([
    [
      [],
      'name a command: invite, issue, list, invites, limits, revoke, rotate, signin, export, import, audit',
    ],
    [['isue'], "unknown command 'isue' (did you mean issue?)"],
    [['list', '--jsno'], "unknown option '--jsno' (did you mean --json?)"],
    [['list', 'all'], 'too many arguments'],
    [['invite'], "required option '--label <text>' not specified"],
    [['invite', '--label', ' '], 'a label is needed'],
    [['invite', '--label', 'a\nb'], 'a label is one line of text'],
    [['invite', '--label', 'Acme', '--expires', '7w'], 'Write it as 90s, 30m, 24h or 7d'],
    [['invite', '--label', 'Acme', '--expires', '3651d'], 'at most 3650d'],
    [['invite', '--label', 'Acme', '--expires', '0d'], 'It would have ended already'],
    [['rotate', 'k2345678abc', '--grace', 'soon'], 'Write it as 90s, 30m, 24h or 7d'],
    [['rotate', 'k2345678abc'], 'no key "k2345678abc": `list` shows the ids'],
    [['revoke', 'k2345678abc'], 'no key or invite "k2345678abc"'],
    [['revoke'], "missing required argument 'id'"],
    [['limits', 'k2345678abc', '--per-day', '5'], 'no key "k2345678abc"'],
    [['limits', 'k2345678abc'], 'give --per-minute, --per-day or both'],
    [['limits', 'k2345678abc', '--per-day', '0'], 'Write a positive whole number'],
    [['limits', 'k2345678abc', '--per-minute', '1e3'], 'Write a positive whole number'],
    [['limits', 'k2345678abc', '--per-minute', '9007199254740992'], 'of at most 15 digits'],
    [['audit', '--last', 'all'], 'Write a positive whole number'],
  ])('ends with 2 for the command line %j', async (args, message) => {
    const { code, stdout, stderr } = await keys(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('prints one JSON document on failure, too', async () => {
    const { code, stdout, stderr } = await keys('revoke', 'nobody', '--json');
    expect([code, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toEqual({
      status: 'usage',
      error: 'no key or invite "nobody": `list` and `invites` show the ids; see --help',
    });
  });

  it('never repeats a key that was typed as another argument', async () => {
    const key = mintKey();
    for (const args of [
      ['revoke', key],
      ['rotate', key],
      ['limits', key, '--per-day', key],
      ['issue', '--label', `for ${key}`],
      ['list', key],
      [key],
      [`--${key}`],
    ]) {
      const { code, stdout, stderr } = await keys(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).not.toContain(key.slice(8, 20));
    }
    expect((await keys('revoke', key)).stderr).toContain('that is a key, and this takes its id');
    expect(await redis.client.dbsize()).toBe(0);
  });

  it('sends people from used invites to their keys, and from ended keys to new ones', async () => {
    const { url, id } = await json('invite', '--label', 'Acme');
    await invitesOf(redis.client).claim(url.split('/').at(-1));
    const revoked = await keys('revoke', id);
    expect([revoked.code, revoked.stderr]).toEqual([
      2,
      `invite ${id} has been used: revoke the key it became, which \`invites\` names; see --help\n`,
    ]);
    const [{ keyId }] = (await json('invites')).invites;
    await keys('revoke', keyId);
    const rotated = await keys('rotate', keyId);
    expect([rotated.code, rotated.stderr]).toEqual([
      2,
      `key ${keyId} is revoked: issue a new one, or invite its holder; see --help\n`,
    ]);
  });

  it('says what import restored, and which file it could not read', async () => {
    await keys('issue', '--label', 'Acme');
    const folder = await mkdtemp(path.join(os.tmpdir(), 'backup-'));
    const file = path.join(folder, 'keys.jsonl');
    await keys('export', '--out', file);
    await redis.empty();
    expect(await keys('import', file)).toEqual({
      code: 0,
      stdout: 'Restored 1 key, 0 invites, 0 people and 1 entry of the audit log.\n',
      stderr: '',
    });
    await writeFile(file, 'no backup\n');
    expect((await keys('import', file)).stderr).toBe('line 1 is not JSON; copy the file again; see --help\n');
    await removeFolder(folder);
  });

  it('shows help for every command, with a description of every option', async () => {
    const commands = 'invite issue list invites limits revoke rotate signin audit export import'.split(' ');
    const helped = await Promise.all(
      [[], ...commands.map((name) => [name])].map((args) => keys(...args, '--help')),
    );
    for (const { code, stdout } of helped) {
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: keys/);
      for (const option of stdout.match(/^ {2}-.*$/gm) ?? [])
        expect(option).toMatch(/^ {2}-\S.*? {2,}(?!\(default)\S/);
    }
    expect(helped[1]?.stdout).toContain('(default: 7d)');
    expect(helped[7]?.stdout).toContain('(default: 24h)');
  });
});

describe('docs/access.md', () => {
  it('names every command with its options and defaults, and no other', () => {
    const [, section = ''] = readFileSync('docs/access.md', 'utf8').split('\n## npm run keys\n');
    const named = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z]+(?: [^`]+)?)` \|/gm)].map(
      ([, usage]) => usage,
    );
    const keys = new Command();
    keysCommandLine(() => readConfig({})).define(keys, async () => {});
    const usages = keys.commands.map((command) => {
      const options = command.options
        .filter(({ long }) => long !== '--json')
        .map(({ flags, long, mandatory, defaultValue, defaultValueDescription }) => {
          const unset = flags.includes('<file>') ? 'FILE' : 'N';
          const value = mandatory ? 'TEXT' : (defaultValueDescription ?? defaultValue ?? unset);
          return mandatory ? `${long} ${value}` : `[${long} ${value}]`;
        });
      return [
        command.name(),
        ...command.registeredArguments.map((one) => (one.name() === 'id' ? 'ID' : `<${one.name()}>`)),
        ...options,
      ].join(' ');
    });
    expect(named.slice(0, usages.length)).toEqual(usages);
  });

  it('names every act of the audit log', () => {
    const text = readFileSync('docs/access.md', 'utf8');
    expect(ACTS.filter((act) => !text.includes(`\`${act}\``))).toEqual([]);
  });
});

describe('without a Redis to reach', () => {
  it('names the address, the cause and the remedy, and shows no password', async () => {
    const environment = { REDIS_URL: 'redis://:secret@127.0.0.1:1' };
    const [text, json] = await Promise.all([run(environment, 'list'), run(environment, 'list', '--json')]);
    const error =
      'Redis at 127.0.0.1:1 does not answer: connect ECONNREFUSED 127.0.0.1:1; start it, or correct REDIS_URL';
    expect(text).toEqual({ code: 1, stdout: '', stderr: `${error}\n` });
    expect([json.code, JSON.parse(json.stdout)]).toEqual([1, { status: 'unexpected', error }]);
  });

  it('reports that Redis asks for another password, or has as many clients as it takes', async () => {
    const [locked, full] = await Promise.all([startRedis(), startRedis()]);
    for (const redis of [locked, full]) await redis.client.config('SET', 'requirepass', 'right');
    await full.client.config('SET', 'maxclients', '1');
    // Each command waits for two seconds, so they run at the same time.
    const outcomes = await Promise.all([locked, full].map(({ url }) => run({ REDIS_URL: url }, 'list')));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, expect.stringMatching(/^Redis at \S+ does not answer: NOAUTH .+REDIS_URL\n$/)],
      [1, expect.stringContaining('it takes connections and does not serve them: raise its maxclients')],
    ]);
    await Promise.all([locked.close(), full.close()]);
  });

  it('reports that something takes connections and closes them without a word', async () => {
    const silent = createServer((connection) => connection.end());
    const port = Number(await freePort());
    await once(silent.listen(port, '127.0.0.1'), 'listening');
    const { stderr } = await run({ REDIS_URL: `redis://127.0.0.1:${port}` }, 'list');
    expect(stderr).toContain('it takes connections and does not serve them: raise its maxclients');
    silent.close();
  });

  itInDepth('reports that Redis is loading its data', async () => {
    // Redis loads each key for 50 ms. Between two keys, it answers that it is loading.
    const slow = ['--key-load-delay', '50000', '--loading-process-events-interval-bytes', '1024'];
    const loading = await startRedis('--appendonly', 'no', ...slow);
    for (let key = 0; key < 70; key += 1) await loading.client.set(`key ${key}`, randomBytes(1024));
    await loading.client.save();
    await loading.kill();
    await loading.start();
    const { code, stderr } = await run({ REDIS_URL: loading.url }, 'list');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Redis at \S+ does not answer: it is loading its data; wait until it has, and run again\n$/,
      ),
    ]);
    await loading.close();
  });

  it('names a setting that is wrong, and shows help all the same', async () => {
    const { code, stderr } = await run({ REDIS_URL: 'localhost' }, 'list');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^REDIS_URL: "localhost" is not an address of Redis; use /),
    ]);
    expect(await run({ REDIS_URL: 'localhost' }, 'list', '--help')).toMatchObject({ code: 0 });
  });
});

describe('without REDIS_URL', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'keys-'));
  });
  afterEach(() => removeFolder(dataDir));
  const keys = (...args: string[]) => spawned({ DATA_DIR: path.join(dataDir, 'not there yet') }, ...args);

  it('starts the private Redis for itself, finds its data again, and leaves no process running', async () => {
    const issued = await keys('issue', '--label', 'Acme');
    expect([issued.code, isWellFormedKey(issued.stdout.trimEnd())]).toEqual([0, true]);
    const { stdout, stderr } = await run({ DATA_DIR: path.join(dataDir, 'not there yet') }, 'list', '--json');
    expect(JSON.parse(stdout).keys).toMatchObject([
      { label: 'Acme', last4: issued.stdout.trimEnd().slice(-4) },
    ]);
    expect(stderr).toBe('');
    const files = await readdir(path.join(dataDir, 'not there yet', 'redis'));
    expect(files.filter((name) => name.endsWith('.sock'))).toEqual([]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('leaves no Redis running when %s ends a command', async (signal, code) => {
    const home = path.join(dataDir, 'not there yet');
    const socket = path.join(home, 'redis', 'redis.sock');
    // The command sends itself the signal as soon as its Redis listens.
    const hook = `import { existsSync } from 'node:fs';
      setInterval(() => existsSync(${JSON.stringify(socket)}) && process.kill(process.pid, '${signal}'), 1).unref();`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const ended = await spawned({ DATA_DIR: home, NODE_OPTIONS: preload }, 'list');
    expect(ended.code).toBe(code);
    // A Redis that ends while it starts leaves its socket behind, but nobody listens there.
    while (await answers(socket)) await sleep(10);
  });

  it('says on stderr that the append-only files are gone', async () => {
    await keys('issue', '--label', 'lost');
    const folder = path.join(dataDir, 'not there yet', 'redis', 'appendonlydir');
    await removeFolder(folder);
    const { code, stdout, stderr } = await keys('list', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { keys: [] }]);
    expect(stderr).toContain(
      `The private Redis has lost data: ${folder} is gone, so it begins without keys; `,
    );
  });

  it('shares it with commands that run at the same time', async () => {
    const settings = { DATA_DIR: path.join(dataDir, 'not there yet') };
    const ran = await Promise.all([
      ...[1, 2].map((i) => keys('issue', '--label', `${i}`)),
      run(settings, 'issue', '--label', '3'),
    ]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(JSON.parse((await run(settings, 'list', '--json')).stdout).keys).toHaveLength(3);
  });

  it('reaches a server that is running: what it issues works at once, what it revokes does not', async () => {
    const settings = { DATA_DIR: dataDir, PORT: await freePort() };
    await publishRows(dataDir, '2026-11.1');
    const server = spawnServer(settings);
    try {
      const url = await server.url();
      const catalog = async (key: string) =>
        (await patientFetch(`${url}/v1/catalog`, { headers: { 'x-api-key': key } })).status;
      const { key, id } = JSON.parse((await run(settings, 'issue', '--label', 'Acme', '--json')).stdout);
      expect(await catalog(key)).toBe(200);
      const rotated = await run(settings, 'rotate', id, '--grace', '1h');
      expect([await catalog(key), await catalog(rotated.stdout.trimEnd())]).toEqual([200, 200]);
      await run(settings, 'revoke', id);
      expect([await catalog(key), await catalog(rotated.stdout.trimEnd())]).toEqual([401, 200]);
      await run(
        settings,
        'limits',
        JSON.parse((await run(settings, 'list', '--json')).stdout).keys[1].id,
        '--per-minute',
        '2',
      );
      expect(await catalog(rotated.stdout.trimEnd())).toBe(429);
    } finally {
      server.child.kill('SIGTERM');
      expect(await server.ended).toBe(0);
    }
  });

  it('tells how to install Redis when there is none', async () => {
    const { code, stderr } = await spawned({ PATH: '/nowhere', DATA_DIR: dataDir }, 'list');
    expect([code, stderr]).toEqual([1, expect.stringContaining('apt-get install redis-server')]);
  });
});
