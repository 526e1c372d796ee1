// Contract §4.3: GET /v1/reference.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { ask } from './wire.ts';
import { inOrder, pageOf, query, WORLD, walk } from './world.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({ rows: WORLD });
});
afterAll(() => server.close());

const COUNTRIES = inOrder(WORLD.country_reference);
const get = (parameters: Parameters<typeof query>[0]) =>
  ask(server.url, `/v1/reference?${query({ dataset: 'country_reference', ...parameters })}`);

describe('GET /v1/reference', () => {
  it('serves country_reference as flat rows', async () => {
    const { status, headers, json } = await get({});
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(json).toEqual({
      meta: { dataset: 'country_reference', filters_applied: {}, row_count: 8 },
      data: [
        { region: 'Africa', country: 'Congo, Democratic Republic of', country_type: 'Tracked' },
        { region: 'Africa', country: "Côte d'Ivoire", country_type: 'Tracked' },
        { region: 'Europe', country: 'Malta', country_type: 'Tracked' },
        { region: 'Europe', country: 'Spain', country_type: 'Tracked' },
        { region: 'Europe', country: 'Türkiye', country_type: 'Tracked' },
        { region: 'North America', country: 'United States', country_type: 'Tracked' },
        { region: 'Africa', country: 'Zambia', country_type: 'Amalgamated' },
        { region: 'Europe', country: 'Åland', country_type: 'Tracked' },
      ],
      pagination: { cursor: null, has_more: false },
    });
  });

  it.each([1, 3, 7, 8, 9, 1000])('gives at most %i rows when that is the limit', async (limit) => {
    const { data, meta, pagination } = pageOf(await get({ limit }));
    expect(data).toEqual(COUNTRIES.slice(0, limit));
    expect(meta.row_count).toBe(data.length);
    expect(pagination.has_more).toBe(limit < 8);
  });

  it.each([1, 3, 8])('gives every row once in a walk at limit %i', async (limit) => {
    expect(await walk(server.url, `/v1/reference?dataset=country_reference&limit=${limit}`)).toEqual(
      COUNTRIES,
    );
  });
});
