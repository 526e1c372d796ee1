// When there is little or nothing to compare with, guards use stated defaults, and are never silent.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { itInDepth } from '../../support/depth.ts';
import { aMonth, aPublishedMonth, csvOf, type Month } from '../../support/month.ts';
import { aRow, countryReference, publishRows, type Row } from '../../support/snapshot.ts';

let month: Month;
afterEach(() => month.remove());

/** Twelve countries with ggr of five years. */
const GGR: readonly Row[] = Array.from({ length: 12 }, (_, i) => `Country ${i + 10}`).flatMap((country, i) =>
  [2020, 2021, 2022, 2023, 2024].map((year) => aRow('ggr', { country, year, ggr: 1000 * (i + 1) + year })),
);

const lookup = (rows: readonly Row[]) =>
  csvOf(
    'country_reference',
    [...new Set(['Malta', ...rows.map(({ country }) => String(country))])].map((country) =>
      aRow('country_reference', { country }),
    ),
  );

const filesOf = (rows: readonly Row[]) => ({
  'ggr.csv': csvOf('ggr', rows),
  'country_reference.csv': lookup(rows),
});

const aMonthOf = (rows: readonly Row[]) => aMonth(filesOf(rows));

describe('guards', () => {
  it('say that they were skipped for the first month', async () => {
    month = await aMonthOf(GGR);
    const { status, findings, report } = await month.publish();
    expect([status, findings]).toEqual(['published', []]);
    expect(new Set(report?.checked.guards.map(({ result }) => result))).toEqual(new Set(['skipped']));
  });

  itInDepth('answer a month that is published twice with the snapshot that has it', async () => {
    month = await aPublishedMonth(filesOf(GGR));
    expect(await month.publish()).toMatchObject({ status: 'unchanged', exitCode: 0, findings: [] });
  });

  it('say nothing of a carried dataset, and compare the others', async () => {
    month = await aPublishedMonth(filesOf(GGR), [{ month: '2026-10' }]);
    await month.write({ 'turnover.csv': csvOf('turnover', [aRow('turnover', { turnover: 0 })]) });
    await rm(path.join(month.directory, 'ggr.csv'));
    const { status, findings } = await month.publish({ carry: ['ggr'] });
    expect([status, findings.map(({ dataset }) => dataset)]).toEqual(['refused', ['turnover']]);
  });

  itInDepth('compare with the current snapshot alone where all older ones are pruned away', async () => {
    month = await aMonthOf(GGR);
    const reference = [...new Set(['Malta', ...GGR.map(({ country }) => String(country))])];
    for (const [i, at] of ['2026-08.1', '2026-09.1', '2026-10.1'].entries())
      await publishRows(month.dataDir, at, {
        ggr: GGR.map((row) => ({ ...row, ggr: Number(row.ggr) * (1 + i / 1000) })),
        country_reference: countryReference(reference),
      });
    for (const id of (await snapshotIds(month.dataDir)).slice(0, -1))
      await rm(path.join(month.dataDir, 'snapshots', id), { recursive: true });
    const gone = GGR.filter(({ country }) => country !== 'Country 12');
    await month.write({ 'ggr.csv': csvOf('ggr', gone) });
    const { status, findings } = await month.publish();
    expect([status, findings.filter(({ severity }) => severity === 'refuse').map((f) => f.accept)]).toEqual([
      'refused',
      ['--accept "vanished:ggr:Country 12" --reason "…"'],
    ]);
  });
});
