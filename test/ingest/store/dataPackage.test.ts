// The data package that describes the files of a snapshot.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { verify } from '../../../ingest/store/verify.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, rowOrder } from '../../../src/catalog/datasets.ts';
import { tableSchemaFields } from '../../../src/catalog/fields.ts';
import { fileSha256 } from '../../../src/catalog/fileSha256.ts';
import { aPublishedMonth, csvOf, type Month } from '../../support/month.ts';
import { aRow, countryReference } from '../../support/snapshot.ts';
import { query } from '../../support/testEngine.ts';

let month: Month;
afterEach(() => month.remove());

const here = (file: string) => path.join(month.dataDir, 'current', file);

/**
 * The constants down to `dataPackage` hold the rules of Data Package 2.0 for a package, its resources and their
 * schemas.
 */
const url = z.templateLiteral(['https://datapackage.org/profiles/2.0/', z.string()]);
const source = z
  .looseObject({ title: z.string(), path: z.string().optional() })
  .refine((one) => Object.keys(one).length > 0);
const field = z.looseObject({
  name: z.string().min(1),
  type: z.enum(['string', 'number', 'integer']),
  description: z.string().min(1),
  unit: z.string().min(1),
  constraints: z.strictObject({ required: z.boolean() }),
});
const dataPackage = z.looseObject({
  $schema: url,
  name: z.string().regex(/^[-a-z0-9._]+$/),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  sources: z.array(source),
  resources: z
    .array(
      z.looseObject({
        $schema: url,
        name: z.string().regex(/^[-a-z0-9._]+$/),
        type: z.literal('table'),
        // A relative path, which stays in the folder of the descriptor.
        path: z.string().regex(/^(?!\.)[^/\\~:]+$/),
        description: z.string(),
        format: z.literal('parquet'),
        mediatype: z.string().regex(/^.+\/.+$/),
        bytes: z.int().positive(),
        hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
        sources: z.array(source),
        schema: z.looseObject({
          $schema: url,
          fields: z.array(field).min(1),
          missingValues: z.array(z.string()),
          primaryKey: z.array(z.string()).min(1),
          foreignKeys: z
            .array(
              z.strictObject({
                fields: z.array(z.string()).min(1),
                reference: z.strictObject({ resource: z.string(), fields: z.array(z.string()).min(1) }),
              }),
            )
            .min(1)
            .optional(),
        }),
      }),
    )
    .min(1),
});

async function published(files = {}): Promise<z.infer<typeof dataPackage>> {
  month = await aPublishedMonth(files);
  return dataPackage.parse(JSON.parse(await readFile(here('datapackage.json'), 'utf8')));
}

/** The columns of a published file with their types. */
async function columnsOf(name: DatasetName): Promise<string[]> {
  const found = await query(`DESCRIBE FROM read_parquet('${here(`${name}.parquet`)}')`);
  return found.getRowsJS().map(([column, type]) => `${column} ${type}`);
}

const ENGINE_TYPES = { string: 'VARCHAR', integer: 'INTEGER', number: 'DOUBLE' };

describe('the data package of a snapshot', () => {
  it('describes each file as it is: columns, types, size and checksum', async () => {
    const { resources, version } = await published();
    expect(version).toBe('2026-11.1');
    expect(resources.map(({ name }) => name)).toEqual(DATASET_NAMES);
    for (const name of DATASET_NAMES) {
      const resource = resources.find((one) => one.name === name);
      expect(resource?.hash).toBe(`sha256:${await fileSha256(here(`${name}.parquet`))}`);
      expect(resource?.bytes).toBe((await readFile(here(`${name}.parquet`))).length);
      expect(resource?.schema.fields.map((one) => `${one.name} ${ENGINE_TYPES[one.type]}`)).toEqual(
        await columnsOf(name),
      );
    }
  });

  it('names keys that are columns, the primary one in row order', async () => {
    const { resources } = await published();
    for (const { name, schema } of resources) {
      const dataset = name as DatasetName;
      expect(schema.primaryKey).toEqual(rowOrder(dataset));
      expect(schema.foreignKeys?.map(({ reference }) => reference.resource)).toEqual(
        datasetOf(dataset).lookup === undefined ? undefined : ['country_reference'],
      );
      const columns = (of: string) =>
        resources.find((one) => one.name === of)?.schema.fields.map((one) => one.name);
      expect(columns(name)).toEqual(expect.arrayContaining(schema.primaryKey));
      for (const { fields, reference } of schema.foreignKeys ?? []) {
        expect(columns(name)).toEqual(expect.arrayContaining(fields));
        expect(columns(reference.resource)).toEqual(expect.arrayContaining(reference.fields));
      }
    }
  });

  it('says of each dataset which files it comes from', async () => {
    const spain = csvOf('ggr', [aRow('ggr', { country: 'Spain' })]);
    const reference = countryReference(['Malta', 'Spain']);
    const { sources, resources } = await published({
      'ggr-malta.csv': csvOf('ggr'),
      'ggr, all of Spain.csv': spain,
      'country-reference.csv': csvOf('country_reference', reference),
    });
    expect(resources[0]?.sources.map(({ title }) => title).sort()).toEqual([
      'ggr, all of Spain.csv',
      'ggr-malta.csv',
    ]);
    expect(sources.find(({ title }) => title === 'ggr-malta.csv')).toEqual({
      title: 'ggr-malta.csv',
      bytes: csvOf('ggr').length,
      hash: `sha256:${await fileSha256(path.join(month.directory, 'ggr-malta.csv'))}`,
    });
  });

  it('is the same, byte for byte, from the same sources', async () => {
    await published();
    const first = await readFile(here('datapackage.json'), 'utf8');
    await month.publish({ month: '2026-12', at: new Date(1e12) });
    const second = await readFile(here('datapackage.json'), 'utf8');
    expect(second).toBe(first.replaceAll('2026-11.1', '2026-12.1'));
  });

  it('is verified like the data', async () => {
    await published();
    const text = await readFile(here('datapackage.json'), 'utf8');
    await writeFile(here('datapackage.json'), text.replace('EUR', 'USD'));
    expect(await verify(month.dataDir, '2026-11.1')).toEqual([
      { file: 'datapackage.json', column: null, message: 'its SHA-256 differs from the manifest' },
    ]);
  });

  it('lets no column be without description and unit', () => {
    for (const name of DATASET_NAMES) {
      for (const { description, unit } of tableSchemaFields(name))
        expect([description, unit]).not.toContain('');
    }
  });
});
