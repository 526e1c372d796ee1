// Finds the id of the snapshot that a question means.

import type { Facts } from '../model/facts.ts';
import type { RequestContext } from './client.ts';
import type { Failure } from './failure.ts';
import type { DatasetFacts } from './responseTypes.ts';

/**
 * The id of the snapshot that `name` means, so that all requests for an answer name the same snapshot. The id of a
 * retained snapshot needs no request. For a month or a day, the function asks the API.
 */
export async function loadSnapshotId(
  name: string,
  dataset: string,
  { snapshots }: Facts,
  { ask, signal }: Pick<RequestContext, 'ask' | 'signal'>,
): Promise<{ readonly snapshot: string } | Failure> {
  if (snapshots.some(({ id }) => id === name)) return { snapshot: name };
  const reply = await ask<DatasetFacts>(`/v1/datasets/${dataset}`, [], { snapshot: name, signal });
  return reply.kind === 'ok' ? { snapshot: reply.snapshot } : reply;
}
