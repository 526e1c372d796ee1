import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';
import { aRow } from '../support/snapshot.ts';

describe('the app', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      rows: { ggr: [aRow('ggr', { ggr: 1.5 }), aRow('ggr', { year: 2025, ggr: null })] },
    });
  });
  afterAll(() => server.close());

  it('answers the rows of a dataset', async () => {
    const { status, json } = await server.get('/v1/financials?metric=ggr');
    expect(status).toBe(200);
    expect(json.data.map((row: { values: object }) => row.values)).toEqual([{ ggr: 1.5 }, { ggr: null }]);
  });
});
