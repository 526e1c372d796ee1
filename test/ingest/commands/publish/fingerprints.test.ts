// The fingerprints that are computed while a month is compared, for small files and for large ones.

import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startFingerprints } from '../../../../ingest/commands/publish/fingerprints.ts';
import { Scope } from '../../../../ingest/commands/publish/scope.ts';
import { type DraftDatasetManifest, fingerprintDatasets } from '../../../../ingest/store/writeDatasets.ts';
import { snapshotDirectory } from '../../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES, type DatasetName } from '../../../../src/catalog/datasets.ts';
import { manifestSchema } from '../../../../src/catalog/manifest.ts';
import { aPublishedMonth, csvOf, type Month } from '../../../support/month.ts';
import { aRow } from '../../../support/snapshot.ts';
import { connected } from '../../../support/testEngine.ts';

/** From this number of rows on, an engine of its own hashes the files; see fingerprints.ts. */
const LARGE_FILE_ROWS = 100_000;

let month: Month;
let scope: Scope;
let workDir: string;
let directory: string;
let described: Record<DatasetName, DraftDatasetManifest>;
beforeEach(async () => {
  scope = new Scope();
  month = await aPublishedMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr'), aRow('ggr', { year: 2020 })]) });
  workDir = path.join(month.dataDir, 'work');
  await mkdir(workDir);
  directory = snapshotDirectory(month.dataDir, '2026-11.1');
  described = manifestSchema.parse(
    JSON.parse(await readFile(path.join(directory, 'manifest.json'), 'utf8')),
  ).datasets;
});
afterEach(() => month.remove());

/** The files take some milliseconds to hash, however many rows their descriptions claim. */
const claiming = (rows: number) => ({ ...described, ggr: { ...described.ggr, rows } });

describe.each([
  ['small', LARGE_FILE_ROWS - 1],
  ['large', LARGE_FILE_ROWS],
])('a file that is %s', (size, rows) => {
  it(`is hashed by ${size === 'large' ? 'an engine of its own' : 'the connection of the month'}, with the same result`, () =>
    connected(async (connection) => {
      const claimed = claiming(rows);
      const work = { scope, workDir, directory };
      const fingerprints = await startFingerprints(claimed, work, month.dataDir, connection);
      expect(fingerprints.usesConnection).toBe(size === 'small');
      const all = await fingerprints.datasets();
      expect(all).toEqual(await fingerprintDatasets(connection, claimed, directory));
      // The current snapshot has as many rows of all other datasets.
      const compared = await fingerprints.datasetsToCompare();
      const unhashed = DATASET_NAMES.filter((name) => compared[name].fingerprint !== all[name].fingerprint);
      expect([unhashed, fingerprints.mayAllBeSame]).toEqual([['ggr'], false]);
      await scope.end();
    }));
});

it('a large file that may have the rows of the current snapshot is hashed before it is compared', () =>
  connected(async (connection) => {
    // Without a current snapshot, nothing is known of the rows.
    const nowhere = path.join(month.dataDir, 'nowhere');
    const work = { scope, workDir, directory };
    const fingerprints = await startFingerprints(claiming(LARGE_FILE_ROWS), work, nowhere, connection);
    expect([fingerprints.usesConnection, fingerprints.mayAllBeSame]).toEqual([false, true]);
    expect(await fingerprints.datasetsToCompare()).toEqual(await fingerprints.datasets());
    await scope.end();
  }));
