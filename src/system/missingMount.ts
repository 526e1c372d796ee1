// Finds a disk or share that belongs at or above a folder and is not mounted. Its mount point looks like an empty folder.

import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * The mount point at or above a folder that `/etc/fstab` has and where nothing is mounted; null when there is none, and
 * on systems without these tables.
 */
export async function missingMount(folder: string): Promise<string | null> {
  const [wanted, mounted, whole] = await Promise.all([
    mountPointsIn('/etc/fstab'),
    mountPointsIn('/proc/self/mounts'),
    resolved(folder),
  ]);
  if (mounted.length === 0) return null;
  return wanted.find((point) => isAtOrAbove(point, whole) && !mounted.includes(point)) ?? null;
}

/** The mount points of a table with a line for each: device, mount point, and further fields. */
async function mountPointsIn(table: string): Promise<string[]> {
  const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n');
  const points = lines.flatMap((line) => (line.startsWith('#') ? [] : (line.trim().split(/\s+/)[1] ?? [])));
  return Promise.all(
    points.filter((point) => point.startsWith('/')).map((point) => resolved(unescaped(point))),
  );
}

/** A mount point without its escapes: a space is `\040` in both tables. */
const unescaped = (point: string): string =>
  point.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));

/** A path without links, as far as it exists. */
const resolved = (target: string): Promise<string> => realpath(target).catch(() => path.resolve(target));

const isAtOrAbove = (point: string, folder: string): boolean =>
  folder === point || folder.startsWith(`${point === '/' ? '' : point}/`);
