// Habits of people and scripts are read correctly, or reported with place and remedy.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import { aMonth, cellsOf, csvOf, type Month } from '../../support/month.ts';
import { aRow, countryReference, type Row } from '../../support/snapshot.ts';

let month: Month | undefined;
afterEach(() => month?.remove());

const YEARS = [2022, 2023, 2024];
const ROWS = YEARS.map((year, i) => aRow('ggr', { year, ggr: 1000 + 7 * i }));
const HEAD = csvOf('ggr', []).trim();

/** A csv of ggr with changed lines. `line` gets the text and the number of a line, from 0 on. */
const csv = (line: (text: string, i: number) => string, heading = HEAD, rows: readonly Row[] = ROWS) =>
  [heading, ...csvOf('ggr', rows).trim().split('\n').slice(1).map(line), ''].join('\n');

async function problemsOf(file: Parameters<typeof aMonth>[0]): Promise<string[]> {
  await month?.remove();
  month = await aMonth(file);
  return (await month.problems()).filter((text) => /ggr|Unconfirmed|notes/.test(text));
}

describe('a column without a heading left of the table', () => {
  const NOTE = 'a column without a heading counts the rows, and was left out (first of 3)';

  it('is left out with a note when it counts the rows, as data frames write it', async () => {
    const heading = `,${HEAD}`;
    expect(await problemsOf({ 'ggr.csv': csv((line, i) => `${i},${line}`, heading) })).toEqual([
      `note ggr.csv › line 2, column 1: ${NOTE}`,
    ]);
    expect(await problemsOf({ 'ggr.csv': csv((line, i) => `${i + 1},${line}`, heading) })).toEqual([
      `note ggr.csv › line 2, column 1: ${NOTE}`,
    ]);
    const [top = [], ...below] = cellsOf('ggr', ROWS);
    const rows = [[null, ...top], ...below.map((cells, i) => [i, ...cells])];
    expect(await problemsOf({ 'ggr.xlsx': [{ name: 'Data', rows }] })).toEqual([
      `note ggr.xlsx › Data!A2: ${NOTE}`,
    ]);
  });

  it('may lack even the separator of its heading, as in files of R', async () => {
    expect(await problemsOf({ 'ggr.csv': csv((line, i) => `"${i + 1}",${line}`) })).toEqual([
      `note ggr.csv › line 2, column 1: ${NOTE}`,
    ]);
    expect((await month?.read('ggr'))?.rows.map(({ ggr }) => ggr)).toEqual([1000, 1007, 1014]);
    // Numbers that leave some out are no such column, so the cells stand one column too far to the right.
    const gap = await problemsOf({ 'ggr.csv': csv((line, i) => `"${2 * i + 1}",${line}`) });
    expect(gap[0]).toBe(
      'error ggr.csv › line 2, column year: year is "1"; write a whole number from 1000 to 9999',
    );
    expect(gap.filter((text) => !text.startsWith('error'))).toEqual([]);
  });

  const FAULTY = [
    ['does not begin with 0 or 1', [2, 3, 4], 3],
    ['leaves a number out', [0, 1, 3], 1],
    ['begins below the first row', ['', 1, 2], 2],
    ['holds words', ['a', 'b', 'c'], 3],
  ] as const;

  it('is an error when it counts no rows, or stands right of the first heading', async () => {
    const left = FAULTY.map(([, column], i) => [
      `ggr-${i}.csv`,
      csv((line, row) => `${column[row]},${line}`, `,${HEAD}`),
    ]);
    const found = await problemsOf({
      ...Object.fromEntries(left),
      'ggr-right.csv': csv((line, row) => `${line},${row}`, `${HEAD},`),
    });
    const errorsIn = (file: string) =>
      found.filter((text) => text.startsWith(`error ${file} `) && text.includes('has no heading above it'));
    for (const [i, [when, , errors]] of FAULTY.entries())
      expect([when, errorsIn(`ggr-${i}.csv`).length]).toEqual([when, errors]);
    expect(errorsIn('ggr-right.csv')).toHaveLength(3);
  });
});

describe('a pivot table of pandas, with its years above the other headings', () => {
  const NAMES = 'region,country,state,category,product,channel,sub_channel,temporal'.split(',');
  const BLANK = NAMES.slice(1).map(() => null);
  const DATA = [
    ['Europe', 'Malta', null, 'Betting', 'Sport Betting', 'Online', 'Onshore', 'Current', 1, 2, 3, 4],
    [null, null, null, null, null, null, 'Offshore', 'Current', 5, 6, 7, 8],
  ];
  const yearsIn = (row: number) =>
    `the years are in row ${row}, above the other headings, and no row below was read; write the years into row 4, ` +
    'and what else the columns differ in, such as the currency, into columns of its own; with pandas, write the frame ' +
    'before its pivot, with index=False';

  it.each([
    [2, ['year', 2023, null, 2024, null], ['fx', 'EUR', 'USD', 'EUR', 'USD']],
    [3, ['fx', 'EUR', null, 'USD', null], ['year', 2023, 2024, '2023', '2024']],
  ])('is one error that names row %i of the years', async (row, upper, lower) => {
    const rows = [[...BLANK, null, 'ggr'], [...BLANK, ...upper], [...BLANK, ...lower], NAMES, ...DATA];
    expect(await problemsOf({ 'ggr.xlsx': [{ name: 'Data', rows }] })).toEqual([
      `error ggr.xlsx › Data!A4: ${yearsIn(row)}`,
    ]);
    const csvRows = rows.map((cells) => Array.from({ length: 12 }, (_, i) => cells[i] ?? '').join(','));
    expect(await problemsOf({ 'ggr.csv': `${csvRows.join('\n')}\n` })).toEqual([
      `error ggr.csv › line 4: ${yearsIn(row)}`,
    ]);
  });

  it('is not seen in a single year of a title', async () => {
    const rows = [[...BLANK, null, 2024], NAMES, ...DATA];
    expect(await problemsOf({ 'ggr.xlsx': [{ name: 'Data', rows }] })).toContain(
      `error ggr.xlsx › Data!A2: columns year, fx, ggr (or a column per year) are missing from the header; add them beside ${NAMES.join(', ')}`,
    );
  });
});

describe('a line of a csv with one field fewer than the others', () => {
  const figures = [
    ['1118', '2230', '3342'],
    ['1125', '2239', '3353'],
    ['1132', '2248', '3364'],
    ['1139', '2257', '3375'],
    ['1146', '2266', '3386'],
  ];
  const own = ['Casino Slots', 'Bingo', 'Keno', 'Poker', 'Lotto'];
  /** A wide file with changed fields of years. */
  const wide = (change: (fields: readonly string[], i: number) => readonly string[]) => {
    const heading = `${HEAD.replace('year,', '').replace(',ggr', '')},2022,2023,2024`;
    const [first = ''] = csvOf('ggr', ROWS).trim().split('\n').slice(1);
    const line = (fields: readonly string[], i: number) =>
      [first.replace(/^\d{4},|,\d+$/g, '').replace('Sport Betting', own[i] ?? ''), ...change(fields, i)].join(
        ',',
      );
    return [heading, ...figures.map(line), ''].join('\n');
  };
  const problemOf = (severity: string) => [
    `${severity} ggr.csv: 1 line has one field fewer than the 12 of most lines: line 4; check whether a separator is missing, which moves the values after it to the left`,
  ];

  it('is a warning where the file has empty fields at the ends of other lines, else a note', async () => {
    const joined = (fields: readonly string[], i: number) =>
      i === 2 ? [fields.slice(0, 2).join(''), ...fields.slice(2)] : fields;
    expect(await problemsOf({ 'ggr.csv': wide(joined) })).toEqual(problemOf('note'));
    const open = (fields: readonly string[], i: number) =>
      i === 4 ? [...fields.slice(0, 2), ''] : joined(fields, i);
    expect(await problemsOf({ 'ggr.csv': wide(open) })).toEqual(problemOf('warning'));
    // A line of nothing but separators counts as empty, too.
    const empty = `${wide(joined)}${','.repeat(11)}\n`;
    expect(await problemsOf({ 'ggr.csv': empty })).toEqual(problemOf('warning'));
  });

  it('is a problem of a line that lacks more fields, too', async () => {
    const cut = (fields: readonly string[], i: number) => (i === 2 ? fields.slice(0, 1) : fields);
    expect(await problemsOf({ 'ggr.csv': wide(cut) })).toEqual([
      'note ggr.csv: 1 line has fewer fields than the 12 of most lines: line 4; check whether a part of it is missing: what it lacks is read as empty',
    ]);
  });

  it('is a warning at the end of a file whose last line has no line end, because the file was cut', async () => {
    const whole = wide((fields) => fields);
    const cut = 'the last line has no line end and only 11 of the 12 fields of most lines';
    const [found = '', ...others] = await problemsOf({ 'ggr.csv': whole.slice(0, whole.lastIndexOf(',')) });
    expect([found.slice(0, found.indexOf(', like')), others]).toEqual([
      `warning ggr.csv: ${cut}`,
      [expect.stringContaining('one field fewer')],
    ]);
    // The last number may be cut off, which cannot be detected.
    expect(await problemsOf({ 'ggr.csv': whole.trimEnd() })).toEqual([
      expect.stringMatching(/^note ggr\.csv: the last line has no line end/),
    ]);
  });

  it('is none where a program leaves out the empty fields at the ends of lines', async () => {
    const without = (fields: readonly string[], i: number) =>
      i === 2 || i === 3 ? fields.slice(0, 2) : fields;
    expect(await problemsOf({ 'ggr.csv': wide(without) })).toEqual([]);
  });
});

describe('years', () => {
  it('that a program wrote as floating-point numbers are read, in cells and in headings', async () => {
    expect(await problemsOf({ 'ggr.csv': csv((line) => line.replace(/^(\d{4})/, '$1.0')) })).toEqual([]);
    const wide = `${HEAD.replace('year,', '').replace(',ggr', '')},2022.0,2023.0`;
    const cells = csvOf('ggr', ROWS.slice(0, 1))
      .trim()
      .split('\n')[1]
      ?.replace(/^\d{4},/, '');
    expect(await problemsOf({ 'ggr.csv': `${wide}\n${cells},5\n` })).toEqual([]);
    expect((await problemsOf({ 'ggr.csv': csv((line) => line.replace(/^(\d{4})/, '$1.5')) }))[0]).toMatch(
      /^error ggr\.csv › line 2, column year: year is "2022\.5"/,
    );
  });

  it('that are dates in the headings of a wide sheet are named as dates', async () => {
    const wide = `${HEAD.replace('year,', '').replace(',ggr', '')},2022-12-01`;
    const cells = csvOf('ggr', ROWS.slice(0, 1))
      .trim()
      .split('\n')[1]
      ?.replace(/^\d{4},/, '');
    expect(await problemsOf({ 'ggr.csv': `${wide}\n${cells}\n` })).toContain(
      'error ggr.csv › line 1, column 10: column "2022-12-01" is headed by a date; write the year alone, or give the cells the number format yyyy',
    );
  });

  it('without data that were filled with zeros are a warning', async () => {
    const products = ['Casino Slots', 'Sport Betting', 'Bingo', 'Keno'];
    const rows = products.flatMap((product, i) =>
      [2021, 2022, 2023].map((year) =>
        aRow('ggr', { year, product, ggr: year === 2021 ? 0 : 1000 + 17 * i + year }),
      ),
    );
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', rows) })).toEqual([
      'warning ggr.csv › line 2, column ggr: ggr is 0 in all 4 rows of 2021, and not in later years; leave the cell empty where a figure is missing',
    ]);
  });
});

describe('a value', () => {
  it('that was dragged down, so that it counts up, is a warning', async () => {
    const dragged = (product: string) => (line: string, i: number) =>
      line.replace('Sport Betting', `${product} ${i + 1}`);
    expect(await problemsOf({ 'ggr.csv': csv(dragged('Casino Slots')) })).toEqual([
      'warning ggr.csv › line 2, column product: product counts up over 3 rows: "Casino Slots 1", "Casino Slots 2" …; if the cell was dragged down, copy the one value into all of them',
    ]);
    // Three machines with several years each are three different machines.
    const several = [1, 2, 3].flatMap((n) =>
      YEARS.map((year, i) => aRow('ggr', { year, product: `Slots ${n}`, ggr: 100 * n + 7 ** i })),
    );
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', several) })).toEqual([]);
  });

  it('of temporal that is neither Current nor Forecast is a warning in a first load', async () => {
    expect(await problemsOf({ 'ggr.csv': csv((line) => line.replace('Current', 'Actual')) })).toEqual([
      'warning ggr.csv › line 2, column temporal: temporal "Actual" is neither Current nor Forecast (3 rows); write Current for reported figures and Forecast for the others, unless it is meant',
    ]);
  });

  it('that stands in a column of texts is a warning, or the sign of a shifted row', async () => {
    const rates = aRow('fx', { year: 2022, country: 'Malta' });
    const others = [2023, 2024].map((year) => aRow('fx', { ...rates, year }));
    const problems = async (ggr: (line: string) => string, calculation: string) => {
      month = await aMonth({
        'ggr.csv': csv((line, i) => (i === 0 ? ggr(line) : line)),
        'fx.csv': csvOf('fx', [rates, ...others]).replace(',Reported,', calculation),
      });
      const all = await month.problems();
      await month.remove();
      return all.filter((text) => !text.startsWith('note'));
    };
    expect(await problems((line) => line.replace(/Europe(.*),[^,]*$/, '1000$1,'), ',1,')).toEqual([
      'warning ggr.csv › line 2, column region: region is "1000", and the row was left out because it has no value; see that no separator or field is missing, which moves the values to the left',
      'warning fx.csv › line 2, column calculation: calculation "1" is a number (1 row); check whether the row lacks a separator or a field, which moves the values after it to the left',
    ]);
    expect(await problems((line) => line.replace(',Current,', ','), ',')).toEqual([
      expect.stringMatching(/^error fx\.csv › line 2, .* shifted by one to the left: calculation is "1"/),
      expect.stringMatching(/^error ggr\.csv › line 2, .* shifted by one to the left: temporal is "1000"/),
    ]);
    const named = [
      aRow('ggr', { product: '21', state: '12' }),
      aRow('ggr', { product: '21', state: '13', ggr: null }),
    ];
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', named) })).toEqual([
      'note ggr.csv › line 3, column year: a row without any value was left out',
    ]);
  });

  it('that databases write for nothing is a warning', async () => {
    const rows = ROWS.map((row) => ({ ...row, state: '\\N' }));
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', rows) })).toEqual([
      'warning ggr.csv › line 2, column state: state "\\N" looks like a word for no value (3 rows); leave the cell empty where there is no state',
    ]);
  });
});

describe('states', () => {
  it('in letters beside states in full are a warning', async () => {
    const rows = [
      ['', 2022, 700],
      ['Arizona', 2022, 300],
      ['Nevada', 2022, 310],
      ['', 2023, 730],
      ['AZ', 2023, 320],
      ['NV', 2023, 333],
    ].map(([state = null, year = null, ggr = null]) => aRow('ggr', { state, year, ggr }));
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', rows) })).toEqual([
      'warning ggr.csv › line 6, column state: states of Malta are in letters (AZ, NV, 2 rows) beside states in full, such as "Arizona"; write them alike',
    ]);
    const codes = rows.map((row) => ({
      ...row,
      state: String(row.state).slice(0, 2).toUpperCase(),
    }));
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', codes) })).toEqual([]);
    // Each country has its own way of writing states.
    const [malta, spain] = [codes, rows.slice(0, 3).map((row) => ({ ...row, country: 'Spain' }))];
    const countries = countryReference(['Malta', 'Spain']);
    const files = {
      'ggr.csv': csvOf('ggr', [...malta, ...spain]),
      'country_reference.csv': csvOf('country_reference', countries),
    };
    expect(await problemsOf(files)).toEqual([]);
  });
});

describe('a file that is not read', () => {
  it('is a warning where it is the only one that holds a source', async () => {
    const zipped = (name: string) => zipSync({ [name]: new Uint8Array(4) });
    month = await aMonth({
      'ggr-italy.xlsx.crdownload': new Uint8Array(4),
      'ggr-japan.xlsx - Shortcut.lnk': new Uint8Array(4),
      'ggr-kenya.xlsx.tmp': new Uint8Array(4),
      'ggr-spain.csv.gz': new Uint8Array(4),
      'ggr-france.zip': zipped('europe/ggr-france.xlsx'),
      'ggr.csv': csvOf('ggr', ROWS),
      // The other files are not reported: ggr.csv was read, or the file has no source in it.
      'ggr.csv.part': new Uint8Array(4),
      'ggr.csv.tmp': new Uint8Array(4),
      'sources.url': '[InternetShortcut]',
      'ggr - Shortcut.lnk': new Uint8Array(4),
      'ggr.csv.gz': new Uint8Array(4),
      'ggr-2026-11.zip': zipped('ggr.csv'),
      'turnover-notes.zip': zipped('notes.xlsx'),
      'ggr-broken.zip': new Uint8Array([0x50, 0x4b, 5, 6]),
      'report.pdf.part': new Uint8Array(4),
    });
    const problems = await month.problems();
    expect(problems.filter((problem) => /(?:which|whose file) was not read/.test(problem))).toEqual([
      'warning ggr-france.zip: holds ggr-france.xlsx, which was not read; unpack it into the folder',
      'warning ggr-italy.xlsx.crdownload: an unfinished download or copy of ggr-italy.xlsx, which was not read; get it again',
      'warning ggr-japan.xlsx - Shortcut.lnk: a shortcut, whose file was not read; copy the file itself into the folder',
      'warning ggr-kenya.xlsx.tmp: an unfinished download or copy of ggr-kenya.xlsx, which was not read; get it again',
      'warning ggr-spain.csv.gz: holds ggr-spain.csv, which was not read; unpack it into the folder',
    ]);
  });
});

/** The problems of files beside ggr.csv, sorted, each up to its remedy, which must not be missing. */
async function beginningsOf(names: readonly string[]): Promise<string[]> {
  const files = Object.fromEntries(names.map((name) => [name, 'x']));
  const problems = await problemsOf({ 'ggr.csv': csvOf('ggr', ROWS), ...files });
  return problems.map((text) => /^(.*?); ./.exec(text)?.[1] ?? `no remedy: ${text}`).sort();
}

const expectedOf = (cases: readonly (readonly [name: string, problem: string])[]) =>
  cases.map(([name, problem]) => `warning ${name}: ${problem}`).sort();

describe('a hidden file', () => {
  it('is a warning where the folder lacks its file', async () => {
    const cases = [
      ['.ggr-a.xlsx.icloud', 'a placeholder of ggr-a.xlsx, which is only in the cloud and was not read'],
      ['.ggr-b.csv.part', 'an unfinished copy of ggr-b.csv, which was not read'],
      ['.ggr-c.csv.Xy12Zq', 'an unfinished copy of ggr-c.csv, which was not read'],
      ['.ggr-d.csv.~5f2a', 'an unfinished copy of ggr-d.csv, which was not read'],
      ['.syncthing.ggr-e.csv.tmp', 'an unfinished copy of ggr-e.csv, which was not read'],
      ['~$ggr-f.xlsx', 'ggr-f.xlsx is open in a program, and not in the folder'],
      ['.~lock.ggr-g.xlsx#', 'ggr-g.xlsx is open in a program, and not in the folder'],
    ] as const;
    expect(await beginningsOf(cases.map(([name]) => name))).toEqual(expectedOf(cases));
  });

  it('is not where its file is in the folder, and one that stands for no source is ignored', async () => {
    const hidden = [
      '.ggr.csv.icloud',
      '.ggr.csv.part',
      '.DS_Store',
      '.ggr.csv.swp',
      '.notes.txt.icloud',
      '~$notes.docx',
    ];
    const files = Object.fromEntries(hidden.map((name) => [name, 'x']));
    expect(await problemsOf({ 'ggr.csv': csvOf('ggr', ROWS), ...files })).toEqual([]);
  });

  it('that locks a file of the folder is a note: a program has it open', async () => {
    for (const lock of ['~$ggr.csv', '.~lock.ggr.csv#'])
      expect(await problemsOf({ 'ggr.csv': csvOf('ggr', ROWS), [lock]: 'x' })).toEqual([
        'note ggr.csv: is open in a program, whose unsaved changes were not read; save it and publish again if they count',
      ]);
  });
});

describe('a placeholder or an unfinished download of another program', () => {
  it('is a warning', async () => {
    const cases = [
      ['ggr-a.xlsx.nextcloud', 'a placeholder of ggr-a.xlsx, which is only in the cloud and was not read'],
      ['ggr-b.csv.owncloud', 'a placeholder of ggr-b.csv, which is only in the cloud and was not read'],
      ['ggr-c.csv.!ut', 'an unfinished download or copy of ggr-c.csv, which was not read'],
      ['Unconfirmed 12345.crdownload', 'an unfinished download, which was not read'],
    ] as const;
    expect(await beginningsOf(cases.map(([name]) => name))).toEqual(expectedOf(cases));
  });

  it('is an error where it is an empty file in the format of a source', async () => {
    const names = ['ggr-1.xlsx', 'ggr-2.csv', 'ggr-3.ods', 'ggr-4.parquet'];
    const problems = await problemsOf(Object.fromEntries(names.map((name) => [name, ''])));
    const expected = names.map((name) => expect.stringMatching(`^unreadable ${name}: is empty .0 bytes.; .`));
    expect(problems).toEqual(expected);
  });
});

describe('a text file', () => {
  it('is a warning where it is named as a dataset and begins with its columns', async () => {
    month = await aMonth({
      'ggr-asia.txt': 'Gross gaming revenue\n\nYear\tCountry\tGGR\n2024\tMalta\t1\n',
      'fx.txt': Buffer.from('\uFEFFyear;region;country\n', 'utf16le'),
      'ggr-notes.txt': 'The country reports late; the year, and ggr, follow in June.\n',
      'notes.txt': 'year,country,ggr\n',
    });
    const problems = await month.problems();
    expect(problems.filter((problem) => problem.includes('.txt:'))).toEqual([
      'warning fx.txt: holds a table, which was not read; rename it to fx.csv',
      'warning ggr-asia.txt: holds a table, which was not read; rename it to ggr-asia.csv',
      'note ggr-notes.txt: not a spreadsheet, csv or Parquet file; left alone',
      'note notes.txt: not a spreadsheet, csv or Parquet file; left alone',
    ]);
  });
});

describe('a table in a format that is not read', () => {
  const unread = async () => (await month?.problems())?.filter((problem) => /jsonl?\b/.test(problem));

  it('is an error where it is the only file that is named after its dataset', async () => {
    month = await aMonth({
      'ggr.jsonl': '{"year":2024}\n',
      'turnover-asia.ndjson': '{"year":2024}\n',
      'events.jsonl': '{}\n',
    });
    expect(await unread()).toEqual([
      'unreadable ggr.jsonl: .jsonl files are not read; save it as .csv or .parquet',
      'unreadable turnover-asia.ndjson: .ndjson files are not read; save it as .csv or .parquet',
      'note events.jsonl: not a spreadsheet, csv or Parquet file; left alone',
    ]);
    const lacking = (await month.problems()).filter((problem) => problem.includes('has no source'));
    expect(lacking.filter((problem) => /ggr|turnover/.test(problem))).toEqual([]);
  });

  it('is a warning beside other files of the dataset, unless it may be an export or a description of one', async () => {
    month = await aMonth({
      'ggr.csv': csvOf('ggr', ROWS),
      'ggr.jsonl': '{"year":2024}\n',
      'ggr-asia.jsonl': '{"year":2024}\n',
      'ggr-metadata.json': '{}\n',
    });
    expect(await unread()).toEqual([
      'warning ggr-asia.jsonl: .jsonl files are not read; save it as .csv or .parquet',
      'note ggr-metadata.json: .json files are not read; save it as .csv or .parquet if its rows count',
      'note ggr.jsonl: .jsonl files are not read; save it as .csv or .parquet if its rows count',
    ]);
  });
});

describe('a copy of a file', () => {
  it('is one error that names both, and is not read', async () => {
    const rows = csvOf('ggr', ROWS);
    month = await aMonth({ 'ggr.csv': rows, 'ggr (1).csv': rows, 'ggr-2.csv': rows, 'turnover.csv': rows });
    expect((await month.problems()).filter((problem) => problem.includes('ggr.csv'))).toEqual([
      'error ggr-2.csv: has the same content as ggr.csv; move one of the two away',
      'error ggr (1).csv: has the same content as ggr.csv; move one of the two away',
    ]);
    expect((await month.problems()).filter((problem) => problem.includes('duplicate'))).toEqual([]);
  });

  it('is no error where the file is a template without rows', async () => {
    const empty = csvOf('ggr', []);
    month = await aMonth({ 'ggr.csv': csvOf('ggr', ROWS), 'ggr-asia.csv': empty, 'ggr-europe.csv': empty });
    expect((await month.problems()).filter((problem) => problem.includes('same content'))).toEqual([]);
  });
});

describe('an archive', () => {
  it('is to be unpacked', async () => {
    month = await aMonth({ 'more.zip': new Uint8Array([0x50, 0x4b, 5, 6]), 'photo.png': new Uint8Array(4) });
    const problems = await month.problems();
    expect(problems).toContain(
      'note more.zip: not a spreadsheet, csv or Parquet file; unpack it into the folder',
    );
    expect(problems).toContain('note photo.png: not a spreadsheet, csv or Parquet file; left alone');
  });
});

describe('a folder within the folder', () => {
  it('is not read, and a note says so', async () => {
    month = await aMonth();
    await mkdir(path.join(month.directory, 'old'));
    await month.write({ 'old/ggr.csv': 'not a table' });
    expect(await month.problems()).toEqual(['note old/: a folder is not read; move its files up']);
  });

  it('is a warning where it is named after a dataset, as partitioned tables are', async () => {
    month = await aMonth();
    for (const folder of ['ggr', 'ggr-old', 'turnover_by_year'])
      await mkdir(path.join(month.directory, folder, 'year=2024'), { recursive: true });
    const remedy = (dataset: string) =>
      `move its files up, each named after ${dataset}; write a partitioned table as one file, because the names of its folders, such as year=2024, are a column`;
    expect(await month.problems()).toEqual([
      `warning ggr/: a folder is not read, and this one is named after ggr; ${remedy('ggr')}`,
      `warning turnover_by_year/: a folder is not read, and this one is named after turnover; ${remedy('turnover')}`,
      'note ggr-old/: a folder is not read; move its files up',
    ]);
  });
});

it('merged cells without a state are rows of the country as a whole', async () => {
  const sheet = { name: 'Data', rows: cellsOf('ggr', ROWS), merged: ['D2:D4'] };
  expect(await problemsOf({ 'ggr.xlsx': [sheet] })).toEqual([]);
});
