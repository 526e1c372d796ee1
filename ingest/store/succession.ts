// Which snapshot came after which: the order of publication, the one before another, the next revision.

import { partsOf, snapshotIds } from '../../src/catalog/dataDirectory.ts';
import { type HistoryEntry, history } from '../../src/catalog/history.ts';

export interface Succession {
  /** The snapshots that there are, in the order they were published. */
  readonly retained: readonly string[];
  /** The last one still there that was published before this one, or null: rolling back changes nothing in it. */
  previousOf(id: string): string | null;
}

/** Snapshots that the history does not know, put there by hand or older than it, count as published first. */
export async function succession(dataDir: string): Promise<Succession> {
  const there = await snapshotIds(dataDir);
  const entries = (await history(dataDir)).filter(({ event }) => event === 'published').map(({ id }) => id);
  const published = entries.filter((id, i) => entries.lastIndexOf(id) === i);
  const order = [...there.filter((id) => !published.includes(id)), ...published];
  const isThere = (id: string) => there.includes(id);
  return {
    retained: order.filter(isThere),
    previousOf: (id) => order.slice(0, Math.max(0, order.indexOf(id))).findLast(isThere) ?? null,
  };
}

/** The revision after the last one a month ever had: an id is never used twice. */
export async function nextRevision(dataDir: string, month: string): Promise<number> {
  const used = [...(await snapshotIds(dataDir)), ...(await history(dataDir)).map(({ id }) => id)];
  const revisions = used.map(partsOf).flatMap((parts) => (parts?.[0] === month ? [parts[1]] : []));
  return Math.max(0, ...revisions) + 1;
}

/**
 * When each snapshot last ceased to be current, in milliseconds since 1970. An event is never earlier than one
 * before it: a clock that was set back must not make a snapshot look long superseded.
 */
export function supersededAtMs(entries: readonly HistoryEntry[]): ReadonlyMap<string, number> {
  const superseded = new Map<string, number>();
  let current: string | null = null;
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const { event, id, at, from } of entries) {
    const ms = Date.parse(at);
    if (Number.isFinite(ms)) latestMs = Math.max(latestMs, ms);
    if (event !== 'published' && event !== 'rolled-back') continue;
    const left: string | null = from ?? current;
    if (left !== null && left !== id) superseded.set(left, latestMs);
    superseded.delete(id);
    current = id;
  }
  return superseded;
}
