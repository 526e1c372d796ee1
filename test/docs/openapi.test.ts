// docs/openapi.json is the document that the server makes, and its examples are real answers about the sample.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import type { Snapshots } from '../../src/catalog/snapshots.ts';
import { createApp } from '../../src/http/app.ts';
import { openApiDocument } from '../../src/http/docs/document/document.ts';
import {
  exampleKey,
  type RecordedAnswer,
  type RecordedAnswers,
} from '../../src/http/docs/document/responses.ts';
import { OPERATIONS } from '../../src/http/docs/operations/operations.ts';
import { errorAnswer } from '../../src/http/docs/operations/schemas.ts';
import { admitEverybody } from '../../src/http/middleware/authenticator.ts';
import type { Selector } from '../../src/query/selection/selector.ts';
import { orElse, UPDATE_DOCS } from '../support/orElse.ts';
import { type SharedServer, sharedServer } from '../support/sharedServer.ts';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const DOCUMENT = 'docs/openapi.json';
const EXAMPLES = 'src/http/docs/examples.json';
const isUpdating = process.env.UPDATE_DOCS === '1';

const examples = OPERATIONS.flatMap((operation) =>
  operation.examples.map((example) => ({ ...example, operation, key: exampleKey(example) })),
);

let server: SharedServer;
const answered: Record<string, RecordedAnswer> = {};
beforeAll(async () => {
  server = await sharedServer();
  while ((await fetch(`${server.url}/readyz`)).status !== 200) await sleep(20);
  for (const { key, request, headers = {} } of examples) {
    const response = await answerOf(server.url + request, { 'x-api-key': server.key, ...headers });
    const text = (await response.text()).replaceAll(server.url, PUBLIC_URL);
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    answered[key] = {
      status: response.status,
      type,
      body: type === 'application/json' ? JSON.parse(text) : text,
    };
  }
  if (!isUpdating) return;
  const updated: Record<string, RecordedAnswer> = {};
  // A recorded answer stays as it is when the new one differs only in what every publication changes.
  const before = recorded();
  for (const [key, answer] of Object.entries(answered)) {
    const old = before[key];
    const { changing } = examples.find((example) => example.key === key) ?? {};
    if (old && JSON.stringify(masked(old, changing)) === JSON.stringify(masked(answer, changing)))
      updated[key] = old;
    else updated[key] = answer;
  }
  writeFileSync(EXAMPLES, `${JSON.stringify(updated, null, 2)}\n`);
  writeFileSync(DOCUMENT, `${JSON.stringify(openApiDocument(PUBLIC_URL, updated), null, 2)}\n`);
  for (const file of [EXAMPLES, DOCUMENT])
    await promisify(execFile)('npx', ['biome', 'format', '--write', file]);
});

const recorded = (): RecordedAnswers => JSON.parse(readFileSync(EXAMPLES, 'utf8'));

/** The fields that another publication of the same sources changes. */
const VOLATILE = new Set(['cursor', 'fingerprint', 'sha256', 'published_at', 'bytes']);

const masked = (body: unknown, changing: readonly string[] = []): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      (VOLATILE.has(name) || changing.includes(name)) && value !== null ? typeof value : value,
    ),
  );

/** All schemas of a document, nested ones too, but not the examples. */
function schemasOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).flatMap(([name, part]) =>
    name === 'example' || name === 'examples' ? [] : schemasOf(part),
  );
  return [value as Record<string, unknown>, ...parts];
}

describe('docs/openapi.json', () => {
  it('gives the value of the header Vary that every answer has', async () => {
    const { headers } = await fetch(`${server.url}/v1/catalog`, { headers: { 'x-api-key': server.key } });
    const documented = JSON.parse(readFileSync(DOCUMENT, 'utf8')).components.headers.Vary.example;
    expect(documented).toBe(headers.get('vary'));
  });

  it('states types of which generators make clients that compile and round no number', () => {
    const schemas = schemasOf(openApiDocument(PUBLIC_URL, recorded()));
    const has = (schema: Record<string, unknown>, ...types: string[]) =>
      [schema.type].flat().some((type) => types.includes(String(type)));
    const formats = schemas
      .filter((schema) => has(schema, 'number', 'integer'))
      .map(({ format }) => String(format));
    expect(formats.length).toBeGreaterThan(40);
    expect([...new Set(formats)].sort()).toEqual(['double', 'int32', 'int64']);
    expect(schemas.filter((schema) => has(schema, 'number') && schema.format !== 'double')).toEqual([]);
    expect(schemas.filter(({ type }) => type === 'null')).toEqual([]);
    expect(schemas.filter(({ additionalProperties }) => additionalProperties === false)).toEqual([]);
    expect(schemas.filter((schema) => has(schema, 'object', 'string') && has(schema, 'null'))).not.toEqual(
      [],
    );
  });

  it('is the document that the server makes', async () => {
    const document = openApiDocument(PUBLIC_URL, recorded());
    orElse(UPDATE_DOCS, () =>
      expect(JSON.parse(readFileSync(DOCUMENT, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document))),
    );
    // When the document is being updated, the running server still has the earlier examples.
    if (isUpdating) return;
    const served = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
    expect(served.paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
  });

  it.each(examples.map(({ key, changing }) => [key, changing] as const))(
    'shows what the sample answers to %s',
    (key, changing) => {
      expect(recorded()[key]).toBeDefined();
      orElse(UPDATE_DOCS, () =>
        expect(masked(answered[key], changing)).toEqual(masked(recorded()[key], changing)),
      );
    },
  );

  it.each(examples.map((example) => [example.key, example] as const))(
    'has the schema of the answer to %s',
    (key, { operation }) => {
      const { status, type, body } = answered[key] ?? { status: 0, type: '', body: null };
      expect([200, 400]).toContain(status);
      const schema = status === 200 ? operation.answers[type] : errorAnswer;
      // `undefined` means that the operation does not describe the media type. `null` means that it has no schema, as
      // for CSV.
      expect(schema).not.toBeUndefined();
      // Parsing removes unknown fields, so this also finds a field that the schema does not describe.
      if (schema) expect(schema.parse(body)).toEqual(body);
    },
  );

  it('has exactly the paths of the app', () => {
    const app = createApp({
      snapshots: {} as Snapshots,
      selector: {} as Selector,
      observe: () => {},
      settings: { cacheMaxAgeSeconds: 1, publicUrl: PUBLIC_URL },
      authenticator: admitEverybody,
    });
    // Pages are left out, and so is /mcp, whose protocol describes itself.
    const routes = routesOf(app).filter((route) => !/^\/docs|^\/mcp$|^\/$/.test(route));
    const { paths } = openApiDocument(PUBLIC_URL);
    const patterns = Object.keys(paths).map(patternOf);
    orElse('describe the path in src/http/docs/operations/', () =>
      expect(routes.filter((route) => !patterns.some((pattern) => pattern.test(route)))).toEqual([]),
    );
    orElse('add the path to createEndpoints of src/http/app.ts, or take its description away', () =>
      expect(patterns.filter((pattern) => !routes.some((route) => pattern.test(route)))).toEqual([]),
    );
  });

  it('has no finding of the linter', async () => {
    const { stdout, stderr } = await promisify(execFile)('npm', ['run', '--silent', 'lint:openapi'], {
      env: { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', CI: 'true' },
    }).catch((error: { stdout: string; stderr: string }) => error);
    const { problems = [stderr] } = stdout === '' ? {} : JSON.parse(stdout);
    expect(
      problems.map((problem: { ruleId: string; message: string; location: unknown }) => problem),
    ).toEqual([]);
  });
});

/** Gets the answer. A busy machine may cause a 503, which is retried as its Retry-After says. */
async function answerOf(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { headers });
    if (response.status !== 503 || attempt === 5) return response;
    await response.arrayBuffer();
    await sleep(1000);
  }
}

/** Every path for which the app has a route. */
const routesOf = (app: Express): string[] =>
  (app.router as unknown as { stack: { route?: { path: string } }[] }).stack.flatMap(({ route }) =>
    route ? [route.path] : [],
  );

/** A pattern for the paths of a template. Parameters are names in braces. */
const patternOf = (template: string) =>
  new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[a-z_]+')}$`);
