// Finds the snapshots of earlier months: the files and rows of a month are compared with theirs.

import { idParts, snapshotDirectory, snapshotIds } from '../../../../src/catalog/dataDirectory.ts';
import type { AnyManifest } from '../../../../src/catalog/manifest.ts';
import { manifestIfReadable } from '../../../../src/catalog/readManifest.ts';

/** How many earlier months are compared. Files that changed each month long ago may not do so now. */
const MOST_MONTHS = 6;

/** A file or dataset that changed in this many successive months is expected to change again. */
export const MONTHS_CHANGED = 3;

/** The newest snapshot of each month before this one, the latest month first. */
export async function newestIdsOfEarlierMonths(dataDir: string, month: string): Promise<readonly string[]> {
  const newest = new Map<string, string>();
  for (const id of await snapshotIds(dataDir)) newest.set(idParts(id)?.[0] ?? '', id);
  return [...newest].flatMap(([published, id]) => (published < month ? [id] : [])).reverse();
}

export interface EarlierMonth {
  readonly id: string;
  readonly manifest: AnyManifest;
}

/**
 * The last months before this one, the latest first. The list ends before the first month whose manifest cannot be read.
 */
export async function earlierMonths(
  dataDir: string,
  month: string,
  most = MOST_MONTHS,
): Promise<readonly EarlierMonth[]> {
  const found: EarlierMonth[] = [];
  for (const id of (await newestIdsOfEarlierMonths(dataDir, month)).slice(0, most)) {
    const manifest = await manifestIfReadable(snapshotDirectory(dataDir, id));
    if (manifest === null) break;
    found.push({ id, manifest });
  }
  return found;
}
