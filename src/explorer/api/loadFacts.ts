// Loads the facts about the service that the explorer needs: its datasets and its snapshots.

import type { Facts } from '../model/facts.ts';
import type { Client } from './client.ts';
import type { Failure } from './failure.ts';
import type { DatasetFacts, SnapshotFacts } from './responseTypes.ts';

/** Loads both lists anew. The browser may have cached them for an hour, and snapshots may have changed since. */
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
