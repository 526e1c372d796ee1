// GET /v1/catalog: every dataset with its dimensions and metrics (contract §2.1 and §4.2).

import { DATASET_NAMES, datasetOf, metricNames } from '../../catalog/datasets.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import { parseNothing } from '../../query/parameters/parse.ts';
import type { Endpoint, EndpointQuery } from './endpoint.ts';
import { jsonRendering } from './jsonRendering.ts';

export const catalog: Endpoint<EndpointQuery> = {
  name: 'catalog',
  parse: parseNothing,
  render: async (_query, { snapshot }) => jsonRendering(bodyOf(snapshot)),
};

/** The body. It lists the datasets that both the snapshot and this version of the program have. */
function bodyOf({ tables }: Pick<Snapshot, 'tables'>) {
  const datasets = DATASET_NAMES.filter((name) => tables[name]).map((name) => {
    const { description, granularities, dimensions } = datasetOf(name);
    return { name, description, granularities, dimensions, metrics: metricNames(name) };
  });
  return { datasets };
}
