// GET /v1/catalog: every dataset with what it can be asked for (contract §2.1 and §4.2).

import { unpooled } from '../../cache/bufferPool.ts';
import { finishedDraft } from '../../cache/responseCache.ts';
import { DATASET_NAMES, datasetOf, metricNames } from '../../catalog/datasets.ts';
import { parseCatalog } from '../../query/parse.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';

export const catalog: Endpoint<EndpointQuery> = {
  name: 'catalog',
  parse(rawQuery) {
    parseCatalog(rawQuery);
    return { cursorPosition: null };
  },
  render: async () => ({ begin: () => finishedDraft(unpooled(BODY)), followUp: null }),
};

const BODY = Buffer.from(
  JSON.stringify({
    datasets: DATASET_NAMES.map((name) => {
      const { description, granularities, dimensions } = datasetOf(name);
      return { name, description, granularities, dimensions, metrics: metricNames(name) };
    }),
  }),
);
