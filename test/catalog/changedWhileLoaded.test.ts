// When a file is replaced while its snapshot is loaded, its rows are never served as those of the manifest.

import { copyFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Snapshot } from '../../src/catalog/snapshot.ts';
import { SnapshotRefused } from '../../src/catalog/snapshotRefused.ts';
import { isDeep } from '../support/depth.ts';
import { openIn } from '../support/openSnapshot.ts';
import { aDataDir, publishSql } from '../support/snapshot.ts';

const SELECT = (ggr: number) => `
  SELECT 2020 AS year, 'Europe' AS region, 'Malta' AS country, '' AS state, 'Betting' AS category,
    'P' || (1000000 + i) AS product, 'Land' AS channel, 'Venue' AS sub_channel, 'EUR' AS fx, 'Current' AS temporal,
    ${ggr}::DOUBLE AS ggr
  FROM range(8000) AS t(i)`;

/** The number of moments at which the file is replaced, spread evenly over the time that loading takes. */
const MOMENTS = isDeep ? 11 : 4;

const ggrIn = ({ tables }: Snapshot) => new Set(tables.ggr?.metrics.get('ggr'));

it('a file that is replaced while its snapshot is loaded is refused, or not read', async () => {
  const { dataDir, remove } = await aDataDir();
  await publishSql(dataDir, '2026-10.1', { ggr: SELECT(1) });
  await publishSql(dataDir, '2026-11.1', { ggr: SELECT(2) });
  const [file, other] = ['2026-10.1', '2026-11.1'].map((id) =>
    path.join(dataDir, 'snapshots', id, 'ggr.parquet'),
  );
  if (file === undefined || other === undefined) throw new Error('no files');
  await copyFile(file, `${dataDir}/kept`);
  const startMs = performance.now();
  (await openIn(dataDir, '2026-10.1')).close();
  const tookMs = performance.now() - startMs;
  const seen = new Set<string>();
  for (let moment = 0; moment < MOMENTS; moment++) {
    for (const [from, to] of [
      [`${dataDir}/kept`, file],
      [other, `${dataDir}/other`],
    ] as const)
      await copyFile(from, `${dataDir}/fresh`).then(() => rename(`${dataDir}/fresh`, to));
    const opening = openIn(dataDir, '2026-10.1').then(
      (snapshot) => {
        const values = ggrIn(snapshot);
        snapshot.close();
        return [...values].join();
      },
      (error) => (error instanceof SnapshotRefused ? 'refused' : String(error)),
    );
    await sleep((tookMs * moment) / (MOMENTS - 1));
    await rename(`${dataDir}/other`, file);
    seen.add(await opening);
  }
  expect([...seen].sort().filter((one) => one !== '1')).toEqual(['refused']);
  await remove();
});
