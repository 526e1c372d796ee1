// Finds a disk or share that belongs at or above a folder and is not mounted. Its mount point looks like an empty folder.

import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * The mount point at or above a folder that `/etc/fstab` has and where nothing is mounted; null when there is none, and
 * on systems without these tables. Lines with `noauto` do not count, because the system does not mount them at its start.
 */
export async function missingMount(folder: string): Promise<string | null> {
  const [named, mounted, whole] = await Promise.all([
    mountPointsIn('/etc/fstab'),
    mountPointsIn('/proc/self/mounts'),
    resolved(path.resolve(folder)),
  ]);
  if (mounted.length === 0) return null;
  // The kernel lists mount points without links. They are not resolved, because a share that is away never answers.
  const wanted = await Promise.all(named.filter((point) => !mounted.includes(point)).map(resolved));
  return wanted.find((point) => isAbove(point, whole) && !mounted.includes(point)) ?? null;
}

/** The mount points of a table with a line for each: device, mount point, type, options, and further fields. */
async function mountPointsIn(table: string): Promise<string[]> {
  const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n').map((line) => line.trim());
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(/\s+/))
    .filter(([, point, , options]) => point?.startsWith('/') && !options?.split(',').includes('noauto'))
    .map(([, point = '']) => unescaped(point));
}

/** A mount point without its escapes: a space is `\040` in both tables. */
const unescaped = (point: string): string =>
  point.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));

/** An absolute path without links. The part that does not exist stays as it is. */
async function resolved(target: string): Promise<string> {
  try {
    return await realpath(target);
  } catch {
    const parent = path.dirname(target);
    return parent === target ? target : path.join(await resolved(parent), path.basename(target));
  }
}

/** Whether a mount point is a folder or above it. The root is always mounted, although a chroot does not list it. */
const isAbove = (point: string, folder: string): boolean =>
  point !== '/' && (folder === point || folder.startsWith(`${point}/`));
