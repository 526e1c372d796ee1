// A dataset is one entry of `DATASETS`, whatever its dimensions: further datasets are published, compared and served.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aMonth, csvOf, type Month } from '../../../support/month.ts';
import { runProgram } from '../../../support/program.ts';
import { countryReference } from '../../../support/snapshot.ts';
import type { PublishedAndAsked } from './programs/publishAndAsk.ts';

const HOOK = 'test/ingest/commands/publish/programs/furtherDatasets.mjs';

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

/** The entries of `DATASETS`, as the text between its braces. */
const ENTRIES = Object.entries(FURTHER)
  .map(([name, { dimensions, metrics }]) => {
    const described = Object.entries(metrics).map(([metric, facts]) => [
      metric,
      { unit: 'units', description: metric, ...facts },
    ]);
    const entry = { description: name, granularities: ['annual'], dimensions, lookup: 'country_reference' };
    return `${name}: ${JSON.stringify({ ...entry, metrics: Object.fromEntries(described) })},`;
  })
  .join(' ');

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
let outcome: PublishedAndAsked | undefined;
beforeAll(async () => {
  const lookup = countryReference(COUNTRIES);
  const shared = { 'country_reference.csv': csvOf('country_reference', lookup) };
  months = await Promise.all([false, true].map((isLater) => aMonth({ ...shared, ...files(isLater) })));
  const [{ dataDir = '' } = {}] = months;
  [outcome] = await runProgram<PublishedAndAsked>(
    'test/ingest/commands/publish/programs/publishAndAsk.ts',
    [dataDir, ...months.map(({ directory }) => directory), ...PATHS],
    {
      nodeOptions: ['--import', pathToFileURL(path.resolve(HOOK)).href],
      env: { FURTHER_DATASETS: ENTRIES },
    },
  );
});
afterAll(() => Promise.all(months.map((month) => month.remove())));

describe('datasets of other dimensions', () => {
  it('are published, and held by the guards', () => {
    expect(outcome?.statuses).toEqual(['published', 'refused', 'published']);
  });

  it.each(NAMES)('%s: a country in another unit is found', (name) => {
    const ofDataset = outcome?.findings.filter(({ dataset }) => dataset === name) ?? [];
    expect(ofDataset.flatMap(({ rules }) => rules)).toContain('units');
  });

  it.each(PATHS)('GET %s answers', (at) => {
    const { status, body } = outcome?.answers[at] ?? {};
    expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  });
});
