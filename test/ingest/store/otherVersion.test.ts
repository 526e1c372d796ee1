// Snapshots of program versions that knew other datasets, or other metrics of a dataset.

import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { verify } from '../../../ingest/store/verify.ts';
import { itInDepth } from '../../support/depth.ts';
import { aPublishedMonth, csvOf, type Month } from '../../support/month.ts';
import { ingestCommand } from '../../support/runInProcess.ts';
import { aRow } from '../../support/snapshot.ts';

let month: Month;
beforeEach(async () => {
  month = await aPublishedMonth({}, [{ month: '2026-10' }]);
});
afterEach(() => month.remove());

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');

/** Turns 2026-10.1 into the snapshot of another program version. */
async function rewrite(change: 'without fx' | 'with odds' | 'without gdp_usd'): Promise<void> {
  const folder = path.join(month.dataDir, 'snapshots/2026-10.1');
  const file = path.join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  if (change === 'without fx') {
    delete manifest.datasets.fx;
    await rm(path.join(folder, 'fx.parquet'));
  } else if (change === 'without gdp_usd') {
    delete manifest.datasets.country.metrics.gdp_usd;
  } else {
    const bytes = await readFile(path.join(folder, 'fx.parquet'));
    await writeFile(path.join(folder, 'odds.parquet'), bytes);
    manifest.datasets.odds = { ...manifest.datasets.fx, file: 'odds.parquet' };
  }
  const datasets = Object.entries<{ fingerprint: string }>(manifest.datasets);
  manifest.fingerprint = sha256(
    datasets.map(([name, { fingerprint }]) => `${name} ${fingerprint}\n`).join(''),
  );
  const text = JSON.stringify(manifest, null, 2);
  await writeFile(file, text);
  const history = path.join(month.dataDir, 'history.jsonl');
  const entry = JSON.parse(await readFile(history, 'utf8'));
  await writeFile(history, `${JSON.stringify({ ...entry, manifest: sha256(text) })}\n`);
}

describe('a snapshot of a version that did not know a dataset', () => {
  beforeEach(() => rewrite('without fx'));

  it('is whole', async () => {
    expect(await verify(month.dataDir, '2026-10.1')).toEqual([]);
    expect((await ingestCommand(month.dataDir, ['list'])).stdout).not.toContain('damaged');
  });

  it('is compared in what both hold, guards included, and the rest is named', async () => {
    await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 100 })]) });
    const refused = await month.publish();
    expect([refused.status, refused.currentDamage]).toEqual(['refused', null]);
    expect(refused.findings.map(({ dataset }) => dataset)).toContain('ggr');
    expect(refused.findings.map(({ dataset }) => dataset)).not.toContain('fx');
    expect(refused.problems.map(({ place, message }) => `${place}: ${message}`)).toContain(
      'fx: not compared: 2026-10.1 does not hold it with these columns',
    );
    expect(refused.report?.datasets.fx.rows).toMatchObject({ before: null, after: 1 });
  });

  it('is not said to be unchanged in the dataset that it does not hold', async () => {
    const { report } = await month.publish();
    expect(report?.headline).toBe(
      'Nothing changed since 2026-10.1 in the datasets that it has; fx was not compared. No guard objects.',
    );
  });

  itInDepth('says so in a diff with a later one, either way', async () => {
    await month.publish();
    const later = await ingestCommand(month.dataDir, ['diff', '2026-10.1', '2026-11.1']);
    expect(later).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('fx: not compared: 2026-10.1 does not hold it with these columns'),
    });
    expect(later.stdout).toContain('ggr: 1 row, as before');
    const { stdout } = await ingestCommand(month.dataDir, ['diff', '2026-11.1', '2026-10.1', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'different',
      uncompared: [{ dataset: 'fx', lackedBy: 'after', isKnown: true }],
    });
  });

  it('cannot have the dataset carried from it', async () => {
    await rm(path.join(month.directory, 'fx.csv'));
    expect(await month.problems({ carry: ['fx'] })).toContain(
      'error fx: cannot be carried: 2026-10.1 does not hold it with these columns; add a source',
    );
  });
});

describe('a snapshot of a version that knew one dataset more', () => {
  beforeEach(() => rewrite('with odds'));

  it('is whole, and damaged when a file of that dataset is', async () => {
    expect(await verify(month.dataDir, '2026-10.1')).toEqual([]);
    await writeFile(path.join(month.dataDir, 'current/odds.parquet'), 'x');
    expect(await verify(month.dataDir, '2026-10.1')).toMatchObject([{ file: 'odds.parquet' }]);
  });

  it('is compared in what both hold, and the rest is named', async () => {
    const { status, problems } = await month.publish();
    expect([status, problems.map(({ place, message }) => `${place}: ${message}`)]).toEqual([
      'published',
      ['odds: not compared: 2026-10.1 holds it, and this version does not know it'],
    ]);
  });
});

describe('a snapshot of a version that knew one metric less', () => {
  beforeEach(() => rewrite('without gdp_usd'));

  it('is whole, and damaged when the file of that dataset is', async () => {
    expect(await verify(month.dataDir, '2026-10.1')).toEqual([]);
    await writeFile(path.join(month.dataDir, 'current/country.parquet'), 'x');
    expect(await verify(month.dataDir, '2026-10.1')).toMatchObject([{ file: 'country.parquet' }]);
  });

  it('is compared in the other datasets, and that one is named', async () => {
    const { status, problems } = await month.publish();
    expect([status, problems.map(({ place, message }) => `${place}: ${message}`)]).toEqual([
      'published',
      ['country: not compared: 2026-10.1 does not hold it with these columns'],
    ]);
  });
});
