// A month with so many rows that its files are hashed while it is compared.
// fingerprints.test.ts tests the same with small files that claim as many rows.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RULES } from '../../ingest/guards/finding.ts';
import { verify } from '../../ingest/store/verify.ts';
import { type Manifest, manifestSchema } from '../../src/catalog/manifest.ts';
import { aPublishedMonth, csvOf, type Month } from '../support/month.ts';
import { aRow } from '../support/snapshot.ts';

/** Just enough rows for `fingerprints.ts` and the comparison to work as they do for large datasets. */
const ROWS = 100_001;

/** Rows that are all different. One of them, `changed`, has another amount. */
function csv(changed?: number): string {
  const [header = ''] = csvOf('ggr').split('\n');
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const amount = i === changed ? 7 : 1000 + (i % 1000);
    return `${1980 + (i % 46)},Europe,Malta,State ${i % 91},Betting,Product ${i % 67},Online,Onshore,EUR,Current,${amount}`;
  });
  return `${header}\n${lines.join('\n')}\n`;
}

const accept = RULES.map((rule) => ({ rule, dataset: null, reason: 'made up' }));

let month: Month;
const manifestOf = async (id: string): Promise<Manifest> =>
  manifestSchema.parse(
    JSON.parse(await readFile(path.join(month.dataDir, 'snapshots', id, 'manifest.json'), 'utf8')),
  );

beforeEach(async () => {
  const reference = csvOf('country_reference', [aRow('country_reference', { country: 'Malta' })]);
  month = await aPublishedMonth({ 'ggr.csv': csv(), 'country_reference.csv': reference }, [
    { month: '2026-09' },
  ]);
});
afterEach(() => month.remove());

describe('a large month', () => {
  it('is unchanged when it is published again', async () => {
    expect((await month.publish({ month: '2026-09' })).status).toBe('unchanged');
  });

  it('has the fingerprint of the month before when its rows are the same', async () => {
    const { status, comparison } = await month.publish({ month: '2026-10', accept });
    expect([status, comparison?.datasets.ggr.same]).toEqual(['published', true]);
    const [before, after] = [await manifestOf('2026-09.1'), await manifestOf('2026-10.1')];
    expect(after.datasets).toEqual(before.datasets);
  });

  it('has a fingerprint of its own when a row differs', async () => {
    await month.write({ 'ggr.csv': csv(98_765) });
    const { status } = await month.publish({ month: '2026-11', accept });
    expect(status).toBe('published');
    const [before, after] = [await manifestOf('2026-09.1'), await manifestOf('2026-11.1')];
    expect(after.datasets.ggr.fingerprint).not.toBe(before.datasets.ggr.fingerprint);
    expect(after.datasets.turnover).toEqual(before.datasets.turnover);
    expect(await verify(month.dataDir, '2026-11.1')).toEqual([]);
  });
});
