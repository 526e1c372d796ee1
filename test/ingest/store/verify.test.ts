// `verify` finds and names every damage of a snapshot.

import { appendFile, copyFile, cp, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rollback } from '../../../ingest/store/rollback.ts';
import { verify } from '../../../ingest/store/verify.ts';
import type { Manifest } from '../../../src/catalog/manifest.ts';
import { itInDepth, some } from '../../support/depth.ts';
import { aDataDir, aRow, type DataDir, publishRows } from '../../support/snapshot.ts';
import { query } from '../../support/testEngine.ts';

const ROWS = Array.from({ length: 5000 }, (_, i) =>
  aRow('ggr', { year: 1500 + (i % 500), product: `P${i % 7}`, state: `S${i % 11}`, ggr: i / 7 }),
);

let made: DataDir;
let copied: DataDir;
beforeAll(async () => {
  made = await aDataDir();
  await publishRows(made.dataDir, '2026-10.1');
  await publishRows(made.dataDir, '2026-11.1', { ggr: ROWS });
});
beforeEach(async () => {
  copied = await aDataDir(made.dataDir);
});
afterEach(() => copied.remove());
afterAll(() => made.remove());

const at = (file: string, id = '2026-11.1') => path.join(copied.dataDir, 'snapshots', id, file);

const damagesOf = async (id = '2026-11.1') =>
  (await verify(copied.dataDir, id)).map(
    ({ file, column, message }) => `${file}${column === null ? '' : `, ${column}`}: ${message}`,
  );

const run = async (sql: string): Promise<unknown[][]> => (await query(sql)).getRowsJS();

/** Writes the dataset's file again, with the rows that `sql` makes of its rows. */
async function rewrite(file: string, sql: string): Promise<void> {
  await run(
    `COPY (${sql.replace('rows', `read_parquet('${at(file)}')`)}) TO '${at(file)}.new' (FORMAT parquet)`,
  );
  await rename(`${at(file)}.new`, at(file));
}

async function flip(file: string, position: number): Promise<void> {
  const bytes = await readFile(at(file));
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  await writeFile(at(file), bytes);
}

async function edit(change: (manifest: Manifest) => void): Promise<void> {
  const manifest = JSON.parse(await readFile(at('manifest.json'), 'utf8'));
  change(manifest);
  await writeFile(at('manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

describe('a whole snapshot', () => {
  it('has no damage', async () => {
    expect(await damagesOf()).toEqual([]);
    expect(await damagesOf('2026-10.1')).toEqual([]);
  });

  it('may lie in folders that SQL would take for a pattern or a column', async () => {
    const odd = path.join(copied.dataDir, "it's [x]*", 'country=Malta');
    await cp(path.join(copied.dataDir, 'snapshots'), path.join(odd, 'snapshots'), { recursive: true });
    expect(await verify(odd, '2026-11.1')).toEqual([]);
  });

  it('may hold hidden files of the system', async () => {
    await writeFile(at('.DS_Store'), 'view');
    expect(await damagesOf()).toEqual([]);
  });
});

describe('a flipped byte', () => {
  it.each(some([0, 0.3, 0.6, 0.99], 2))(
    'at %d of the bytes of a column names that column and no other',
    async (share) => {
      const columns = ['year', 'state', 'product', 'ggr'];
      const chunks = await run(
        `SELECT path_in_schema, coalesce(dictionary_page_offset, data_page_offset)::INTEGER, total_compressed_size::INTEGER
       FROM parquet_metadata('${at('ggr.parquet')}')`,
      );
      // A byte of each of four columns is changed, so that the message names four columns.
      for (const [column, start, length] of chunks)
        if (columns.includes(String(column)))
          await flip('ggr.parquet', Number(start) + Math.floor(Number(length) * share));
      const damages = await damagesOf();
      expect(damages.slice(0, 1 + columns.length)).toEqual([
        'ggr.parquet: its SHA-256 differs from the manifest',
        ...columns.map((column) => `ggr.parquet, ${column}: its bytes differ from the manifest`),
      ]);
      const others = damages.filter(
        (one) => /, \w+:/.test(one) && !columns.some((name) => one.includes(`, ${name}:`)),
      );
      expect(others).toEqual([]);
    },
  );

  itInDepth('in the last bytes of the file is detected as well', async () => {
    const { length } = await readFile(at('ggr.parquet'));
    for (const fromEnd of [1, 5, 40]) {
      await copyFile(path.join(made.dataDir, 'snapshots/2026-11.1/ggr.parquet'), at('ggr.parquet'));
      await flip('ggr.parquet', length - fromEnd);
      expect((await damagesOf())[0]).toBe('ggr.parquet: its SHA-256 differs from the manifest');
    }
  });
});

describe('other values in a file that can be read', () => {
  const DAMAGES: [string, string, (string | RegExp)[]][] = [
    [
      'a value, a text and a year changed',
      `SELECT * REPLACE (CASE WHEN ggr = 3 THEN 4 ELSE ggr END AS ggr, 'X' AS channel,
         CASE year WHEN 1500 THEN 1 ELSE year END AS year) FROM rows`,
      [/, ggr: its sum/, /, channel: its values and their counts/, /, year: the years/],
    ],
    ['a value emptied', 'SELECT * REPLACE (nullif(ggr, 3) AS ggr) FROM rows', [/, ggr: its sum/]],
    ['rows removed', 'SELECT * FROM rows WHERE ggr > 100', [/^ggr\.parquet: the number of rows/]],
    [
      'rows in another order',
      'SELECT * FROM rows ORDER BY ggr DESC',
      [/is not in row order, first at row \d+/],
    ],
    [
      'a row twice',
      `SELECT * EXCLUDE (n) FROM (SELECT *,
         unnest(CASE WHEN row_number() OVER () = 1 THEN [1, 2] ELSE [1] END) AS n FROM rows)`,
      [/is not in row order, first at row 2$/, /the number of rows/],
    ],
    [
      'columns in another order',
      'SELECT country, * EXCLUDE (country) FROM rows',
      [/^ggr\.parquet: has its columns in another order than year, region, country, /],
    ],
    [
      'a column missing, one too many and one of another type',
      'SELECT * EXCLUDE (fx) REPLACE (ggr::FLOAT AS ggr), 1 AS extra FROM rows',
      [
        'ggr.parquet, fx: is missing',
        'ggr.parquet, extra: is not a column of ggr',
        'ggr.parquet, ggr: is FLOAT instead of DOUBLE',
      ],
    ],
    [
      'columns in another order',
      'SELECT ggr, * EXCLUDE (ggr) FROM rows',
      [/^ggr\.parquet: has its columns in another order than year, region/],
    ],
    [
      'two values changed places',
      'SELECT * REPLACE (CASE ggr WHEN 0 THEN 1::DOUBLE / 7 WHEN 1::DOUBLE / 7 THEN 0 ELSE ggr END AS ggr) FROM rows',
      [/^ggr\.parquet: rows differ from the manifest/],
    ],
  ];
  it.each(some(DAMAGES, 3))('are damage, named by what differs: %s', async (_, sql, expected) => {
    await rewrite('ggr.parquet', sql.replaceAll('FROM rows', `FROM read_parquet('${at('ggr.parquet')}')`));
    const damages = await damagesOf();
    expect(damages[0]).toMatch(/^ggr\.parquet: (has \d+ bytes where|its SHA-256 differs)/);
    for (const message of expected)
      expect(damages).toContainEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(damages.filter((one) => !one.startsWith('ggr.parquet'))).toEqual([]);
  });
});

describe('files that are not what they should be', () => {
  it('are all named, not the first alone', async () => {
    await truncate(at('ggr.parquet'), 700);
    await truncate(at('turnover.parquet'), 0);
    await rm(at('fx.parquet'));
    await rm(at('country.parquet'));
    await mkdir(at('country.parquet'));
    await appendFile(at('country_reference.parquet'), 'x');
    await writeFile(at('notes.txt'), '');
    await appendFile(at('datapackage.json'), ' ');
    const damages = await damagesOf();
    for (const message of [
      /^ggr\.parquet: has 700 bytes where the manifest says \d+$/,
      /^ggr\.parquet: cannot be read: /,
      /^turnover\.parquet: has 0 bytes where/,
      /^turnover\.parquet: cannot be read: /,
      /^fx\.parquet: is missing$/,
      /^country\.parquet: is not a file$/,
      /^country_reference\.parquet: has \d+ bytes where/,
      /^country_reference\.parquet: cannot be read: /,
      /^notes\.txt: does not belong to the snapshot; remove it$/,
      /^datapackage\.json: has \d+ bytes where the manifest says \d+$/,
    ])
      expect(damages).toContainEqual(expect.stringMatching(message));
    expect(damages).toHaveLength(10);
  });

  it('are named by what they hold when they were exchanged', async () => {
    await rename(at('ggr.parquet'), at('x'));
    await rename(at('turnover.parquet'), at('ggr.parquet'));
    await rename(at('x'), at('turnover.parquet'));
    await rm(at('datapackage.json'));
    expect(await damagesOf()).toEqual([
      'datapackage.json: is missing',
      expect.stringMatching(/^ggr\.parquet: has \d+ bytes where/),
      'ggr.parquet: holds what turnover.parquet should',
      expect.stringMatching(/^turnover\.parquet: has \d+ bytes where/),
      'turnover.parquet: holds what ggr.parquet should',
    ]);
  });

  it('differ in their rows when they are those of another snapshot', async () => {
    await copyFile(at('ggr.parquet', '2026-10.1'), at('ggr.parquet'));
    const damages = await damagesOf();
    expect(damages).toContainEqual(expect.stringMatching(/^ggr\.parquet: has \d+ bytes where/));
    expect(damages).toContainEqual(expect.stringMatching(/the number of rows differ/));
  });
});

describe('a manifest that is not what was published', () => {
  const CHANGED = 'manifest.json: was changed after it was published';

  it('is detected by its checksum when no figure is wrong', async () => {
    await edit((manifest) => {
      manifest.sources.push({ file: 'x', bytes: 1, sha256: 'a'.repeat(64) });
      manifest.engine = 'DuckDB 9';
    });
    expect(await damagesOf()).toEqual([CHANGED]);
  });

  itInDepth('is detected although the snapshot was made current by a rollback since', async () => {
    for (const id of ['2026-10.1', '2026-11.1']) await rollback(copied.dataDir, id, { at: new Date() });
    await edit((manifest) => {
      manifest.engine = 'DuckDB 9';
    });
    expect(await damagesOf()).toEqual([CHANGED]);
  });

  it('is detected by every figure that is wrong', async () => {
    await edit((manifest) => {
      const { ggr } = manifest.datasets;
      manifest.fingerprint = 'a'.repeat(64);
      manifest.month = '2026-12';
      ggr.rows = 1;
      ggr.years.pop();
      ggr.metrics = { ggr: { sum: 1, nulls: 0 } };
      ggr.dimensions.state?.pop();
      ggr.sha256 = 'a'.repeat(64);
    });
    expect((await damagesOf()).sort()).toEqual(
      [
        CHANGED,
        'manifest.json: its fingerprint is not that of its datasets',
        'manifest.json: says month 2026-12, revision 1 of 2026-11.1',
        'ggr.parquet: the number of rows differs from the manifest',
        'ggr.parquet, year: the years differ from the manifest',
        'ggr.parquet, ggr: its sum and empty values differ from the manifest',
        'ggr.parquet, state: its values and their counts differ from the manifest',
        'ggr.parquet: its SHA-256 differs from the manifest',
      ].sort(),
    );
  });

  it('cannot name a file outside the snapshot', async () => {
    await edit((manifest) => {
      manifest.datasets.ggr.file = '../../../etc/passwd';
    });
    const damages = await damagesOf();
    expect(damages[0]).toBe(CHANGED);
    expect(damages).toContain('manifest.json: names ../../../etc/passwd as the file of ggr');
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'missing',
      () => rm(at('manifest.json')),
      /^manifest\.json: cannot be read \(ENOENT\); publish it again$/,
    ],
    ['cut', () => truncate(at('manifest.json'), 100), /^manifest\.json: is not JSON/],
    [
      'another snapshot’s',
      () => copyFile(at('manifest.json', '2026-10.1'), at('manifest.json')),
      /^manifest\.json: is that of 2026-10\.1/,
    ],
  ])('is the only damage when it is %s', async (_, damage, message) => {
    await damage();
    expect(await damagesOf()).toEqual([expect.stringMatching(message)]);
  });

  itInDepth('is checked by its own words alone where the history does not know it', async () => {
    await rm(path.join(copied.dataDir, 'history.jsonl'));
    expect(await damagesOf()).toEqual([]);
    await edit((m) => {
      m.fingerprint = 'a'.repeat(64);
    });
    expect(await damagesOf()).toEqual(['manifest.json: its fingerprint is not that of its datasets']);
  });
});
