// GET /v1/catalog: every dataset with its dimensions and metrics (contract §2.1 and §4.2).

import { unpooled } from '../../cache/bufferPool.ts';
import { finishedDraft } from '../../cache/rendering.ts';
import { DATASET_NAMES, datasetOf, metricNames } from '../../catalog/datasets.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import { parseNothing } from '../../query/parse.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';

export const catalog: Endpoint<EndpointQuery> = {
  name: 'catalog',
  parse(rawQuery) {
    parseNothing(rawQuery);
    return {};
  },
  render: async (_query, { snapshot }) => ({
    begin: () => finishedDraft(unpooled(bodyOf(snapshot))),
    nextQuery: null,
  }),
};

/** The datasets that both the snapshot and this version of the program know. */
function bodyOf({ tables }: Pick<Snapshot, 'tables'>): Buffer {
  const datasets = DATASET_NAMES.filter((name) => tables[name]).map((name) => {
    const { description, granularities, dimensions } = datasetOf(name);
    return { name, description, granularities, dimensions, metrics: metricNames(name) };
  });
  return Buffer.from(JSON.stringify({ datasets }));
}
