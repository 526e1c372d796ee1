// A dataset is one entry of `DATASETS`, whatever its dimensions: further datasets are published, compared and served.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aMonth, csvOf, type Month, publishDefaults } from '../../../support/month.ts';
import { countryReference } from '../../../support/snapshot.ts';

/** Entries of `DATASETS` whose datasets have other shapes than those of the contract. */
const FURTHER = {
  // An amount without product and channel.
  tax: {
    dimensions: ['year', 'region', 'country', 'state', 'category', 'fx', 'temporal'],
    metrics: { tax: { sign: 'not negative', addsUp: true } },
  },
  // Metrics by channel, without currency and category.
  venues: {
    dimensions: ['year', 'region', 'country', 'state', 'channel', 'temporal', 'calculation'],
    metrics: {
      venues: { sign: 'not negative', addsUp: true, isStock: true },
      opening_hours: { sign: 'positive' },
    },
  },
  // This dataset has only the dimensions that every dataset with metrics has.
  players: {
    dimensions: ['year', 'region', 'country', 'state', 'temporal'],
    metrics: { players: { sign: 'any', addsUp: true } },
  },
} as const;
type Further = keyof typeof FURTHER;
const NAMES = Object.keys(FURTHER) as Further[];

const COUNTRIES = ['Malta', 'Norway', 'Spain', 'Sweden', 'Italy', 'Poland', 'Latvia'];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  region: ['Europe'],
  state: [''],
  category: ['Betting', 'Gaming', 'Lottery'],
  channel: ['Online', 'Land'],
  fx: ['EUR', 'USD'],
  temporal: ['Current'],
  calculation: ['Reported'],
};

/** All combinations of one value of each list. */
const combinations = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (all, list) => all.flatMap((before) => list.map((value) => [...before, value])),
    [[]],
  );

/** The csv of a dataset. The later month adds a year and has Spain's figures in thousands. */
function csvOfFurther(name: Further, isLater: boolean): string {
  const { dimensions, metrics } = FURTHER[name];
  const years = [2021, 2022, 2023, 2024, ...(isLater ? [2025] : [])].map(String);
  const lists = dimensions.map((dimension) =>
    dimension === 'year' ? years : dimension === 'country' ? COUNTRIES : (VALUES[dimension] ?? []),
  );
  const lines = combinations(lists).map((line) => {
    const size = 1 + ([...line.join()].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 37);
    const unit = isLater && line.includes('Spain') ? 1000 : 1;
    const figures = Object.keys(metrics).map((_, m) => (1_234_567 * size + 1000 * m) / unit);
    return [...line, ...figures].join(',');
  });
  return `${[[...dimensions, ...Object.keys(metrics)].join(','), ...lines].join('\n')}\n`;
}

const files = (isLater: boolean) =>
  Object.fromEntries(NAMES.map((name) => [`${name}.csv`, csvOfFurther(name, isLater)]));

/** The answers of a server, and the results of two publishes. */
interface Outcome {
  readonly published: readonly { readonly status: string; readonly problems: readonly string[] }[];
  readonly findings: readonly { readonly dataset: string; readonly rules: readonly string[] }[];
  readonly answers: Readonly<Record<string, { readonly status: number; readonly body: string }>>;
}

const inDist = (module: string) => JSON.stringify(pathToFileURL(path.resolve('dist', module)).href);

/** Loads the product's modules with further entries in `DATASETS`. */
const hook = () => {
  const described = Object.entries(FURTHER).map(([name, { dimensions, metrics }]) => {
    const all = Object.entries(metrics).map(([metric, facts]) => [
      metric,
      { unit: 'units', description: metric, ...facts },
    ]);
    const entry = { description: name, granularities: ['annual'], dimensions, lookup: 'country_reference' };
    return `${name}: ${JSON.stringify({ ...entry, metrics: Object.fromEntries(all) })},`;
  });
  const load = `export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!url.endsWith('/dist/src/catalog/datasets.js')) return loaded;
    const source = String(loaded.source).replace('export const DATASETS = {', (found) => found + ${JSON.stringify(described.join(' '))});
    return { ...loaded, source };
  }`;
  return `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(load)}`)});`;
};

/** Publishes both months and asks a server about the second one. */
const program = (dataDir: string, months: readonly string[], paths: readonly string[]) => `
  import { publishMonth } from ${inDist('ingest/commands/publish/publishMonth.js')};
  import { NO_OPTIONS } from ${inDist('ingest/staging/readingOptions.js')};
  import { followSnapshots } from ${inDist('src/catalog/snapshots.js')};
  import { createApp } from ${inDist('src/http/app.js')};
  import { admitEverybody } from ${inDist('src/http/middleware/authenticator.js')};
  import { createSelector, SELECTOR_DEFAULTS } from ${inDist('src/query/selection/selector.js')};
  const dataDir = ${JSON.stringify(dataDir)};
  const progress = { phase() {}, update() {}, end() {} };
  const defaults = { ...${JSON.stringify(publishDefaults())}, reading: NO_OPTIONS, at: new Date(0), dataDir };
  const results = [];
  const publish = async (directory, month, more = {}) =>
    results.push(await publishMonth({ ...defaults, directory, month, ...more }, progress));
  const [first, second] = ${JSON.stringify(months)};
  await publish(first, '2026-10');
  await publish(second, '2026-11');
  const findings = results[1].findings ?? [];
  const accept = [...new Set(findings.map(({ rule }) => rule))].map((rule) => ({ rule, dataset: null, reason: 'test' }));
  await publish(second, '2026-11', { accept });
  const observe = () => {};
  const snapshots = followSnapshots({ dataDir, maxBytes: 2 ** 30, connections: 2, observe });
  await snapshots.loaded;
  const app = createApp({ snapshots, selector: createSelector(SELECTOR_DEFAULTS), observe, authenticator: admitEverybody, settings: { cacheMaxAgeSeconds: 0, publicUrl: 'http://127.0.0.1' } });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const answers = {};
  for (const path of ${JSON.stringify(paths)}) {
    const response = await fetch('http://127.0.0.1:' + server.address().port + path);
    answers[path] = { status: response.status, body: (await response.text()).slice(0, 4000) };
  }
  const published = results.map(({ status, problems }) => ({ status, problems: problems.map(({ place, message }) => place + ': ' + message) }));
  process.stdout.write(JSON.stringify({ published, findings, answers }));
  process.exit(0);
`;

const PATHS = NAMES.flatMap((name) => [
  `/v1/financials?metric=${name}&country=Spain&year=2025`,
  `/v1/values?dataset=${name}`,
  `/v1/totals?dataset=${name}&by=country&year=2024${name === 'tax' ? '&fx=EUR' : ''}`,
  `/v1/changes?dataset=${name}&since=2026-10`,
  `/v1/explain?metric=${name}&country=Spain`,
  `/v1/datasets/${name}`,
  `/v1/export/${name}.csv?country=Spain`,
]);

let months: Month[];
let outcome: Outcome;
beforeAll(async () => {
  const lookup = countryReference(COUNTRIES);
  const shared = { 'country_reference.csv': csvOf('country_reference', lookup) };
  months = await Promise.all([false, true].map((isLater) => aMonth({ ...shared, ...files(isLater) })));
  const [{ dataDir = '' } = {}] = months;
  const script = path.join(path.dirname(dataDir), 'program.mjs');
  await writeFile(
    script,
    program(
      dataDir,
      months.map(({ directory }) => directory),
      PATHS,
    ),
  );
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook())}`, script],
    { env: { ...process.env, NODE_OPTIONS: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  outcome = JSON.parse(printed);
});
afterAll(() => Promise.all(months.map((month) => month.remove())));

describe('datasets of other dimensions', () => {
  it('are published, and held by the guards', () => {
    expect(outcome.published.map(({ status }) => status)).toEqual(['published', 'refused', 'published']);
  });

  it.each(NAMES)('%s: a country in another unit is found', (name) => {
    const rules = outcome.findings.filter(({ dataset }) => dataset === name).flatMap(({ rules }) => rules);
    expect(rules).toContain('units');
  });

  it.each(PATHS)('GET %s answers', (at) => {
    const { status, body } = outcome.answers[at] ?? {};
    expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  });
});
