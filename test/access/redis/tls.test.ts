// Redis over TLS: its certificate is checked, and what is wrong with it is said with its remedy.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { freePort } from '../../support/freePort.ts';
import { notTried } from '../../support/notTried.ts';
import { startRedis } from '../../support/redis.ts';
import { removeFolder } from '../../support/removeFolder.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tls-'));
afterAll(() => removeFolder(folder));

const [certificate, key] = ['redis.crt', 'redis.key'].map((name) => path.join(folder, name));
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) notTried('Redis over TLS: openssl is not installed');

/** Runs `keys list` as an installed program, with these lines in its settings. */
async function list(name: string, ...lines: readonly string[]): Promise<string> {
  const settings = path.join(folder, `${name}.env`);
  writeFileSync(settings, lines.join('\n'));
  const { REDIS_URL: _, NODE_EXTRA_CA_CERTS: __, ...inherited } = process.env;
  const env = { ...inherited, NODE_OPTIONS: '', DATA_API_SETTINGS: settings };
  const { stdout, stderr } = await promisify(execFile)('deploy/bin/keys', ['list'], { env }).catch(
    (failed: { readonly stdout: string; readonly stderr: string }) => failed,
  );
  return stdout + stderr;
}

(hasOpenssl ? it : it.skip)(
  'says what is wrong with a certificate, and works with the right one',
  async () => {
    const request =
      '-x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
    execFileSync('openssl', ['req', ...request.split(' '), '-keyout', `${key}`, '-out', `${certificate}`], {
      stdio: 'pipe',
    });
    const port = await freePort();
    const files = [
      '--tls-cert-file',
      `${certificate}`,
      '--tls-key-file',
      `${key}`,
      '--tls-auth-clients',
      'no',
    ];
    const redis = await startRedis('--tls-port', String(port), ...files).catch(() => null);
    if (redis === null) return notTried('Redis over TLS: this redis-server is built without TLS');
    const trusted = `NODE_EXTRA_CA_CERTS="${certificate}"`;
    const said = await Promise.all([
      list('right', trusted, `REDIS_URL=rediss://localhost:${port}/3`),
      list('unknown', `REDIS_URL=rediss://localhost:${port}`),
      list('other', trusted, `REDIS_URL=rediss://127.0.0.1:${port}`),
      list('plain', `REDIS_URL=redis://localhost:${port}`),
    ]);
    expect(said).toEqual([
      expect.stringContaining('no keys yet'),
      expect.stringMatching(/self-signed certificate; name the file .* in NODE_EXTRA_CA_CERTS$/m),
      expect.stringMatching(/certificate's altnames.*; write its host as its certificate names it$/m),
      expect.stringMatching(/write rediss:\/\/ if it expects TLS$/m),
    ]);
    await redis.close();
  },
);
