// Plain rows that are staged by column or by SQL equal those that are staged cell by cell:
// the same rows, codes, problems in order, and bytes of the snapshot.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openCsv } from '../../../../ingest/sources/readers/csv/reader.ts';
import { openParquet } from '../../../../ingest/sources/readers/parquet/reader.ts';
import type { GivenOptions } from '../../../../ingest/staging/readingOptions.ts';
import { datasetOf, metricNames } from '../../../../src/catalog/datasets.ts';
import { literal, openDuckDb } from '../../../../src/duckdb.ts';
import { isDeep, itInDepth, runs, some } from '../../../support/depth.ts';
import { everyWay, inFolder, outcomeOf } from './everyWay.ts';

const csvFile = (bytes: Buffer, pieceBytes: number) => async (folder: string) => {
  const file = path.join(folder, 'ggr.csv');
  await writeFile(file, bytes);
  return () => openCsv(file, 'ggr.csv', pieceBytes, 0);
};

const HEAD = [...datasetOf('ggr').dimensions, 'ggr'].join(',');
const LINE = '2024,Europe,Malta,,Betting,Sports,Online,Onshore,EUR,Current';
/** The first rows are searched for the header. Only the rows after these come column by column. */
const BEGINNING = [HEAD, ...Array.from({ length: 210 }, (_, i) => `${LINE},${i}.25`)].join('\n');

const text = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('Malta', 'Europe', 'Österreich', 'Côte d’Ivoire', 'Betting') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '',
        ' ',
        ' Malta',
        'Malta ',
        'Malta\u00a0',
        '"Malta"',
        '"a,b"',
        '"a ""b"""',
        '"a\nb"',
        'a"b',
        ' "x"',
      ],
      ...[
        'Slots²',
        'Slots (1)',
        'Country',
        'Region',
        'Cafe\u0301',
        'a\u200bb',
        '\ufffd',
        'Total',
        'x'.repeat(70),
      ],
      ...['y'.repeat(501), '\t', '"open', '"a"b'],
    ),
  },
);
const year = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('2019', '2020', '2024') },
  { weight: 1, arbitrary: fc.constantFrom('2024.0', ' 2024', '24', '20x4', '', '2024/25', '99999', '2024²') },
);
const currency = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('EUR', 'USD') },
  { weight: 1, arbitrary: fc.constantFrom('eur', 'EURO', '', '€') },
);
const number = fc.oneof(
  { weight: 8, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  {
    weight: 8,
    arbitrary: fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => `${cents / 100}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '',
        '0',
        '-0',
        '007',
        '1.234',
        '12.345',
        '0.125',
        '1e5',
        '1.00E+07',
        '-3',
        'n/a',
        '-',
        '+1',
        '.5',
        '5.',
      ],
      ...[
        '12345678901234567',
        '999999999999999.5',
        '0.1234567890123456',
        '1 234',
        '"1.5"',
        '(5)',
        '1.5*',
        '5²',
        '1e999',
      ],
    ),
  },
);
const record = fc
  .tuple(year, text, text, text, text, text, text, text, currency, text, number)
  .map((fields) => fields.join(','));
const line = fc.oneof(
  { weight: 20, arbitrary: record },
  { weight: 30, arbitrary: number.map((value) => `${LINE},${value}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ',,,,,,,,,,',
      'a note',
      HEAD,
      `${LINE}`,
      `${LINE},1,`,
      `${LINE},1,2`,
      `${LINE},1,,`,
    ),
  },
);
const damage = fc.option(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.integer({ min: 0, max: 255 }) }),
  { freq: 3 },
);

describe('plain rows of a csv', () => {
  it('are staged as row by row, cell for cell and message for message, in damaged files too', async () => {
    const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        ends,
        damage,
        fc.integer({ min: 40, max: 4_000 }),
        fc.boolean(),
        async (lines, end, hurt, pieceBytes, isOpenEnded) => {
          const whole = [...BEGINNING.split('\n'), ...lines].join(end) + (isOpenEnded ? '' : end);
          const bytes = Buffer.from(whole);
          if (hurt !== null) {
            const from = BEGINNING.length;
            bytes[Math.min(bytes.length - 1, from + Math.floor(hurt.at * (bytes.length - from)))] = hurt.byte;
          }
          await everyWay(csvFile(bytes, pieceBytes), 'ggr');
        },
      ),
      { numRuns: runs(1, 4) },
    );
  }, 600_000);

  it.each(some(['\r\n', '\n'], 1))('are staged without making rows of them, with %j', async (end) => {
    const lines = Array.from({ length: 710 }, (_, i) => `${LINE.replace('Sports', `Product ${i}`)},${i}.5`);
    const bytes = Buffer.from([HEAD, ...lines, ''].join(end));
    const quick = await everyWay(csvFile(bytes, 1_000), 'ggr', true);
    const { oddRows, columnRows, bySql, problems, sha256 } = quick;
    expect({ problems, sha256 }).toEqual({ problems: [], sha256: expect.any(String) });
    expect({ oddRows, isMost: columnRows > 450, bySql }).toEqual({ oddRows: 0, isMost: true, bySql: true });
  });

  const OPTIONS: readonly (readonly [GivenOptions, number])[] = [
    [{ scale: ['ggr=1e3'] }, 1_250],
    [{ missing: ['n/a'] }, 1.25],
    [{ 'fill-down': ['country'] }, 1.25],
    [{ numbers: ['en'] }, 1.25],
  ];
  it.each(some(OPTIONS, 2))(
    'are read as the option %j says in a long file, too',
    async (options, expected) => {
      const lines = Array.from({ length: 700 }, () => `${LINE},1.25`);
      const file = csvFile(Buffer.from(`${[HEAD, ...lines].join('\n')}\n`), 1_000);
      const { rows, columnRows, bySql } = await everyWay(file, 'ggr', false, options);
      const [staged = []] = rows as readonly (readonly unknown[])[][];
      expect(staged.map((row) => row.at(-1))).toEqual(lines.map(() => expected));
      expect({ columnRows, bySql }).toEqual({ columnRows: 0, bySql: false });
    },
  );

  it('have zeros without a sign', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => `${LINE.replace('Sports', `Product ${i}`)},-0.0`);
    const bytes = Buffer.from(`${[BEGINNING, ...lines].join('\n')}\n`);
    const { rows, bySql } = await everyWay(csvFile(bytes, 1_000), 'ggr');
    const [staged = []] = rows as readonly (readonly unknown[])[][];
    const values = staged.map((row) => row.at(-1));
    expect(bySql).toBe(true);
    expect(values.filter((value) => value === 0)).toHaveLength(500);
    expect(values.filter((value) => Object.is(value, -0))).toEqual([]);
  });

  it('keep a missing value missing, whichever value the row above has, and are left out where all are missing', async () => {
    const head = [...datasetOf('fx').dimensions, ...metricNames('fx')].join(',');
    const isEmpty = (i: number) => i % 50 === 49;
    const isMissing = (i: number, metric: number) => isEmpty(i) || (i + metric) % 3 === 0;
    const lines = Array.from({ length: 400 }, (_, i) => {
      const rates = metricNames('fx').map((_, m) => (isMissing(i, m) ? '' : `${i + 1}.5`));
      return ['2024', 'Europe', `Country ${i}`, '', 'XTS', 'Current', 'Reported', ...rates].join(',');
    });
    const bytes = Buffer.from(`${[head, ...lines].join('\n')}\n`);
    const { rows, oddRows, bySql } = await everyWay(csvFile(bytes, 1_000), 'fx');
    const [staged = []] = rows as readonly (readonly unknown[])[][];
    const missing = staged.map((row) => row.slice(-metricNames('fx').length).map((value) => value === null));
    const expected = lines.flatMap((_, i) =>
      isEmpty(i) ? [] : [metricNames('fx').map((_, m) => isMissing(i, m))],
    );
    expect(missing).toEqual(expected);
    // The 8 empty rows are staged one by one, except any among the first rows, in which the header is searched.
    expect({ isOdd: oddRows >= 2 && oddRows <= 8, bySql }).toEqual({ isOdd: true, bySql: true });
  });

  it('are warned of together when all their numbers may have dots between thousands', async () => {
    const lines = (value: string) => {
      // The rows in which the header is searched are read one by one.
      const plain = Array.from({ length: 300 }, () => `${LINE},5`);
      const own = Array.from({ length: 300 }, () => `${LINE},${value}`);
      return Buffer.from(`${[HEAD, ...plain, ...own, `${LINE},404.021`].join('\n')}\n`);
    };
    const { problems } = await everyWay(csvFile(lines('404.021'), 1_000), 'ggr');
    expect(problems.join()).toContain('all 301 such numbers');
    const { problems: none } = await everyWay(csvFile(lines('1404.02'), 1_000), 'ggr');
    expect(none).toEqual([]);
  });

  it('are warned of so where the columns are years', async () => {
    const wide = (value: string) => {
      const head = [...datasetOf('ggr').dimensions.filter((name) => name !== 'year'), '2023', '2024'];
      const line = LINE.slice('2024,'.length);
      const plain = Array.from({ length: 300 }, () => `${line},5,7`);
      const own = Array.from({ length: 300 }, () => `${line},${value},${value}`);
      const lines = [...plain, ...own, `${line},404.021,`];
      return csvFile(Buffer.from(`${[head.join(','), ...lines].join('\n')}\n`), 1_000);
    };
    const { problems } = await everyWay(wide('404.021'), 'ggr');
    expect(problems.join()).toContain('all 601 such numbers');
    const { problems: none, columnRows } = await everyWay(wide('1404.02'), 'ggr');
    expect({ none, isByColumn: columnRows > 0 }).toEqual({ none: [], isByColumn: true });
  });

  itInDepth('keep more than 8,192 different texts of a column apart', async () => {
    const lines = Array.from({ length: 8_250 }, (_, i) => `${LINE.replace('Sports', `P${i}`)},${i}.5`);
    const bytes = Buffer.from([BEGINNING, ...lines].join('\n'));
    const { rows } = await everyWay(csvFile(bytes, 50_000), 'ggr');
    const [staged] = rows as readonly (readonly unknown[][])[];
    const products = new Set(staged?.map((row) => row[9]));
    expect(products.size).toBe(8_251);
  });
});

describe('plain rows of a csv without quotes', () => {
  const unquoted = (values: readonly string[]) => values.filter((value) => !/["\n]/.test(value));
  const odd = fc.constantFrom(
    ...unquoted([
      ' ',
      ' Malta',
      'Malta ',
      'Malta\u00a0',
      'Slots²',
      'Country',
      'Cafe\u0301',
      '\ufffd',
      'y'.repeat(501),
      '\t',
      "o'",
      'a\\b',
      '#',
    ]),
  );
  const unquotedText = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom('Malta', 'Österreich', 'Betting', 'NULL', 'x'.repeat(70)) },
    { weight: 1, arbitrary: odd },
  );
  const unquotedNumber = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => `${cents / 100}`),
    },
    { weight: 10, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...[
          '',
          '0',
          '-0',
          '007',
          '1.234',
          '0.125',
          '1e5',
          '1.00E+07',
          '-3',
          '+1',
          '.5',
          '5.',
          ' 5',
          '5 ',
          'nan',
          'inf',
        ],
        ...[
          '12345678901234567',
          '999999999999999.5',
          '-99999999999999.5',
          '0.1234567890123456',
          '1_000',
          '0x10',
          '12.50',
          '1e999',
        ],
      ),
    },
  );
  const fields = fc
    .tuple(
      year,
      unquotedText,
      unquotedText,
      unquotedText,
      unquotedText,
      unquotedText,
      unquotedText,
      unquotedText,
      currency,
      unquotedText,
      unquotedNumber,
    )
    .map((all) => all.join(','));
  const widths = fc.constantFrom('', `${LINE}`, `${LINE},1,`, ',,,,,,,,,,', 'a note', `${LINE},1,2`);
  const plainLine = unquotedNumber.map((value) => `${LINE},${value}`);

  it('are staged by SQL as row by row, with other rows in their place', async () => {
    const lines = fc.array(
      fc.oneof(
        { weight: 30, arbitrary: plainLine },
        { weight: 10, arbitrary: fields },
        { weight: 1, arbitrary: fc.constant(',,,,,,,,,,') },
      ),
      { minLength: 1, maxLength: 80 },
    );
    const other = fc.option(fc.record({ at: fc.nat(80), line: widths }), { freq: 3 });
    await fc.assert(
      fc.asyncProperty(
        lines,
        other,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (some, odd, end, isOpenEnded) => {
          if (odd !== null) some.splice(odd.at, 0, odd.line);
          const bytes = Buffer.from([...BEGINNING.split('\n'), ...some].join(end) + (isOpenEnded ? '' : end));
          await everyWay(csvFile(bytes, 200), 'ggr');
        },
      ),
      { numRuns: runs(2, 8) },
    );
  }, 600_000);

  it('are staged by SQL beside a single text to be cleaned, a heading, and a single figure to be reported', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${LINE},${i}.25`);
    lines[280] = `${LINE.replace('Malta', 'Malta\u00a0')},5.5`;
    lines[285] = `${LINE.replace('Europe', 'Region')},6.5`;
    lines[290] = `${LINE},-7777.25`;
    const text = [HEAD.replace(/ggr$/, 'turnover'), ...lines, ''].join('\n');
    const { problems, bySql } = await everyWay(csvFile(Buffer.from(text), 1_000), 'turnover');
    expect({ bySql, problems: problems.filter((one) => one.includes('-7777.25')) }).toEqual({
      bySql: true,
      problems: [expect.stringContaining('line 292, column turnover: turnover is -7777.25')],
    });
  });

  it('are not staged by SQL where readers may take the file differently', async () => {
    const line = `${LINE},5.5`;
    const cases = {
      'a quote': [line, `2024,"Europe"${line.slice(11)}`],
      'a record that is too short': [line, LINE],
      'a record that is too long': [line, `${line},`],
      'a record that is too long, without a line end': [line, `${line},`],
      'a blank line': [line, '', line],
      'a return within a line': [line, line.replace('Malta', 'Mal\rta')],
      'another character set': [line, line.replace('Malta', 'M\xe4lta')],
    };
    for (const end of ['\n', '\r\n'])
      for (const [what, lines] of Object.entries(cases)) {
        const whole = [...BEGINNING.split('\n'), ...lines].join(end);
        const text = whole + (what.endsWith('without a line end') ? '' : end);
        const bytes = Buffer.from(text, what === 'another character set' ? 'latin1' : 'utf8');
        const file = csvFile(bytes, 200);
        // In `make test`, only the property tests compare such rows in all ways.
        const { bySql } = isDeep
          ? await everyWay(file, 'ggr')
          : await inFolder(
              async (folder) =>
                await outcomeOf(
                  { open: await file(folder), dataset: 'ggr', folder, isWritten: false },
                  'sql',
                ),
            );
        expect({ what, end, bySql }).toEqual({ what, end, bySql: false });
      }
  });

  itInDepth(
    'are read row by row where a quote stands far below those that DuckDB has begun with',
    async () => {
      // These are more bytes than the megabyte that is examined first.
      const plain = Array.from({ length: 20_000 }, (_, i) => `${LINE},${i}.5`);
      const text = [BEGINNING, ...plain, `2024,"Europe"${LINE.slice(11)},7.5`, `${LINE},8.5`].join('\n');
      const { bySql, facts } = await everyWay(csvFile(Buffer.from(text), 64_000), 'ggr');
      expect(bySql).toBe(false);
      const all = 210 + plain.length + 2;
      expect(facts).toEqual([[expect.objectContaining({ facts: all })], [['ggr', all]], []]);
    },
  );
});

/** A Parquet file with the rows of a SELECT. */
const parquetFile =
  (select: string, options = '') =>
  async (folder: string) => {
    const file = path.join(folder, 'ggr.parquet');
    const database = await openDuckDb();
    try {
      await database.connections[0].run(`COPY (${select}) TO ${literal(file)} (FORMAT parquet${options})`);
    } finally {
      database.close();
    }
    // With 0, texts are read as codes even in a file of few rows.
    return () => openParquet(file, 'ggr.parquet', 0);
  };

/** The position at which the footer of a Parquet file begins. */
const footerOf = (bytes: Buffer): number => bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);

/** A SELECT of ggr. `columns` replaces columns by expressions that make row `i`, counted from 0, odd. */
const ggrOf = (rows: number, columns: Readonly<Record<string, string>> = {}) => {
  const plain: Readonly<Record<string, string>> = {
    year: '2000 + i % 24',
    region: "'Europe'",
    country: "'Country ' || i % 97",
    state: "CASE WHEN i % 3 = 0 THEN NULL ELSE 'State ' || i % 7 END",
    category: "'Betting'",
    product: "'Product ' || i % 11",
    channel: "'Online'",
    sub_channel: "'Onshore'",
    fx: "'EUR'",
    temporal: "'Current'",
    ggr: 'i / 4',
  };
  const all = Object.entries({ ...plain, ...columns }).map(([name, sql]) => `${sql} AS ${name}`);
  return `SELECT ${all.join(', ')} FROM range(${rows}) t(i)`;
};

describe('plain rows of a Parquet file', () => {
  const rows = 2_500;
  const cases: readonly (readonly [what: string, columns: Readonly<Record<string, string>>])[] = [
    ['plain values', {}],
    [
      'texts that are missing, blank or to be cleaned',
      {
        country:
          "CASE WHEN i % 50 = 7 THEN NULL WHEN i % 50 = 9 THEN ' ' WHEN i % 50 = 11 THEN 'Malta ' ELSE 'Malta' END",
      },
    ],
    [
      'texts with footnote marks and headings',
      {
        region: "CASE WHEN i = 2400 THEN 'Country' ELSE 'Europe' END",
        product: "CASE WHEN i % 50 = 3 THEN 'Slots²' ELSE 'Slots' END",
      },
    ],
    [
      'numbers that are missing or none',
      {
        ggr: "CASE WHEN i % 40 = 3 THEN NULL WHEN i % 40 = 5 THEN 'NaN'::DOUBLE WHEN i % 40 = 6 THEN -1 WHEN i % 40 = 8 THEN 'inf'::DOUBLE ELSE i END",
      },
    ],
    [
      'years as texts, doubles and nothing',
      {
        year: 'CASE WHEN i % 60 = 5 THEN 2000.5 WHEN i % 60 = 7 THEN NULL WHEN i % 60 = 9 THEN 99999 ELSE 2000 + i % 24 END::DOUBLE',
      },
    ],
    ['years as texts', { year: "CASE WHEN i % 60 = 5 THEN '20x5' ELSE '2001' END" }],
    [
      'numbers as texts',
      { ggr: "CASE WHEN i % 60 = 5 THEN 'n/a' WHEN i % 60 = 6 THEN '1e5' ELSE '12.5' END" },
    ],
    ['dates for years', { year: "DATE '2020-01-01'" }],
    ['truth values for texts', { channel: 'i % 2 = 0' }],
    ['a column that belongs to no dataset', { foreign_column: '1' }],
  ];
  it.each(some(cases, 1))('are staged as row by row: %s', async (_, columns) => {
    await everyWay(parquetFile(ggrOf(rows, columns)), 'ggr');
  });

  const PAGES = [
    ['with dictionaries', ''],
    ['without dictionaries', ', DICTIONARY_SIZE_LIMIT 1'],
  ] as const;
  it.each(some(PAGES, 1))('are staged without making rows of them, %s', async (_, options) => {
    const quick = await everyWay(parquetFile(ggrOf(rows), options), 'ggr', true);
    const { oddRows, columnRows, bySql, problems, sha256 } = quick;
    // The header is searched in the first batch.
    const isRest = columnRows === rows - 2_048;
    expect({ oddRows, isRest, bySql, problems, sha256 }).toEqual({
      oddRows: 0,
      isRest: true,
      bySql: true,
      problems: [],
      sha256: expect.any(String),
    });
  });

  itInDepth('are staged with negative values of a metric that may have them', async () => {
    const select = `SELECT 2000 + i % 24 AS year, 'Europe' AS region, 'Country ' || i AS country, '' AS state,
      'Current' AS temporal, 'Reported' AS calculation, 1 AS gdp_local_currency, 1 AS gdp_usd,
      1 AS adult_population, -i / 4 AS inflation FROM range(${rows}) t(i)`;
    const { problems, bySql } = await everyWay(parquetFile(select), 'country');
    expect({ problems, bySql }).toEqual({ problems: [], bySql: true });
  });

  itInDepth('are staged as the pages hold them, whatever the statistics of the footer say', async () => {
    const select = `SELECT 2000 + i % 24 AS year, 'Europe' AS region, 'Country ' || i AS country, '' AS state,
      'Current' AS temporal, 'Reported' AS calculation, 1 AS gdp_local_currency,
      CASE i WHEN 2300 THEN -7777.25 ELSE 1.5 END::DOUBLE AS gdp_usd, 1 AS adult_population, 1 AS inflation
      FROM range(${rows}) t(i)`;
    const smallest = Buffer.from(Float64Array.of(-7777.25).buffer);
    const forged = async (folder: string) => {
      const open = await parquetFile(select)(folder);
      const file = path.join(folder, 'ggr.parquet');
      const bytes = await readFile(file);
      const footer = bytes.subarray(footerOf(bytes));
      for (let at = footer.indexOf(smallest); at >= 0; at = footer.indexOf(smallest))
        footer.writeDoubleLE(1.5, at);
      await writeFile(file, bytes);
      return open;
    };
    const { problems, bySql } = await everyWay(forged, 'country');
    expect({ problems, bySql }).toEqual({
      problems: [expect.stringContaining('row 2301, column gdp_usd: gdp_usd is -7777.25')],
      bySql: true,
    });
  });

  itInDepth(
    'are staged by SQL beside rows of any other kind, which stay in their place',
    async () => {
      const column = (name: string, plain: string, odd: readonly string[]) =>
        fc
          .record({
            values: fc.subarray([...odd], { maxLength: 2 }),
            every: fc.integer({ min: 7, max: 300 }),
          })
          .map(({ values, every }) => {
            const cases = values.map((value, i) => `WHEN i > 2100 AND i % ${every} = ${i} THEN ${value}`);
            return [name, cases.length === 0 ? plain : `CASE ${cases.join(' ')} ELSE ${plain} END`] as const;
          });
      const texts = [
        "'Malta '",
        "'Slots²'",
        "'a\u200bb'",
        "' '",
        "''",
        'NULL',
        "'Country'",
        "repeat('x', 501)",
      ];
      const columns = fc.tuple(
        column('year', '2000 + i % 24', ['NULL', '99999', '5']),
        column('region', "'Europe'", texts),
        column('country', "'Country ' || i % 97", texts),
        column('state', "CASE WHEN i % 3 = 0 THEN NULL ELSE 'State ' || i % 7 END", texts),
        column('product', "'Product ' || i // 97", texts),
        column('fx', "'EUR'", ["'eur'", "'EURO'", "'€'", 'NULL']),
        column('ggr', 'i / 4', ['NULL', '-1', "'NaN'::DOUBLE", "'inf'::DOUBLE", '-0.0', '1e308']),
      );
      const layout = fc.constantFrom('', ', DICTIONARY_SIZE_LIMIT 1', ', ROW_GROUP_SIZE 2048');
      await fc.assert(
        fc.asyncProperty(columns, layout, async (replaced, options) => {
          const file = parquetFile(ggrOf(2_400, Object.fromEntries(replaced)), options);
          expect((await everyWay(file, 'ggr')).bySql).toBe(true);
        }),
        { numRuns: runs(1, 4) },
      );
    },
    600_000,
  );
});
