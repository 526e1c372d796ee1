// Redis over TLS: its certificate is checked, and the message about a problem names its remedy.

import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { keysCommandLine } from '../../../src/access/commands/keysCommandLine.ts';
import { readConfig } from '../../../src/config/config.ts';
import { some } from '../../support/depth.ts';
import { freePort } from '../../support/freePort.ts';
import { notTried } from '../../support/notTried.ts';
import { redisProgram, startRedis } from '../../support/redis.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { runInProcess } from '../../support/runInProcess.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tls-'));
afterAll(() => removeFolder(folder));

const [certificate, key] = ['redis.crt', 'redis.key'].map((name) => path.join(folder, name));
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (hasOpenssl) {
  const request =
    '-x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
  execFileSync('openssl', ['req', ...request.split(' '), '-keyout', `${key}`, '-out', `${certificate}`], {
    stdio: 'pipe',
  });
} else notTried('Redis over TLS: openssl is not installed');

/** The output of `keys list`. Another output than `expected` may come from a busy machine, so the command is repeated. */
async function list(name: string, expected: RegExp, ...lines: readonly string[]): Promise<string> {
  for (let tries = 1; ; tries++) {
    const output = await listOnce(name, lines);
    if (tries === 10 || expected.test(output)) return output;
  }
}

/**
 * Runs `keys list` with these lines as its settings. With TLS it is the installed program, because Node reads the file of
 * certificates at its start. Without TLS it runs in this process.
 */
async function listOnce(name: string, lines: readonly string[]): Promise<string> {
  if (!lines.some((line) => line.includes('rediss'))) {
    const given = Object.fromEntries(lines.map((line) => line.split('=')));
    const line = keysCommandLine(() => readConfig({ DATA_DIR: folder, ...given }));
    const { stdout, stderr } = await runInProcess(line, ['list']);
    return stdout + stderr;
  }
  const settings = path.join(folder, `${name}.env`);
  writeFileSync(settings, lines.join('\n'));
  const { REDIS_URL: _, NODE_EXTRA_CA_CERTS: __, ...inherited } = process.env;
  const env = { ...inherited, NODE_OPTIONS: '', DATA_API_SETTINGS: settings };
  const { stdout, stderr } = await promisify(execFile)('deploy/bin/keys', ['list'], { env }).catch(
    (failed: { readonly stdout: string; readonly stderr: string }) => failed,
  );
  return stdout + stderr;
}

/** Starts a Redis over TLS with these further options. Null when redis-server is built without TLS. */
const startTlsRedis = (port: string, ...options: readonly string[]) =>
  startRedis(
    ...`--tls-port ${port} --tls-cert-file ${certificate} --tls-key-file ${key}`.split(' '),
    ...options,
  ).catch(() => null);

/** Starts a Sentinel over TLS that knows this master; returns a function that kills it. */
async function startTlsSentinel(port: string, masterPort: string): Promise<() => Promise<void>> {
  const file = path.join(folder, 'sentinel.conf');
  const settings = [
    `port 0\ntls-port ${port}\ndir ${folder}\nloglevel warning`,
    `tls-cert-file ${certificate}\ntls-key-file ${key}\ntls-ca-cert-file ${certificate}`,
    'tls-auth-clients no\ntls-replication yes',
    'sentinel resolve-hostnames yes\nsentinel announce-hostnames yes',
    `sentinel monitor mymaster localhost ${masterPort} 1`,
  ];
  writeFileSync(file, settings.join('\n'));
  const sentinel = spawn(redisProgram(), [file, '--sentinel'], { stdio: 'ignore' });
  await once(sentinel, 'spawn');
  return async () => {
    const ended = once(sentinel, 'exit');
    sentinel.kill('SIGKILL');
    await ended;
  };
}

(hasOpenssl ? it : it.skip)(
  'says what is wrong with a certificate, and works with the right one: one server, Sentinels and a cluster',
  async () => {
    const [port = '', sentinelPort = '', clusterPort = '', busPort = ''] = await Promise.all(
      Array.from({ length: 4 }, freePort),
    );
    const redis = await startTlsRedis(port, '--tls-auth-clients', 'no');
    if (redis === null) return notTried('Redis over TLS: this redis-server is built without TLS');
    const killSentinel = await startTlsSentinel(sentinelPort, port);
    const clusterOptions = `--tls-auth-clients no --tls-cluster yes --tls-ca-cert-file ${certificate} --cluster-enabled yes --cluster-port ${busPort} --cluster-announce-hostname localhost --cluster-preferred-endpoint-type hostname`;
    const cluster = await startTlsRedis(clusterPort, ...clusterOptions.split(' '));
    await cluster?.client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    const trusted = `NODE_EXTRA_CA_CERTS="${certificate}"`;
    const cases: readonly (readonly [name: string, expected: RegExp, ...lines: string[]])[] = [
      ['right', /no keys yet/, trusted, `REDIS_URL=rediss://localhost:${port}/3`],
      [
        'edited-on-windows',
        /^no keys yet/,
        ` NODE_EXTRA_CA_CERTS = ${certificate} \r`,
        `REDIS_URL=rediss://localhost:${port}/3\r`,
      ],
      [
        'unknown',
        /self-signed certificate; name the file .* in NODE_EXTRA_CA_CERTS$/m,
        `REDIS_URL=rediss://localhost:${port}`,
      ],
      [
        'other',
        /certificate's altnames.*; write its host as its certificate names it$/m,
        trusted,
        `REDIS_URL=rediss://127.0.0.1:${port}`,
      ],
      ['plain', /write rediss:\/\/ if it expects TLS$/m, `REDIS_URL=redis://localhost:${port}`],
      ['sentinel', /no keys yet/, trusted, `REDIS_URL=rediss+sentinel://localhost:${sentinelPort}/mymaster`],
      [
        'plain-sentinel',
        /write rediss\+sentinel:\/\/ if they expect TLS$/m,
        trusted,
        `REDIS_URL=redis+sentinel://localhost:${sentinelPort}/mymaster`,
      ],
      ['cluster', /no keys yet/, trusted, `REDIS_URL=rediss+cluster://localhost:${clusterPort}`],
      [
        'plain-cluster',
        /or rediss\+cluster:\/\/ if it expects TLS$/m,
        trusted,
        `REDIS_URL=redis+cluster://localhost:${clusterPort}`,
      ],
    ];
    // Each case with TLS starts a process, which takes time, so `make test` tries only four cases.
    const tried = some(cases, 4);
    const outputs = await Promise.all(tried.map((one) => list(...one)));
    expect(outputs).toEqual(tried.map(([, expected]) => expect.stringMatching(expected)));
    await Promise.all([redis.close(), cluster?.close(), killSentinel()]);
  },
);

/** Closes Redis twenty times as soon as the connection is open, when TLS has not yet checked the certificate. */
const CLOSE_DURING_HANDSHAKE = `
  import { once } from 'node:events';
  import { openRedis } from '${pathToFileURL(path.resolve('dist/src/access/redis/connection.js'))}';
  const nodes = [{ host: 'localhost', port: Number(process.argv[1]) }];
  const address = { nodes, tls: true, cluster: false, username: null, password: null, db: 0 };
  for (let times = 0; times < 20; times++) {
    const opened = openRedis({ address, dataDir: '' });
    while (opened.client.stream === undefined) await new Promise(setImmediate);
    await once(opened.client.stream, 'connect');
    const ended = new Promise((resolve) => opened.client.once('end', resolve));
    await opened.close();
    await ended;
  }
  console.log('closed');`;

(hasOpenssl ? it : it.skip)(
  'closes while the certificate is being refused, without a further error',
  async () => {
    const port = await freePort();
    const redis = await startTlsRedis(port, '--tls-auth-clients', 'no');
    if (redis === null) return;
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    const script = ['--input-type=module', '-e', CLOSE_DURING_HANDSHAKE, port];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, script, {
      env: { ...env, NODE_OPTIONS: '' },
    });
    expect([stdout, stderr]).toEqual(['closed\n', '']);
    await redis.close();
  },
);
