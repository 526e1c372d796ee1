// Csv files are read field by field, or refused with a remedy.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvRecords } from '../../../../../ingest/sources/readers/csv/csvRecords.ts';
import { openCsv } from '../../../../../ingest/sources/readers/csv/reader.ts';
import { openFile } from '../../../../../ingest/sources/readers/openFile.ts';
import { rowsOf, withFile } from '../../../../support/sourceFile.ts';

const read = (text: string | Uint8Array, name = 'a.csv') => rowsOf(name, text);

describe('a csv', () => {
  it('gives every cell as text, and an empty field as an empty cell', async () => {
    expect(await read('year,country,ggr\n2020, Malta ,1.50\n2021,"",\n,,7\n')).toEqual([
      [1, 'year', 'country', 'ggr'],
      [2, '2020', ' Malta ', '1.50'],
      [3, '2021'],
      [4, null, null, '7'],
    ]);
  });

  it('numbers rows by the line on which they begin, blank lines and line breaks in quotes counted', async () => {
    expect(await read('a,b\n\n1,"x\r\ny\nz"\n,\n2,3\r\r\n4,5')).toEqual([
      [1, 'a', 'b'],
      [3, '1', 'x\r\ny\nz'],
      [7, '2', '3'],
      [9, '4', '5'],
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('ends its lines with %j', async (end) => {
    expect(await read(['a;b', '1;2', ''].join(end))).toEqual([
      [1, 'a', 'b'],
      [2, '1', '2'],
    ]);
  });

  it.each([
    ['a,b\n1,2\n', 0],
    ['a,b\r1,2\r', 0],
    ['a,b\n1,2', 1],
  ])('says of a file whose last line has no end that it may be cut: %j', async (text, remarks) => {
    await withFile('a.csv', text, async (file) => {
      const { tables, close } = await openFile(file, 'a.csv');
      expect((await tables[0]?.findings())?.remarks).toHaveLength(remarks);
      await close();
    });
  });

  it.each([
    // In the odd line, 1,234 is a number with a thousands separator. The years 2023 and 2024 would get 1 and 234.
    ['one line that is longer by an empty field', 'a,2023,2024\nb,1,234,\nc,5,6\nd,7,8\n', 'line 2'],
    ['several', 'a,2023,2024\nc,5,6\nb,1,234,\nd,7,8\ne,1,2,,\nf,7,8\n', 'line 3 is the first'],
    ['none where all lines end so', 'a,2023,2024,\nb,1,234,\nc,5,6,\n', null],
    ['none where most lines do', 'a,2023,2024\nb,1,234,\nc,5,6,\n', null],
    ['none for titles and footnotes', 'GGR\na,2023,2024\nb,1,2\nc,5\n\nNote\n', null],
  ])('warns of %s', async (_, text, expected) => {
    await withFile('a.csv', text, async (file) => {
      for (const kinds of [null, ['texts', 'numbers', 'numbers'] as const]) {
        const { tables, close } = await openCsv(file, 'a.csv', 4);
        const [table] = tables;
        const reading = await table?.read?.();
        await reading?.first();
        for await (const _batch of (kinds ? reading?.columns(kinds) : reading?.rows()) ?? []);
        const problems = (await table?.findings())?.remarks.map(({ problem }) => problem) ?? [];
        expect(problems).toEqual(
          expected === null ? [] : [expect.stringContaining(`in an empty one: ${expected}`)],
        );
        await close();
      }
    });
  });

  it('takes quotes as RFC 4180 does, and as text where they do not begin a field', async () => {
    expect(await read('a,"b ""c"", d"\n"""",5" pipe\n')).toEqual([
      [1, 'a', 'b "c", d'],
      [2, '"', '5" pipe'],
    ]);
  });

  it('is read with a byte order mark, and with rows of any width', async () => {
    expect(await read('\ufeffa,b\n1\n1,2,3\n')).toEqual([
      [1, 'a', 'b'],
      [2, '1'],
      [3, '1', '2', '3'],
    ]);
  });

  it.each([
    ['a,b\n1;2,3\n', ','],
    ['country;2020;2021\nMalta;1,5;2,5\nSpain;3,5;4,5\n', ';'],
    ['Sales, by country, 2024\n\nyear;country;ggr\n2020;Malta;1\n2020;"Congo; D, R, of";2\n', ';'],
    ['a\tb\n1,5\t2,5\n', '\t'],
    ['a|b\n1|2', '|'],
    ['one column\nand, perhaps, a comma\nor not\nat all\n', ','],
  ])('finds out what separates %j', async (text, separator) => {
    const [, first] = text.split('\n').filter((line) => line !== '');
    const cells = (await read(text)).find(([row]) => row === text.split('\n').indexOf(first ?? '') + 1);
    expect(cells?.slice(1)).toEqual(first?.split(separator));
  });

  it('gives back any table, whatever its separator, its line ends and where the pieces are cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', ',', ';', '"', '\n', '\r', 'é', '🎲', ' ') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const separator = fc.constantFrom(',', ';', '\t', '|');
    const piece = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(table, lineEnd, separator, piece, (rows, end, between, size) => {
        const quoted = (text: string) =>
          /^[a1é🎲 ]*$/u.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((row) => row.map(quoted).join(between) + end).join('');
        const records = new CsvRecords('a.csv', between);
        const bytes = Buffer.from(text);
        const read: unknown[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          read.push(...records.push(bytes.subarray(at, at + size)).map(({ cells }) => cells));
        }
        read.push(...records.end().map(({ cells }) => cells));
        const expected = rows
          .map((row) => row.map((each) => (each === '' ? null : each)))
          .map((row) => row.slice(0, row.findLastIndex((each) => each !== null) + 1));
        expect(read).toEqual(expected.filter((row) => row.length > 0));
      }),
    );
  });

  it('may be read again', async () => {
    await withFile('a.csv', 'a,b\n1,2\n', async (path) => {
      const file = await openFile(path, 'a.csv');
      const [table] = file.tables;
      const lengths: number[] = [];
      for (let time = 0; time < 2; time++)
        for await (const batch of table?.rows() ?? []) lengths.push(batch.length);
      expect(lengths).toEqual([2, 2]);
      await file.close();
    });
  });

  it('is read as tsv the same way', async () => {
    expect(await read('a\tb\n"1\t2"\t3', 'a.TSV')).toEqual([
      [1, 'a', 'b'],
      [2, '1\t2', '3'],
    ]);
  });
});

describe('a csv is refused, with the line and the remedy,', () => {
  it.each([
    ['an unclosed quote', 'a,b\n1,"x\ny\n2,3\n', ' › line 2: a quote opens here and is never closed; '],
    ['an unclosed quote below a line break', 'a,b\n"1\n2","x', ' › line 3: a quote opens here '],
    [
      'text after a quote',
      'a,b\n1,"x" y\n',
      ' › line 2: text follows a closing quote; delete a stray quote; write a quote inside a field twice, as ""',
    ],
    [
      'a stray quote above an honest one',
      'a,b\n1,"x\n2,y\n3,"y, z"\n',
      ' › line 2: a quote opens here, and text follows the next single quote, on line 4; close it on this line, or delete it if it is stray; ',
    ],
    [
      'a quote that is closed on no line of its field',
      'a,b\n"1","x\n"2","y"\n',
      ' › line 2: a quote opens here, and text follows the next single quote, on line 3; close it on this line',
    ],
    ['a quote after a space', 'a,b\n1, "x, y"\n', ' › line 2: a quote follows a space; '],
    ['Latin-1', Buffer.from('a,b\n1,2\nT\xfcrkiye,3\n', 'latin1'), ' › line 3: is not valid UTF-8; '],
    ['a cut character', Buffer.from([0x61, 0x2c, 0xc3]), ' › line 1: is not valid UTF-8; '],
    [
      'Latin-1 below a line break in quotes',
      Buffer.from('a,b\n1,"x\ny\n\xfc"\n', 'latin1'),
      ' › line 4: is not valid UTF-8; ',
    ],
    ['UTF-16 with a mark', Buffer.from('\ufeffa,b\n', 'utf16le'), ': is UTF-16 text; save it as "CSV UTF-8"'],
    ['UTF-16 without one', Buffer.from('a,b\n', 'utf16le'), ': is UTF-16, UTF-32 or binary, not a csv; '],
    [
      'UTF-32, low bytes first',
      Buffer.from('fffe000061000000', 'hex'),
      ': is UTF-32 text; save it as "CSV UTF-8"',
    ],
    ['UTF-32, high bytes first', Buffer.from('0000feff00000061', 'hex'), ': is UTF-32 text; save it as '],
    [
      'zeros behind a cut copy',
      `a,b\n${'1,2\n'.repeat(50)}${'\0'.repeat(4096)}`,
      ' › line 52: holds a NUL character; ',
    ],
    ['a NUL far down', `${'a,b\n'.repeat(20_000)}a,b\0\n`, ' › line 20001: holds a NUL character; '],
    ['a workbook', Buffer.from('PK\x03\x04rest'), ': is a workbook or another zip file, not a csv; '],
    ['a Parquet file', 'PAR1rest', ': is a Parquet file, not a csv; '],
    ['nothing', '', ': is empty (0 bytes); '],
    ['too many fields', `a,b\n${','.repeat(16_384)}\n`, ' › line 2: has more than 16,384 fields; '],
    [
      'a record of 17 MB',
      `a,b\n${'x'.repeat(17 * 2 ** 20)}`,
      ' › line 2: begins a record of more than 16 MB',
    ],
    [
      'an open quote before 17 MB',
      `a,b\nc,"${'x\n'.repeat(9 * 2 ** 20)}`,
      ' › line 2: a quote opens here and is not closed within 16 MB; close it',
    ],
  ])('for %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({
      name: 'UnreadableError',
      message: expect.stringContaining(`a.csv${message}`),
    });
  });
});
