// When a folder or file of the data directory is replaced by something else, the server answers with a remedy, not a fault.

import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Observation } from '../../src/observations.ts';
import { some } from '../support/depth.ts';
import { ingestCommand } from '../support/runInProcess.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

let dataDir: string;
let remove: () => Promise<void>;
let server: TestServer;
let failures: string[];

async function start() {
  ({ dataDir, remove } = await aDataDir());
  await publishRows(dataDir, '2026-10.1');
  await publishRows(dataDir, '2026-11.1');
  const observe = (one: Observation) => {
    if (one.event === 'request failed') failures.push(String(one.error));
  };
  server = await startServer({ dataDir, observe, follow: { openingsPerMinute: 1000 } });
  await server.snapshots.loaded;
}

async function end() {
  await server.close();
  await remove();
}

beforeEach(() => {
  failures = [];
});

const ROWS = '/v1/financials?metric=ggr';
const ASKED: readonly (readonly [string, Record<string, string>?])[] = [
  [ROWS],
  [ROWS, { 'X-Snapshot': '2026-10.1' }],
  [ROWS, { 'X-Snapshot': '2026-10' }],
  [ROWS, { 'X-Snapshot': '2026-10-01' }],
  ['/v1/snapshots'],
  ['/v1/changes?dataset=ggr&since=2026-10'],
  ['/v1/export/ggr.parquet'],
  ['/v1/export/ggr.parquet?country=Malta'],
  ['/v1/export/ggr.xlsx'],
];
const statuses = async () => {
  const seen: number[] = [];
  for (const [asked, named] of ASKED) {
    const { status, headers } = await server.get(asked, named);
    if (status === 503) expect(headers.get('retry-after')).toBe('1');
    seen.push(status);
  }
  return seen;
};
const USUAL = [200, 200, 200, 400, 200, 200, 200, 200, 200];

/** Replaces a file or folder of the data directory by what `put` makes there, while `use` runs. */
async function instead(name: string, put: (place: string) => Promise<unknown>, use: () => Promise<void>) {
  const place = path.join(dataDir, name);
  await rename(place, `${dataDir}-aside`);
  await put(place);
  try {
    await use();
  } finally {
    await rm(place, { recursive: true });
    await rename(`${dataDir}-aside`, place);
  }
}

const loop = (place: string) => symlink(path.basename(place), place);
const file = (place: string) => writeFile(place, 'a file');

describe('a server whose data directory changes under it', () => {
  beforeAll(start);
  afterAll(end);

  const PLACES = [
    ['the folder of the snapshots is a file', 'snapshots', file],
    ['the folder of the snapshots is a link to itself', 'snapshots', loop],
    ['the data directory is a file', '', file],
    ['the data directory is a link to itself', '', loop],
  ] as const;
  it.each(some(PLACES, 1))('answers 503 where it needs the disk while %s', async (_, name, put) => {
    await instead(name, put, async () => {
      const [current, ...others] = await statuses();
      expect(current).toBe(200);
      // A workbook is made from memory. It states when its snapshot was published, if the history can be read.
      expect(others.slice(0, -1)).toEqual(others.slice(0, -1).map(() => 503));
      expect([200, 503]).toContain(others.at(-1));
    });
    expect(await statuses()).toEqual(USUAL);
  });

  const HISTORIES: readonly (readonly [what: string, put: (place: string) => Promise<unknown>])[] = [
    ['a folder', (place: string) => mkdir(place)],
    ['a link to itself', loop],
    ['a pipe', async (place: string) => execFileSync('mkfifo', [place])],
    ['damaged', (place: string) => writeFile(place, '{"event":"published","id:"2026-10.1"}\n')],
  ];
  it.each(some(HISTORIES, 1))(
    'answers 503 where it needs the history, and logs why, while that is %s',
    async (_, put) => {
      await instead('history.jsonl', put, async () => {
        expect(await statuses()).toEqual([200, 200, 200, 503, 503, 200, 200, 200, 503]);
      });
      expect(failures).toEqual(Array(3).fill(expect.stringMatching(/history\.jsonl/)));
      expect(await statuses()).toEqual(USUAL);
    },
  );
});

describe('a server that cannot read an older snapshot', () => {
  beforeAll(start);
  afterAll(end);

  /** A name that is too long causes an error like that of a failing disk: it does not say that the file is missing. */
  const unreadable = (place: string) => symlink('x'.repeat(300), place);
  const names = path.join('snapshots', '2026-10.1');
  const listed = async () => {
    const { status, json } = await server.get('/v1/snapshots');
    return [status, json.snapshots?.map(({ id }: { id: string }) => id), json.unreadable];
  };

  const NAMES = [
    ['its folder', names],
    ['its manifest', path.join(names, 'manifest.json')],
  ] as const;
  it.each(some(NAMES, 1))(
    'lists the others and names it, before and after it was read: %s',
    async (_, name) => {
      for (let times = 0; times < 2; times++) {
        await instead(name, unreadable, async () => {
          expect(await listed()).toEqual([200, ['2026-11.1'], ['2026-10.1']]);
          expect(await statuses()).toEqual([200, 503, 503, 400, 200, 503, 200, 200, 200]);
        });
        expect(await listed()).toEqual([200, ['2026-11.1', '2026-10.1'], undefined]);
        expect(await statuses()).toEqual(USUAL);
      }
    },
  );

  it('lists the others at once when the folder becomes a link to itself after the data directory was one', async () => {
    await instead('', loop, async () => {
      expect((await statuses())[1]).toBe(503);
    });
    await instead(names, loop, async () => {
      expect(await listed()).toEqual([200, ['2026-11.1'], undefined]);
      expect(await statuses()).toEqual([200, 400, 400, 400, 200, 400, 200, 200, 200]);
    });
  });
});

describe('a server that has not read an older snapshot yet', () => {
  beforeEach(start);
  afterEach(end);

  const PUT = [
    ['a link to itself', loop],
    ['a file', file],
  ] as const;
  it.each(some(PUT, 1))(
    'does not know an older snapshot whose folder is %s, and lists the others',
    async (_, put) => {
      await instead(path.join('snapshots', '2026-10.1'), put, async () => {
        expect(await statuses()).toEqual([200, 400, 400, 400, 200, 400, 200, 200, 200]);
        expect(
          (await server.get('/v1/snapshots')).json.snapshots.map(({ id }: { id: string }) => id),
        ).toEqual(['2026-11.1']);
      });
      expect(await statuses()).toEqual(USUAL);
    },
  );
});

describe('a command', () => {
  let remove: () => Promise<void>;
  let folder: string;
  beforeAll(async () => {
    ({ dataDir: folder, remove } = await aDataDir());
  });
  afterAll(() => remove());
  const publish = (dataDir: string) =>
    ingestCommand(dataDir, ['publish', folder, '--month', '2026-12'], {}).then(({ stderr }) => stderr);

  it('whose DATA_DIR is a file, a link to nothing or a link to itself says so', async () => {
    const [aFile, nowhere, itself] = ['file', 'nowhere', 'itself'].map((name) => path.join(folder, name));
    execFileSync('sh', [
      '-c',
      'echo > "$0"; ln -s gone "$1"; ln -s itself "$2"',
      `${aFile}`,
      `${nowhere}`,
      `${itself}`,
    ]);
    expect(await publish(`${aFile}`)).toMatch(
      /; a file is in the place of a folder: move it away, or name another/,
    );
    expect(await publish(`${nowhere}`)).toMatch(
      /nowhere is a link to a folder that is not there: make that folder/,
    );
    expect(await publish(`${itself}`)).toMatch(
      /ELOOP.*; a link leads back to itself: move it away, or name another/,
    );
  });
});
