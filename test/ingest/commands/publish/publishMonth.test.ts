// Publishing a month: files, manifest, unchanged months, carried rows, refusals and interruptions.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runExclusively } from '../../../../ingest/commands/exclusiveCommand.ts';
import { reportHtml } from '../../../../ingest/report/reportHtml.ts';
import { currentDamage } from '../../../../ingest/store/currentDamage.ts';
import { countValues, summariseFile } from '../../../../ingest/store/fileSummaries.ts';
import { verify } from '../../../../ingest/store/verify.ts';
import { snapshotIds } from '../../../../src/catalog/dataDirectory.ts';
import { DATASET_NAMES, type DatasetName, datasetOf, metricNames } from '../../../../src/catalog/datasets.ts';
import { fileSha256 } from '../../../../src/catalog/fileSha256.ts';
import { manifestSchema } from '../../../../src/catalog/manifest.ts';
import { readHistory } from '../../../../src/catalog/readHistory.ts';
import { isDeep, itInDepth, runs, some } from '../../../support/depth.ts';
import { aMonth, aPublishedMonth, cellsOf, csvOf, type Month } from '../../../support/month.ts';
import { notTried } from '../../../support/notTried.ts';
import { ingestCommand, type Ran } from '../../../support/runInProcess.ts';
import { columnsOf, SELECTS } from '../../../support/selects.ts';
import { aRow, countryReference, publishRows } from '../../../support/snapshot.ts';
import { query } from '../../../support/testEngine.ts';
import { writeDataset } from '../../../support/writeDataset.ts';

let month: Month;
afterEach(() => month.remove());

const parquet = (name: DatasetName, id?: string) =>
  path.join(month.dataDir, id === undefined ? 'current' : `snapshots/${id}`, `${name}.parquet`);

/** Runs `act` on an engine with this number of threads. */
async function onThreads<T>(threads: number, act: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  try {
    return await act(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const summarised = (name: DatasetName, file: string, threads: number) =>
  onThreads(threads, (connection) => summariseFile(connection, name, file));

/** Counts by columns, as for a large file. */
const countedByColumn = (name: DatasetName, file: string, threads: number) =>
  onThreads(threads, async (connection) => {
    const [counted] = await countValues([connection], [{ name, file }], 0);
    if (counted === undefined) throw new Error('nothing was counted');
    return counted.counts;
  });

const rows = async (sql: string): Promise<unknown[][]> => (await query(sql)).getRowsJS();

const manifestOf = async (id: string) =>
  manifestSchema.parse(
    JSON.parse(await readFile(path.join(month.dataDir, 'snapshots', id, 'manifest.json'), 'utf8')),
  );

describe('a published snapshot', () => {
  it('has the columns of the contract, text never NULL, in row order, says what it holds, and verifies', async () => {
    const facts = [
      aRow('ggr', { country: 'Türkiye', state: null, ggr: 0.1 }),
      aRow('ggr', { country: 'Malta', year: 2025, ggr: 0.2 }),
      aRow('ggr', { country: 'Malta', year: 2024, channel: 'Land', ggr: 0 }),
      aRow('ggr', { country: "Côte d'Ivoire", ggr: 0 }),
    ];
    const reference = countryReference(['Malta', 'Türkiye', "Côte d'Ivoire"]);
    month = await aMonth({
      'ggr.csv': csvOf('ggr', facts),
      'country-reference.csv': csvOf('country_reference', reference),
    });
    expect((await month.publish()).problems).toEqual([]);
    const described = await rows(`DESCRIBE SELECT * FROM read_parquet('${parquet('ggr')}')`);
    expect(described.map(([name, type]) => `${name} ${type}`)).toEqual([
      'year INTEGER',
      ...datasetOf('ggr')
        .dimensions.slice(1)
        .map((name) => `${name} VARCHAR`),
      'ggr DOUBLE',
    ]);
    expect(await rows(`SELECT country, state, channel, year FROM read_parquet('${parquet('ggr')}')`)).toEqual(
      [
        ["Côte d'Ivoire", '', 'Online', 2024],
        ['Malta', '', 'Land', 2024],
        ['Malta', '', 'Online', 2025],
        ['Türkiye', '', 'Online', 2024],
      ],
    );
    const manifest = await manifestOf('2026-11.1');
    expect(manifest.datasets.ggr).toMatchObject({
      rows: 4,
      years: [2024, 2025],
      sha256: await fileSha256(parquet('ggr')),
      metrics: { ggr: { sum: 0.30000000000000004, nulls: 0 } },
    });
    expect(manifest.datasets.ggr.dimensions.country).toEqual([
      { value: "Côte d'Ivoire", rows: 1 },
      { value: 'Malta', rows: 2 },
      { value: 'Türkiye', rows: 1 },
    ]);
    const sources = DATASET_NAMES.map((name) =>
      name === 'country_reference' ? 'country-reference.csv' : `${name}.csv`,
    );
    expect(manifest.sources.map(({ file }) => file).sort()).toEqual(sources.sort());
    expect(await verify(month.dataDir, '2026-11.1')).toEqual([]);
  });

  it('describes every column in the key-value metadata of its file', async () => {
    month = await aPublishedMonth();
    const found = await rows(
      `SELECT decode(key), decode(value) FROM parquet_kv_metadata('${parquet('fx')}') WHERE decode(key) <> 'ARROW:schema'`,
    );
    const pairs = Object.fromEntries(found.map(([key, value]) => [String(key), String(value)]));
    expect(pairs.source).toBe('fx.csv');
    for (const column of [...datasetOf('fx').dimensions, ...metricNames('fx')]) {
      expect(pairs[`${column}.unit`]).toBeTruthy();
      expect(pairs[`${column}.description`]).toBeTruthy();
    }
    expect([pairs['country.unit'], pairs['fx_current_usd.unit']]).toEqual([
      'text',
      'USD per 1 unit of fx_local_currency',
    ]);
  });

  itInDepth('is in row order when it holds thousands of different texts', async () => {
    const count = isDeep ? 5000 : 2100;
    const states = Array.from(
      { length: count },
      (_, i) => `${['Å', 'a', 'Z', '𝒜', 'ﬀ'][i % 5]}${(i * 7919) % count}`,
    );
    month = await aMonth({
      'ggr.csv': csvOf(
        'ggr',
        states.map((state) => aRow('ggr', { state })),
      ),
    });
    await month.publish();
    const found = await rows(`SELECT state FROM read_parquet('${parquet('ggr')}')`);
    const inOrder = states.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(found.map(([state]) => state)).toEqual(inOrder);
    if (isDeep) expect(await verify(month.dataDir, '2026-11.1')).toEqual([]);
  });

  it('is the same, byte for byte, from the same sources, whatever their order of rows', async () => {
    const facts = Array.from({ length: 500 }, (_, i) => aRow('ggr', { year: 1500 + i, ggr: i / 7 }));
    month = await aMonth({ 'ggr.csv': csvOf('ggr', facts) });
    await month.publish();
    await month.write({ 'ggr.csv': csvOf('ggr', facts.toReversed()) });
    await month.publish({ month: '2026-12' });
    for (const name of DATASET_NAMES) {
      expect(await fileSha256(parquet(name, '2026-12.1'))).toBe(await fileSha256(parquet(name, '2026-11.1')));
    }
    expect((await manifestOf('2026-12.1')).fingerprint).toBe((await manifestOf('2026-11.1')).fingerprint);
  });
});

describe('publishing', () => {
  it('says unchanged for the current month with the same content, and adds no file to the data directory', async () => {
    month = await aPublishedMonth();
    expect(await month.publish()).toMatchObject({ status: 'unchanged', snapshot: '2026-11.1', exitCode: 0 });
    expect((await readdir(month.dataDir)).sort()).toEqual(['current', 'history.jsonl', 'snapshots']);
    expect(await readdir(path.join(month.dataDir, 'snapshots'))).toEqual(['2026-11.1']);
    expect(await month.publish({ month: '2026-12' })).toMatchObject({
      status: 'published',
      snapshot: '2026-12.1',
    });
    expect(await snapshotIds(month.dataDir)).toEqual(['2026-11.1', '2026-12.1']);
  });

  itInDepth('notes acceptances that an unchanged month has no use for', async () => {
    month = await aPublishedMonth();
    const result = await month.publish({
      accept: [{ rule: 'vanished', dataset: 'ggr', reason: 'as agreed' }],
      damagedCurrentReason: 'as agreed',
    });
    expect(result).toMatchObject({ status: 'unchanged', exitCode: 0 });
    const noted = result.problems.filter(({ problem }) => problem.includes('nothing of the kind to accept'));
    expect(noted.map(({ place }) => `${place}`)).toEqual([
      '--accept vanished:ggr',
      '--accept current-damaged',
    ]);
  });

  it('publishes a damaged month anew from the same sources, once that is accepted', async () => {
    month = await aPublishedMonth();
    await writeFile(parquet('fx'), 'damaged');
    const refused = await month.publish();
    expect(refused).toMatchObject({ status: 'refused', exitCode: 5 });
    expect(refused.report?.headline).toMatch(
      /^Refused: the month cannot be compared, and nobody accepted that\. Compared with nothing, because 2026-11\.1 is damaged/,
    );
    const page = refused.report === null ? '' : reportHtml(refused.report);
    expect(page).toContain('<code>--accept current-damaged --reason');
    expect(page).not.toMatch(/--strict|first snapshot|there is none/);
    const published = await month.publish({ damagedCurrentReason: 'the disk failed' });
    expect(published.report && reportHtml(published.report)).toContain('nothing could be compared');
    expect(published).toMatchObject({
      status: 'published',
      snapshot: '2026-11.2',
      report: {
        before: '2026-11.1',
        comparedWith: null,
        headline: `Compared with nothing, because 2026-11.1 is damaged: ${DATASET_NAMES.length} rows in ${DATASET_NAMES.length} datasets, and no guard examined it.`,
      },
    });
    expect((await manifestOf('2026-11.2')).accepted).toEqual([
      {
        rule: 'current-damaged',
        reason: 'the disk failed',
        findings: [
          expect.stringMatching(/^the current snapshot 2026-11\.1 is damaged: fx\.parquet holds 7 bytes/),
        ],
      },
    ]);
  });

  const current = (file = '') => path.join(month.dataDir, 'current', file);
  const DAMAGES: readonly (readonly [damage: string, damage: () => Promise<unknown>, message: RegExp])[] = [
    [
      'a Parquet file is damaged',
      () => writeFile(current('fx.parquet'), 'x'),
      /is damaged: fx\.parquet holds 1 bytes/,
    ],
    [
      'a Parquet file is gone',
      () => rm(current('ggr.parquet')),
      /is damaged: ggr\.parquet cannot be read \(ENOENT\)/,
    ],
    ['its manifest is gone', () => rm(current('manifest.json')), /manifest\.json cannot be read \(ENOENT\)/],
    ['its manifest is cut', () => truncate(current('manifest.json'), 100), /manifest\.json is not JSON/],
    [
      'its manifest is not a manifest',
      () => writeFile(current('manifest.json'), '{}'),
      /manifest\.json is not a manifest/,
    ],
    [
      'its manifest is that of another snapshot',
      () => copyFile(path.join(month.dataDir, 'snapshots/2026-11.1/manifest.json'), current('manifest.json')),
      /manifest\.json is that of 2026-11\.1/,
    ],
    [
      'its manifest was changed after it was published',
      () => appendFile(current('manifest.json'), '\n'),
      /manifest\.json was changed after it was published/,
    ],
    [
      'the link leads nowhere',
      () => rm(path.join(month.dataDir, 'snapshots/2026-12.1'), { recursive: true }),
      /^current names 2026-12\.1, which is not there/,
    ],
    [
      'the link is gone though there are snapshots',
      () => rm(path.join(month.dataDir, 'current')),
      /^no snapshot is current, though there are snapshots \(2026-11\.1, 2026-12\.1\)/,
    ],
  ];

  it.each(DAMAGES)('knows that the current snapshot is damaged when %s', async (_, damage, message) => {
    month = await aPublishedMonth({}, [{}, { month: '2026-12' }]);
    await damage();
    expect(await currentDamage(month.dataDir)).toMatch(message);
  });

  // One damage each of the manifest, of the folder and of the link. A test above damages a file.
  const FAR_APART = [
    'its manifest is cut',
    'the link leads nowhere',
    'the link is gone though there are snapshots',
  ];
  it.each(
    some(
      DAMAGES.filter(([name]) => FAR_APART.includes(name)),
      1,
    ),
  )('never passes the guards silently: when %s it is refused', async (_, damage, message) => {
    month = await aPublishedMonth({}, [{}, { month: '2026-12' }]);
    await damage();
    const before = await readdir(path.join(month.dataDir, 'snapshots'));
    const { status, exitCode, currentDamage, comparison } = await month.publish({ month: '2027-01' });
    expect([status, exitCode, comparison]).toEqual(['refused', 5, null]);
    expect(currentDamage).toMatchObject({ rule: 'current-damaged', accepted: null });
    expect(currentDamage?.message).toMatch(message);
    expect(await readdir(path.join(month.dataDir, 'snapshots'))).toEqual(before);
    const accepted = await month.publish({ month: '2027-01', damagedCurrentReason: 'seen' });
    expect([accepted.status, accepted.manifest?.accepted.map(({ rule }) => rule)]).toEqual([
      'published',
      ['current-damaged'],
    ]);
  });

  it('gives a changed month its next revision and makes it current', async () => {
    month = await aPublishedMonth();
    await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 1.001 })]) });
    expect(await month.publish()).toMatchObject({ status: 'published', snapshot: '2026-11.2' });
    expect(await readlink(path.join(month.dataDir, 'current'))).toBe('snapshots/2026-11.2');
  });

  it('publishes nothing when anything is wrong', async () => {
    month = await aPublishedMonth();
    await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: 'x' })]) });
    expect(await month.publish()).toMatchObject({ status: 'rejected', snapshot: null, exitCode: 4 });
    expect(await snapshotIds(month.dataDir)).toEqual(['2026-11.1']);
  });

  it('ends with the exit code of an unreadable file, and reports the other problems as well', async () => {
    month = await aMonth({ 'ggr.xlsx': 'no workbook', 'fx.csv': csvOf('fx', [aRow('fx', { year: 'x' })]) });
    const { exitCode, counts } = await month.publish();
    expect([exitCode, counts.unreadable, counts.error]).toEqual([3, 1, 1]);
  });

  it('refuses a folder and a link to nothing that are called like files of data', async () => {
    month = await aMonth();
    await mkdir(path.join(month.directory, 'ggr-asia.xlsx'));
    await symlink('nowhere.csv', path.join(month.directory, 'ggr-africa.csv'));
    expect(await month.problems()).toEqual([
      'unreadable ggr-africa.csv: is not there, or is a link to nothing; put the file in its place',
      'unreadable ggr-asia.xlsx: is a folder, not a file; rename or remove it',
    ]);
  });

  it('says of a file whose name is not UTF-8, as in a zip file of another system, to rename it', async () => {
    month = await aMonth();
    const name = Buffer.from('ggr-T\xfcrkiye.csv', 'latin1');
    await writeFile(Buffer.concat([Buffer.from(`${month.directory}/`), name]), csvOf('ggr'));
    expect(await month.problems()).toEqual([
      'unreadable ggr-T\uFFFDrkiye.csv: has a name that is not valid UTF-8; rename it',
    ]);
  });

  it.each<[string, (file: string) => void]>([
    ['written to', (file) => appendFileSync(file, '\n')],
    ['replaced', (file) => renameSync(path.join(path.dirname(file), 'fx.csv'), file)],
    ['removed', (file) => rmSync(file)],
  ])('refuses a file that is %s while it is read', async (_, meddle) => {
    month = await aMonth();
    const { directory } = month;
    let hasMeddled = false;
    const update = (file: string) => {
      if (hasMeddled || file !== 'ggr.csv') return;
      hasMeddled = true;
      meddle(path.join(directory, file));
    };
    const result = await month.publish({}, { phase: () => {}, update, end: () => {} });
    expect(result).toMatchObject({ status: 'rejected', exitCode: 3 });
    expect(result.problems.map(({ place, message }) => `${place}: ${message}`)).toContain(
      'ggr.csv: changed while it was being read; run again when it is complete',
    );
  });

  it.each(['checking', 'reporting'])(
    'refuses a file that changes later in the run: while %s',
    async (phase) => {
      month = await aMonth();
      const file = path.join(month.directory, 'ggr.csv');
      const meddle = (name: string) => {
        if (name === phase) appendFileSync(file, '\n');
      };
      const result = await month.publish({}, { phase: meddle, update: () => {}, end: () => {} });
      expect(result).toMatchObject({ status: 'rejected', exitCode: 3, snapshot: null });
      expect(await snapshotIds(month.dataDir)).toEqual([]);
    },
  );

  it('refuses a month to which a file is added while it is read', async () => {
    month = await aMonth();
    const file = path.join(month.directory, 'ggr-asia.csv');
    const update = (name: string) => {
      if (name === 'turnover.csv') writeFileSync(file, csvOf('ggr', [aRow('ggr', { year: 2020 })]));
    };
    const { exitCode, problems } = await month.publish({}, { phase: () => {}, update, end: () => {} });
    expect([exitCode, problems.map(({ place, message }) => `${place}: ${message}`)]).toEqual([
      3,
      ['ggr-asia.csv: appeared while the folder was being read; run again when the folder is complete'],
    ]);
  });

  it.each(['checking', 'reporting'])(
    'refuses a month to which a file is added later in the run: while %s',
    async (phase) => {
      month = await aMonth();
      const file = path.join(month.directory, 'ggr-asia.csv');
      const add = (name: string) => {
        if (name === phase) writeFileSync(file, csvOf('ggr', [aRow('ggr', { year: 2020 })]));
      };
      const result = await month.publish({}, { phase: add, update: () => {}, end: () => {} });
      expect(result).toMatchObject({ status: 'rejected', exitCode: 3, snapshot: null });
      expect(result.problems.map(({ place, message }) => `${place}: ${message}`)).toContain(
        'ggr-asia.csv: appeared while the folder was being read; run again when the folder is complete',
      );
      expect(await snapshotIds(month.dataDir)).toEqual([]);
    },
  );

  itInDepth('never says unchanged of a folder that got a file meanwhile', async () => {
    month = await aPublishedMonth();
    const file = path.join(month.directory, 'ggr-asia.csv');
    const phase = (name: string) => {
      if (name === 'writing') writeFileSync(file, csvOf('ggr', [aRow('ggr', { year: 2020 })]));
    };
    const result = await month.publish({}, { phase, update: () => {}, end: () => {} });
    expect(result).toMatchObject({ status: 'rejected', exitCode: 3, snapshot: null });
  });

  it('leaves no copy of a source behind', async () => {
    month = await aMonth({ 'ggr.csv': 'year,region\n' });
    await month.publish();
    expect(await readdir(month.dataDir)).toEqual([]);
  });

  itInDepth(
    'says that a month is published although what is left of the work cannot be removed',
    async () => {
      month = await aMonth();
      const leftovers = path.join(month.dataDir, 'tmp');
      // The path becomes longer than the system allows.
      const nest = `for (let i = 0; i < 25; i++) { fs.mkdirSync('x'.repeat(200)); process.chdir('x'.repeat(200)); }`;
      const phase = (name: string) => {
        if (name === 'publishing') execFileSync(process.execPath, ['-e', nest], { cwd: leftovers });
      };
      const published = await month.publish({}, { phase, update: () => {}, end: () => {} });
      expect(published).toMatchObject({ status: 'published', exitCode: 0, snapshot: '2026-11.1' });
      await expect(runExclusively(month.dataDir, 'interrupted', async () => 'done')).resolves.toBe('done');
      if (!existsSync(leftovers)) return notTried('this version of Node removes paths of any length');
      expect(await readdir(leftovers)).toHaveLength(1);
      execFileSync('rm', ['-rf', leftovers]);
    },
  );

  it('publishes nothing on a dry run, but says what it would be', async () => {
    month = await aMonth();
    expect(await month.publish({ dryRun: true })).toMatchObject({
      status: 'checked',
      snapshot: '2026-11.1',
      exitCode: 0,
    });
    expect(await snapshotIds(month.dataDir)).toEqual([]);
  });

  // diff.test.ts tests a month that --strict refuses.
  itInDepth('takes warnings for errors under --strict', async () => {
    month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr: -1 })]) });
    expect(await month.publish({ strict: true })).toMatchObject({ status: 'rejected', exitCode: 4 });
    expect(await month.problems()).toEqual([expect.stringMatching(/^warning ggr\.csv/)]);
  });

  it('does not carry rows that are no longer what was published', async () => {
    month = await aPublishedMonth();
    await rm(path.join(month.directory, 'fx.csv'));
    await writeFile(path.join(month.dataDir, 'current/fx.parquet'), 'damaged');
    expect(await month.problems({ month: '2026-12', carry: ['fx'] })).toEqual([
      expect.stringMatching(
        /^unreadable 2026-11\.1\/fx\.parquet: has 7 bytes where the manifest says \d+, so its rows cannot be carried; add a source$/,
      ),
    ]);
  });

  it('carries the rows of a dataset without a source only when told to', async () => {
    month = await aMonth();
    await publishRows(month.dataDir, '2026-11.1', { fx: [aRow('fx', { fx_current_usd: 1.25 })] });
    await rm(path.join(month.directory, 'fx.csv'));
    expect(await month.publish({ month: '2026-12' })).toMatchObject({ status: 'rejected' });
    expect(await month.publish({ month: '2026-12', carry: ['fx', 'fx'] })).toMatchObject({
      status: 'published',
    });
    expect(await rows(`SELECT fx_current_usd FROM read_parquet('${parquet('fx')}')`)).toEqual([[1.25]]);
    expect((await manifestOf('2026-12.1')).datasets.fx.carried).toBe('2026-11.1');
  });

  it('refuses to carry what has a source, or before there is a snapshot', async () => {
    month = await aMonth();
    expect(await month.problems({ carry: ['fx'] })).toEqual([
      'error fx: has a source and is carried as well; drop --carry fx or the source',
    ]);
    await rm(path.join(month.directory, 'fx.csv'));
    expect(await month.problems({ carry: ['fx'] })).toEqual([
      'error fx: cannot be carried: there is no snapshot yet; add a source',
    ]);
  });

  it('checks carried rows against the new lookup', async () => {
    month = await aPublishedMonth();
    await rm(path.join(month.directory, 'fx.csv'));
    const renamed = { country: 'Maltese Islands' };
    await month.write(
      Object.fromEntries(
        DATASET_NAMES.filter((name) => name !== 'fx').map((name) => [
          `${name}.csv`,
          csvOf(name, [aRow(name, renamed)]),
        ]),
      ),
    );
    expect(await month.problems({ carry: ['fx'] })).toEqual([
      'error 2026-11.1/fx.parquet › row 1, column country: country "Malta" is not in country_reference; leave country_reference as it was, or publish fx anew instead of --carry fx',
    ]);
  });

  it('says how to add a country to a carried lookup', async () => {
    month = await aPublishedMonth();
    await rm(path.join(month.directory, 'country_reference.csv'));
    await month.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { country: 'Oz' })]) });
    expect(await month.problems({ carry: ['country_reference'] })).toEqual([
      'error ggr.csv › line 2, column country: country "Oz" is not in country_reference; correct it, or publish country_reference anew instead of --carry country_reference',
    ]);
  });

  it('warns before an older month replaces the current one', async () => {
    month = await aMonth();
    await publishRows(month.dataDir, '2026-12.1');
    expect(await month.problems()).toEqual([
      'warning 2026-11: is before the current snapshot 2026-12.1 and would replace it as current; check the month; after the correction of an older month, make the newer one current again with `ingest rollback 2026-12.1`',
    ]);
  });

  it('warns when the history is dated after the clock, because days would mean older snapshots until then', async () => {
    month = await aPublishedMonth();
    const [published] = await readHistory(month.dataDir);
    const at = new Date(Date.parse(String(published?.at)) - 2 * 60 * 60 * 1000);
    expect(await month.problems({ month: '2026-12', at })).toEqual([
      expect.stringMatching(
        /^warning 2026-12: the clock says 20\d\d-\S+ \S+ UTC, and 2026-11\.1 was published later, at .+; correct the clock, or that time in history\.jsonl: until/,
      ),
    ]);
    // The clocks of two publishers may differ by up to an hour.
    const earlier = new Date(Date.parse(String(published?.at)) - 59 * 60 * 1000);
    expect(await month.problems({ month: '2026-12', at: earlier })).toEqual([]);
  });

  it('warns where the folder is named after another month', async () => {
    month = await aPublishedMonth();
    const directory = path.join(month.directory, '..', '2026-11');
    renameSync(month.directory, directory);
    expect(await month.problems({ directory })).toEqual([]);
    expect(await month.problems({ directory: `${directory}/`, month: '2026-12' })).toEqual([
      'warning 2026-12: is published from a folder that is named 2026-11; check both: these may be the files of another month',
    ]);
  });

  it('warns of a month that is more than a year after the current one, as a mistyped one is', async () => {
    month = await aPublishedMonth();
    expect(await month.problems({ month: '2027-11' })).toEqual([]);
    expect(await month.problems({ month: '2062-12' })).toEqual([
      'warning 2062-12: is 433 months after the current snapshot 2026-11.1; check the month: once it is current, every month before it is taken for a correction of an older one',
    ]);
  });
});

describe('a recipe', () => {
  /** The files of a recipe whose SELECT of ggr multiplies a value of a source by a value of a lookup. */
  const ofTable = {
    'recipe.json': '{"tables": {"t": {"file": "t.txt", "text": true}}}',
    't.txt': '5',
    'factor.csv': 'f\n2\n',
    'ggr.sql': `SELECT ${columnsOf('ggr', { ggr: 't.text::INT * f::INT AS ggr' })} FROM t, factor`,
  };

  const CHANGED_SOURCE = 't.txt: changed while it was being read; run again when it is complete';
  const CHANGED_RECIPE = 'sources: the recipe changed while it was used; run again when it is complete';
  const CHANGES: readonly (readonly [what: string, files: readonly string[], expected: readonly string[]])[] =
    [
      ['a source and a lookup change', ['t.txt', 'factor.csv'], [CHANGED_RECIPE, CHANGED_SOURCE]],
      ['a source changes', ['t.txt'], [CHANGED_SOURCE]],
      ['a SELECT changes', ['fx.sql'], [CHANGED_RECIPE]],
    ];
  // The tests of recipes prove that every file of a recipe is part of its digest.
  for (const [what, files, expected] of CHANGES)
    itInDepth(`publishes nothing when ${what} during the run`, async () => {
      month = await aMonth({}, true);
      await month.write({ ...SELECTS, ...ofTable });
      let isDone = false;
      const changing = {
        phase: () => {},
        end: () => {},
        // The SELECT of fx runs when all sources and lookups have been read. The files change then.
        update: (what: string) => {
          if (what !== 'fx.sql' || isDone) return;
          isDone = true;
          for (const file of files) {
            const at = path.join(month.directory, file);
            writeFileSync(`${at}.new`, 'f\n7\n');
            renameSync(`${at}.new`, at);
          }
        },
      };
      const { status, exitCode, problems } = await month.publish({ recipe: month.directory }, changing);
      expect([status, exitCode]).toEqual(['rejected', 3]);
      expect(problems.map(({ place, message }) => `${place}: ${message}`).sort()).toEqual(
        [...expected].sort(),
      );
    });

  it('takes every row, whatever number it gives as its place, records what it read, and may leave a dataset empty', async () => {
    month = await aMonth({}, true);
    await month.write({
      ...Object.fromEntries(Object.entries(SELECTS).map(([file, select]) => [file, `${select} WHERE false`])),
      ...ofTable,
      'recipe.json':
        '{"tables": {"t": {"file": "t.txt", "text": true}, "places": {"file": "places.tsv", "header": 1}}}',
      'places.tsv': 'country\nMalta\nSpain\nPeru\n',
      'country_reference.sql': `SELECT 'Earth' AS region, country, 'Tracked' AS country_type, 'places' AS _table, (_row - 3)::INTEGER AS _row FROM places`,
      'ggr.sql': ofTable['ggr.sql'].replace("'Europe' AS region", "'Earth' AS region"),
    });
    const { status, problems } = await month.publish({ recipe: month.directory });
    expect([status, problems.map(({ severity }) => severity)]).toEqual([
      'published',
      DATASET_NAMES.filter((name) => !['ggr', 'country_reference'].includes(name)).map(() => 'note'),
    ]);
    const { sources, datasets } = await manifestOf('2026-11.1');
    expect(sources.find(({ file }) => file === 't.txt')).toEqual({
      file: 't.txt',
      bytes: 1,
      sha256: createHash('sha256').update('5').digest('hex'),
    });
    expect(await rows(`SELECT ggr FROM read_parquet('${parquet('ggr')}')`)).toEqual([[10]]);
    expect([datasets.country_reference.rows, datasets.fx.rows]).toEqual([3, 0]);
  });

  itInDepth('never publishes countries when the lookup is empty', async () => {
    month = await aMonth({}, true);
    await month.write({
      'recipe.json': '{"tables": {}}',
      ...SELECTS,
      'country_reference.sql': `${SELECTS['country_reference.sql']} WHERE false`,
    });
    const { status, problems } = await month.publish({ recipe: month.directory });
    expect(status).toBe('rejected');
    expect(problems[0]).toMatchObject({
      severity: 'error',
      place: 'country_reference',
      message: expect.stringContaining('no row from country_reference.sql'),
    });
  });
});

describe('hostile texts', () => {
  /** Characters that control a terminal, except line breaks. */
  const acts = /(?!\n)\p{Cc}|[\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
  const NASTY = '\u001b[2J\u009b1m\u202e\r\n0 errors';

  it.each<[string, () => Promise<Ran>]>([
    [
      'in cells, file names and sheet names',
      async () => {
        const rows = cellsOf('ggr', [aRow('ggr', { country: `Mal${NASTY}ta`, fx: NASTY })]);
        month = await aMonth({
          [`ggr-${NASTY}.csv`]: `${csvOf('ggr').split('\n')[0]}\n2024,"${NASTY}"\n`,
          [`notes${NASTY}.txt`]: '',
          'ggr.xlsx': [
            { name: 'Data', rows },
            { name: 'Sheet\u202ename', rows: [['x', NASTY]] },
          ],
        });
        return ingestCommand(month.dataDir, ['publish', month.directory, '--month', '2026-11']);
      },
    ],
    [
      'in arguments',
      async () => {
        month = await aMonth();
        return ingestCommand(month.dataDir, ['publish', `${month.directory}${NASTY}`, '--month', '2026-11']);
      },
    ],
    [
      'in a file to be inspected',
      async () => {
        month = await aMonth({
          [`ggr-${NASTY}.csv`]: `${csvOf('ggr').split('\n')[0]},"${NASTY}"\n2024,"${NASTY}"\n`,
        });
        return ingestCommand(month.dataDir, ['inspect', path.join(month.directory, `ggr-${NASTY}.csv`)]);
      },
    ],
    [
      'in a file put into a snapshot',
      async () => {
        month = await aPublishedMonth();
        await writeFile(path.join(month.dataDir, 'current', `x${NASTY}`), '');
        return ingestCommand(month.dataDir, ['verify']);
      },
    ],
  ])('%s reach no terminal, and fake no line of ours', async (_, run) => {
    const { stdout, stderr } = await run();
    expect(stdout + stderr).toContain(String.raw`\u001b[2J`);
    expect(stdout + stderr).not.toMatch(acts);
    expect(stdout + stderr).not.toMatch(/^0 errors/m);
  });
});

describe('source files in every shape', () => {
  it('become one month: long and wide files, metrics in rows, semicolons with BOM and CRLF', async () => {
    const dimensions = datasetOf('ggr').dimensions.slice(1);
    const row = aRow('ggr', { country: 'Malta' });
    const wide = [
      ['GGR, synthetic'],
      { row: 4, cells: [...dimensions.map(() => null), 'Calendar year'] },
      [...dimensions.map((name) => name.toUpperCase()), 2020, '2021', 2022],
      [...dimensions.map((name) => row[name] ?? null), 20, null, 22],
    ];
    const cells = ['Europe', 'Malta', null, 'Current', 'Reported'];
    const metrics = [
      ['Region', 'Country', 'State', 'Temporal', 'Calculation', 'Metric', 2024, 2025],
      [...cells, 'GDP USD', 24e9, 25e9],
      [...cells, 'inflation', 1.5, null],
      [...cells, 'gdp_local_currency', 22e9, 23e9],
      [...cells, 'Adult population', 4e5, 4e5],
    ];
    month = await aMonth({
      'ggr-old.xlsx': [{ name: 'GGR', rows: wide }],
      'ggr-new.csv': csvOf('ggr'),
      'country.xlsx': [{ name: 'Countries', rows: metrics }],
      'fx.csv':
        '\ufeffTemporal;Fx-Local Currency;STATE;country;Region;Year;Calculation;FX constant USD;FX current EUR;fx_constant_eur;fx_current_usd\r\nCurrent;EUR;;Malta;Europe;2024;Reported;1.1;1;1;1.08\r\n',
    });
    const { status, problems } = await month.publish();
    expect(status).toBe('published');
    // The gap lies between the years of one file and those of another file of the same dataset. A warning does not
    // stop publishing.
    const warnings = problems.map(({ severity, message }) => `${severity}: ${message}`);
    expect(warnings).toContainEqual(expect.stringMatching(/^warning: .*lacks years in the middle/));
    expect(problems.filter(({ file }) => file === 'country.xlsx' || file === 'fx.csv')).toEqual([]);
    expect(await rows(`SELECT year, ggr FROM read_parquet('${parquet('ggr')}')`)).toEqual([
      [2020, 20],
      [2022, 22],
      [2024, 1],
    ]);
    // The metrics of a wide sheet are joined in one row. Empty cells are null.
    expect(
      await rows(`SELECT year, COLUMNS(['gdp_usd', 'inflation']) FROM read_parquet('${parquet('country')}')`),
    ).toEqual([
      [2024, 24e9, 1.5],
      [2025, 25e9, null],
    ]);
    expect(await rows(`SELECT year, fx_constant_usd FROM read_parquet('${parquet('fx')}')`)).toEqual([
      [2024, 1.1],
    ]);
  });

  it('may be one workbook with sheets named after the datasets', async () => {
    const sheets = DATASET_NAMES.map((name) => ({
      name: name.toUpperCase().replace('_', ' '),
      rows: cellsOf(name),
    }));
    month = await aMonth({ 'monthly.xlsx': sheets }, true);
    const { problems, rows } = await month.read('ggr');
    expect([problems, rows.length]).toEqual([[], 1]);
  });
});

describe('describe', () => {
  // Threads finish in a random order, so this searches for an order that changes the result.
  itInDepth('says the same of a file on however many threads', async () => {
    month = await aMonth();
    const file = path.join(month.directory, 'ggr.parquet');
    const columns = Object.entries(aRow('ggr')).filter(([column]) => column !== 'year' && column !== 'ggr');
    // The sums of row groups cancel out, so the order of adding decides the last digits.
    const amount = 'CASE (i // 2048) % 3 WHEN 0 THEN 1e17 WHEN 1 THEN i / 7 ELSE -1e17 END';
    await rows(
      `COPY (SELECT i::INTEGER AS year, ${columns.map(([column, value]) => `'${value}' AS ${column}`).join(', ')},
         ${amount} AS ggr FROM range(20_000) AS one(i)) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
    );
    const alone = await summarised('ggr', file, 1);
    expect(alone.rows).toBe(20_000);
    // Threads finish in a random order, so the files are written several times.
    for (let time = 0; time < runs(1); time++) {
      expect(await summarised('ggr', file, 4)).toEqual(alone);
      expect((await countedByColumn('ggr', file, 4)).metrics).toEqual(alone.metrics);
    }
  });
});

describe('writing a dataset', () => {
  itInDepth('gives the same bytes on however many threads', async () => {
    month = await aMonth();
    const columns = Object.entries(aRow('ggr')).filter(([column]) => column !== 'year' && column !== 'ggr');
    // The rows of three row groups, in no order.
    const select = `SELECT (1000 + i % 9000)::INTEGER AS year,
      ${columns.map(([column, value]) => `'${value}'${column === 'product' ? ' || i // 9000' : ''} AS ${column}`).join(', ')},
      i / 7 AS ggr FROM (SELECT (i * 7919) % 260_000 AS i FROM range(260_000) AS one(i))`;
    const content = { select, sources: [], carried: null };
    const written = (threads: number) =>
      onThreads(threads, async (connection) => {
        const { rows: count, sha256 } = await writeDataset(connection, 'ggr', content, month.directory);
        return { count, sha256 };
      });
    const alone = await written(1);
    expect(alone.count).toBe(260_000);
    // Threads finish in a random order, so the files are written several times.
    for (let time = 0; time < runs(1); time++) expect(await written(5 - 3 * (time % 2))).toEqual(alone);
  });
});
