// Contract §4.1: GET /v1/financials.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../support/depth.ts';
import { startServer } from '../support/server.ts';
import type { Row } from '../support/snapshot.ts';
import { ask } from './wire.ts';
import { answered, DATASETS, FINANCIAL, type Financial, pageOf, query, WORLD, walk } from './world.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({ rows: WORLD });
});
afterAll(() => server.close());

const get = (parameters: Parameters<typeof query>[0]) =>
  ask(server.url, `/v1/financials?${query(parameters)}`);

describe('parameters', () => {
  it('filters by period', async () => {
    const { data, meta } = pageOf(
      await get({ metric: 'country', country: 'Malta', period: '2020-01-01:2021-12-31' }),
    );
    expect(data.map(({ dimensions }) => dimensions.year)).toEqual([2020, 2021]);
    expect(meta.filters_applied).toEqual({ country: ['Malta'], year: ['2020', '2021'] });
  });

  const APPLIES: Readonly<Record<string, readonly Financial[]>> = {
    region: FINANCIAL,
    country: FINANCIAL,
    channel: ['ggr', 'turnover'],
    category: ['ggr', 'turnover'],
    product: ['ggr', 'turnover'],
    sub_channel: ['ggr', 'turnover'],
    fx_local_currency: ['fx'],
    state: FINANCIAL,
    fx: ['ggr', 'turnover'],
    temporal: FINANCIAL,
    calculation: ['fx', 'country'],
    year: FINANCIAL,
  };

  it.each(Object.keys(APPLIES))(
    'applies %s to the datasets that have it and refuses it for others',
    async (name) => {
      for (const metric of FINANCIAL) {
        const { status, json } = await get({ metric, [name]: '2020' });
        if (APPLIES[name]?.includes(metric)) expect(status).toBe(200);
        else {
          expect(status).toBe(400);
          expect(json).toEqual({
            error: `Invalid filter dimension "${name}" for metric "${metric}". Valid dimensions: ${DATASETS[metric].dimensions.join(', ')}`,
          });
        }
      }
    },
  );

  it.each([1, 7, 100, 159, 160, 161, 1000])('gives at most %i rows when that is the limit', async (limit) => {
    const { data, meta, pagination } = pageOf(await get({ metric: 'ggr', limit }));
    expect(data).toHaveLength(Math.min(limit, 160));
    expect(meta.row_count).toBe(data.length);
    expect(pagination.has_more).toBe(limit < 160);
  });
});

describe('rule 2: filters are combined and echoed', () => {
  const asked: readonly Readonly<Record<string, readonly string[]>>[] = [
    { country: ['Malta', 'Spain'], year: ['2019', '2026'] },
    { region: ['Africa'], channel: ['Online'], sub_channel: ['Onshore'], temporal: ['Forecast'] },
    { country: ['United States'], state: ['', 'Nevada'], category: ['Betting'] },
    { fx: ['USD', 'XOF', 'ZMW'], year: ['2021'], product: ['Casino Slots', 'Draw Games'] },
    { country: ['Malta'], region: ['Africa'] },
    { year: ['2026', '2019', '2020', '2021'], country: ['Türkiye', 'Åland', "Côte d'Ivoire"] },
  ];

  it.each(asked)('%j selects the rows that meet all of them', async (filters) => {
    const { data, meta } = pageOf(await get({ metric: 'ggr', limit: 1000, ...filters }));
    const fits = (row: Row) =>
      Object.entries(filters).every(([name, values]) => values.includes(String(row[name])));
    expect(data).toEqual(answered('ggr', WORLD.ggr.filter(fits)));
    expect(meta.filters_applied).toEqual(filters);
  });
});

describe('rules 1 and 2 together', () => {
  const { dimensions } = DATASETS.ggr;
  /** Some values of a dimension, and sometimes a value that it does not have. */
  const someOf = (name: string) =>
    fc.uniqueArray(fc.constantFrom(...new Set(WORLD.ggr.map((row) => String(row[name])).concat('1000'))), {
      minLength: 1,
      maxLength: 5,
    });
  const someFilters = fc
    .subarray([...dimensions], { maxLength: 4 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, someOf(name)]))));

  it('give what going through the rows one by one gives, at any limit', () =>
    fc.assert(
      fc.asyncProperty(someFilters, fc.constantFrom(3, 10, 1000), async (filters, limit) => {
        const fits = (row: Row) =>
          Object.entries(filters).every(([name, values]) => values.includes(String(row[name])));
        const path = `/v1/financials?${query({ metric: 'ggr', limit, ...filters })}`;
        expect(await walk(server.url, path)).toEqual(answered('ggr', WORLD.ggr.filter(fits)));
      }),
      { numRuns: runs(6) },
    ));
});

describe('rule 3: a walk repeats the request with the cursor', () => {
  it.each([1, 2, 3, 7, 39, 40, 41, 1000])('gives every row once at limit %i', async (limit) => {
    expect(await walk(server.url, `/v1/financials?metric=fx&limit=${limit}`)).toEqual(
      answered('fx', WORLD.fx),
    );
  });

  it('gives every row of a filtered result once', async () => {
    const path = `/v1/financials?${query({ metric: 'turnover', channel: 'Online', year: ['2019', '2021'], limit: 9 })}`;
    const fits = WORLD.turnover.filter(
      ({ channel, year }) => channel === 'Online' && (year === 2019 || year === 2021),
    );
    expect(await walk(server.url, path)).toEqual(answered('turnover', fits));
    expect(fits).toHaveLength(40);
  });
});

describe('rule 4: success', () => {
  it('is 200 as JSON', async () => {
    const { status, headers } = await get({ metric: 'ggr' });
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
  });
});
