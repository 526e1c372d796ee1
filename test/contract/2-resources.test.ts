// Contract §2: the resources, field by field.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { ask } from './wire.ts';
import { answered, DATASETS, FINANCIAL, pageOf, query, WORLD, walk } from './world.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({ rows: WORLD });
});
afterAll(() => server.close());

describe('2.1 catalog entry', () => {
  const catalog = async () =>
    (await ask(server.url, '/v1/catalog')).json as { datasets: Record<string, unknown>[] };

  it('is an element of the one field of the catalog', async () => {
    expect(Object.keys(await catalog())).toEqual(['datasets']);
  });

  it('has name, description, granularities, dimensions and metrics, and nothing else', async () => {
    for (const entry of (await catalog()).datasets) {
      expect(Object.keys(entry)).toEqual(['name', 'description', 'granularities', 'dimensions', 'metrics']);
      expect(entry).toEqual({
        name: expect.any(String),
        description: expect.stringMatching(/\S/),
        granularities: expect.any(Array),
        dimensions: expect.any(Array),
        metrics: expect.any(Array),
      });
    }
  });

  it('carries the name to pass as metric', async () => {
    for (const { name, metrics } of (await catalog()).datasets) {
      const { status } = await ask(server.url, `/v1/financials?metric=${name}&limit=1`);
      expect([name, status]).toEqual([name, (metrics as string[]).length > 0 ? 200 : 400]);
    }
  });
});

describe('2.2 financial query response', () => {
  it('has exactly the fields of the contract', async () => {
    const filters = { country: 'Malta', product: 'Draw Games', year: '2020' };
    const { json } = await ask(server.url, `/v1/financials?${query({ metric: 'ggr', ...filters })}`);
    expect(json).toEqual({
      meta: {
        dataset: 'ggr',
        metric: 'ggr',
        filters_applied: { country: ['Malta'], product: ['Draw Games'], year: ['2020'] },
        row_count: 1,
      },
      data: [
        {
          dimensions: {
            year: 2020,
            region: 'Europe',
            country: 'Malta',
            state: '',
            category: 'Lottery',
            product: 'Draw Games',
            channel: 'Land',
            sub_channel: 'Retail',
            fx: 'EUR',
            temporal: 'Current',
          },
          values: { ggr: 140.25 },
        },
      ],
      pagination: { cursor: null, has_more: false },
    });
  });

  it('gives a cursor while there is more', async () => {
    const { pagination } = pageOf(await ask(server.url, '/v1/financials?metric=ggr&limit=1'));
    expect(pagination).toEqual({ cursor: expect.stringMatching(/./), has_more: true });
  });

  it.each(FINANCIAL)('answers %s with the dataset and the metric asked for', async (metric) => {
    const { meta } = pageOf(await ask(server.url, `/v1/financials?metric=${metric}`));
    expect(meta).toMatchObject({ dataset: metric, metric });
  });

  it('maps no filter to an empty object', async () => {
    const { meta } = pageOf(await ask(server.url, '/v1/financials?metric=ggr&limit=1'));
    expect(meta.filters_applied).toEqual({});
  });

  it('rule 1: gives the year as an integer', async () => {
    for (const metric of FINANCIAL) {
      const rows = await walk(server.url, `/v1/financials?metric=${metric}`);
      expect(rows.every(({ dimensions }) => Number.isInteger(dimensions.year))).toBe(true);
    }
  });

  it('rule 2: gives the empty string for the state of a row without one', async () => {
    for (const metric of FINANCIAL) {
      const rows = await walk(server.url, `/v1/financials?metric=${metric}`);
      const states = new Set(rows.map(({ dimensions }) => dimensions.state));
      expect(states).toEqual(new Set(['', 'Nevada', 'Washington, D.C.']));
    }
  });

  it.each(FINANCIAL)(
    "rule 3: gives only the dataset's dimensions and metrics in rows of %s",
    async (metric) => {
      for (const { dimensions, values } of await walk(server.url, `/v1/financials?metric=${metric}`)) {
        expect(Object.keys(dimensions)).toEqual(DATASETS[metric].dimensions);
        expect(Object.keys(values)).toEqual(DATASETS[metric].values);
      }
    },
  );
});

describe('2.3 datasets', () => {
  it.each(FINANCIAL)('serves every row of %s and no other', async (metric) => {
    expect(await walk(server.url, `/v1/financials?metric=${metric}`)).toEqual(
      answered(metric, WORLD[metric]),
    );
  });

  it.each(FINANCIAL)('lists the dimensions and metrics of %s in the catalog', async (metric) => {
    const { json } = await ask(server.url, '/v1/catalog');
    const { datasets } = json as { datasets: { name: string }[] };
    expect(datasets.find(({ name }) => name === metric)).toMatchObject({
      dimensions: DATASETS[metric].dimensions,
      metrics: DATASETS[metric].values,
    });
  });

  it.each(['ggr', 'turnover'])(
    'has no calculation in %s: not in rows, catalog or filters',
    async (metric) => {
      const { data } = pageOf(await ask(server.url, `/v1/financials?metric=${metric}`));
      expect(data.filter(({ dimensions }) => 'calculation' in dimensions)).toEqual([]);
      const { datasets } = (await ask(server.url, '/v1/catalog')).json as {
        datasets: { name: string; dimensions: string[] }[];
      };
      expect(datasets.find(({ name }) => name === metric)?.dimensions).not.toContain('calculation');
      const refused = await ask(server.url, `/v1/financials?metric=${metric}&calculation=Reported`);
      expect(refused.status).toBe(400);
    },
  );

  it.each(['fx', 'country'] as const)('keeps calculation in %s', async (metric) => {
    const { data } = pageOf(await ask(server.url, `/v1/financials?metric=${metric}&calculation=Estimated`));
    expect(data.map(({ dimensions }) => dimensions.calculation)).toEqual(Array(10).fill('Estimated'));
  });
});

describe('2.4 dimension glossary', () => {
  const cases = FINANCIAL.flatMap((metric) =>
    DATASETS[metric].dimensions.map((name) => [metric, name] as const),
  );

  it.each(cases)('filters %s by every value of %s', async (metric, name) => {
    for (const value of new Set(WORLD[metric].map((row) => String(row[name])))) {
      const page = pageOf(
        await ask(server.url, `/v1/financials?${query({ metric, limit: 1000, [name]: value })}`),
      );
      expect(page.data).toEqual(
        answered(
          metric,
          WORLD[metric].filter((row) => String(row[name]) === value),
        ),
      );
      expect(page.meta.filters_applied).toEqual({ [name]: [value] });
    }
  });
});

describe('2.5 country reference', () => {
  it('gives flat rows of region, country and country_type', async () => {
    const { data } = pageOf<Record<string, string>>(
      await ask(server.url, '/v1/reference?dataset=country_reference'),
    );
    for (const row of data) expect(Object.keys(row)).toEqual(['region', 'country', 'country_type']);
    expect(new Set(data.map((row) => JSON.stringify(row)))).toEqual(
      new Set(WORLD.country_reference.map((row) => JSON.stringify(row))),
    );
    expect(data).toHaveLength(8);
  });
});
