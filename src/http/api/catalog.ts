// GET /v1/catalog: every dataset with what it can be asked for (contract §2.1 and §4.2).

import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Snapshots } from '../../catalog/currentSnapshot.ts';
import { DATASET_NAMES, datasetOf, metricNames } from '../../catalog/datasets.ts';
import { unavailable } from '../../errors.ts';
import { finished, owned } from '../../query/bytes.ts';
import { parseCatalog } from '../../query/parse.ts';
import { rawQuery } from '../server/url.ts';
import type { Answers } from './responseCache.ts';

const BODY = Buffer.from(
  JSON.stringify({
    datasets: DATASET_NAMES.map((name) => {
      const { description, granularities, dimensions } = datasetOf(name);
      return { name, description, granularities, dimensions, metrics: metricNames(name) };
    }),
  }),
);

// The catalog is the code's, not the snapshot's: another release has another ETag.
const QUESTION = `catalog ${createHash('sha256').update(BODY).digest('base64url')}`;

export const catalog =
  ({ snapshots, answers }: { snapshots: Snapshots; answers: Answers }): RequestHandler =>
  async (request, response) => {
    parseCatalog(rawQuery(request));
    const lease = snapshots.current();
    if (!lease) throw unavailable();
    try {
      await answers.send(request, response, {
        snapshot: lease.snapshot,
        question: QUESTION,
        find: () => BODY,
        write: (body) => ({ draft: finished(owned(body)), next: null }),
      });
    } finally {
      lease.release();
    }
  };
