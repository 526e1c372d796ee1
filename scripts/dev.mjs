// `make dev`: serves, and builds and starts anew whenever a source of the server or of the explorer changes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { buildForDevelopment } from './build.mjs';

/** Editors write several files at once, and some files twice. */
const SETTLE_MS = 100;

/** The first start shows an invite. Later ones do not: the key of the first still works. */
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
    // Ctrl-C reaches this process alone, which passes it on: a server ends at once when it gets a second signal.
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
    // The compiler and the bundler have reported their errors. Another error may be that a file was moved meanwhile.
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
