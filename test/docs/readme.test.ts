// The README is true: its first query has the printed answer, and the settings are those of the code.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysOf } from '../../src/access/keys/keys.ts';
import { SETTING_GROUPS } from '../../src/config/settings.ts';
import { createAuthenticator } from '../../src/http/middleware/authenticator.ts';
import { orElse, UPDATE_DOCS } from '../support/orElse.ts';
import { patientGate } from '../support/patientGate.ts';
import { openDatabase, type TestDatabase } from '../support/redis.ts';
import { aSample } from '../support/sample.ts';
import { startServer, type TestServer } from '../support/server.ts';

const README = readFileSync('README.md', 'utf8');
const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
const blocks = (language: string) => [...README.matchAll(block(language))].map(([, text = '']) => text);

let server: TestServer;
let redis: TestDatabase;
let key: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  const made = await aSample();
  remove = made.remove;
  const { dataDir } = made;
  redis = await openDatabase();
  server = await startServer({
    dataDir,
    authenticator: createAuthenticator(patientGate(redis.client), () => {}),
  });
  ({ key } = await keysOf(redis.client).issue({ label: 'reader', by: 'test' }));
});
afterAll(async () => {
  await server.close();
  await redis.close();
  await remove();
});

/** The tables of settings, with their headings: in docs/ingest.md those of the guards, all others in the README. */
const settingsTables = () => {
  const tables = Object.entries(SETTING_GROUPS).map(([group, settings]) => ({
    group,
    table: [
      '| variable | default | what it is | allowed |',
      '|---|---|---|---|',
      ...Object.entries(settings).map(
        ([name, { fallback, description, allowed }]) =>
          `| \`${name}\` | ${fallback} | ${description} | ${allowed} |`,
      ),
    ].join('\n'),
  }));
  const guards = tables.pop();
  return {
    'README.md': tables.map(({ group, table }) => `### ${group}\n\n${table}\n`).join('\n'),
    'docs/ingest.md': guards?.table ?? '',
  };
};

/** Where a document has its tables of settings. */
const SETTINGS_IN = {
  'README.md': /(?<=\n## Settings\n[\s\S]*?\n\n)### [\s\S]*?(?=\n## )/,
  'docs/ingest.md': /(?<=\n### Change the limits\n[\s\S]*?\n\n)\| variable[\s\S]*?(?=\n\n)/,
} as const;

describe('the README', () => {
  it('shows the answer that its first query gives over the sample', async () => {
    const command = blocks('sh').find((text) => text.startsWith('curl'));
    const asked = (command ?? '').replaceAll('http://127.0.0.1:3000', server.url);
    const { stdout } = await promisify(execFile)('bash', ['-c', asked], {
      env: { ...process.env, API_KEY: key },
    });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(blocks('json')[0] ?? ''));
  });

  it.each([
    '/v1/financials?metric=ggr&country=Malta&year=2024',
    '/v1/financials?metric=fx&country=Malta&country=Spain',
    '/v1/financials?metric=ggr&period=2020-01-01:2024-12-31',
    '/v1/reference?dataset=country_reference&region=Europe',
  ])('asks for what the sample has: GET %s', async (query) => {
    expect(README).toContain(`GET ${query}`);
    const { status, json } = await server.get(query, { 'x-api-key': key });
    expect([status, json.data.length > 0]).toEqual([200, true]);
  });

  it('asks for sums of one year, which have no forecasts among them', async () => {
    const query = '/v1/totals?dataset=ggr&by=country&year=2024&fx=USD&state=';
    expect(README).toContain(`GET ${query}`);
    const { json } = await server.get(query, { 'x-api-key': key });
    expect(json.data).toHaveLength(100);
    expect(JSON.stringify(json.meta.notes ?? [])).not.toContain('temporal');
  });

  it('says what a value that no row has gives, and where errors lead', async () => {
    const query = '/v1/financials?metric=ggr&country=Maltta';
    const lenient = await server.get(query, { 'x-api-key': key });
    expect([lenient.status, lenient.json.data]).toEqual([200, []]);
    const strict = await server.get(query, { 'x-api-key': key, Prefer: 'handling=strict' });
    expect([strict.status, strict.json.details.fieldErrors.country]).toEqual([
      400,
      [expect.stringContaining('did you mean "Malta"')],
    ]);
    expect(strict.headers.get('link')).toMatch(/; rel="help"$/);
  });

  it.each(['README.md', 'docs/ingest.md'] as const)('lists settings as the code has them: %s', (name) => {
    const text = readFileSync(name, 'utf8');
    const tables = settingsTables()[name];
    if (process.env.UPDATE_DOCS === '1')
      writeFileSync(
        name,
        text.replace(SETTINGS_IN[name], () => tables),
      );
    const [listed] = SETTINGS_IN[name].exec(readFileSync(name, 'utf8')) ?? [];
    orElse(UPDATE_DOCS, () => expect(listed).toBe(tables));
  });
});
