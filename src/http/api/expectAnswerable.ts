// Checks a query against the manifests of its snapshots, before a snapshot is opened for it.

import type { AnyManifest } from '../../catalog/manifest.ts';
import { invalidCursor } from '../../query/cursor.ts';
import { unknownDataset } from '../../query/parameters/parameters.ts';
import { expectKnownValues } from '../../query/strictHandling.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import type { ParsedQuery } from './parsedQueries.ts';

export interface CheckedQuery<Query extends EndpointQuery>
  extends Pick<ParsedQuery<Query>, 'query' | 'cursor'> {
  /** Whether a filter value that no row has is an error. */
  readonly isStrict: boolean;
  /** The endpoint that checks the cursor; left out when its queries have no cursor. */
  readonly endpoint?: Pick<Endpoint<Query>, 'checkCursor'>;
}

/**
 * Checks the dataset, then the values, then the cursor.
 *
 * @throws {ApiError} 400 when the query cannot be answered from these snapshots.
 */
export function expectAnswerable<Query extends EndpointQuery>(
  { query, isStrict, cursor, endpoint }: CheckedQuery<Query>,
  manifest: AnyManifest,
  base: AnyManifest | null,
): void {
  const { dataset, datasetParameter = 'dataset', filters } = query;
  if (dataset) {
    const described = manifest.datasets[dataset];
    const describedInBase = base?.datasets[dataset];
    if (!described || (base && !describedInBase)) throw unknownDataset(datasetParameter, dataset);
    if (isStrict && filters)
      expectKnownValues(filters, describedInBase ? [described, describedInBase] : [described]);
  }
  if (cursor === null) return;
  if (cursor === 'malformed' || cursor.snapshotId !== manifest.id) throw invalidCursor();
  endpoint?.checkCursor?.(query, cursor, manifest, base);
}
