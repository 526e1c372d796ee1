// Starts versitygw, an S3 server that honours conditional writes: `const gateway = await startGateway()`.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/freePort.ts';
import { removeFolder } from '../support/removeFolder.ts';

const VERSION = 'v1.8.0';
const LOGIN = { AWS_ACCESS_KEY_ID: 'gateway-id', AWS_SECRET_ACCESS_KEY: 'gateway-secret' };

export interface Gateway {
  /** The environment variables for commands and servers. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ends the gateway at once, as `kill -9` does. */
  kill(): Promise<void>;
  /** Makes it accept connections without answering, until it is killed. */
  hang(): void;
  /** Starts it again after `kill`, with the same objects. Does nothing while it runs. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Why versitygw cannot be started here; null when it can. */
export const missingGateway = (): string | null =>
  existsSync(PROGRAM) || spawnSync('go', ['version']).status === 0
    ? null
    : 'there is no go to build versitygw';

const CACHE = path.join(os.tmpdir(), `versitygw-${VERSION}`);
const PROGRAM = process.env.VERSITYGW ?? path.join(CACHE, 'versitygw');

function build(): void {
  if (existsSync(PROGRAM)) return;
  mkdirSync(CACHE, { recursive: true });
  execFileSync('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
    env: { ...process.env, GOBIN: CACHE, GOFLAGS: '-modcacherw' },
    stdio: 'ignore',
  });
}

/** Starts a gateway with an empty bucket `snapshots`. */
export async function startGateway(): Promise<Gateway> {
  build();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-'));
  mkdirSync(path.join(folder, 'snapshots'));
  const port = await freePort();
  const args = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive', 'posix', folder];
  const env = {
    ...process.env,
    ROOT_ACCESS_KEY_ID: LOGIN.AWS_ACCESS_KEY_ID,
    ROOT_SECRET_ACCESS_KEY: LOGIN.AWS_SECRET_ACCESS_KEY,
  };
  const endpoint = `http://127.0.0.1:${port}`;
  const run = () => spawn(PROGRAM, args, { env, stdio: 'ignore' });
  let child = run();
  const isUp = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  const started = async () => {
    while (!(await isUp())) {
      if (child.exitCode !== null) throw new Error(`versitygw ended with ${child.exitCode}`);
      await sleep(50);
    }
  };
  await started();
  const kill = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return {
    settings: { ...LOGIN, AWS_ENDPOINT_URL_S3: endpoint },
    kill,
    hang: () => void child.kill('SIGSTOP'),
    async start() {
      if (child.exitCode === null && child.signalCode === null) return;
      child = run();
      await started();
    },
    async close() {
      await kill();
      await removeFolder(folder);
    },
  };
}
