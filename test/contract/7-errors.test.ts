// Contract §7: status codes and the words of every error. The tests of keys and limits have their errors.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { ask } from './wire.ts';
import { DATASETS, FINANCIAL, query, WORLD } from './world.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({ rows: WORLD });
});
afterAll(() => server.close());

/** The status, and the body exactly as the contract writes it. */
const refusal = async (path: string) => {
  const { status, json } = await ask(server.url, path);
  return { status, json };
};
const financials = (parameters: Parameters<typeof query>[0]) =>
  refusal(`/v1/financials?${query(parameters)}`);

describe('7.1 status codes', () => {
  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/financial',
    '/v1/financials/ggr',
    '/v1/metrics',
    '/catalog',
    '/robots.txt',
  ])('answers 404 for %s: the endpoint does not exist', async (path) => {
    expect(await refusal(path)).toEqual({ status: 404, json: { error: 'Endpoint does not exist' } });
  });

  it('sends every error as a JSON object with a text', async () => {
    for (const path of ['/nowhere', '/v1/financials', '/v1/reference?dataset=x', '/v1/catalog?x=1']) {
      const { headers, json } = await ask(server.url, path);
      expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
      expect(json).toMatchObject({ error: expect.stringMatching(/\S/) });
    }
  });
});

describe('7.2 cases', () => {
  it('a query without metric is refused', async () => {
    expect(await refusal('/v1/financials')).toEqual({
      status: 400,
      json: {
        error: 'Invalid query parameters',
        details: {
          formErrors: [],
          fieldErrors: { metric: ['Invalid input: expected string, received undefined'] },
        },
      },
    });
  });

  it.each([
    '2020',
    '2020-01-01',
    '2020-01-01:',
    ':2020-12-31',
    '2020-1-1:2020-12-31',
    '2020-01-01:2020-12-311',
    '2020-01-01:2020-12-31\n',
    ' 2020-01-01:2020-12-31',
    '2020-01-01/2020-12-31',
    '2020-01-01:2020-12-31:2021-12-31',
    '２０２０-01-01:2020-12-31',
    '',
  ])('period %j does not match the pattern', async (period) => {
    expect(await financials({ metric: 'ggr', period })).toEqual({
      status: 400,
      json: {
        error: 'Invalid query parameters',
        details: { formErrors: [], fieldErrors: { period: ['Expected format: YYYY-MM-DD:YYYY-MM-DD'] } },
      },
    });
  });

  it.each([
    'nope',
    'country_reference',
    "o'hara",
    '"',
    '<b>',
    'constructor',
    'hasOwnProperty',
    '\u0000',
    '𝔤𝔤𝔯',
    '%',
    '$&',
    'GGR',
    'ggr ',
    '__proto__',
  ])('the unknown metric %j is refused', async (metric) => {
    expect(await financials({ metric })).toEqual({
      status: 400,
      json: { error: `Unknown metric: '${metric}'. Use GET /catalog to see available datasets.` },
    });
  });

  it.each(
    FINANCIAL.flatMap((metric) =>
      [
        ...['foo', 'x y', '"', '', '$&', 'Year', 'ggr', 'dataset', 'offset', 'country_type'],
        ...['__proto__', 'constructor'],
      ].map((name) => [metric, name] as const),
    ),
  )('for %s a parameter %j is not a dimension', async (metric, name) => {
    expect(await financials({ metric, [name]: '1' })).toEqual({
      status: 400,
      json: {
        error: `Invalid filter dimension "${name}" for metric "${metric}". Valid dimensions: ${DATASETS[metric].dimensions.join(', ')}`,
      },
    });
  });

  it.each([
    'x',
    '',
    'null',
    'AAAAAAAA',
    '0',
    '../../etc/passwd',
    '2026-11.1',
    'eyJhIjoxfQ',
    'é',
    '\u0000',
    'x'.repeat(5000),
  ])('cursor %j is invalid', async (cursor) => {
    const json = { error: 'Invalid pagination cursor' };
    expect(await financials({ metric: 'ggr', cursor })).toEqual({ status: 400, json });
    expect(await refusal(`/v1/reference?${query({ dataset: 'country_reference', cursor })}`)).toEqual({
      status: 400,
      json,
    });
  });
});
