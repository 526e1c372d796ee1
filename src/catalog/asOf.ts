// Finds the snapshot that a text names: by its id, its month, or a day on which it was current.

import { idParts, isSnapshotId } from './dataDirectory.ts';
import { isDay } from './day.ts';
import { type HistoryEntry, history } from './history.ts';

/**
 * The id of the snapshot that `text` names, or null when it names none. An id is returned as it is.
 *
 * | text | snapshot |
 * |---|---|
 * | `2026-10.1` | that one |
 * | `2026-10` | the last retained revision of that month |
 * | `2026-10-15` | the one that was current at the end of that day, UTC; the current one for a day that has not ended |
 *
 * A day has ended where our clock says so, or where a publisher's clock does, in the history: ours may be behind.
 */
export async function snapshotAsOf(
  text: string,
  { dataDir, current, now, ids }: RetainedIds,
): Promise<string | null> {
  if (isSnapshotId(text)) return text;
  if (/^\d{4}-\d{2}$/.test(text)) return lastOfMonth(await ids(), text);
  const endMs = endOfDayMs(text);
  if (endMs === null) return null;
  if (now.getTime() < endMs && !(await hasEndedElsewhere(dataDir, endMs, now))) return current;
  // Before the history is read, because it may be away together with the folder of the snapshots.
  const retained = await ids();
  const id = currentBefore(await history(dataDir), endMs);
  return id !== null && retained.includes(id) ? id : null;
}

/** The snapshots among which a text is looked up. */
export interface RetainedIds {
  readonly dataDir: string;
  /** The id of the current snapshot. */
  readonly current: string;
  readonly now: Date;
  /** The ids of all retained snapshots. */
  ids(): Promise<readonly string[]>;
}

/** The id with the highest revision: revisions ascend in the order of publication, and none is used twice. */
function lastOfMonth(ids: readonly string[], month: string): string | null {
  const revisions = ids.flatMap((id) => {
    const [of, revision] = idParts(id) ?? [];
    return of === month && revision !== undefined ? [revision] : [];
  });
  return revisions.length === 0 ? null : `${month}.${Math.max(...revisions)}`;
}

/**
 * The snapshot that was current just before a moment; null before the first publication. An event counts as no earlier
 * than its predecessor, so that a clock that was set back does not reorder them.
 */
function currentBefore(entries: readonly HistoryEntry[], endMs: number): string | null {
  let current: string | null = null;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const { event, id, at } of entries) {
    const ms = Date.parse(at);
    if (Number.isFinite(ms)) latestMs = Math.max(latestMs, ms);
    if (latestMs >= endMs) break;
    if (event === 'published' || event === 'rolled-back') current = id;
  }
  return current;
}

/**
 * Whether something was published after the end of a day. A history that cannot be read does not say so, nor does an entry
 * of a clock that was far ahead.
 */
async function hasEndedElsewhere(dataDir: string, endMs: number, now: Date): Promise<boolean> {
  const latestMs = now.getTime() + MAX_CLOCK_AHEAD_MS;
  // A day that ends later than any publisher's clock may be needs no look at the history.
  if (latestMs < endMs) return false;
  const times = (await history(dataDir).catch(() => [])).map(({ at }) => Date.parse(at));
  return times.some((ms) => ms >= endMs && ms <= latestMs);
}

/** By how much a publisher's clock may be ahead of ours. */
const MAX_CLOCK_AHEAD_MS = 60 * 60 * 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The first millisecond after `YYYY-MM-DD`; null when the text is not a day. */
function endOfDayMs(text: string): number | null {
  return isDay(text) ? Date.parse(`${text}T00:00:00Z`) + DAY_MS : null;
}
