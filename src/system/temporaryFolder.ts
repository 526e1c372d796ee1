// Makes temporary folders outside DATA_DIR, and removes those that killed processes have left.

import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder in `parent`. The caller must remove it. The first call for a name also removes folders with this name
 * that killed processes have left.
 *
 * @param name the beginning of the folder's name.
 */
export function makeTemporaryFolder(parent: string, name: string): Promise<string> {
  const place = path.join(parent, name);
  if (!tidied.has(place)) {
    tidied.add(place);
    removeLeftovers(parent, name, Date.now()).catch(() => {});
  }
  return mkdtemp(`${place}${process.pid}-`);
}

/** The `parent` and `name` of each earlier call, joined to a path. */
const tidied = new Set<string>();

/** Removes the folders of this user whose processes have ended, if they are older than a day. */
export async function removeLeftovers(parent: string, name: string, nowMs: number): Promise<void> {
  for (const entry of await readdir(parent)) {
    const [, pid] = entry.startsWith(name) ? (/^(\d+)-\w+$/.exec(entry.slice(name.length)) ?? []) : [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = path.join(parent, entry);
    const status = await lstat(folder).catch(() => null);
    const isOurs = status?.isDirectory() === true && status.uid === process.getuid?.();
    if (isOurs && status.mtimeMs < nowMs - STALE_MS) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Younger folders are kept, because they may belong to a process in another container, which this process cannot see. Every
 * process is done with its folder after less than a day.
 */
const STALE_MS = 24 * 60 * 60 * 1000;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
