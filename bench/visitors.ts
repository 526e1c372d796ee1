// Benchmarks of the waiting time of people: for the documentation in a browser, and for the first data of a new key.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { INVITE_MS, invitesOf } from '../src/access/invites/invites.ts';
import { openRedis } from '../src/access/redis/connection.ts';
import { dataDirOf, SMALL_ROWS } from './benchSnapshots.ts';
import { chromiumArgs, chromiumPath } from './chromium.ts';
import { type Figure, ofRounds } from './figure.ts';
import { type Running, startOurs } from './measuredProcesses.ts';

const ROUNDS = 7;

/** Measures `/docs` in Chromium without a cache, from the start of the navigation to the first frame after `load`. */
export async function docsInBrowser(): Promise<Figure[]> {
  const executablePath = chromiumPath();
  if (executablePath === null) {
    process.stderr.write('docs: no figure: Chromium is not installed\n');
    return [];
  }
  const server = await startOurs(await dataDirOf(SMALL_ROWS));
  const own = addressOf(server);
  const browser = await chromium.launch({ executablePath, args: chromiumArgs() });
  const readyMs: number[] = [];
  let elsewhere = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext();
    context.on('request', (request) => {
      if (!request.url().startsWith(`${own}/`)) elsewhere += 1;
    });
    const page = await context.newPage();
    await page.goto(`${own}/docs`, { waitUntil: 'load' });
    readyMs.push(
      await page.evaluate<number>(
        'new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))',
      ),
    );
    await context.close();
  }
  await browser.close();
  await server.stop();
  return [
    {
      what: '/docs ready in Chromium',
      unit: 's',
      ...ofRounds(readyMs.map((ms) => ms / 1000)),
      better: 'lower',
      atMost: 1.5,
    },
    { what: 'requests of /docs to another host', unit: '', value: elsewhere, better: 'lower', atMost: 0 },
  ];
}

/**
 * Measures the time from an invite to a data frame, by the instructions of the claim page: claim the key, make a virtual
 * environment, run `pip install`, run the Python program.
 */
export async function firstDataFrame(): Promise<Figure[]> {
  const dataDir = await dataDirOf(SMALL_ROWS);
  const server = await startOurs(dataDir);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'data-api-bench-first-'));
  const invite = `${addressOf(server)}/claim/${await inviteIn(dataDir)}`;
  const startMs = performance.now();
  const program = pythonProgramIn(await claimed(invite));
  const [, packages = ''] = /^# pip install (.+)$/m.exec(program) ?? [];
  if (packages === '') throw new Error('the claim page does not say what to install');
  const file = path.join(folder, 'first.py');
  await writeFile(file, program);
  const run = promisify(execFile);
  await run('python3', ['-m', 'venv', path.join(folder, 'venv')]);
  const python = path.join(folder, 'venv', 'bin', 'python');
  const env = { ...process.env, PIP_NO_CACHE_DIR: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  await run(python, ['-m', 'pip', 'install', '--quiet', ...packages.split(' ')], { env });
  const { stdout } = await run(python, [file]);
  const seconds = (performance.now() - startMs) / 1000;
  if (!/values\.ggr/.test(stdout)) throw new Error(`the program printed no data frame: ${stdout}`);
  await server.stop();
  await rm(folder, { recursive: true });
  return [
    {
      what: 'from an invite to a data frame in Python',
      unit: 's',
      value: seconds,
      better: 'lower',
      atMost: 60,
    },
  ];
}

const addressOf = ({ to }: Running): string => `http://127.0.0.1:${to.port}`;

/** Makes an invite in the private Redis of the server, and returns its token. */
async function inviteIn(dataDir: string): Promise<string> {
  const redis = openRedis({ address: null, dataDir });
  await redis.untilAnswered(10_000);
  const { token } = await invitesOf(redis.client).create({
    label: 'bench',
    claimableMs: INVITE_MS,
    by: 'bench',
  });
  await redis.close();
  return token;
}

/** The page with the key, after a click on the button of the invite's page. */
async function claimed(invite: string): Promise<string> {
  const opened = await fetch(invite);
  const [, nonce = ''] = /name="nonce" value="([^"]+)"/.exec(await opened.text()) ?? [];
  const cookie = opened.headers.getSetCookie().map((one) => one.split(';')[0]);
  const answer = await fetch(invite, {
    method: 'POST',
    body: new URLSearchParams({ nonce }),
    headers: { Cookie: cookie.join('; '), Origin: new URL(invite).origin },
  });
  if (answer.status !== 200) throw new Error(`the claim was answered with ${answer.status}`);
  return answer.text();
}

function pythonProgramIn(page: string): string {
  const [, shown = ''] = /<code id="query-python"[^>]*>([\s\S]*?)<\/code>/.exec(page) ?? [];
  const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return shown.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
