// An opened snapshot has every row of its files in order, and accesses no file outside of its folder.

import { createHash } from 'node:crypto';
import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import type { Manifest } from '../../src/catalog/manifest.ts';
import { tableOf } from '../../src/catalog/snapshot.ts';
import { notLoadable, SnapshotUnreadable } from '../../src/catalog/snapshotRefused.ts';
import { itInDepth } from '../support/depth.ts';
import { openIn } from '../support/openSnapshot.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';
import { query } from '../support/testEngine.ts';

const ID = '2026-11.1';

describe('openSnapshot', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ dataDir, remove } = await aDataDir());
  });
  afterEach(() => remove());

  const inSnapshot = (file: string) => path.join(dataDir, 'snapshots', ID, file);

  async function editManifest(edit: (manifest: Manifest) => void): Promise<void> {
    const manifest = JSON.parse(await readFile(inSnapshot('manifest.json'), 'utf8'));
    edit(manifest);
    await writeFile(inSnapshot('manifest.json'), JSON.stringify(manifest));
  }

  /** Replaces a dataset's file by the result of a SELECT over the old one, and updates the manifest. */
  async function rewrite(dataset: DatasetName, select: string): Promise<void> {
    const file = inSnapshot(`${dataset}.parquet`);
    await copyFile(file, `${file}.old`);
    const old = `read_parquet('${file}.old')`;
    await query(`COPY (${select.replaceAll('old', old)}) TO '${file}' (FORMAT parquet)`);
    const { size } = await stat(file);
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    await editManifest((manifest) => Object.assign(manifest.datasets[dataset], { bytes: size, sha256 }));
  }

  it('reads no column and no pattern from the names of parent folders', async () => {
    const odd = path.join(dataDir, "it's [x]*", 'country=Peru');
    await publishRows(odd, ID);
    const snapshot = await openIn(odd, ID);
    expect(tableOf(snapshot, 'ggr').dimensions.get('country')?.values).toEqual(['Malta']);
    snapshot.close();
  });

  it('has the rows of every file, in the order of the file', async () => {
    const rows = [
      aRow('fx', { country: 'Å', year: 2020, fx_constant_usd: 1.5, fx_current_eur: null }),
      aRow('fx', { country: 'Z', year: 2021, fx_constant_usd: -0.25 }),
      aRow('fx', { country: 'Z', year: 999 }),
      aRow('fx', { country: '\ufeffA', year: -5 }),
    ];
    await publishRows(dataDir, ID, { fx: rows });
    const snapshot = await openIn(dataDir, ID);
    const fx = tableOf(snapshot, 'fx');
    const texts = (name: 'country' | 'year') => {
      const { codes, values } = fx.dimensions.get(name) ?? { codes: [], values: [] };
      return Array.from(codes, (code) => values[code]);
    };
    expect(texts('country')).toEqual(['Z', 'Z', 'Å', '\ufeffA']);
    expect(texts('year')).toEqual(['999', '2021', '2020', '-5']);
    expect(fx.metrics.get('fx_constant_usd')).toEqual(Float64Array.of(1, -0.25, 1.5, 1));
    expect(fx.metrics.get('fx_current_eur')).toEqual(Float64Array.of(1, 1, Number.NaN, 1));
    expect(snapshot.id).toBe(ID);
    snapshot.close();
  });

  it('opens datasets without a row', async () => {
    await publishRows(dataDir, ID, { ggr: [], country_reference: [] });
    const snapshot = await openIn(dataDir, ID);
    expect(tableOf(snapshot, 'ggr').rows).toBe(0);
    expect(tableOf(snapshot, 'turnover').rows).toBe(1);
    snapshot.close();
  });

  itInDepth('distinguishes 70,000 values of one dimension', async () => {
    const states = Array.from({ length: 70_000 }, (_, i) => `State ${String(i).padStart(5, '0')}`);
    await publishRows(dataDir, ID, { country: [aRow('country')] });
    const one =
      "SELECT * REPLACE ('State ' || lpad(i::VARCHAR, 5, '0') AS state) FROM old, range(70000) r(i)";
    await rewrite('country', `SELECT * EXCLUDE (i) FROM (${one}) ORDER BY state`);
    await editManifest(({ datasets }) => Object.assign(datasets.country, { rows: 70_000 }));
    const snapshot = await openIn(dataDir, ID);
    const column = tableOf(snapshot, 'country').dimensions.get('state');
    expect(column?.type).toBe('UINTEGER');
    expect(Array.from(column?.codes ?? [], (code) => column?.values[code])).toEqual(states);
    snapshot.close();
  });

  it('distinguishes values with the character U+0000 from others', async () => {
    await publishRows(dataDir, ID, {
      ggr: ['A', 'B', 'C'].map((country) => aRow('ggr', { country })),
    });
    await rewrite('ggr', `SELECT * REPLACE (if(country = 'B', 'A' || chr(0), country) AS country) FROM old`);
    const snapshot = await openIn(dataDir, ID);
    const country = tableOf(snapshot, 'ggr').dimensions.get('country');
    expect(country?.values).toEqual(['A', 'A\0', 'C']);
    expect([...(country?.codes ?? [])]).toEqual([0, 1, 2]);
    snapshot.close();
  });

  it('lets no query reach files, extensions or settings', async () => {
    await publishRows(dataDir, ID);
    const snapshot = await openIn(dataDir, ID);
    const [connection] = snapshot.connections;
    const file = inSnapshot('ggr.parquet');
    for (const sql of [
      `FROM read_parquet('${file}')`,
      `COPY ggr TO '${dataDir}/out.csv'`,
      `ATTACH '${dataDir}/other.db'`,
      'INSTALL httpfs',
      "LOAD 'httpfs'",
      'SET enable_external_access = true',
      'SET threads = 8',
      "SET memory_limit = '100GB'",
    ]) {
      await expect(connection?.run(sql)).rejects.toThrow();
    }
    await expect(stat(`${dataDir}/out.csv`)).rejects.toThrow(/ENOENT/);
    snapshot.close();
  });

  it('stays readable until its last lease is released', async () => {
    await publishRows(dataDir, ID);
    const snapshot = await openIn(dataDir, ID);
    const release = snapshot.acquire();
    snapshot.close();
    const count = async () =>
      (await snapshot.connections[0]?.runAndReadAll('SELECT count(*) FROM ggr'))?.getRowsJS();
    await expect(count()).resolves.toEqual([[1n]]);
    release();
    release();
    expect(() => snapshot.acquire()).toThrow(/freed/);
    await expect(count()).rejects.toThrow();
  });

  it('that is not there is refused, with rollback as the remedy', async () => {
    await expect(openIn(dataDir, '2026-09.1')).rejects.toThrow(
      'snapshot 2026-09.1: is not there; make another one current with rollback <id>',
    );
  });

  describe('refuses, naming the snapshot and the remedy,', () => {
    beforeEach(async () => {
      const rows = ['A', 'B', 'C'].map((country) => aRow('ggr', { country }));
      await publishRows(dataDir, ID, { ggr: rows });
    });

    it.each<[string, () => Promise<void>, RegExp]>([
      [
        'a flipped byte',
        async () => {
          const bytes = await readFile(inSnapshot('ggr.parquet'));
          bytes[100] = (bytes[100] ?? 0) ^ 1;
          await writeFile(inSnapshot('ggr.parquet'), bytes);
        },
        /ggr\.parquet is damaged: its SHA-256/,
      ],
      [
        'a cut file',
        () => truncate(inSnapshot('fx.parquet'), 50),
        /fx\.parquet holds 50 bytes where the manifest says/,
      ],
      [
        'a missing file',
        () => rm(inSnapshot('country.parquet')),
        /country\.parquet cannot be read \(ENOENT\)/,
      ],
      [
        'a missing manifest',
        () => rm(inSnapshot('manifest.json')),
        /manifest\.json cannot be read \(ENOENT\)/,
      ],
      [
        'a manifest that is not JSON',
        () => writeFile(inSnapshot('manifest.json'), '{"id'),
        /manifest\.json is not JSON/,
      ],
      [
        'a manifest of another shape',
        () => writeFile(inSnapshot('manifest.json'), '{"format":2}'),
        /manifest\.json is not a manifest \(format: /,
      ],
      [
        'the manifest of another snapshot',
        () => editManifest((manifest) => Object.assign(manifest, { id: '2026-10.1' })),
        /manifest\.json is that of 2026-10\.1/,
      ],
      [
        'a file outside the snapshot',
        () => editManifest(({ datasets }) => Object.assign(datasets.ggr, { file: '../../ggr.parquet' })),
        /lies outside the snapshot/,
      ],
      [
        'fewer rows than the manifest says',
        () => editManifest(({ datasets }) => Object.assign(datasets.ggr, { rows: 4 })),
        /ggr\.parquet holds 3 rows where the manifest says 4/,
      ],
      [
        'more rows than the manifest says',
        () => editManifest(({ datasets }) => Object.assign(datasets.ggr, { rows: 2 })),
        /ggr\.parquet holds more rows than the manifest says/,
      ],
      [
        'rows out of order',
        () => rewrite('ggr', 'FROM old ORDER BY country DESC'),
        /ggr\.parquet is out of order, or repeats a key, at row 2/,
      ],
      [
        'a key given twice',
        async () => {
          await rewrite('ggr', 'FROM old UNION ALL FROM (FROM old LIMIT 1) ORDER BY country');
          await editManifest(({ datasets }) => Object.assign(datasets.ggr, { rows: 4 }));
        },
        /at row 2/,
      ],
      [
        'text that is missing',
        () => rewrite('ggr', 'SELECT * REPLACE (NULL::VARCHAR AS state) FROM old'),
        /cannot be loaded \(.*NOT NULL/,
      ],
      ['a missing column', () => rewrite('ggr', 'SELECT * EXCLUDE (fx) FROM old'), /cannot be loaded \(.*fx/],
      [
        'a number that is none',
        () => rewrite('ggr', "SELECT * REPLACE ('infinity'::DOUBLE AS ggr) FROM old"),
        /ggr\.parquet holds a ggr that is not a number/,
      ],
      [
        'text that requests could never name',
        () => rewrite('ggr', "SELECT * REPLACE ('A' || chr(778) AS fx) FROM old"),
        /ggr\.parquet holds "A\u030a", which is not in NFC/,
      ],
    ])('%s', async (_, damage, message) => {
      await damage();
      const refused = openIn(dataDir, ID);
      await expect(refused).rejects.toThrow(message);
      await expect(refused).rejects.toThrow(/^snapshot 2026-11\.1: [^\n]+; publish it again[^\n]*$/);
    });
  });

  it('names a field of a later version, and that version as the remedy', async () => {
    await publishRows(dataDir, ID);
    await editManifest((manifest) => Object.assign(manifest, { quality: 'good' }));
    await expect(openIn(dataDir, ID)).rejects.toThrow(
      /manifest\.json has fields that are unknown here \(the document: quality\); run the version of the program that/,
    );
  });
});

describe('a snapshot that the engine does not load', () => {
  it.each([
    ['Out of Memory Error: Allocation failure', true],
    ['Array buffer allocation failed', true],
    ['IO Error: Cannot open file "ggr.parquet": Too many open files', true],
    ['IO Error: Could not read from file "ggr.parquet": Input/output error', false],
  ])('is not damaged where the system is at fault: %s', (message, isProcessFault) => {
    const refused = notLoadable('2026-11.1', new Error(message));
    expect(refused).toBeInstanceOf(SnapshotUnreadable);
    expect(refused).toMatchObject({ isProcessFault });
    expect(refused.message).not.toContain('publish it again');
  });

  it('is damaged otherwise', () => {
    const refused = notLoadable('2026-11.1', new Error('Invalid Input Error: No magic bytes found'));
    expect(refused).not.toBeInstanceOf(SnapshotUnreadable);
    expect(refused.message).toMatch(/cannot be loaded \(Invalid .*\); publish it again$/);
  });
});
