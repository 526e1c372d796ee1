// Makes the temporary folder of a run in memory. Tests write many small files, and publishing waits until each is on disk.
// Waiting takes a twentieth of the CPU of the tests that publish.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file system of Linux in memory. */
const MEMORY = '/dev/shm';
/** The number of the file system type tmpfs in Linux. */
const TMPFS = 0x01021994;

/**
 * The least free room. Tests that publish in five workers use 41 MB at once, so the 64 MB of some containers could be too
 * little.
 */
const LEAST_BYTES = 2 ** 30;

/**
 * Makes the folder and sets TMPDIR to it. The temporary folder stays unchanged when TMPDIR is set already, and when memory
 * has no file system, too little room, or no right to run programs.
 *
 * @returns A function that removes the folder.
 */
export function useMemoryFolder() {
  const folder = process.env.TMPDIR === undefined ? inMemory() : null;
  if (folder === null) return () => {};
  // Some tests start programs as another user, who needs the folder, too.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // Removes the folder when this process ends, even if it is killed. Otherwise its memory would stay in use until a
  // restart.
  const remover = spawn('sh', ['-c', 'cat; rm -rf "$1"', 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.unref();
  remover.stdin.unref();
  return () => remover.stdin.end();
}

/** A new folder in memory; null when there is no room, or programs cannot run there. */
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
