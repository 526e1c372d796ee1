// Contract §4.2: GET /v1/catalog.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { ask } from './wire.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({});
});
afterAll(() => server.close());

describe('GET /v1/catalog', () => {
  it('lists the five datasets with what they offer', async () => {
    const { status, headers, json } = await ask(server.url, '/v1/catalog');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
    const description = expect.any(String);
    const market = [
      'year',
      'region',
      'country',
      'state',
      'category',
      'product',
      'channel',
      'sub_channel',
      'fx',
      'temporal',
    ];
    expect(json).toEqual({
      datasets: [
        { name: 'ggr', description, granularities: ['annual'], dimensions: market, metrics: ['ggr'] },
        {
          name: 'turnover',
          description,
          granularities: ['annual'],
          dimensions: market,
          metrics: ['turnover'],
        },
        {
          name: 'fx',
          description,
          granularities: ['annual'],
          dimensions: ['year', 'region', 'country', 'state', 'fx_local_currency', 'temporal', 'calculation'],
          metrics: ['fx_constant_usd', 'fx_current_eur', 'fx_constant_eur', 'fx_current_usd'],
        },
        {
          name: 'country',
          description,
          granularities: ['annual'],
          dimensions: ['year', 'region', 'country', 'state', 'temporal', 'calculation'],
          metrics: ['gdp_local_currency', 'gdp_usd', 'adult_population', 'inflation'],
        },
        {
          name: 'country_reference',
          description,
          granularities: [],
          dimensions: ['region', 'country', 'country_type'],
          metrics: [],
        },
      ],
    });
  });

  it.each(['/v1/catalog?', '/v1/catalog?&', '/v1/catalog?&&'])(
    'answers %s, because an empty query string has no parameters',
    async (path) => {
      expect((await ask(server.url, path)).status).toBe(200);
    },
  );
});
