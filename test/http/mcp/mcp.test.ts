// The server for assistants answers the official client, and requests by hand that no client would send.

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestHandler } from 'express';
import { mintKey } from '../../../src/access/keys/keyText.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { disconnectSignalOf } from '../../../src/http/api/clientDisconnect.ts';
import { callEndpoint } from '../../../src/http/mcp/callEndpoint.ts';
import { startServer } from '../../support/server.ts';
import { type ServerWithKeys, startServerWithKeys } from '../../support/serverWithKeys.ts';
import { aDataDir, aRow, publishRows } from '../../support/snapshot.ts';

const TOOLS = ['list_datasets', 'list_values', 'query_rows', 'query_totals', 'list_changes', 'explain_query'];
const ACCEPT = 'application/json, text/event-stream';

const years = Array.from({ length: 250 }, (_, i) => 1700 + i);
const MALTA = [
  aRow('ggr', { country: 'Malta', year: 2022, fx: 'EUR', ggr: 10.5 }),
  aRow('ggr', { country: 'Malta', year: 2022, fx: 'USD', ggr: 12 }),
  aRow('ggr', { country: 'Malta', year: 2023, fx: 'EUR', ggr: 20.25 }),
];

let api: ServerWithKeys;
let remove: () => Promise<void>;
beforeAll(async () => {
  const made = await aDataDir();
  ({ remove } = made);
  await publishRows(made.dataDir, '2026-10.1', { ggr: MALTA.slice(0, 2) });
  await publishRows(made.dataDir, '2026-11.1', {
    ggr: MALTA,
    turnover: years.map((year) => aRow('turnover', { country: 'Spain', year, fx: 'EUR', turnover: year })),
  });
  api = await startServerWithKeys({ dataDir: made.dataDir });
});
afterAll(async () => {
  await api.close();
  await remove();
});

async function connect(key: string, header = 'authorization') {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { [header]: header === 'authorization' ? `Bearer ${key}` : key };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit: { headers } }) as Parameters<
      Client['connect']
    >[0],
  );
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [{ text }] = content as [{ text: string }];
    return { isError, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
  };
  return { client, call };
}

const used = async (key: string) =>
  (await api.get('/v1/usage', { 'x-api-key': key })).json.limits[0].used - 1;

describe('an assistant', () => {
  it('lists the tools, with schemas made from the validators, and takes no slot for that', async () => {
    const key = await api.key();
    const { client } = await connect(key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
    expect(schemaOf('query_rows')).toMatchObject({
      type: 'object',
      required: ['dataset'],
      additionalProperties: false,
      properties: {
        dataset: { enum: DATASET_NAMES },
        limit: { type: 'integer', minimum: 1, maximum: 200 },
        country: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      },
    });
    expect(schemaOf('list_changes')).toMatchObject({
      required: ['dataset', 'since'],
      properties: {
        change: {
          description: expect.stringContaining('kinds of change'),
          anyOf: [{ enum: ['added', 'removed', 'revised'] }, { type: 'array' }],
        },
      },
    });
    const all = tools.flatMap(({ inputSchema }) => Object.entries(inputSchema.properties ?? {}));
    expect(
      all.filter(([, schema]) => !('description' in schema) || ('anyOf' in schema && 'type' in schema)),
    ).toEqual([]);
    expect(schemaOf('list_datasets')).toMatchObject({ required: [] });
    await client.ping();
    expect(await used(key)).toBe(0);
  });

  it('gets rows with their unit, snapshot, source and what must not be added up, for one slot a call', async () => {
    const key = await api.key();
    const { call } = await connect(key, 'x-api-key');
    const { json } = await call('query_rows', {
      dataset: 'ggr',
      country: 'Malta',
      year: [2022, 2023],
      fx: ['EUR'],
    });
    expect(json).toMatchObject({
      snapshot: '2026-11.1',
      dataset: 'ggr',
      units: { ggr: 'currency of the fx dimension' },
      sources: [],
      meta: { filters_applied: { country: ['Malta'], year: ['2022', '2023'], fx: ['EUR'] }, row_count: 2 },
    });
    expect(json.data.map((row: { values: object }) => row.values)).toEqual([{ ggr: 10.5 }, { ggr: 20.25 }]);
    expect(json.must_not_be_added_up).toEqual([
      'over several values of state: each of them counts in full',
      'over several values of fx: each of them counts in full',
      'over several values of temporal: a forecast and a reported value of one year are two views of it',
    ]);
    expect(json.note).toBeUndefined();
    expect(await used(key)).toBe(1);
  });

  it('is refused a sum that would be wrong, with what to do, and gets the right one', async () => {
    const { call } = await connect(await api.key());
    const refused = await call('query_totals', { dataset: 'ggr', country: 'Malta' });
    expect(refused).toMatchObject({
      isError: true,
      text: 'Invalid query parameters\nfx: ggr cannot be summed over fx: name one value, or add by=fx',
    });
    const { json } = await call('query_totals', {
      dataset: 'ggr',
      country: 'Malta',
      fx: 'EUR',
      by: 'country',
    });
    expect(json.data).toEqual([{ dimensions: { country: 'Malta' }, values: { ggr: 30.75 }, rows_summed: 2 }]);
  });

  it('gets at most 200 rows, and the rest by the cursor in the note', async () => {
    const { call } = await connect(await api.key());
    const first = (await call('query_rows', { dataset: 'turnover', limit: 200 })).json;
    expect(first.data).toHaveLength(200);
    const [, cursor] = /cursor "([^"]+)"/.exec(first.note) ?? [];
    expect(first.note).toContain(
      'GET /v1/export/turnover.csv with the same filters and the header X-Snapshot: 2026-11.1',
    );
    const rest = (await call('query_rows', { dataset: 'turnover', limit: 200, cursor })).json;
    expect([rest.data.length, rest.note]).toEqual([50, undefined]);
    for (const limit of [201, 0, -1, 1.5, 'many', '']) {
      const refused = await call('query_rows', { dataset: 'turnover', limit });
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringContaining('limit: Expected a whole number from 1 to 200'),
      });
    }
    const values = (await call('list_values', { dataset: 'turnover', dimension: 'year' })).json;
    expect(values.values.year).toHaveLength(200);
    expect(values.note).toContain('50 of year');
    const all = (await call('list_values', { dataset: 'turnover' })).json;
    const listed = Object.values(all.values as Record<string, unknown[]>).map((list) => list.length);
    // Short lists leave their room to the years.
    expect(listed.reduce((a, b) => a + b)).toBe(200);
  });

  it('is led to pages of sums and of changes, not to a file of the rows behind them', async () => {
    const { call } = await connect(await api.key());
    const sums = (await call('query_totals', { dataset: 'turnover', by: 'year', limit: 200 })).json;
    expect(sums.note).toMatch(
      /cursor "[\w-]+"; GET \/v1\/totals gives pages of up to 1,000, of this snapshot with the header X-Snapshot: 2026-\d\d\.1\.$/,
    );
    const changes = (await call('list_changes', { dataset: 'turnover', since: '2026-10', limit: 1 })).json;
    expect(changes.note).toMatch(
      /cursor "[\w-]+"; GET \/v1\/changes gives pages of up to 1,000, of this snapshot with the header X-Snapshot: 2026-\d\d\.1\.$/,
    );
  });

  it('lists datasets, changes and code, and asks an older snapshot', async () => {
    const { call } = await connect(await api.key());
    const { json } = await call('list_datasets');
    expect(json.datasets.map(({ name }: { name: string }) => name)).toContain('country_reference');
    expect(json.datasets[0].must_not_be_added_up).toHaveLength(3);
    expect(json.snapshots).toEqual([
      { id: '2026-11.1', published_at: expect.any(String), current: true },
      { id: '2026-10.1', published_at: expect.any(String), current: false },
    ]);
    expect((await call('list_datasets', { dataset: 'fx' })).json.datasets).toHaveLength(1);
    const changes = (await call('list_changes', { dataset: 'ggr', since: '2026-10', change: ['added'] }))
      .json;
    expect(changes).toMatchObject({
      snapshot: '2026-11.1',
      meta: { counts: { added: 1, removed: 0, revised: 0 } },
    });
    const explained = (await call('explain_query', { dataset: 'ggr', country: 'Malta' })).json;
    expect(explained.sql).toContain("'Malta'");
    const old = (await call('query_rows', { dataset: 'ggr', as_of: '2026-10' })).json;
    expect([old.snapshot, old.data.length]).toEqual(['2026-10.1', 2]);
    for (const args of [{ as_of: '2026-10' }, { dataset: 'ggr', as_of: '2026-10.1' }]) {
      const described = (await call('list_datasets', args)).json;
      expect([described.snapshot, described.datasets[0].row_count]).toEqual(['2026-10.1', 2]);
    }
    const lookup = (await call('query_rows', { dataset: 'country_reference' })).json;
    expect(lookup.data[0]).toMatchObject({ country: expect.any(String), region: expect.any(String) });
  });

  it('gets an error for a misspelt value rather than no rows', async () => {
    const { call } = await connect(await api.key());
    expect(await call('query_rows', { dataset: 'ggr', country: 'Maltta' })).toMatchObject({
      isError: true,
      text: 'Invalid query parameters\ncountry: Unknown value "Maltta"; did you mean "Malta"?',
    });
  });

  it.each([
    ['query_rows', { dataset: 'ggr', metric: 'turnover' }],
    ['explain_query', { dataset: 'ggr', metric: 'turnover' }],
    ['explain_query', { metric: 'ggr' }],
  ])('of %s is not given another dataset than it named: %j', async (tool, args) => {
    const { call } = await connect(await api.key());
    const { isError, text } = await call(tool, args);
    expect([isError, text.slice(0, 200)]).toEqual([
      true,
      'Invalid query parameters\nmetric: This tool has no such argument: name the dataset in dataset',
    ]);
  });

  it('gets the same rows as the API gives, whatever the filter holds', async () => {
    const key = await api.key();
    const { call } = await connect(key);
    for (const country of [
      'Malta',
      "O'Brien; DROP TABLE ggr --",
      '=1+1',
      '&metric=fx',
      '\u0000',
      '🎲',
      '%41',
    ] as const) {
      const { text, json, isError } = await call('query_rows', { dataset: 'ggr', country });
      const answer = await api.get(`/v1/financials?metric=ggr&country=${encodeURIComponent(country)}`, {
        'x-api-key': key,
        prefer: 'handling=strict',
      });
      if (isError) expect(text).toContain(answer.json.details.fieldErrors.country[0]);
      else expect(json.data).toEqual(answer.json.data);
      expect(isError).toBe(answer.status !== 200);
    }
  });
});

describe('the key', () => {
  it.each([
    ['none', {}, 'Missing x-api-key header'],
    ['one of the wrong form', { authorization: 'Bearer nonsense' }, 'Invalid or revoked API key'],
    ['one that was never issued', { 'x-api-key': mintKey() }, 'Invalid or revoked API key'],
  ])('%s is 401 on every message', async (_, headers: Record<string, string>, error) => {
    for (const method of ['initialize', 'tools/list', 'tools/call', 'ping']) {
      const answer = await post({ jsonrpc: '2.0', id: 1, method, params: {} }, headers);
      expect([answer.status, answer.json]).toEqual([401, { error }]);
    }
  });

  it('is refused once it is revoked', async () => {
    const { key, id } = await api.keys.issue({ label: 'gone', by: 'test' });
    const { client } = await connect(key);
    await api.keys.revoke(id, 'test');
    await expect(client.listTools()).rejects.toMatchObject({ code: 401 });
  });

  it('over its limit gets 429 for calls of tools, and goes on listing them', async () => {
    const { key, id } = await api.keys.issue({ label: 'small', by: 'test' });
    await api.keys.changeLimits(id, { perMinute: 1 }, 'test');
    const { client, call } = await connect(key);
    await call('list_datasets');
    await expect(call('list_datasets')).rejects.toMatchObject({ code: 429 });
    const refused = await post(aCall('list_datasets'), { 'x-api-key': key });
    expect([refused.status, refused.json]).toEqual([
      429,
      { error: 'Too many requests — please try again later', retryAfterSeconds: expect.any(Number) },
    ]);
    expect(refused.headers.get('retry-after')).toBe(String(refused.json.retryAfterSeconds));
    expect((await client.listTools()).tools).toHaveLength(6);
  });
});

const aCall = (name: string, args: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
});

const anInitialize = (changes: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'assistant', version: '1' },
    ...changes,
  },
});

const aList = (params: object) => ({ jsonrpc: '2.0', id: 7, method: 'tools/list', params });

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of a body.
  const json: any = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, json };
}

describe('bad input', () => {
  let key = '';
  beforeAll(async () => {
    const issued = await api.keys.issue({ label: 'bad', by: 'test' });
    await api.keys.changeLimits(issued.id, { perMinute: 10_000 }, 'test');
    key = issued.key;
  });
  const send = (body: unknown, headers = {}) => post(body, { 'x-api-key': key, ...headers });

  it.each([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['nothing', '', 400, -32700],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 400, -32700],
    ['a number', '5', 400, -32600],
    ['null', 'null', 400, -32600],
    ['an empty object', {}, 400, -32600],
    ['no method', { jsonrpc: '2.0' }, 400, -32600],
    ['another version', { jsonrpc: '1.0', method: 'ping' }, 400, -32600],
    ['a method that is a number', { jsonrpc: '2.0', method: 1, params: 'bar' }, 400, -32600],
    ['params that are a list', { jsonrpc: '2.0', id: null, method: 'ping', params: [1] }, 400, -32600],
    ['a batch of 1,000', Array.from({ length: 1000 }, () => aCall('list_datasets')), 400, -32600],
    ['10 MB', aCall('list_datasets', { country: 'x'.repeat(10_000_000) }), 413, -32600],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 400, -32600],
  ])('%s gets the protocol’s own error and takes no slot', async (_, body, status, code) => {
    const before = await used(key);
    const answer = await send(body);
    expect([answer.status, answer.json]).toEqual([
      status,
      { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
    ]);
    expect(await used(key)).toBe(before + 1);
  });

  it('JSON that is no message gets -32600 with its id, where it has one', async () => {
    for (const id of [1, 'seven']) {
      const { status, json } = await send({ jsonrpc: '1.0', id, method: 'ping' });
      expect([status, json]).toEqual([
        400,
        {
          jsonrpc: '2.0',
          id,
          error: { code: -32600, message: expect.stringMatching(/^Invalid Request: .*jsonrpc "2.0"/) },
        },
      ]);
    }
  });

  it('a number of too many digits is no id, and is not echoed as another one', async () => {
    const { status, json } = await send('{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}');
    expect([status, json.id, json.error.code]).toEqual([400, null, -32600]);
  });

  it.each([
    ['an unknown tool', aCall('drop_table'), -32602],
    ['a tool named like a property of every object', aCall('constructor'), -32602],
    ['arguments that are a list', aCall('query_rows', ['ggr']), -32602],
    ['no name', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: {} }, -32602],
    ['a beginning without a version', anInitialize({ protocolVersion: undefined }), -32602],
    ['a beginning by a client without a name', anInitialize({ clientInfo: {} }), -32602],
    ['a beginning without parameters', { jsonrpc: '2.0', id: 7, method: 'initialize' }, -32602],
    ['a list from a cursor that is no text', aList({ cursor: 5 }), -32602],
    ['an unknown method', { jsonrpc: '2.0', id: 7, method: 'tools/drop' }, -32601],
  ])('%s gets the protocol’s own error and takes one slot at most', async (_, body, code) => {
    const before = await used(key);
    const answer = await send(body);
    expect([answer.status, answer.json]).toEqual([
      200,
      { jsonrpc: '2.0', id: 7, error: { code, message: expect.any(String) } },
    ]);
    expect(await used(key)).toBeLessThanOrEqual(before + 2);
  });

  it.each([
    ['no dataset', 'query_rows', {}, 'dataset: '],
    ['an unknown dataset', 'query_rows', { dataset: 'poker' }, "Unknown dataset: 'poker'"],
    ['a dataset that is a path', 'list_datasets', { dataset: '../usage' }, "Unknown dataset: '../usage'"],
    ['a dataset that is a list', 'list_values', { dataset: ['ggr', 'fx'] }, 'dataset: Expected one text'],
    ['a list of one dataset', 'query_rows', { dataset: ['ggr'] }, 'dataset: Expected one text'],
    ['a list of one dataset', 'query_totals', { dataset: ['ggr'], by: [] }, 'dataset: Expected one text'],
    ['a list of one dataset', 'list_datasets', { dataset: ['ggr'] }, 'dataset: Expected one text'],
    ['an object', 'query_rows', { dataset: 'ggr', country: { a: 1 } }, 'country: Expected a text'],
    ['null', 'query_rows', { dataset: 'ggr', country: null }, 'country: Expected a text'],
    [
      'a filter without values',
      'query_totals',
      { dataset: 'ggr', country: [], by: [] },
      'country: Expected at',
    ],
    [
      'a period without values',
      'query_rows',
      { dataset: 'ggr', period: [] },
      'period: Expected at least one',
    ],
    ['no kind of change', 'list_changes', { dataset: 'ggr', change: [] }, 'change: Expected at least one'],
    ['a fraction of a year', 'query_rows', { dataset: 'ggr', year: 2020.5 }, 'year: Expected a whole number'],
    [
      'an unknown argument',
      'query_rows',
      { dataset: 'ggr', colour: 'red' },
      'Invalid filter dimension "colour"',
    ],
    [
      'half a surrogate pair',
      'query_rows',
      { dataset: 'ggr', country: '\ud800' },
      'country: Expected a text',
    ],
    ['a forged cursor', 'query_rows', { dataset: 'ggr', cursor: 'x' }, 'Invalid pagination cursor'],
    ['__proto__', 'query_rows', JSON.parse('{"dataset":"ggr","__proto__":"x"}'), '"__proto__"'],
    [
      'an unknown snapshot',
      'query_rows',
      { dataset: 'ggr', as_of: '1999-01' },
      'see retained snapshots.\nCall list_datasets without as_of: its snapshots are the retained ones.',
    ],
    [
      'an unknown snapshot of the list of datasets',
      'list_datasets',
      { as_of: '1999-01' },
      "Unknown snapshot: '1999-01'",
    ],
    [
      'an unknown snapshot in another script',
      'query_rows',
      { dataset: 'ggr', as_of: 'октябрь' },
      "Unknown snapshot: 'октябрь'",
    ],
    [
      'a snapshot in letters that only share their last byte with digits',
      'query_rows',
      { dataset: 'ggr', as_of: '\u0232\u0230\u0232\u0236-10' },
      'Unknown snapshot',
    ],
    ['two snapshots', 'query_rows', { dataset: 'ggr', as_of: ['2026-10', '2026-11'] }, 'Unknown snapshot'],
    ['too much', 'query_rows', { dataset: 'ggr', country: Array(9000).fill('Malta 123') }, 'at most 64 KiB'],
    ['the argument of another tool', 'explain_query', { dataset: 'ggr', by: 'fx' }, '"by"'],
  ])('%s is an error of the tool in our words', async (_, name, args, words) => {
    const answer = await send(aCall(name, args));
    expect(answer.json.result).toMatchObject({ isError: true });
    expect(answer.json.result.content[0].text).toContain(words);
  });

  it('GET and DELETE are 405, other methods 404, OPTIONS names what there is', async () => {
    for (const [method, status, allow] of [
      ['GET', 405, 'POST, OPTIONS'],
      ['DELETE', 405, 'POST, OPTIONS'],
      ['OPTIONS', 204, 'POST, OPTIONS'],
      ['PUT', 404, null],
    ] as const) {
      const response = await fetch(`${api.url}/mcp`, {
        method,
        headers: { 'x-api-key': key, accept: ACCEPT },
      });
      expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
    }
  });

  it('a client that cannot read the answer, or sends no JSON, gets an error that says so', async () => {
    expect((await send(aCall('list_datasets'), { accept: 'text/html' })).status).toBe(406);
    expect((await send('x=1', { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await send(aCall('list_datasets'), { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('a fault of the server is logged, and the client learns only that there was one', async () => {
    const fault = new Error('cannot read /secret/place');
    const fail = () => Promise.reject(fault);
    const failed: unknown[] = [];
    const server = await startServer({
      selector: { select: fail, page: fail },
      observe: (seen) => void (seen.event === 'request failed' && failed.push(seen.error)),
    });
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT },
      body: JSON.stringify(aCall('query_rows', { dataset: 'ggr' })),
    });
    const content = [{ type: 'text', text: 'Unexpected server error' }];
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: { isError: true, content } });
    expect(failed).toEqual([fault]);
    await server.close();
  });

  it('of a client that has left asks no endpoint', async () => {
    const endpoint = jest.fn<RequestHandler>();
    const call = { path: '/v1/catalog', query: '', headers: {} };
    const answer = callEndpoint(endpoint, call, AbortSignal.abort());
    await expect(answer).rejects.toMatchObject({ status: 503 });
    expect(endpoint).not.toHaveBeenCalled();
  });

  it('of a client that leaves while its snapshot is opened runs no query', async () => {
    const client = new AbortController();
    let signal: AbortSignal | null = null;
    const endpoint: RequestHandler = async (_request, response) => {
      client.abort();
      signal = disconnectSignalOf(response);
    };
    const call = { path: '/v1/financials', query: 'metric=ggr', headers: {} };
    const answer = callEndpoint(endpoint, call, client.signal);
    await expect(answer).rejects.toMatchObject({ status: 503 });
    expect(signal).toMatchObject({ aborted: true });
  });

  it('is forgotten: the server answers the next message as before', async () => {
    const { call } = await connect(key);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => call('query_rows', { dataset: 'ggr' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});
