// The snapshots of a data directory: which there are, which is current, and what happened to them.

import { appendFile, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const entrySchema = z.object({ event: z.string(), id: z.string(), at: z.string() });

/** One line of history.jsonl. Its order counts, not its times: a clock may be set back. */
export type HistoryEntry = z.infer<typeof entrySchema>;

const ID = /^(\d{4}-\d{2})\.([1-9]\d*)$/;

/** `2026-11.2`: month and revision. */
export const isSnapshotId = (text: string): boolean => ID.test(text);

/** The ids of all snapshots, by month, then revision. */
export async function snapshotIds(dataDir: string): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, 'snapshots')).catch(absent<string[]>([]));
  return entries.filter(isSnapshotId).sort((a, b) => {
    const [[monthA, revisionA], [monthB, revisionB]] = [parts(a), parts(b)];
    return monthA === monthB ? revisionA - revisionB : monthA < monthB ? -1 : 1;
  });
}

/** The snapshot that `current` names, or null without one. */
export async function currentId(dataDir: string): Promise<string | null> {
  const target = await readlink(path.join(dataDir, 'current')).catch(absent<string | null>(null));
  return target === null ? null : path.basename(target);
}

/** What happened so far, oldest first; a line cut by a crash is passed over. */
export async function history(dataDir: string): Promise<HistoryEntry[]> {
  const text = await readFile(path.join(dataDir, 'history.jsonl'), 'utf8').catch(absent(''));
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [entrySchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

export async function record(dataDir: string, entry: HistoryEntry): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // A line of its own even after a cut one.
  const file = path.join(dataDir, 'history.jsonl');
  const before = await readFile(file, 'utf8').catch(absent(''));
  const text = `${before === '' || before.endsWith('\n') ? '' : '\n'}${JSON.stringify(entry)}\n`;
  await appendFile(file, text, { flush: true });
}

/** The revision after the last one a month ever had: an id is never used twice. */
export async function nextRevision(dataDir: string, month: string): Promise<number> {
  const used = [...(await snapshotIds(dataDir)), ...(await history(dataDir)).map(({ id }) => id)];
  const revisions = used.filter((id) => isSnapshotId(id) && parts(id)[0] === month).map((id) => parts(id)[1]);
  return Math.max(0, ...revisions) + 1;
}

/** The folder of a snapshot. */
export const snapshotDirectory = (dataDir: string, id: string): string => path.join(dataDir, 'snapshots', id);

function parts(id: string): [month: string, revision: number] {
  const [, month = '', revision = ''] = ID.exec(id) ?? [];
  return [month, Number(revision)];
}

/** What stands in for a file that is not there; any other failure goes on. */
const absent =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
