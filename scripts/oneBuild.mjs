// Keeps builds of one folder apart: the second one waits until the first has ended.
//
// A build first announces itself with a file that is named after its process, then looks for the files of others. Of two
// builds at least the later one sees the other, steps back and tries again. Whoever finds the file of a process that has
// ended removes it, so a killed build stops nobody.

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PREFIX = '.building.';

/** No build takes so long: an older file is one whose process was killed, and another process has its number by now. */
const LONGEST_MS = 600_000;

/** Runs `build` while no other process builds into `folder`; waits as long as that takes. */
export function oneBuildAtATime(folder, build) {
  mkdirSync(folder, { recursive: true });
  const own = path.join(folder, PREFIX + process.pid);
  for (let told = null; ; ) {
    writeFileSync(own, '');
    try {
      const other = otherBuild(folder);
      if (other === null) return build();
      if (told === null)
        process.stderr.write(`Another build runs (process ${other}): waiting for its end.\n`);
      told = other;
    } finally {
      rmSync(own, { force: true });
    }
    sleep(50 + Math.random() * 150);
  }
}

/** The process of another build; null without one. */
function otherBuild(folder) {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const other = Number(name.slice(PREFIX.length));
    if (other === process.pid) continue;
    const file = path.join(folder, name);
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) continue;
    if (isRunning(other) && Date.now() - status.mtimeMs < LONGEST_MS) return other;
    rmSync(file, { force: true });
  }
  return null;
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The build has no other work meanwhile. */
function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
