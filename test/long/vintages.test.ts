// Publishes real pairs of consecutive publications, if they lie beside the repository, and prints the guards' findings.

import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publishMonth } from '../../ingest/commands/publish/publishMonth.ts';
import type { PublishResult } from '../../ingest/commands/publish/publishResult.ts';
import {
  DATASET_NAMES,
  type DatasetName,
  datasetOf,
  dimensionOf,
  metricNames,
} from '../../src/catalog/datasets.ts';
import { publishDefaults, SILENT } from '../support/month.ts';
import { notTried } from '../support/notTried.ts';

const VINTAGES = path.resolve('..', 'shared', 'real-data', 'vintages');

const present = existsSync(VINTAGES);
if (!present) notTried(`${VINTAGES} is not there`);

interface Vintage {
  readonly first: readonly [month: string, file: string];
  readonly second: readonly [month: string, file: string];
  readonly dataset: DatasetName;
  /** The SELECT that turns the published table into ours. */
  readonly sql: string;
}

const countryRows = (metric: string) => {
  const values = metricNames('country').map((name) =>
    name === metric ? `Value::DOUBLE AS ${name}` : `NULL::DOUBLE AS ${name}`,
  );
  return `SELECT Year::INTEGER AS year, 'Anywhere' AS region, "Country Name" AS country, '' AS state,
    'Current' AS temporal, 'Reported' AS calculation, ${values.join(', ')} FROM published WHERE Value IS NOT NULL AND "Country Name" <> 'World'`;
};

const VINTAGE: Readonly<Record<string, Vintage>> = {
  gdp: {
    first: ['2024-10', '2024-10-20-a50bef4.csv'],
    second: ['2024-10', '2024-10-21-1cdcd2e.csv'],
    dataset: 'country',
    sql: countryRows('gdp_usd'),
  },
  population: {
    first: ['2025-01', '2025-01-a596c46.csv'],
    second: ['2025-04', '2025-04-0871086.csv'],
    dataset: 'country',
    sql: countryRows('adult_population'),
  },
  'fx-annual': {
    first: ['2018-01', '8a6dec2.csv'],
    second: ['2026-01', '6ce89dd.csv'],
    dataset: 'fx',
    sql: `SELECT left(Date, 4)::INTEGER AS year, 'Anywhere' AS region, Country AS country, '' AS state,
      'XXX' AS fx_local_currency, 'Current' AS temporal, 'Reported' AS calculation,
      NULL::DOUBLE AS fx_constant_usd, NULL::DOUBLE AS fx_current_eur, NULL::DOUBLE AS fx_constant_eur,
      1 / "Exchange rate"::DOUBLE AS fx_current_usd FROM published`,
  },
};

let root: string;

/** Publishes both files, one after the other. Gives the result of the second publication. */
async function publishBoth(name: string, reversed = false): Promise<PublishResult> {
  const vintage = VINTAGE[name];
  if (vintage === undefined) throw new Error(`no vintage ${name}`);
  const folder = path.join(root, `${name}${reversed ? '-reversed' : ''}`);
  const recipe = path.join(folder, 'recipe');
  await mkdir(recipe, { recursive: true });
  await writeFile(path.join(recipe, 'recipe.json'), '{"tables":{"published":{"file":"*.csv","header":1}}}');
  for (const dataset of DATASET_NAMES) {
    await writeFile(path.join(recipe, `${dataset}.sql`), sqlOf(dataset, vintage));
  }
  const files = reversed ? [vintage.second[1], vintage.first[1]] : [vintage.first[1], vintage.second[1]];
  let result: PublishResult | undefined;
  for (const [i, [month]] of [vintage.first, vintage.second].entries()) {
    const directory = path.join(folder, String(i));
    await mkdir(directory);
    await copyFile(path.join(VINTAGES, name, files[i] ?? ''), path.join(directory, 'published.csv'));
    result = await publishMonth(
      { ...publishDefaults(), dataDir: path.join(folder, 'data'), directory, month, recipe },
      SILENT,
    );
    if (i === 0)
      expect([result.status, result.problems.filter(({ severity }) => severity === 'error')]).toEqual([
        'published',
        [],
      ]);
  }
  if (result === undefined) throw new Error('nothing was published');
  return result;
}

/** Datasets that a vintage lacks are empty. The lookup lists its countries. */
function sqlOf(dataset: DatasetName, vintage: Vintage): string {
  if (dataset === vintage.dataset) return vintage.sql;
  if (dataset === 'country_reference')
    return `SELECT DISTINCT region, country, 'Tracked' AS country_type FROM (${vintage.sql})`;
  const columns = [
    ...datasetOf(dataset).dimensions.map((d) =>
      dimensionOf(d).type === 'integer' ? `0 AS ${d}` : `'' AS ${d}`,
    ),
    ...metricNames(dataset).map((metric) => `0.0 AS ${metric}`),
  ];
  return `SELECT ${columns.join(', ')} WHERE false`;
}

const severities = ({ findings }: PublishResult) =>
  findings.map(({ rule, severity }) => `${severity} ${rule}`);

(present ? describe : describe.skip)('guards over real vintages', () => {
  beforeAll(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'vintages-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('stop a month in which years of many countries moved by decades, whichever of the two was wrong', async () => {
    for (const reversed of [false, true]) {
      const result = await publishBoth('gdp', reversed);
      expect(result).toMatchObject({ status: 'refused', exitCode: 5 });
      expect(result.comparison?.datasets.country.rows).toMatchObject({ added: 2266, removed: 2266 });
      expect(severities(result)).toContain('refuse closed-years');
    }
  }, 300_000);

  it('let pass without a word a month that revised one long series by 0.03 %', async () => {
    const result = await publishBoth('population');
    expect(result.comparison?.datasets.country.rows).toMatchObject({ added: 0, removed: 0, revised: 64 });
    expect([result.status, severities(result)]).toEqual(['published', []]);
  }, 60_000);

  it('warn of eight years that came at once and of nothing that was only rounded', async () => {
    const result = await publishBoth('fx-annual');
    expect(result.comparison?.datasets.fx).toMatchObject({
      rows: { added: 168, removed: 0, revised: 113 },
      metrics: { fx_current_usd: { closedRevised: 0 } },
    });
    // The currency of Venezuela lost its value in some of these years, and was redenominated in others.
    const ofVenezuela = ({ country }: { readonly country: string | null }) => country === 'Venezuela';
    expect(
      result.findings.filter((one) => !ofVenezuela(one)).map(({ rule, severity }) => `${severity} ${rule}`),
    ).toEqual(['warn rows']);
    expect(result.findings.filter(ofVenezuela).map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
      'warn units',
      'warn units',
      'warn units',
      'warn revisions',
    ]);
    expect(result.status).toBe('published');
  }, 60_000);

  it('stop a month that is older than the one before: its last years are gone', async () => {
    const result = await publishBoth('fx-annual', true);
    expect([result.status, severities(result)]).toEqual(['refused', ['refuse vanished']]);
  }, 60_000);
});
