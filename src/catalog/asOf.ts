// Finds the snapshot that a text names: by its id, its month, or a day on which it was current.

import { endOfDayMs } from './calendar.ts';
import { currentId, idParts, isSnapshotId } from './dataDirectory.ts';
import { type HistoryEntry, readHistory } from './readHistory.ts';

/**
 * The id of the snapshot that `text` names; null when it names none. An id is returned as it is, even if no such
 * snapshot exists.
 *
 * | text | snapshot |
 * |---|---|
 * | `2026-10.1` | that snapshot |
 * | `2026-10` | the last retained revision of that month |
 * | `2026-10-15` | the one that was current at the end of that day, UTC; the current one if the day has not ended |
 *
 * A day has ended if it has ended by our clock, or if the history has a later event. Our clock may be behind that of a
 * publisher.
 */
export async function snapshotAsOf(
  text: string,
  { dataDir, current, now, ids }: AsOfContext,
): Promise<string | null> {
  if (isSnapshotId(text)) return text;
  if (/^\d{4}-\d{2}$/.test(text)) return lastOfMonth(await ids(), text);
  const endMs = endOfDayMs(text);
  if (endMs === null) return null;
  if (now.getTime() < endMs && !(await hasEndedElsewhere(dataDir, endMs, now))) return current;
  // The ids are read before the history: only reading the ids throws 503 when the data directory is away.
  const retained = await ids();
  const { id, isLast } = currentBefore(await readHistory(dataDir), endMs);
  if (id === null || !retained.includes(id)) return null;
  // A history that ends with another snapshot than the current one lacks its last events, as after a partial restore. So it
  // does not say since when the current snapshot has been current.
  return !isLast || id === current || id === (await currentId(dataDir)) ? id : null;
}

/** What `snapshotAsOf` needs besides the text: the data directory, the current id, the time, and all retained ids. */
export interface AsOfContext {
  readonly dataDir: string;
  readonly current: string;
  readonly now: Date;
  ids(): Promise<readonly string[]>;
}

/** The id with the greatest revision of a month, which was published last; null when none of `ids` is of the month. */
function lastOfMonth(ids: readonly string[], month: string): string | null {
  const revisions = ids.flatMap((id) => {
    const [idMonth, revision] = idParts(id) ?? [];
    return idMonth === month && revision !== undefined ? [revision] : [];
  });
  return revisions.length === 0 ? null : `${month}.${Math.max(...revisions)}`;
}

interface CurrentAtMoment {
  /** Its id; null before the first publication. */
  readonly id: string | null;
  /** Whether the history has no later event. */
  readonly isLast: boolean;
}

/**
 * The snapshot that was current just before a moment. If a clock was set back, an event may have an earlier time than its
 * predecessor. It then counts as happening at the time of its predecessor.
 */
function currentBefore(entries: readonly HistoryEntry[], endMs: number): CurrentAtMoment {
  let id: string | null = null;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const { event, id: entryId, at } of entries) {
    const ms = Date.parse(at);
    if (Number.isFinite(ms)) latestMs = Math.max(latestMs, ms);
    if (latestMs >= endMs) return { id, isLast: false };
    if (event === 'published' || event === 'rolled-back') id = entryId;
  }
  return { id, isLast: true };
}

/**
 * Whether the history has an event after the end of a day. An event of a clock that was far ahead does not count. The
 * result is false when the history cannot be read.
 */
async function hasEndedElsewhere(dataDir: string, endMs: number, now: Date): Promise<boolean> {
  const latestMs = now.getTime() + MAX_CLOCK_AHEAD_MS;
  // If the day ends later than the clock of any publisher can be, the history need not be read.
  if (latestMs < endMs) return false;
  const times = (await readHistory(dataDir).catch(() => [])).map(({ at }) => Date.parse(at));
  return times.some((ms) => ms >= endMs && ms <= latestMs);
}

/** By how much the clock of a publisher may be ahead of ours. */
const MAX_CLOCK_AHEAD_MS = 60 * 60 * 1000;
