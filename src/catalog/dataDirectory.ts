// The snapshots of a data directory: which there are, and which is current.

import { readdir, readlink } from 'node:fs/promises';
import path from 'node:path';

const ID = /^(\d{4}-\d{2})\.([1-9]\d*)$/;

/** `2026-11.2`: month and revision. */
export const isSnapshotId = (text: string): boolean => ID.test(text);

/** The ids of all snapshots, by month, then revision. */
export async function snapshotIds(dataDir: string): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, 'snapshots')).catch(absent<string[]>([]));
  return entries.filter(isSnapshotId).sort((a, b) => {
    const [[monthA, revisionA], [monthB, revisionB]] = [partsOf(a) ?? ['', 0], partsOf(b) ?? ['', 0]];
    return monthA === monthB ? revisionA - revisionB : monthA < monthB ? -1 : 1;
  });
}

/** The snapshot that `current` names, whether it is there or not; null without such a link. */
export async function currentId(dataDir: string): Promise<string | null> {
  const link = path.join(dataDir, 'current');
  const target = await readlink(link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EINVAL') return absent<string | null>(null)(error);
    throw new Error(
      `${link} must be a link to a snapshot and is a file or folder: move it away, then name the current ` +
        'snapshot with rollback <id>',
    );
  });
  return target === null ? null : path.basename(target);
}

/** The folder of a snapshot. */
export const snapshotDirectory = (dataDir: string, id: string): string => path.join(dataDir, 'snapshots', id);

/** `['2026-11', 2]`, or null for what is no id. */
export function partsOf(id: string): [month: string, revision: number] | null {
  const [, month, revision] = ID.exec(id) ?? [];
  return month === undefined ? null : [month, Number(revision)];
}

/** What stands in for a file that is not there; any other failure goes on. */
const absent =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
