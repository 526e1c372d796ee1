// Contract §9: the version is the path prefix, and a dated changelog lists every change.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer } from '../support/server.ts';
import { ask } from './wire.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer({});
});
afterAll(() => server.close());

describe('the version', () => {
  const ENDPOINTS = ['/financials?metric=ggr', '/reference?dataset=country_reference', '/catalog'];

  it.each(ENDPOINTS)('is the prefix /v1 of %s, and no other', async (endpoint) => {
    expect((await ask(server.url, `/v1${endpoint}`)).status).toBe(200);
    for (const prefix of ['', '/v0', '/v2', '/v01', '/V1', '/api/v1', '/v1.0', '/v1/v1']) {
      expect([prefix, (await ask(server.url, `${prefix}${endpoint}`)).status]).toEqual([prefix, 404]);
    }
  });
});

describe('the changelog', () => {
  it('is dated, newest first', async () => {
    const text = await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
    const dates = [...text.matchAll(/^## .*?(\d{4}-\d{2}-\d{2})/gm)].map(([, date]) => date ?? '');
    expect(dates.length).toBeGreaterThan(0);
    expect(dates).toEqual([...dates].sort().reverse());
  });
});
