// Lists the retained snapshots by summaries of their manifests, which are read once.

import { ApiError } from '../errors.ts';
import { DATASET_NAMES, type DatasetName } from './datasets.ts';
import type { AnyManifest } from './manifest.ts';
import { type Publication, publications } from './publications.ts';
import { SnapshotUnreadable } from './snapshotRefused.ts';
import { signatureOf } from './snapshotSignature.ts';

/** What the list says of a snapshot. A manifest is a hundred times as large. */
export interface SnapshotSummary {
  readonly id: string;
  readonly month: string;
  readonly fingerprint: string;
  /** The datasets that both the snapshot and this version of the program have. */
  readonly datasets: Readonly<Partial<Record<DatasetName, DatasetSummary>>>;
}

interface DatasetSummary {
  readonly rows: number;
  /** Null for a dataset without years. */
  readonly firstYear: number | null;
  readonly lastYear: number | null;
}

export interface ListedSnapshot extends Publication, SnapshotSummary {}

export interface SnapshotList {
  /** The snapshots that requests can name, newest publication first. */
  readonly snapshots: readonly ListedSnapshot[];
  /** The ids of those that may be whole and cannot be read now, in the same order. Requests that name them are 503. */
  readonly unreadable: readonly string[];
}

export interface SnapshotListOptions {
  readonly dataDir: string;
  /** The signature of the current snapshot; null when it has another id. It needs no access to the disk. */
  readonly currentSignature: (id: string) => string | null;
  /** Null for a snapshot that is damaged or gone; throws 503 for one that cannot be read now. */
  readonly readManifest: (id: string, signature: string) => Promise<AnyManifest | null>;
}

/** Returns a function that lists the snapshots as they are. */
export function createSnapshotList(options: SnapshotListOptions): () => Promise<SnapshotList> {
  const { dataDir, currentSignature, readManifest } = options;
  /** By signature. Lists that are made at the same time share them. */
  let known = new Map<string, Promise<SnapshotSummary | null>>();

  function summary(id: string, signature: string): Promise<SnapshotSummary | null> {
    const found =
      known.get(signature) ??
      readManifest(id, signature).then((manifest) => (manifest === null ? null : summaryOf(manifest)));
    known.set(signature, found);
    // A refusal is not kept, because a repair may leave the signature as it was.
    const forget = () => void known.delete(signature);
    found.then((value) => value ?? forget(), forget);
    return found;
  }

  return async () => {
    const snapshots: ListedSnapshot[] = [];
    const unreadable: string[] = [];
    const listed = new Set<string>();
    for (const publication of await publications(dataDir)) {
      const { id } = publication;
      const signature = currentSignature(id) ?? (await signatureOf(dataDir, id));
      // It was pruned just now.
      if (signature === null) continue;
      listed.add(signature);
      try {
        const found = await summary(id, signature);
        if (found !== null) snapshots.push({ ...publication, ...found });
      } catch (error) {
        if (!isOfOneSnapshot(error)) throw error;
        unreadable.push(id);
      }
    }
    known = new Map([...known].filter(([signature]) => listed.has(signature)));
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

/** Whether an error is about the files of a snapshot. Where the process can open no more files, it is about all of them. */
const isOfOneSnapshot = (error: unknown): boolean =>
  error instanceof ApiError && error.cause instanceof SnapshotUnreadable && !error.cause.isOfProcess;
