// Loads the facts that the explorer knows of the service: its datasets and its snapshots.

import type { Facts } from '../model/facts.ts';
import type { Client, Failure } from './client.ts';
import type { DatasetFacts, SnapshotFacts } from './shapes.ts';

/** Requests fresh lists. The browser may have cached both for an hour, in which snapshots come and go. */
export async function loadFacts({ ask }: Client, signal: AbortSignal): Promise<Facts | Failure> {
  const options = { signal, isFresh: true };
  const [datasets, snapshots] = await Promise.all([
    ask<{ datasets: readonly DatasetFacts[] }>('/v1/datasets', [], options),
    ask<{ snapshots: readonly SnapshotFacts[] }>('/v1/snapshots', [], options),
  ]);
  if (datasets.kind !== 'ok') return datasets;
  if (snapshots.kind !== 'ok') return snapshots;
  return { datasets: datasets.body.datasets, snapshots: snapshots.body.snapshots };
}
