// GET /v1/snapshots: the retained snapshots, newest publication first.

import { DATASET_NAMES } from '../../catalog/datasets.ts';
import type { AnyManifest } from '../../catalog/manifest.ts';
import type { Publication } from '../../catalog/publications.ts';
import type { Snapshots } from '../../catalog/snapshots.ts';
import { parseNothing } from '../../query/parse.ts';
import { sha256 } from '../../sha256.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import { jsonRendering } from './jsonRendering.ts';

export const snapshotList = (snapshots: Snapshots): Endpoint<EndpointQuery> => ({
  name: 'snapshots',
  readsSnapshotHeader: false,
  parse(rawQuery) {
    parseNothing(rawQuery);
    return {};
  },
  /** Snapshots are published and pruned while the current one stays the same. */
  version: async () => sha256(JSON.stringify(await retained(snapshots)), 'base64url'),
  async render(_query, { snapshot }) {
    const list = (await retained(snapshots)).map((one) => entryOf(one, snapshot.id));
    return jsonRendering({ snapshots: list });
  },
});

interface Retained extends Publication {
  readonly manifest: AnyManifest;
}

/** The snapshots with a readable manifest. Requests cannot name the others. */
async function retained(snapshots: Snapshots): Promise<Retained[]> {
  const found: Retained[] = [];
  for (const publication of await snapshots.publications()) {
    const one = await snapshots.find(publication.id);
    if (one) found.push({ ...publication, manifest: one.manifest });
  }
  return found;
}

function entryOf({ id, publishedAt, manifest }: Retained, currentId: string) {
  const { month, fingerprint, datasets } = manifest;
  return {
    id,
    month,
    published_at: publishedAt,
    current: id === currentId,
    fingerprint,
    datasets: Object.fromEntries(
      DATASET_NAMES.flatMap((name) => {
        const described = datasets[name];
        if (!described) return [];
        const { rows, years } = described;
        return [[name, { row_count: rows, first_year: years[0] ?? null, last_year: years.at(-1) ?? null }]];
      }),
    ),
  };
}
