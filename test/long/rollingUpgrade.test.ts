// Upgrades three servers behind HAProxy from an earlier commit to this program and back, under 200 requests a second.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { notTried } from '../support/notTried.ts';
import { patientFetch, retryUnavailable } from '../support/retryUnavailable.ts';
import { aDataDir, aRow, type DataDir, publishRows } from '../support/snapshot.ts';
import { startLoad } from '../support/steadyLoad.ts';
import { lastRelease } from './lastRelease.ts';
import {
  failuresOf,
  figuresOf,
  issueKey,
  missingPrograms,
  type ProxiedServers,
  startProxiedServers,
} from './proxiedServers.ts';
import { startSentinels } from './sentinel.ts';

const PER_SECOND = Number(process.env.PER_SECOND ?? 200);
const ROWS = 600;
/** A limit that is used up during the upgrade, within one window. */
const LIMIT = 40;

/** The commit of the old program. Without a setting, it is the last release. */
const OLD_COMMIT = process.env.OLD_COMMIT ?? lastRelease()?.commit ?? '';

const missing = [
  ...missingPrograms().map((program) => `${program} is not installed`),
  ...(OLD_COMMIT === '' ? ['there is no git history to build the old program from'] : []),
];
if (missing.length > 0) notTried(missing.join(', '));
const long = missing.length === 0 ? it : it.skip;

let data: DataDir;
let old: string;
beforeAll(async () => {
  if (missing.length > 0) return;
  data = await aDataDir();
  const rowsOf = (more: number) =>
    Array.from({ length: ROWS }, (_, i) => aRow('ggr', { year: 1000 + i, ggr: i + more }));
  await publishRows(data.dataDir, '2026-10.1', { ggr: rowsOf(0) });
  await publishRows(data.dataDir, '2026-11.1', { ggr: rowsOf(0.5) });
  old = await builtAt(OLD_COMMIT);
}, 600_000);
afterAll(async () => {
  if (missing.length > 0) return;
  await data.remove();
  await rm(old, { recursive: true, force: true });
});

/** Builds the program of a commit with the packages that are installed here. Gives its folder. */
async function builtAt(commit: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'old-program-'));
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  execFileSync('node', ['scripts/build.mjs'], {
    cwd: folder,
    stdio: 'pipe',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return folder;
}

long(
  'upgrades every server in turn, and back, without a failed request, a wrong answer or an admission too many',
  async () => {
    const redis = await startSentinels();
    const site = await startProxiedServers({ dataDir: data.dataDir, redisUrl: redis.url, folder: old });
    try {
      const [loaded, small] = [await issueKey(redis.client, 1_000_000), await issueKey(redis.client, LIMIT)];
      const loading = startLoad(
        `${site.url}/v1/financials?metric=ggr&limit=50`,
        { 'x-api-key': loaded.key },
        PER_SECOND,
      );
      const walking = startWalks(site, loaded.key);
      await sleep(2000);
      const metering = startMeter(() => site.ask(small.key));
      try {
        for (const program of [undefined, old])
          for (const server of site.servers) {
            await site.restart(server, program);
            await sleep(500);
          }
      } finally {
        await Promise.all([walking.stop(), metering.stop(), loading.stop()]);
      }
      const { walks, failed } = walking;
      const most = mostInAMinute(metering.admittedAt);
      process.stderr.write(
        `rolling upgrade from ${OLD_COMMIT.slice(0, 7)} and back: ${figuresOf(loading)}; ${site.tooSlow()} × Redis too slow; ` +
          `${walks.length} walks, ${failed.length} failed; ` +
          `at most ${most} of a limit of ${LIMIT} admitted in a minute\n`,
      );
      expect(loading.wrong).toEqual([]);
      expect(failuresOf(loading, site)).toEqual([]);
      expect(failed).toEqual([]);
      expect(walks.length).toBeGreaterThan(3);
      for (const years of walks) expect(years).toEqual(Array.from({ length: ROWS }, (_, i) => 1000 + i));
      expect(most).toBeLessThanOrEqual(LIMIT);
      expect(metering.admittedAt.length).toBeGreaterThanOrEqual(LIMIT);
    } finally {
      await site.close();
      await redis.close();
    }
  },
  600_000,
);

long(
  'continues the walks of the old program in the new one, and those of the new one in the old',
  async () => {
    const redis = await startSentinels();
    const site = await startProxiedServers({ dataDir: data.dataDir, redisUrl: redis.url, folder: old });
    try {
      const { key } = await issueKey(redis.client, 1_000_000);
      const [before = '', after = ''] = site.servers;
      await site.restart(after);
      const page = async (server: string, query: string) => {
        // On a busy machine, opening an older snapshot may take long.
        const response = await retryUnavailable(() =>
          fetch(`${server}/v1/${query}`, { headers: { 'x-api-key': key } }),
        );
        expect([response.status, query]).toEqual([200, query]);
        return (await response.json()) as Page;
      };
      for (const query of WALKS) {
        const pages: Page[][] = [[], []];
        for (const [i, order] of [
          [before, after],
          [after, before],
        ].entries()) {
          let cursor = '';
          for (let turn = 0; turn < 100; turn++) {
            const one = await page(order[turn % 2] ?? '', `${query}${cursor}`);
            pages[i]?.push(one);
            if (!one.pagination.has_more) break;
            cursor = `&cursor=${one.pagination.cursor}`;
          }
        }
        expect(pages[0]?.length).toBeGreaterThan(3);
        // Both programs give the same pages with the same cursors.
        expect(pages[1]).toEqual(pages[0]);
      }
    } finally {
      await site.close();
      await redis.close();
    }
  },
  600_000,
);

/** Walks with each kind of cursor: rows, rows with filters, groups, changes. */
const WALKS = [
  'financials?metric=ggr&limit=97',
  'financials?metric=ggr&limit=31&country=Malta&period=1100-01-01:1500-12-31',
  'totals?dataset=ggr&by=year&limit=83',
  'changes?dataset=ggr&since=2026-10.1&limit=71',
];

interface Page {
  readonly data: readonly { readonly dimensions: { readonly year: number } }[];
  readonly pagination: { readonly cursor: string | null; readonly has_more: boolean };
}

/** Walks through the proxy without a pause, so that old and new programs answer pages of the same walk. */
function startWalks(site: ProxiedServers, key: string) {
  const walks: number[][] = [];
  const failed: string[] = [];
  const walk = async () => {
    const years: number[] = [];
    for (let cursor = ''; ; ) {
      const url = `${site.url}/v1/financials?metric=ggr&limit=20${cursor}`;
      // The load judges the 503 of a busy machine. A walk asks again.
      const response = await patientFetch(url, { headers: { 'x-api-key': key } });
      const text = await response.text();
      if (response.status !== 200) return void failed.push(`a walk got ${response.status}: ${text}`);
      const { data: rows, pagination } = JSON.parse(text) as Page;
      years.push(...rows.map(({ dimensions }) => dimensions.year));
      if (!pagination.has_more) return void walks.push(years);
      cursor = `&cursor=${pagination.cursor}`;
      await sleep(50);
    }
  };
  const { stop } = startLoop(() => walk().catch((error) => void failed.push(String(error))));
  return { walks, failed, stop };
}

/** Sends requests all the time, and records when they were admitted. */
function startMeter(ask: () => Promise<number>) {
  const admittedAt: number[] = [];
  const { stop } = startLoop(async () => {
    if ((await ask().catch(() => 0)) === 200) admittedAt.push(performance.now());
    await sleep(100);
  });
  return { admittedAt, stop };
}

/** Repeats `act` until it is stopped. */
function startLoop(act: () => Promise<void>) {
  let isDone = false;
  const looping = (async () => {
    while (!isDone) await act();
  })();
  return {
    stop() {
      isDone = true;
      return looping;
    },
  };
}

/**
 * The most admissions in any minute, because the window slides. An answer may come a little later than its admission, so
 * 55 s of answers count as a minute.
 */
const mostInAMinute = (admittedAt: readonly number[]): number =>
  Math.max(
    0,
    ...admittedAt.map((fromMs, i) => admittedAt.slice(i).filter((atMs) => atMs < fromMs + 55_000).length),
  );
