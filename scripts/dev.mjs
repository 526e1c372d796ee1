// `make dev`: runs the server, and builds and starts it again whenever a source of the server or the explorer changes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { buildForDevelopment } from './build.mjs';

/** How long nothing must change before a build begins. Editors write several files at once, and some files twice. */
const SETTLE_MS = 100;

/** The first start shows an invite. Later starts do not, because the key of the first still works. */
let args = ['--invite'];
let server = start();
let timer = setTimeout(() => {}, 0);
let restarting = Promise.resolve();
let isEnding = false;

const watcher = watch('src', { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    restarting = restarting.then(restart);
  }, SETTLE_MS);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

function start() {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/src/main.js', ...args], {
    stdio: 'inherit',
    // Ctrl-C reaches only this process, which passes the signal on. Otherwise the server would get two signals, and end
    // without a drain.
    detached: true,
    env: { UV_THREADPOOL_SIZE: '16', ...process.env },
  });
  args = [];
  child.once('exit', (code) => {
    if (code !== null && code !== 0)
      process.stderr.write('The server ended; it starts after the next change.\n');
  });
  return child;
}

async function restart() {
  const startedMs = performance.now();
  try {
    buildForDevelopment();
  } catch (error) {
    // The compiler and the bundler have reported their own errors. Any other error is printed here, for example when a file
    // was moved during the build.
    if (error.status === undefined && error.errors === undefined) process.stderr.write(`${error.message}\n`);
    process.stderr.write('Not built: the server goes on with what it has.\n');
    return;
  }
  process.stderr.write(`Built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`);
  await stopped('SIGTERM');
  if (!isEnding) server = start();
}

async function stopped(signal) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill(signal);
  await exit;
}

async function end(signal) {
  isEnding = true;
  watcher.close();
  clearTimeout(timer);
  await stopped(signal);
  process.exit();
}
