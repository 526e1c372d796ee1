// Lets builds of one folder run one after the other.
//
// A build first writes a file that is named after its process, then looks for the files of other builds. Of two builds,
// at least the later one sees the other, removes its own file, and tries again. A build removes the files of processes
// that have ended, so a killed build stops nobody.

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PREFIX = '.building.';

/** No build takes this long. An older file is of a process that was killed, whose number another process has by now. */
const LONGEST_MS = 600_000;

/** Waits until no other process builds into `folder`, and runs `build`. */
export function oneBuildAtATime(folder, build) {
  mkdirSync(folder, { recursive: true });
  const own = path.join(folder, PREFIX + process.pid);
  for (let announced = null; ; ) {
    writeFileSync(own, '');
    try {
      const other = otherBuild(folder);
      if (other === null) return build();
      if (announced === null)
        process.stderr.write(`Another build runs (process ${other}): waiting for its end.\n`);
      announced = other;
    } finally {
      rmSync(own, { force: true });
    }
    sleep(50 + Math.random() * 150);
  }
}

/** The process id of another build; null if there is none. */
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

/** Whether a process with this number runs. */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Blocks the whole process, which has nothing else to do. */
function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
