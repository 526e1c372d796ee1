// GET /v1/catalog: every dataset with what it can be asked for (contract §2.1 and §4.2).

import type { RequestHandler } from 'express';
import { DATASET_NAMES, datasetOf, metricNames } from '../catalog/datasets.ts';
import type { Snapshots } from '../catalog/follow.ts';
import { unavailable } from '../errors.ts';
import { parseCatalog } from '../query/parse.ts';
import { sendAnswer } from './answer.ts';
import { rawQuery } from './url.ts';

const BODY = Buffer.from(
  JSON.stringify({
    datasets: DATASET_NAMES.map((name) => {
      const { description, granularities, dimensions } = datasetOf(name);
      return { name, description, granularities, dimensions, metrics: metricNames(name) };
    }),
  }),
);

export const catalog =
  ({ snapshots, maxAgeSeconds }: { snapshots: Snapshots; maxAgeSeconds: number }): RequestHandler =>
  async (request, response) => {
    parseCatalog(rawQuery(request));
    const lease = snapshots.current();
    if (!lease) throw unavailable();
    try {
      const question = ['catalog', BODY.toString()];
      await sendAnswer(request, response, {
        snapshot: lease.snapshot,
        maxAgeSeconds,
        question,
        body: () => BODY,
      });
    } finally {
      lease.release();
    }
  };
