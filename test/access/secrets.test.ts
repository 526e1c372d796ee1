// Uses every feature that handles secrets on two real servers, then searches Redis, logs and processes for them.

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysCommandLine } from '../../src/access/commands/keysCommandLine.ts';
import { mintKey } from '../../src/access/keys/keyText.ts';
import { mintSecret } from '../../src/access/secret.ts';
import { readConfig } from '../../src/config/config.ts';
import { freePort } from '../support/freePort.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { patientFetch } from '../support/retryUnavailable.ts';
import { runInProcess } from '../support/runInProcess.ts';
import { type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import { aDataDir, type DataDir, publishRows } from '../support/snapshot.ts';

let redis: TestRedis;
let data: DataDir;
let servers: readonly ServerProcess[] = [];
let monitor: { readonly text: () => string; close(): void };
/** Kind of secret → the secret that was issued. */
const secrets = new Map<string, string>();
/** The answers to sixteen simultaneous claims, half of them on each server. */
let claims: readonly { readonly status: number; readonly html: string }[] = [];
/** What the commands wrote to stderr. */
let printed = '';

beforeAll(async () => {
  redis = await startRedis(
    '--rdbcompression',
    'no',
    '--slowlog-log-slower-than',
    '0',
    '--slowlog-max-len',
    '100000',
  );
  monitor = await watch(redis.url.replace('unix://', ''));
  data = await aDataDir();
  await publishRows(data.dataDir, '2026-11.1');
  const settings = { DATA_DIR: data.dataDir, REDIS_URL: redis.url, LOG_LEVEL: 'trace' };
  servers = [
    spawnServer({ ...settings, PORT: await freePort() }),
    spawnServer({ ...settings, PORT: await freePort() }),
  ];
  await useEverything(await Promise.all(servers.map((server) => server.url())));
});

afterAll(async () => {
  for (const { child, ended } of servers) {
    child.kill('SIGKILL');
    await ended;
  }
  monitor.close();
  await redis.close();
  await data.remove();
});

describe('after real use', () => {
  it('gives a key to one of sixteen simultaneous claims and answers the others that the invite is used', () => {
    expect(claims.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(410)]);
    expect(claims.filter(({ html }) => keyIn(html) !== '')).toHaveLength(1);
  });

  it('has issued every kind of secret', () => {
    const kinds = [...secrets.keys()].map((what) => what.replace(/ \d+$/, ''));
    expect(new Set(kinds)).toEqual(
      new Set([
        ...['issued key', 'claimed key', 'rotated key', 'page-rotated key', 'unknown key', 'mistyped key'],
        ...['invite', 'page invite', 'guessed invite', 'nonce', 'sign-in link', 'session', 'form token'],
      ]),
    );
    for (const secret of secrets.values()) expect(secret.length).toBeGreaterThanOrEqual(43);
  });

  it('Redis stores none of them in a value of any type', async () => {
    const places: string[] = [];
    for (const name of await redis.client.keys('*')) {
      const dumped = await redis.client.dumpBuffer(name);
      places.push(name, dumped?.toString('latin1') ?? '', JSON.stringify(await contents(name)));
    }
    expect(places.length).toBeGreaterThan(30);
    expect(found(places)).toEqual([]);
  });

  it('the files of Redis contain none of them', async () => {
    await redis.client.save();
    const folder = path.dirname(redis.url.replace('unix://', ''));
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) =>
      file.isFile(),
    );
    const texts = await Promise.all(
      files.map((file) => readFile(path.join(file.parentPath ?? file.path, file.name), 'latin1')),
    );
    expect(files.some(({ name }) => name.endsWith('.aof'))).toBe(true);
    expect(files.some(({ name }) => name.endsWith('.rdb'))).toBe(true);
    // Proves that the search works: labels and ids are stored in clear.
    expect(texts.some((text) => text.includes('label of an issued key'))).toBe(true);
    expect(found(texts)).toEqual([]);
  });

  it('none of them was even sent to Redis', async () => {
    const slow = await redis.client.slowlog('GET', 100_000);
    expect(monitor.text()).toContain('label of an issued key');
    expect(found([monitor.text(), JSON.stringify(slow)])).toEqual([]);
  });

  it('no log, error or process list contains one', async () => {
    const lists = await Promise.all(
      servers.map(({ child }) => readFile(`/proc/${child.pid}/cmdline`, 'utf8').catch(() => '')),
    );
    const logs = () => servers.flatMap(({ stdout, stderr }) => [stdout, stderr]);
    const answered = () =>
      logs()
        .join('')
        .match(/"answered"/g)?.length ?? 0;
    // The log flushes its buffer within a second, or later on a busy machine.
    for (let looks = 0; answered() <= 30 && looks < 200; looks++) await sleep(100);
    await sleep(500);
    expect(answered()).toBeGreaterThan(30);
    expect(found([...logs(), ...lists, printed])).toEqual([]);
  });
});

/** The secrets that these texts contain, whole or in part. */
function found(texts: readonly string[]): readonly string[] {
  const parts = [...secrets].flatMap(([what, secret]) => {
    const random = secret.replace(/^sk_live_/, '');
    return [0, 10, 20, 30].map((at) => [what, random.slice(at, at + 12)] as const);
  });
  return parts.filter(([, part]) => texts.some((text) => text.includes(part))).map(([what]) => what);
}

async function contents(name: string): Promise<unknown> {
  const type = await redis.client.type(name);
  const readers: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => redis.client.get(name),
    hash: () => redis.client.hgetall(name),
    list: () => redis.client.lrange(name, 0, -1),
    stream: () => redis.client.xrange(name, '-', '+'),
  };
  const reader = readers[type];
  if (!reader) throw new Error(`${name} is a ${type}: say here how it is read`);
  return reader();
}

/** Records every command that Redis receives. */
async function watch(socket: string) {
  const connection = net.connect(socket);
  await once(connection, 'connect');
  let text = '';
  connection.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  connection.write('MONITOR\r\n');
  return { text: () => text, close: () => connection.destroy() };
}

async function useEverything(urls: readonly string[]): Promise<void> {
  const [here = '', there = ''] = urls;
  const issued = await keys('issue', '--label', 'label of an issued key');
  const key = note('issued key', issued.key);
  await useKey(here, key);
  await useKey(there, key);
  note('rotated key', (await keys('rotate', issued.id)).key);
  await keys('limits', issued.id, '--per-minute', '3');
  for (let i = 0; i < 5; i++) await useKey(there, key);

  const unknown = note('unknown key', mintKey());
  await useKey(here, unknown);
  await useKey(
    here,
    note(
      'mistyped key',
      mintKey().replace(/.$/, (end) => (end === 'x' ? 'y' : 'x')),
    ),
  );
  await fetch(`${here}/v1/catalog?x-api-key=${unknown}&key=${key}`);
  await fetch(`${here}/${key}`);
  await fetch(`${here}/v1/financials?metric=${key}`, { headers: { 'x-api-key': key } });
  await keys('revoke', unknown).catch(() => {});

  const { url: link } = await keys('invite', '--label', 'label of an invite');
  const claimPath = `/claim/${note('invite', tokenOf(link))}`;
  const claimPage = await open(here, claimPath);
  note('nonce', claimPage.fields.nonce ?? '');
  await send(there, claimPath, {}, '');
  claims = await Promise.all(
    Array.from({ length: 16 }, (_, i) =>
      send(i % 2 ? here : there, claimPath, claimPage.fields, claimPage.cookie),
    ),
  );
  const claimedKey = note(
    'claimed key',
    claims.map(({ html }) => keyIn(html)).find((found) => found !== '') ?? '',
  );
  await useKey(here, claimedKey);
  await send(here, claimPath, claimPage.fields, claimPage.cookie);
  await open(here, `/claim/${note('guessed invite', mintSecret())}`);

  const { url: signin } = await keys('signin');
  const signinPath = `/admin/signin/${note('sign-in link', tokenOf(signin))}`;
  const signinPage = await open(here, signinPath);
  note('nonce 2', signinPage.fields.nonce ?? '');
  const { cookie } = await send(here, signinPath, signinPage.fields, signinPage.cookie);
  note('session', cookie.split('=')[1] ?? '');
  const team = await open(there, '/admin', cookie);
  const csrf = note('form token', team.fields.csrf ?? '');
  const { once: onceToken = '' } = (await open(there, '/admin/invites', cookie)).fields;
  const invited = await send(
    there,
    '/admin/invites',
    { csrf, once: onceToken, label: 'from the page', days: '7' },
    cookie,
  );
  note('page invite', /\/claim\/(\w{43})/.exec(invited.html)?.[1] ?? '');
  const { id } = (await keys('list')).keys.at(-1);
  const form = (await open(there, `/admin/keys/${id}`, cookie)).fields;
  const rotated = await send(there, `/admin/keys/${id}/rotate`, { ...form, csrf, grace: '24' }, cookie);
  note('page-rotated key', keyIn(rotated.html));
  await send(there, `/admin/keys/${id}/limits`, { csrf, perMinute: '7', perDay: key }, cookie);
  await send(there, `/admin/keys/${id}/revoke`, { csrf, sure: 'yes' }, cookie);
  await useKey(here, claimedKey);
  await open(there, '/admin/audit', cookie);
  await open(there, `/admin?q=${key}`, cookie);
  await send(there, '/admin/signout', { csrf }, cookie);
  await open(there, '/admin', cookie);
  await open(there, `/admin/keys/${key}`, cookie);
  await keys('audit');
}

function note(what: string, secret: string): string {
  secrets.set(what, secret);
  return secret;
}

const tokenOf = (link: string) => link.split('/').at(-1) ?? '';
const keyIn = (html: string) => /sk_live_[0-9A-Za-z]{49}/.exec(html)?.[0] ?? '';

const useKey = (url: string, key: string) =>
  patientFetch(`${url}/v1/catalog`, { headers: { 'x-api-key': key } });

const open = async (url: string, page: string, cookie = '') =>
  seen(await patientFetch(url + page, { headers: { accept: 'text/html', cookie }, redirect: 'manual' }));

const send = async (url: string, page: string, form: Record<string, string>, cookie: string) => {
  const headers = {
    accept: 'text/html',
    cookie,
    origin: url,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = new URLSearchParams(form).toString();
  return seen(await patientFetch(url + page, { method: 'POST', headers, body, redirect: 'manual' }));
};

async function seen(response: Response) {
  const html = await response.text();
  const hidden = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return {
    status: response.status,
    html,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    fields: Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value])) as Record<
      string,
      string
    >,
  };
}

/** Runs a command of `npm run keys` with --json, and records its stderr. Returns the parsed document that it prints. */
// biome-ignore lint/suspicious/noExplicitAny: each caller states the type that it expects.
async function keys(...args: string[]): Promise<any> {
  const line = keysCommandLine(() => readConfig({ DATA_DIR: data.dataDir, REDIS_URL: redis.url }));
  const { code, stdout, stderr } = await runInProcess(line, [...args, '--json']);
  printed += stderr;
  if (code === 0) return JSON.parse(stdout);
  printed += stdout;
  throw new Error(`keys ${args[0]} ends with ${code}`);
}
