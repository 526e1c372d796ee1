// Every example of docs/api.md, and every message the contract quotes, is what the server answers.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAGE_REPRESENTATIONS } from '../../src/http/api/negotiate.ts';
import { OPERATIONS } from '../../src/http/docs/operations/operations.ts';
import { ask } from '../contract/wire.ts';
import { orElse } from '../support/orElse.ts';
import { startServer } from '../support/server.ts';
import { aDataDir, aRow, publishRows, type Rows } from '../support/snapshot.ts';

/** The rows that the page's examples are about. */
const ROWS: Rows = {
  ggr: [
    aRow('ggr', { ggr: 22400000 }),
    aRow('ggr', {
      category: 'Gaming',
      product: 'Casino Slots',
      channel: 'Land',
      sub_channel: 'Venue',
      ggr: 31750000.5,
    }),
    aRow('ggr', { country: 'Spain', ggr: 508000000 }),
    aRow('ggr', { country: 'Spain', fx: 'USD', ggr: 550000000 }),
  ],
  country: [
    aRow('country', {
      year: 2023,
      gdp_local_currency: 20.4e9,
      gdp_usd: 22.1e9,
      adult_population: 462000,
      inflation: 5.1,
    }),
    aRow('country', {
      year: 2024,
      gdp_local_currency: 22e9,
      gdp_usd: 23.8e9,
      adult_population: 470000,
      inflation: null,
    }),
  ],
  country_reference: [
    aRow('country_reference'),
    aRow('country_reference', { country: 'Spain' }),
    aRow('country_reference', { country: 'Zambia', region: 'Africa' }),
  ],
};

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const page = read('docs/api.md');
/** The examples: a request, its status unless it is 200, and the answer. */
const EXAMPLES = [...page.matchAll(/```http\nGET (\S+)\n(?:(\d{3})\n)?```\s*```json\n(.*?)```/gs)].map(
  ([, path = '', status = '200', body = '']) => [path, Number(status), body] as const,
);

/** In the month before, one value was different and one row was missing. */
const BEFORE: Rows = { ...ROWS, ggr: [aRow('ggr', { ggr: 22000000 }), ...(ROWS.ggr ?? []).slice(1, 3)] };

let server: Awaited<ReturnType<typeof startServer>>;
let remove: () => Promise<void>;
beforeAll(async () => {
  const made = await aDataDir();
  ({ remove } = made);
  await publishRows(made.dataDir, '2026-10.1', BEFORE);
  await publishRows(made.dataDir, '2026-11.1', ROWS);
  server = await startServer({ dataDir: made.dataDir });
});
afterAll(async () => {
  await server.close();
  await remove();
});

/** Replaces values that are opaque or differ between publications. The page only shows that they exist. */
const shown = (text: string) =>
  text
    .replace(/"(cursor|fingerprint|sha256|published_at)":"[^"]+"/g, '"$1":"…"')
    .replace(/"bytes":\d+/g, '"bytes":0');

describe('docs/api.md', () => {
  it.each(EXAMPLES)('shows what GET %s answers', async (path, status, body) => {
    const answer = await ask(server.url, path);
    expect(answer.status).toBe(status);
    orElse('if the answer is right, correct the example in docs/api.md', () =>
      expect(JSON.parse(shown(answer.text))).toEqual(JSON.parse(shown(body.replaceAll('": ', '":')))),
    );
  });

  it('has no request without its answer', () => {
    expect(EXAMPLES).toHaveLength(page.match(/```http/g)?.length ?? 0);
    expect(EXAMPLES.length).toBeGreaterThan(9);
  });

  it('has a section for every endpoint of the API', () => {
    const paths = OPERATIONS.map(({ path }) => path).filter((path) => path.startsWith('/v1/'));
    const missing = paths.filter((path) => !page.includes(`\n## GET ${path.replace(/\/\{.*/, '')}\n`));
    orElse('write a section of docs/api.md for each path', () => expect(missing).toEqual([]));
  });

  it('says of every status of an error what to do', () => {
    const { paths } = JSON.parse(read('docs/openapi.json'));
    const described = Object.entries<Record<string, { responses?: object }>>(paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([, methods]) => Object.values(methods))
      .flatMap(({ responses = {} }) => Object.keys(responses).map(Number));
    const ofTable = [...page.matchAll(/^\| (4\d\d|5\d\d) +\|/gm)].map(([, status]) => Number(status));
    expect(ofTable).toEqual([400, 401, 404, 408, 412, 416, 429, 431, 500, 501, 503]);
    orElse('add the status to the table of errors in docs/api.md', () =>
      expect(described.filter((status) => status >= 400 && !ofTable.includes(status))).toEqual([]),
    );
  });

  it('names every format of a page', () => {
    const types = PAGE_REPRESENTATIONS.map(({ contentType }) => contentType.split(';')[0] ?? '');
    orElse('name the media type in docs/api.md, in the section on formats', () =>
      expect(types.filter((type) => !page.includes(`\`${type}\``))).toEqual([]),
    );
    // The contract need not name JSON, which every other `Accept` gets.
    const others = types.filter((type) => type !== 'application/json');
    orElse('name the media type in docs/contract.md, §10.3 rule 1', () =>
      expect(others.filter((type) => !read('docs/contract.md').includes(`\`${type}\``))).toEqual([]),
    );
  });

  it('names every header that an answer carries', async () => {
    const { headers } = await ask(server.url, '/v1/catalog');
    const own = Object.keys(headers).filter((name) =>
      /^(x-(snapshot|request-id)|etag|cache-control|vary)$/.test(name),
    );
    expect(own).toHaveLength(5);
    for (const name of own) expect(page.toLowerCase()).toContain(`\`${name}\``);
  });
});

describe('the messages that the contract, the rulings and docs/api.md quote', () => {
  const REFUSED = [
    '/nowhere',
    '/v1/financials',
    '/v1/financials?metric=ggr&period=2020',
    '/v1/financials?metric=nope',
    '/v1/financials?metric=ggr&calculation=Reported',
    '/v1/financials?metric=ggr&cursor=x',
    '/v1/reference?dataset=ggr',
    '/v1/reference?dataset=country_reference&year=2024',
    '/v1/totals?dataset=fx',
    '/v1/values?dataset=nope',
    '/v1/values?dataset=ggr&planet=Mars',
    '/v1/changes?dataset=ggr&since=1999-01',
  ];
  const source = readdirSync(new URL('../../src', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(`src/${file}`))
    .join('\n');
  const quoted = [
    ...read('docs/contract.md').matchAll(/`error` = `([^`]+)`/g),
    ...read('docs/contract.md').matchAll(/= \[`([^`]+)`\]/g),
    ...read('docs/decisions.md').matchAll(/"error": "([^"]+)"/g),
    ...read('docs/decisions.md').matchAll(/says exactly `([^`]+)`/g),
    ...read('docs/decisions.md').matchAll(/→ 400 `([^`]+)`/g),
    ...page.matchAll(/^\| `[^`]+` \| 4\d\d \| `([^`]+)` \|$/gm),
  ].map(([, message]) => message ?? '');

  it('are those that the server says', async () => {
    const messages: string[] = [];
    for (const path of REFUSED) {
      const { error, details } = (await ask(server.url, path)).json as {
        error: string;
        details?: { fieldErrors: Record<string, string[]> };
      };
      messages.push(error, ...Object.values(details?.fieldErrors ?? {}).flat());
    }
    // A message that a test cannot cause, such as that of a 500, must at least be in the code.
    const isInCode = (message: string) => {
      const pattern = message.split(/<[^>]+>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return (
        messages.some((text) => new RegExp(`^${pattern.join('.+')}$`).test(text)) ||
        source.includes(`'${message}'`)
      );
    };
    expect(quoted.length).toBeGreaterThan(12);
    expect(quoted.filter((message) => !isInCode(message))).toEqual([]);
  });
});
