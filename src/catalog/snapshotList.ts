// Lists the retained snapshots. It reads each manifest once, and keeps a summary of it.

import { getOrInsert } from '../basics/maps.ts';
import { ApiError } from '../errors.ts';
import { DATASET_NAMES, type DatasetName } from './datasets.ts';
import type { AnyManifest } from './manifest.ts';
import { type Publication, publications } from './publications.ts';
import { SnapshotUnreadable } from './snapshotRefused.ts';
import { manifestSignatureOf } from './snapshotSignature.ts';

/** The part of a manifest that the list needs. A whole manifest is a hundred times as large. */
export interface SnapshotSummary {
  readonly id: string;
  readonly month: string;
  readonly fingerprint: string;
  /** The datasets that both the snapshot and this version of the program have. */
  readonly datasets: Readonly<Partial<Record<DatasetName, DatasetSummary>>>;
}

interface DatasetSummary {
  readonly rows: number;
  /** The first and the last year of the rows; null for a dataset without years. */
  readonly firstYear: number | null;
  readonly lastYear: number | null;
}

export interface ListedSnapshot extends Publication, SnapshotSummary {}

export interface SnapshotList {
  /** The snapshots that requests can name, newest publication first. */
  readonly snapshots: readonly ListedSnapshot[];
  /**
   * The ids of snapshots that cannot be read now but may be undamaged, in the order of `snapshots`. Requests for them get
   * 503.
   */
  readonly unreadable: readonly string[];
}

export interface SnapshotListOptions {
  readonly dataDir: string;
  /** The signature of the current snapshot, without access to the disk; null when its id is not `id`. */
  readonly currentSignature: (id: string) => string | null;
  /** Reads a manifest. Null for a snapshot that is damaged or gone. Throws 503 for one that cannot be read now. */
  readonly readManifest: (id: string, signature: string) => Promise<AnyManifest | null>;
}

/** Returns a function that lists the snapshots that exist now. */
export function createSnapshotList(options: SnapshotListOptions): () => Promise<SnapshotList> {
  const { dataDir, currentSignature, readManifest } = options;
  /** The summaries by signature. Concurrent calls share them. */
  let summaries = new Map<string, Promise<SnapshotSummary | null>>();

  function summary(id: string, signature: string): Promise<SnapshotSummary | null> {
    const found = getOrInsert(summaries, signature, async () => {
      const manifest = await readManifest(id, signature);
      return manifest === null ? null : summaryOf(manifest);
    });
    // A failure is forgotten, because a repair may not change the signature.
    const forget = () => void summaries.delete(signature);
    found.then((value) => value ?? forget(), forget);
    return found;
  }

  return async () => {
    const snapshots: ListedSnapshot[] = [];
    const unreadable: string[] = [];
    const listed = new Set<string>();
    for (const publication of await publications(dataDir)) {
      const { id } = publication;
      const signature = currentSignature(id) ?? (await manifestSignatureOf(dataDir, id));
      // The snapshot has just been pruned.
      if (signature === null) continue;
      listed.add(signature);
      try {
        const found = await summary(id, signature);
        if (found !== null) snapshots.push({ ...publication, ...found });
      } catch (error) {
        if (!isAboutOneSnapshot(error)) throw error;
        unreadable.push(id);
      }
    }
    summaries = new Map([...summaries].filter(([signature]) => listed.has(signature)));
    return { snapshots, unreadable };
  };
}

function summaryOf({ id, month, fingerprint, datasets }: AnyManifest): SnapshotSummary {
  const summaries = DATASET_NAMES.flatMap((name) => {
    const described = datasets[name];
    if (!described) return [];
    const { rows, years } = described;
    return [[name, { rows, firstYear: years[0] ?? null, lastYear: years.at(-1) ?? null }] as const];
  });
  return { id, month, fingerprint, datasets: Object.fromEntries(summaries) };
}

/**
 * Whether an error is about one snapshot only. When the process cannot open any more files, the error is about all
 * snapshots.
 */
const isAboutOneSnapshot = (error: unknown): boolean =>
  error instanceof ApiError && error.cause instanceof SnapshotUnreadable && !error.cause.isProcessFault;
