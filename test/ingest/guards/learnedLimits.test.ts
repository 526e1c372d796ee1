// Limits of warnings adapt to usual months.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { learnedLimits } from '../../../ingest/guards/learnedLimits.ts';
import { HISTORY_FILE } from '../../../src/catalog/readHistory.ts';
import { readConfig } from '../../../src/config/config.ts';

const { guards: LIMITS } = readConfig({});

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'learned-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A data directory whose months 2026-01, 2026-02 … have these reports. With null, the report is missing. */
const history = (name: string, reports: readonly (string | null)[]): Promise<string> =>
  snapshotsOf(name, Object.fromEntries(reports.map((report, i) => [`2026-0${i + 1}.1`, report])));

/** A data directory whose snapshots have these reports, by id. */
async function snapshotsOf(name: string, reports: Readonly<Record<string, string | null>>): Promise<string> {
  const folder = path.join(dataDir, name);
  for (const [id, report] of Object.entries(reports)) {
    const snapshot = path.join(folder, 'snapshots', id);
    await mkdir(snapshot, { recursive: true });
    if (report !== null) await writeFile(path.join(snapshot, 'report.json'), report);
  }
  return folder;
}

/** Writes the history of a data directory: `published 2026-01.1`, `rolled-back 2026-01.1`. */
const enterHistory = (folder: string, events: readonly string[]): Promise<void> =>
  writeFile(
    path.join(folder, HISTORY_FILE),
    events
      .map((text) => text.split(' '))
      .map(([event, id]) => `${JSON.stringify({ event, id, at: '2026-12-01T00:00:00.000Z' })}\n`)
      .join(''),
  );

/** The report of a month in which a total of 50 countries changed by this share, and one of a single country by more. */
const reportOf = (moved: number, changes: object = {}) => {
  const total = (relative: number, countries: number) => ({
    forecast: false,
    closed: true,
    relative,
    countries,
  });
  return JSON.stringify({
    format: 1,
    comparedWith: '2025-12.1',
    datasets: {
      ggr: {
        same: false,
        rows: { before: 100, after: 100 },
        totals: { shown: [total(moved, 50), total(-10 * moved, 1), { ...total(9, 50), forecast: true }] },
      },
    },
    ...changes,
  });
};

describe('learned limits', () => {
  it('are the settings without a history, and with fewer than three months of it', async () => {
    expect((await learnedLimits(path.join(dataDir, 'nothing'), LIMITS)).ggr).toEqual(LIMITS);
    const two = await history('two', [reportOf(0.03), reportOf(0.03)]);
    expect((await learnedLimits(two, LIMITS)).ggr).toEqual(LIMITS);
  });

  it('warn from one and a half times what usual months moved by, one wild month aside', async () => {
    const months = [0.02, 0.01, 0.02, 0.5].map((moved) => reportOf(moved));
    const { ggr, turnover } = await learnedLimits(await history('usual', months), LIMITS);
    expect(ggr.totals.warn).toBeCloseTo(0.03);
    expect(ggr.closedYears.warn).toBeCloseTo(0.03);
    expect(ggr.rows).toEqual(LIMITS.rows);
    expect(turnover).toEqual(LIMITS);
  });

  it('never warn later than the settings refuse, never earlier than the settings warn, and refuse where those do', async () => {
    const wild = await learnedLimits(
      await history(
        'wild',
        [0.9, 0.8, 0.9].map((m) => reportOf(m)),
      ),
      LIMITS,
    );
    expect(wild.ggr.totals).toEqual({ warn: LIMITS.totals.refuse, refuse: LIMITS.totals.refuse });
    expect(wild.ggr.country).toEqual({ warn: LIMITS.country.refuse, refuse: LIMITS.country.refuse });
    const calm = await learnedLimits(
      await history(
        'calm',
        [0, 0, 0].map((m) => reportOf(m)),
      ),
      LIMITS,
    );
    expect(calm.ggr).toEqual(LIMITS);
  });

  it('take no notice of reports that are gone, torn, of the first month or of another program', async () => {
    const torn = reportOf(0.04).slice(0, 50);
    const foreign = [null, torn, '[]', '{"format":2}', reportOf(0.04, { comparedWith: null })];
    const one = await history('foreign', [...foreign, reportOf(0.04), reportOf(0.04)]);
    expect((await learnedLimits(one, LIMITS)).ggr).toEqual(LIMITS);
  });

  it('learn for a comparison of two snapshots from those before the later one', async () => {
    const months = [0.02, 0.02, 0.02, 0.06, 0.06, 0.06].map((moved) => reportOf(moved));
    const folder = await history('until', months);
    expect((await learnedLimits(folder, LIMITS, '2026-04.1')).ggr.totals.warn).toBeCloseTo(0.03);
  });

  it('count the months, not the revisions of one month', async () => {
    const revisions = ['2025-12.1', '2026-01.1', '2026-01.2'].map((comparedWith, i) => [
      `2026-01.${i + 1}`,
      reportOf(0.03, { comparedWith }),
    ]);
    const folder = await snapshotsOf('revisions', Object.fromEntries(revisions));
    expect((await learnedLimits(folder, LIMITS)).ggr).toEqual(LIMITS);
  });

  it('learn from a corrected month what moved since the month before', async () => {
    const corrected = ['2026-01', '2026-02', '2026-03'].flatMap((month, i) => [
      [`${month}.1`, reportOf(0.02, { comparedWith: `2026-0${i}.1` })],
      [`${month}.2`, reportOf(0, { comparedWith: `${month}.1` })],
    ]);
    const folder = await snapshotsOf('corrected', Object.fromEntries(corrected));
    expect((await learnedLimits(folder, LIMITS)).ggr.totals.warn).toBeCloseTo(0.03);
  });

  it('learn nothing from a publication that was rolled back, unless it was made current again', async () => {
    const folder = await history('rolled-back', [reportOf(0.02), reportOf(0.02), reportOf(0.02)]);
    const events = ['published 2026-01.1', 'published 2026-02.1', 'published 2026-03.1'];
    const back = [...events, 'rolled-back 2026-01.1'];
    await enterHistory(folder, events);
    expect((await learnedLimits(folder, LIMITS)).ggr.totals.warn).toBeCloseTo(0.03);
    await enterHistory(folder, back);
    expect((await learnedLimits(folder, LIMITS)).ggr).toEqual(LIMITS);
    await enterHistory(folder, [...back, 'rolled-back 2026-03.1']);
    expect((await learnedLimits(folder, LIMITS)).ggr.totals.warn).toBeCloseTo(0.03);
  });

  it('learn for a comparison what its later snapshot followed, whatever was rolled back since', async () => {
    const folder = await history(
      'since',
      [0.02, 0.02, 0.02, 0.06].map((moved) => reportOf(moved)),
    );
    const published = [1, 2, 3, 4].map((month) => `published 2026-0${month}.1`);
    await enterHistory(folder, [...published, 'rolled-back 2026-01.1']);
    expect((await learnedLimits(folder, LIMITS, '2026-04.1')).ggr.totals.warn).toBeCloseTo(0.03);
  });

  it('count all snapshots when the history is damaged', async () => {
    const folder = await history('damaged', [reportOf(0.02), reportOf(0.02), reportOf(0.02)]);
    await writeFile(path.join(folder, HISTORY_FILE), 'no entry\nat all\n');
    expect((await learnedLimits(folder, LIMITS)).ggr.totals.warn).toBeCloseTo(0.03);
  });
});
