// Makes the temporary folder of a run in memory. Tests write many small files, and publishing waits until each is on the
// disk, which takes a twentieth of the CPU of the tests that publish.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file system in memory that Linux has. */
const MEMORY = '/dev/shm';
/** The type of such a file system, as Linux numbers it. */
const TMPFS = 0x01021994;

/** The least room. Publishing tests in five workers use 41 MB at once. A container may have 64 MB, which is too near. */
const LEAST_BYTES = 2 ** 30;

/**
 * Makes the folder and sets TMPDIR to it. Without a file system in memory, room and the right to run programs there, and
 * where TMPDIR is set, the temporary folder stays as it is.
 *
 * @returns A function that removes the folder.
 */
export function useMemoryFolder() {
  const folder = process.env.TMPDIR === undefined ? inMemory() : null;
  if (folder === null) return () => {};
  // Some tests run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // Removes the folder when this process ends, even if it is killed. Memory would stay in use until the machine restarts.
  const remover = spawn('sh', ['-c', 'cat; rm -rf "$1"', 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.unref();
  remover.stdin.unref();
  return () => remover.stdin.end();
}

/** A new folder in memory; null where there is no room, or programs cannot be run. */
function inMemory() {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    if (type !== TMPFS || bavail * bsize < LEAST_BYTES || process.availableMemory() < LEAST_BYTES)
      return null;
    const folder = mkdtempSync(path.join(MEMORY, 'tests-'));
    const program = path.join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    const isRun = spawnSync(program).status === 0;
    rmSync(isRun ? program : folder, { recursive: true });
    return isRun ? folder : null;
  } catch {
    return null;
  }
}
