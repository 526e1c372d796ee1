// GET /v1/snapshots: the retained snapshots, newest publication first.

import { sha256 } from '../../basics/sha256.ts';
import { DATASET_NAMES } from '../../catalog/datasets.ts';
import type { ListedSnapshot, SnapshotList } from '../../catalog/snapshotList.ts';
import type { Snapshots } from '../../catalog/snapshots.ts';
import { parseNothing } from '../../query/parameters/parse.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import { jsonRendering } from './jsonRendering.ts';

/** The endpoint of all retained snapshots of this server. It ignores X-Snapshot. */
export const snapshotList = (snapshots: Snapshots): Endpoint<EndpointQuery> => ({
  name: 'snapshots',
  readsSnapshotHeader: false,
  parse: parseNothing,
  /** The list may change while the current snapshot stays the same, when older snapshots are pruned. */
  version: async () => sha256(JSON.stringify(await snapshots.list()), 'base64url'),
  async render(_query, { snapshot }) {
    return jsonRendering(answerOf(await snapshots.list(), snapshot.id));
  },
});

/** The body. It has `unreadable` only when there are snapshots that cannot be read. */
const answerOf = ({ snapshots, unreadable }: SnapshotList, currentId: string) => ({
  snapshots: snapshots.map((one) => entryOf(one, currentId)),
  ...(unreadable.length > 0 && { unreadable }),
});

function entryOf({ id, month, publishedAt, fingerprint, datasets }: ListedSnapshot, currentId: string) {
  return {
    id,
    month,
    published_at: publishedAt,
    current: id === currentId,
    fingerprint,
    datasets: Object.fromEntries(
      DATASET_NAMES.flatMap((name) => {
        const found = datasets[name];
        if (!found) return [];
        return [[name, { row_count: found.rows, first_year: found.firstYear, last_year: found.lastYear }]];
      }),
    ),
  };
}
