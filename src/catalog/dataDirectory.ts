// The layout of a data directory: paths, snapshot ids, and the link to the current snapshot.

import { readdir, readlink, stat } from 'node:fs/promises';
import path from 'node:path';

const SNAPSHOTS_FOLDER = 'snapshots';

/** A revision has at most 15 digits: a number holds them exactly, and the id is short enough for the name of a folder. */
const ID = /^(\d{4}-\d{2})\.([1-9]\d{0,14})$/;

/** Whether a text is an id: a month and a revision, such as `2026-11.2`. */
export const isSnapshotId = (text: string): boolean => ID.test(text);

/** The ids of all snapshots, sorted by month and revision. */
export async function snapshotIds(dataDir: string): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, SNAPSHOTS_FOLDER)).catch(ifMissing<string[]>([]));
  return inOrderOfIds(entries.filter(isSnapshotId));
}

/** The ids, sorted by month and revision: `2026-11.10` comes after `2026-11.9`. */
export const inOrderOfIds = (ids: readonly string[]): string[] => ids.toSorted(byMonthAndRevision);

function byMonthAndRevision(a: string, b: string): number {
  const [[monthA, revisionA], [monthB, revisionB]] = [idParts(a) ?? ['', 0], idParts(b) ?? ['', 0]];
  if (monthA === monthB) return revisionA - revisionB;
  return monthA < monthB ? -1 : 1;
}

/**
 * The id that the link `current` names, even if that snapshot does not exist; null when there is no link.
 *
 * @throws {Error} when the data directory is not a folder. Also when `current` is a file or a folder, or leads out of the
 *   folder of the snapshots: notebooks would then read other rows than the server.
 */
export async function currentId(dataDir: string): Promise<string | null> {
  const link = path.join(dataDir, 'current');
  const target = await readlink(link).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR')
      throw new Error(
        `${dataDir} is not a folder: a file is in the place of a folder; move it away, or name another DATA_DIR`,
      );
    if (error.code !== 'EINVAL') return ifMissing<string | null>(null)(error);
    throw new Error(
      `${link} must be a link to a snapshot and is a file or folder: move it away, then name the current ` +
        'snapshot with rollback <id>',
    );
  });
  if (target === null) return null;
  const folder = path.dirname(path.resolve(dataDir, target));
  const snapshotsFolder = path.resolve(dataDir, SNAPSHOTS_FOLDER);
  if (folder === snapshotsFolder || !(await isAnotherFolder(folder, snapshotsFolder)))
    return path.basename(target);
  throw new Error(
    `${link} leads to ${target}, which is not in the folder ${SNAPSHOTS_FOLDER}: move it away, then name the current ` +
      'snapshot with rollback <id>',
  );
}

/**
 * Whether two paths lead to different folders. One of them may be a link to the other. False when the first path leads
 * to no folder, because nothing is read there.
 */
async function isAnotherFolder(folder: string, another: string): Promise<boolean> {
  const [a, b] = await Promise.all([folder, another].map((each) => stat(each).catch(() => null)));
  return a != null && (a.dev !== b?.dev || a.ino !== b.ino);
}

/** The folder of a snapshot. */
export const snapshotDirectory = (dataDir: string, id: string): string =>
  path.join(dataDir, SNAPSHOTS_FOLDER, id);

/** The file in a snapshot's folder that describes it. */
export const MANIFEST_FILE = 'manifest.json';

/** The month and the revision of an id, such as `['2026-11', 2]`; null when the text is not an id. */
export function idParts(id: string): [month: string, revision: number] | null {
  const [, month, revision] = ID.exec(id) ?? [];
  return month === undefined ? null : [month, Number(revision)];
}

/** Makes a handler of errors that gives `instead` when a file is missing, and throws all other errors. */
const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
