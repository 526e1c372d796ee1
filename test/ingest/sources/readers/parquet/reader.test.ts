// Parquet files are read value by value, or refused with a remedy.

import os from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { openFile } from '../../../../../ingest/sources/readers/openFile.ts';
import { translatingDamage } from '../../../../../ingest/sources/readers/parquet/queriedFile.ts';
import { itInDepth } from '../../../../support/depth.ts';
import { remarksIn, rowsOf, tablesOf, withFile } from '../../../../support/sourceFile.ts';
import { parquetOf } from '../../../../support/testEngine.ts';

/** Apache Arrow wrote this file with checksums: the years 2022 to 2024, and the ggr 1.5, empty and 2.5. */
const THREE_ROWS =
  'UEFSMRUAFSQVJBXb3IjMDRwVBhUAFQYVBhwAAAACAAAABgHmBwAA5wcAAOgHAAAVABUsFSwV6LmQjw8cFQYVABUGFQYcGAgAAAAAAAAE' +
  'QBgIAAAAAAAA+D8WAigIAAAAAAAABEAYCAAAAAAAAPg/EREAAAACAAAAAwUAAAAAAAD4PwAAAAAAAARAFQQZPDUAGAZzY2hlbWEVBAAV' +
  'AiUCGAR5ZWFyABUKJQIYA2dncgAWBhkcGSwmABwVAhklBgAZGAR5ZWFyFQAWBhZWFlYmCEkcFQAVABUCADwpBhkmAAYAAAAmABwVChkl' +
  'BgAZGANnZ3IVABYGFrYBFrYBJl48GAgAAAAAAAAEQBgIAAAAAAAA+D8WAigIAAAAAAAABEAYCAAAAAAAAPg/EREAGRwVABUAFQIAPCkG' +
  'GSYCBAAAABaMAhYGJggWjAIAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRksHAAAHAAAAOsAAABQQVIx';

describe('a Parquet file', () => {
  it('gives its column names as row 0 and its data from row 1', async () => {
    const bytes = await parquetOf(
      `SELECT 2020 AS year, 'Malta' AS "Country ""x""" UNION ALL SELECT 2021, NULL`,
    );
    expect(await tablesOf('a.parquet', bytes)).toEqual([
      {
        name: null,
        hidden: false,
        rows: [
          { row: 0, cells: ['year', 'Country "x"'] },
          { row: 1, cells: [2020, 'Malta'] },
          { row: 2, cells: [2021] },
        ],
      },
    ]);
  });

  it('gives the names in the file where one repeats another, and no other in their place', async () => {
    const file = Buffer.from(NAMES_THAT_REPEAT, 'base64');
    expect(await rowsOf('a.parquet', file)).toEqual([
      [0, 'year', 'ggr', 'ggr', 'GGR'],
      [1, 2024, 1, 2, 3],
    ]);
    const bytes = await parquetOf('SELECT 1 AS top_1, 2 AS top_2');
    expect((await rowsOf('a.parquet', bytes))[0]).toEqual([0, 'top_1', 'top_2']);
  });

  it('gives plain values of every type', async () => {
    const bytes = await parquetOf(
      `SELECT 'e'::ENUM('e', 'f') AS a, 255::UTINYINT AS b, 9007199254740993::BIGINT AS c, 2::HUGEINT AS d,
         0.1::DECIMAL(18, 3) AS e, 12345678901234567.89::DECIMAL(38, 2) AS f, 0.5::FLOAT AS g, 'nan'::DOUBLE AS h,
         '-infinity'::DOUBLE AS i, true AS j, DATE '2024-02-29' AS k, TIMESTAMP '2024-02-29 00:00:00' AS l,
         TIMESTAMP_NS '2024-02-29 10:00:00' AS m, TIMESTAMPTZ '2024-02-29 10:00:00+02' AS n, '' AS o`,
    );
    const date = (iso: string) => ({ kind: 'date', iso });
    expect((await rowsOf('a.parquet', bytes))[1]).toEqual([
      ...[
        1,
        'e',
        255,
        9007199254740992,
        2,
        0.1,
        Number('12345678901234567.89'),
        0.5,
        Number.NaN,
        -Infinity,
        true,
      ],
      ...[
        date('2024-02-29'),
        date('2024-02-29'),
        date('2024-02-29T10:00:00'),
        date('2024-02-29T08:00:00'),
        '',
      ],
    ]);
  });

  it('keeps the order of its rows over many chunks, and may be left early and read again', async () => {
    const bytes = await parquetOf(`SELECT i, 'v' || (i % 7) AS v FROM range(300000) AS t(i)`);
    await withFile('a.parquet', bytes, async (file) => {
      const opened = await openFile(file, 'a.parquet');
      const [table] = opened.tables;
      for await (const batch of table?.rows() ?? []) if (batch[0]?.row !== 0) break;
      let next = -1;
      for await (const batch of table?.rows() ?? []) {
        for (const { row, cells } of batch) {
          if (row !== next + 1 || (row > 0 && cells[0] !== row - 1))
            throw new Error(`row ${row} after ${next}`);
          next = row;
        }
      }
      expect(next).toBe(300_000);
      await opened.close();
    });
  });

  it('gives the same cells with few different texts, read by codes, as with few rows', async () => {
    const text = (column: string) =>
      `CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'Malta²' WHEN 3 THEN 'a' || chr(0) || 'b'
        WHEN 4 THEN 'Côte d''Ivoire' ELSE ' x ' END AS ${column}`;
    const number = `CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'nan'::DOUBLE WHEN 2 THEN 0 ELSE i / 7 END AS n`;
    const rows = (count: number) =>
      parquetOf(`SELECT ${text('t')}, NULL::VARCHAR AS nothing, ${number}, 'u' || i AS unique_text, i % 3 = 0 AS b,
        DATE '2024-01-01' + (i % 9)::INTEGER AS d, ${text('"a ""name"""')} FROM range(${count}) AS t(i)`);
    const few = await rowsOf('a.parquet', await rows(1200));
    const many = await rowsOf('a.parquet', await rows(30_000));
    expect(many).toHaveLength(30_001);
    expect(many.slice(0, 1201)).toEqual(few);
    expect(few[3]?.[1]).toEqual({ kind: 'footnoted', value: 'Malta', mark: '2', text: 'Malta²' });
    expect(few[4]?.[1]).toBe('a\0b');
  });

  it('is read under a name that looks like a pattern, in a folder that looks like a column', async () => {
    const bytes = await parquetOf('SELECT 1 AS year');
    expect(await rowsOf("a[1]*?'{b}.parquet", bytes)).toEqual([
      [0, 'year'],
      [1, 1],
    ]);
  });

  it.each([
    ['[1, 2]', 'INTEGER\\[\\]'],
    ["{ 'a': 1 }", 'STRUCT\\(a INTEGER\\)'],
    ["'x'::BLOB", 'BLOB'],
    ["TIME '10:00:00'", 'TIME'],
  ])('is refused with the column %s', async (value, type) => {
    const bytes = await parquetOf(`SELECT 1 AS year, ${value} AS odd`);
    await expect(rowsOf('a.parquet', bytes)).rejects.toThrow(
      new RegExp(`^a\\.parquet › column odd: ${type} is not a type of plain values; `),
    );
  });

  it('is refused with a duration, which only the schema that pyarrow stores names', async () => {
    // The schema of year: int32 and ggr: duration[ms], as pyarrow 26 writes it.
    const schema =
      '/////6gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABAAAAABAAAANj///8AAAESEAAAABgAAAAEAAAAAAAAAAMAAABnZ3IABAAEAAQAAAAQABQACAAGAAcADAAAABAAEAAAAAAAAQIQAAAAIAAAAAQAAAAAAAAABAAAAHllYXIAAAAACAAMAAgABwAIAAAAAAAAASAAAAA=';
    const bytes = await parquetOf(
      'SELECT 2024::INTEGER AS year, 5150001::BIGINT AS ggr',
      `, KV_METADATA {"ARROW:schema": '${schema}'}`,
    );
    await expect(rowsOf('a.parquet', bytes)).rejects.toThrow(
      /^a\.parquet › column ggr: DURATION is not a type of plain values; /,
    );
  });

  it('warns of a FLOAT whose seven digits are not enough, and of no other', async () => {
    const remarksOf = async (value: string) => {
      const file = await parquetOf(`SELECT 2024::FLOAT AS year, ${value} AS ggr`);
      return (await remarksIn('a.parquet', file)).map(({ problem }) => problem);
    };
    const warned = ['column ggr is FLOAT, which keeps about seven digits of a number'];
    expect(await remarksOf('24187903::FLOAT')).toEqual(warned);
    expect(await remarksOf('0.1::FLOAT')).toEqual(warned);
    expect(await remarksOf('100.5::FLOAT')).toEqual([]);
    expect(await remarksOf('24187903::DOUBLE')).toEqual([]);
  });

  it.each([
    ['UBIGINT', '18446744073709551615', '9007199254740992'],
    ['BIGINT', '-9007199254740993', '-9007199254740994'],
    ['DECIMAL(18,2)', '1234567890123456.78', '123456789012.34'],
    ['DECIMAL(38,0)', '99999999999999999999999999999999999999', '3'],
    ['DECIMAL(38,0)', '1152921504606846977', '1152921504606846976'],
    ['DECIMAL(38,12)', '255306851191.000000000001', '255306851191'],
    ['DECIMAL(38,12)', '-123456789.123456789012', '-1033957831.25'],
    ['DECIMAL(9,2)', null, '1234567.89'],
  ])('notes numbers of a %s that a double rounds, and no other', async (type, rounded, exact) => {
    const remarksOf = async (value: string) => {
      const file = await parquetOf(`SELECT 1 AS n, '${value}'::${type} AS ggr`);
      return (await remarksIn('a.parquet', file)).map(({ severity, problem }) => `${severity}: ${problem}`);
    };
    expect(await remarksOf(exact)).toEqual([]);
    if (rounded === null) return;
    expect(await remarksOf(rounded)).toEqual([
      `note: column ggr is ${type} and has numbers of more digits than a double holds: they were rounded`,
    ]);
  });

  it('is refused when a DECIMAL has more digits than DuckDB reads', async () => {
    const outcome = rowsOf('a.parquet', Buffer.from(DECIMAL_OF_60_DIGITS, 'base64'));
    await expect(outcome).rejects.toThrow(
      'a.parquet › column ggr: DECIMAL(60,2) has more than 38 digits; write it as DOUBLE, or as DECIMAL of at most 38 digits',
    );
  });

  it('is refused when it is empty, something else, cut, encrypted or damaged', async () => {
    const bytes = await parquetOf(`SELECT i, 'v' || i AS v FROM range(10000) AS t(i)`);
    const damaged = Buffer.from(bytes).fill(0xff, 1000, 1100);
    const footless = Buffer.from(bytes);
    footless.writeUInt32LE(2 ** 31, footless.length - 8);
    const refused = async (content: Uint8Array) => {
      try {
        await rowsOf('a.parquet', content);
        return 'was read';
      } catch (error) {
        return error instanceof Error && error.name === 'UnreadableError' ? error.message : error;
      }
    };
    expect(await refused(Buffer.alloc(0))).toBe('a.parquet: is empty (0 bytes); write it again');
    expect(await refused(Buffer.from('year,country'))).toMatch(/^a\.parquet: is not a Parquet file; /);
    expect(await refused(Buffer.from('PAR1'))).toMatch(/^a\.parquet: is cut off: its end is missing; /);
    expect(await refused(Buffer.from('PAREtheendPARE'))).toMatch(/^a\.parquet: is encrypted; /);
    expect(await refused(bytes.subarray(0, bytes.length / 2))).toMatch(/^a\.parquet: is cut off: /);
    for (const content of [damaged, footless]) {
      const message = await refused(content);
      expect(message).toMatch(/^a\.parquet: is a damaged Parquet file \(.+\); write it again$/);
      expect(message).not.toContain(os.tmpdir());
    }
  });

  const whole = Buffer.from(THREE_ROWS, 'base64');
  /** The position of the first year in its page. */
  const year = whole.indexOf(Buffer.of(0xe7, 7, 0, 0));
  const rows = [
    [0, 'year', 'ggr'],
    [1, 2022, 1.5],
    [2, 2023],
    [3, 2024, 2.5],
  ];
  const outcomeOf = async (...changes: readonly (readonly [at: number, byte: number])[]) => {
    const bytes = Buffer.from(whole);
    for (const [at, byte] of changes) bytes[at] = byte;
    return await rowsOf('a.parquet', bytes).catch((error: Error) => error.message);
  };

  it('is refused when its footer, its pages and their checksums disagree', async () => {
    expect(await outcomeOf()).toEqual(rows);
    const damage = (reason: string) => `a.parquet: is a damaged Parquet file (${reason}); write it again`;
    // The positions of the bytes in the footer that hold the numbers of rows and values. Each byte holds twice its
    // number.
    const [inFile, inGroup, ofYears, ofFigures] = [177, 323, 201, 245];
    expect(await outcomeOf([inFile, 8])).toBe(damage('it states 4 rows, and its row groups have 3'));
    expect(await outcomeOf([inFile, 4], [inGroup, 4])).toBe(
      damage('a row group states 2 rows, and its column year has 3 values'),
    );
    expect(await outcomeOf([inFile, 4], [inGroup, 4], [ofYears, 4], [ofFigures, 4])).toBe(
      damage('a row group states 2 rows, and the pages of its column year have 3 values'),
    );
    expect(await outcomeOf([year, 0xe6])).toBe(damage('the checksum of a page of its column year is wrong'));
    // The statistics of the changed file state that no figure is empty.
    expect(await outcomeOf([whole.lastIndexOf(Buffer.of(0x16, 2, 0x28, 8)) + 1, 0])).toEqual(rows);
  });

  itInDepth('is not read with a wrong checksum, however its footer is damaged', async () => {
    const footer = whole.length - 8 - whole.readUInt32LE(whole.length - 8);
    const read = [];
    for (let at = footer; at < whole.length - 8; at += 9) {
      const outcome = await outcomeOf([year, 0xe6], [at, (whole[at] ?? 0) ^ 0x80]);
      if (typeof outcome !== 'string') read.push(at);
    }
    expect(read).toEqual([]);
  });
});

it('a Parquet file whose footer omits a row group is refused', async () => {
  const rows = (count: number) =>
    parquetOf(`SELECT i::INTEGER AS year, i / 3 AS ggr FROM range(${count}) t(i)`, ', ROW_GROUP_SIZE 2048');
  const [one, two] = [await rows(2048), await rows(4096)];
  const footerStart = (bytes: Buffer) => bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const end = footerStart(two);
  const lost = Buffer.concat([two.subarray(0, end), one.subarray(footerStart(one))]);
  await expect(rowsOf('a.parquet', lost)).rejects.toThrow(
    `a.parquet: is a damaged Parquet file (its footer does not list the rows in its bytes ${footerStart(one)} to ${end - 1}); write it again`,
  );
  expect(await rowsOf('a.parquet', two)).toHaveLength(4097);
});

describe('a small Parquet file that stands for a large table', () => {
  it.each([
    [
      'SELECT 1 AS year FROM range(60000000)',
      'a.parquet: holds 60,000,000 rows, more than the limit of 50,000,000; split it',
    ],
    [
      `SELECT repeat('x', 40000) AS "a ""b""" FROM range(10)`,
      'a.parquet › column a "b": a text has more than 32,768 bytes; shorten it',
    ],
  ])('is refused: %s', async (sql, message) => {
    const bytes = await parquetOf(sql, ', COMPRESSION zstd');
    expect(bytes.length).toBeLessThan(200_000);
    const outcome = await rowsOf('a.parquet', bytes).then(String, (e: Error) => `${e.name} ${e.message}`);
    expect(outcome).toBe(`UnreadableError ${message}`);
  });
});

it('a file that cannot be opened because too many are open is not called damaged', async () => {
  const read = () =>
    Promise.reject(new Error('IO Error: Cannot open file "/x/ggr.parquet": Too many open files'));
  await expect(
    translatingDamage({ path: '/x/ggr.parquet', name: 'ggr.parquet' }, read),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/^ggr\.parquet: cannot be opened: too many files are open; .*ulimit -n/),
  });
});

/** Apache Arrow wrote this file. Its columns year, ggr, ggr and GGR have the values 2024, 1, 2 and 3. */
const NAMES_THAT_REPEAT =
  'UEFSMRUAFRQVFCwVAhUAFQYVBhwAAAACAAAAAgHoBwAAFQAVHBUcLBUCFQAVBhUGHAAAAAIAAAACAQAAAAAAAPA/FQAVHBUcLBUCFQAV' +
  'BhUGHAAAAAIAAAACAQAAAAAAAABAFQAVHBUcLBUCFQAVBhUGHAAAAAIAAAACAQAAAAAAAAhAFQQZXDUAGAZzY2hlbWEVCAAVAiUCGAR5' +
  'ZWFyABUKJQIYA2dncgAVCiUCGANnZ3IAFQolAhgDR0dSABYCGRwZTCYAHBUCGSUGABkYBHllYXIVABYCFjoWOiYISRwVABUAFQIAPCkG' +
  'GSYAAgAAACYAHBUKGSUGABkYA2dnchUAFgIWQhZCJkJJHBUAFQAVAgA8KQYZJgACAAAAJgAcFQoZJQYAGRgDZ2dyFQAWAhZCFkImhAFJ' +
  'HBUAFQAVAgA8KQYZJgACAAAAJgAcFQoZJQYAGRgDR0dSFQAWAhZCFkImxgFJHBUAFQAVAgA8KQYZJgACAAAAFoACFgImCBaAAgAoIHBh' +
  'cnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGUwcAAAcAAAcAAAcAAAALwEAAFBBUjE=';

/** Apache Arrow wrote this file: year 2024 and ggr 22537531.25 as DECIMAL(60,2), which DuckDB cannot write. */
const DECIMAL_OF_60_DIGITS =
  'UEFSMRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgHoBwAAAAAAABUAFUAVQCwVAhUAFQYVBhwAAAACAAAAAgEAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAhlWLJRUEGTw1ABgGc2NoZW1hFQQAFQQlAhgEeWVhcgAVDhU0FQIYA2dnciUKFQQVeCxcFQQVeAAAABYCGRwZLCYA' +
  'HBUEGSUGABkYBHllYXIVABYCFkIWQiYISRwVABUAFQIAPCkGGSYAAgAAACYAHBUOGSUGABkYA2dnchUAFgIWZhZmJkpJHBUAFQAV' +
  'AgA8KQYZJgACAAAAFqgBFgImCBaoAQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGSwcAAAcAAAAywAAAFBBUjE=';
