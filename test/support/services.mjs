// The services that all test files of a run share: Redis, Chromium and a server over the sample. Each starts at its first
// request; tests send requests through services.ts.
//
// The services are children of jest's main process, because workers come and go. They end with this process even when it is
// killed: Chromium stops when its pipe closes, and a shell stops the others when its standard input closes.

import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The number of databases of Redis. There are fewer callers in a run, so each gets a database of its own. */
const DATABASES = 2000;

/** Serves `GET /port`, `/redis`, `/chromium` and `/server`. The answers are JSON with addresses for clients. */
export async function startServices() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'test-services-'));
  const stops = [];
  const redis = onlyOnce(() => startRedis(folder, stops));
  let databases = 0;
  const database = async () => ({ url: `redis://127.0.0.1:${await redis()}/${databases++ % DATABASES}` });
  const services = {
    '/port': async () => ({ port: await freePort() }),
    '/redis': database,
    '/chromium': onlyOnce(() => startChromium(stops)),
    // The server has its own Redis, because tests keep the shared one busy for longer than a server waits.
    '/server': onlyOnce(async () =>
      startServer(`redis://127.0.0.1:${await startRedis(folder, stops)}/0`, stops),
    ),
  };
  const server = http.createServer(async (request, response) => {
    // Connections are not used again. Otherwise a worker that was busy for seconds could use a connection that has just
    // closed.
    response.setHeader('Connection', 'close');
    try {
      response.end(JSON.stringify(await services[request.url]()));
    } catch (error) {
      response.statusCode = 500;
      response.end(error instanceof Error ? error.message : String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await Promise.all(stops.map((stop) => stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a function that calls `start` once, and gives its result to every caller. */
function onlyOnce(start) {
  let started;
  return () => {
    started ??= start();
    return started;
  };
}

/** Starts Redis, and returns its port. */
async function startRedis(folder, stops) {
  const program = ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  );
  if (program === undefined) throw new Error('redis-server is not installed: apt-get install redis-server');
  const port = await freePort();
  const address = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--databases', DATABASES];
  const { stop, ended } = run(program, [...address, '--save', '', '--loglevel', 'warning'], {});
  stops.push(stop);
  while (!(await listens(port))) {
    if (ended()) throw new Error('the shared redis-server does not start');
    await sleep(5);
  }
  return port;
}

async function startChromium(stops) {
  // `import` would parse the whole package for its exports first.
  const { chromium } = createRequire(import.meta.url)('playwright-core');
  // Nothing is drawn, so no process for graphics is needed. As root, Chromium does not start with its sandbox.
  const args = ['--disable-gpu', '--disable-software-rasterizer'];
  // Composing windows in the main process saves messages between processes.
  args.push('--in-process-gpu');
  // A page is open for a second or two. Compiling its scripts with optimisations would take a twelfth of Chromium's CPU.
  args.push('--js-flags=--no-opt,--no-maglev');
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const browser = await chromium.launchServer({
    executablePath: path.resolve('test/support/chromium.sh'),
    env: { ...process.env, CHROMIUM: findChromium() },
    args,
  });
  stops.push(() => browser.close());
  return { endpoint: browser.wsEndpoint() };
}

function findChromium() {
  // chromium-headless-shell takes two thirds of the time of the others for a page.
  const programs = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  for (const program of programs) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  throw new Error(
    `Chromium is not installed (none of ${programs.join(', ')} is on the PATH). Install it: ` +
      'apt-get install chromium (Debian, Ubuntu), brew install --cask chromium (macOS), apk add chromium (Alpine)',
  );
}

/** Starts the built server over the published sample, as `npm start` does, with limits that no test reaches. */
async function startServer(redisUrl, stops) {
  const port = await freePort();
  const settings = {
    PORT: String(port),
    DATA_DIR: process.env.SAMPLE_DATA_DIR,
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'error',
    WARM_UP_SECONDS: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_DAY: '1000000',
  };
  const { stop, ended, said } = run(process.execPath, [path.resolve('dist/src/start.js')], settings);
  stops.push(stop);
  while (!said().includes('Listening on')) {
    if (ended()) throw new Error(`the shared server does not start: ${said()}`);
    await sleep(5);
  }
  return { url: `http://127.0.0.1:${port}`, redisUrl };
}

/** Runs a program that ends with this process, even when this process is killed. */
function run(program, args, settings) {
  // The program replaces the shell. The process in the background waits until standard input closes, and kills it.
  const script = 'exec 3<&0; (cat; kill $$) <&3 >/dev/null 2>&1 & exec "$@" </dev/null';
  const { NODE_OPTIONS: _, REDIS_URL: __, ...inherited } = process.env;
  const child = spawn('sh', ['-c', script, 'sh', program, ...args.map(String)], {
    env: { ...inherited, UV_THREADPOOL_SIZE: '16', ...settings },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const exit = once(child, 'exit');
  return {
    said: () => said,
    ended: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill();
      await exit;
      child.stdin.end();
    },
  };
}

/**
 * A free port that no test has got before. It is below 32768: other programs get higher ones from the system, so this one
 * stays free until it is used.
 */
async function freePort() {
  for (;;) {
    lastPort = lastPort < LAST_PORT ? lastPort + 1 : FIRST_PORT;
    const port = lastPort;
    if (await isFree(port)) return port;
  }
}

const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** The last port that was given out. The first value is random, so that runs on one machine use different ports. */
let lastPort = randomInt(FIRST_PORT, LAST_PORT);

function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer().once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
