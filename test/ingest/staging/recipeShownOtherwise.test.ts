// Where SQL reads a sheet differently than people do, a recipe reports the same problems as plain reading.

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CellInput, SheetInput } from '../../../ingest/workbook/sheets.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import { some } from '../../support/depth.ts';
import { partOf, relationshipsOf, SHEET_PART, workbookWith } from '../../support/handmadeZip.ts';
import { aMonth, type Content } from '../../support/month.ts';
import { odsCells, odsNumber, odsRow, odsRows, odsText } from '../../support/ods.ts';
import { SELECTS } from '../../support/selects.ts';

type Rows = SheetInput['rows'];

/** A header in row 1 and these figures below it in column C. */
const figures = (...all: readonly CellInput[]): Rows => [
  ['Country', 'Year', 'GGR'],
  ...all.map((figure, i) => ['Malta', 2020 + i, figure]),
];

/** The same figures in one number format. */
const shown = (format: string, ...values: readonly number[]): Rows =>
  figures(...values.map((value) => ({ value, format })));

/** For each sheet: its rows, and the problems when a recipe reads them below a header. */
const FIGURES: Readonly<Record<string, readonly [rows: Rows, ...expected: readonly string[]]>> = {
  turned: [shown('0;0', -404), 'error C2: holds -404, and its number format shows "404"; give the cell'],
  bracketed: [shown('(0)', 404), 'error C2: holds 404, and its number format shows "(404)"'],
  estimate: [shown('0"E"', 2026), 'error C2: holds 2026, and its number format shows "2026E"'],
  united: [
    shown('0" m"', 404),
    'warning C2: holds 404, which SQL reads, and its number format shows "404 m"; multiply it in the SELECT if the figures are in millions',
  ],
  'too little divided': [
    shown('0.0,"m"', 404_000),
    'warning C2: holds 404000, which SQL reads, and its number format shows "404 m"; multiply it in the SELECT if the figures are in thousands',
  ],
  divided: [
    shown('#,##0,', 404_000),
    'warning C2: holds 404000, which SQL reads, and its number format shows 404; check that the SELECT does not multiply it',
  ],
  'divided by its unit': [
    shown('0.0,,"m"', 404_000_000),
    'note C2: holds 404000000 in full, which SQL reads, and its number format divides it',
  ],
  percent: [shown('0%', 0.05), 'note C2: holds 0.05, which SQL reads, and shows it as percent'],
  worded: [shown('"n/a"', 404), 'warning C2: 1 cell is shown as a text, by a number format without digits'],
  unseen: [shown(';;;', 404), 'warning C2: 1 cell is shown as nothing'],
  plain: [figures({ value: 404, format: '#,##0.00' }, { value: 404, format: '"€"#,##0' })],
  alike: [
    figures(...['m', 'm', 'k', 'm'].map((unit) => ({ value: 4, format: `0" ${unit}"` }))),
    'warning C2: holds 4, which SQL reads, and its number format shows "4 m" (first of 3)',
    'warning C4: holds 4, which SQL reads, and its number format shows "4 k"; ',
  ],
  many: [
    shown('0;0', ...Array.from({ length: 30 }, (_, i) => -1 - i)),
    ...Array.from(
      { length: 20 },
      (_, i) => `error C${i + 2}: holds ${-1 - i}, and its number format shows "${i + 1}"`,
    ),
    'error whole: 10 more cells: their number formats show other numbers',
  ],
  'percent beside others': [
    figures(4, 0, { value: 0.05, format: '0%' }),
    'warning C4: shows 0.05 as percent, and C2 shows 4 without; SQL reads both alike; give column C one number format, or set "values": true for this table in recipe.json',
    'note C4: holds 0.05',
  ],
  'two currencies': [
    figures({ value: 4, format: '"€"0' }, 4, { value: 4, format: '"$"0' }),
    'warning C4: shows a figure in $, and C2 one in €; SQL reads the figures alone',
  ],
  'header of estimates': [
    [
      ['Country', 'GGR', { value: 2026, format: '0"E"' }],
      ['Malta', 4, 5],
    ],
    'error C1: holds 2026, and its number format shows "2026E"',
  ],
  title: [
    [['Revenue, EUR thousands'], ['Country', 'Year', 'GGR'], ['Malta', 2020, 4]],
    'note A1: "Revenue, EUR thousands" says that figures are in thousands, and SQL reads them as they stand',
  ],
  'title of a draft': [
    [
      ['Country', 'Year', 'GGR (DRAFT)'],
      ['Malta', 2020, 4],
    ],
    'warning C1: "GGR (DRAFT)" says that the figures do not count, and they were read like all others',
  ],
  heading: [
    [
      ['Country', 'Year', 'GGR (EUR m)'],
      ['Malta', 2020, 4],
    ],
    'note C1: "GGR (EUR m)" says that figures are in millions',
  ],
  'dots in texts': [
    figures('404.021', '3', '1.500'),
    'warning C2: holds "404.021", and all 2 numbers like it in column C have three digits after a dot, which SQL takes for decimals',
  ],
  'decimals in texts': [figures('404.021', '1.5', '2.500')],
  'digits left': [
    figures('1.2E+07', '4', '1.3E+07'),
    'warning C2: holds "1.2E+07", digits of a longer number (first of 2); format the column as a number',
  ],
  'few short exponents': [figures('1.80851e+08', '1.95251e+08', '2.19019e+08', '2.33019e+08')],
  'short exponents': [
    figures(...['1.80851e+08', '1.95251e+08', '2.19019e+08', '2.33019e+08', '1.09101e+08']),
    'warning C2: holds "1.80851e+08", and all 5 such numbers of the column have seven digits or fewer',
  ],
  'short exponents beside long ones': [
    figures(
      ...['1.80851e+08', '1.95251e+08', '2.19019e+08', '2.33019e+08', '1.09101e+08', '1.091012345e+10'],
    ),
  ],
  'decimals left out': [
    figures('6.12E-05', '4', '1.300001E-05', '6.1e-05'),
    'warning C2: holds "6.12E-05", digits of a longer number; format the column as a number',
  ],
  'nearly 0': [
    figures('1e-400', '0e-400', `0.${'0'.repeat(330)}1`, '1e-300'),
    'warning C2: holds "1e-400", closer to 0 than the smallest number: SQL reads it as 0 (first of 2); correct the figure',
  ],
  'nearly a year': [
    [
      ['Country', 2022, 2023, '2024p', { date: '2025-12-31' }, 'Note'],
      ['Malta', 4, 5, 6, 7, 'x'],
    ],
    'warning D1: the column "2024p" is headed by a year with a mark behind it, beside 2 columns headed by years; check that the SELECT reads it',
    'warning E1: the column "2025-12-31" is headed by a date, beside 2 columns headed by years',
  ],
  footnote: [
    [['Country', 'Year', 'GGR'], ['Malta', 2020, 4], [], ['In EUR thousands.'], ['Peru', 'EUR m', 5]],
    'note A4: "In EUR thousands." says that figures are in thousands',
  ],
  'notes beside': [
    [
      ['Country', 'Year', 'GGR', ''],
      ['Malta', 2020, 4, null, 'checked'],
      ['Peru', 2020, 4],
    ],
    'note E2: 1 row has values to the right of the last heading; SQL reads them in columns called by their letters',
  ],
  'EUR m': [figures(4), 'note whole: "EUR m" says that figures are in millions'],
};

/** Further sheets of the workbook with FIGURES. `TABLES` says how each of them is read. */
const OTHERS: readonly SheetInput[] = [
  { name: 'blocks', rows: figures(4, { value: 4, format: '"€"0' }, { value: 4, format: '"$"0' }) },
  {
    name: 'known',
    rows: [
      ['EUR thousands'],
      ...figures(...['0;0', '0" m"', '#,##0,', '0%', ';;;'].map((format) => ({ value: -4, format }))),
    ],
  },
  { name: 'away', rows: figures(4, 5), state: 'hidden', merged: ['A2:A3', 'A1:B1'] },
];

const TABLES = {
  ...Object.fromEntries(
    Object.keys(FIGURES).map((sheet, i) => [
      `t${i}`,
      { file: 't.xlsx', sheet, header: sheet === 'title' ? 2 : 1 },
    ]),
  ),
  blocks: { file: 't.xlsx', sheet: 'blocks', cells: true },
  known: { file: 't.xlsx', sheet: 'known', header: 2, values: true },
  away: { file: 't.xlsx', sheet: 'away', header: 1 },
  hiding: { file: 'hiding.xlsx', cells: true },
  again: { file: 'hiding.xlsx', header: 1 },
  printed: { file: 'printed.xlsx', header: 1 },
  quiet: { file: 'printed-again.xlsx', header: 1, values: true },
  totals: { file: 'totals.xlsx', header: 1 },
  ods: { file: 'misshown.ods', header: 1 },
  odd: { file: 'odd.tsv', header: 1 },
  cut: { file: 'cut.tsv', header: 1 },
  moved: { file: 'moved.tsv', header: 1 },
};

const PLAIN = workbook([{ name: 'Data', rows: figures(4, 5) }]);
const SHEET = partOf(PLAIN, SHEET_PART);
const printed = workbookWith(
  {
    [SHEET_PART]: SHEET.replace(
      '</worksheet>',
      '<headerFooter><oddHeader>&amp;LEUR in thousands</oddHeader></headerFooter></worksheet>',
    ),
  },
  PLAIN,
);
const TOTALS = workbookWith(
  {
    [SHEET_PART]: SHEET.replace(
      '</worksheet>',
      '<tableParts count="1"><tablePart r:id="rId1"/></tableParts></worksheet>',
    ).replace(
      '<worksheet ',
      '<worksheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ',
    ),
    ...relationshipsOf(['table', '../tables/table1.xml']),
    'xl/tables/table1.xml':
      '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:C3" totalsRowCount="1"/>',
  },
  PLAIN,
);
const LINES = ['Country\tYear\tGGR', ...Array.from({ length: 9 }, (_, i) => `Malta\t${2010 + i}\t4`)];

const FILES: Readonly<Record<string, Content>> = {
  't.xlsx': [...Object.entries(FIGURES).map(([name, [rows]]) => ({ name, rows })), ...OTHERS],
  'hiding.xlsx': workbookWith({ [SHEET_PART]: SHEET.replace('<row r="3"', '<row r="3" hidden="1"') }, PLAIN),
  'printed.xlsx': printed,
  'printed-again.xlsx': printed,
  'totals.xlsx': TOTALS,
  'misshown.ods': odsRows(
    odsCells('Country', 'Year', 'GGR') +
      odsRow(odsText('Malta'), odsNumber(2020), odsNumber(-404).replace('>-404<', '>404<')),
  ),
  'odd.tsv': `${[...LINES, 'Malta\t2020\t1\t'].join('\n')}\n`,
  'cut.tsv': LINES.join('\n'),
  'moved.tsv': `${[...LINES, 'Malta\t2020\t1\t234', 'Malta\t2021\t1\t234'].join('\n')}\n`,
};

/** A SELECT of ggr that reads a table or a step of the recipe, by its name. */
const ggrOf = (table: string) => `${SELECTS['ggr.sql']} WHERE (SELECT count(*) FROM ${table}) > 0`;
const UNITED = {
  'united.xlsx': [{ name: 'EUR m', rows: shown('0" m"', 404) }],
  'printed.xlsx': printed,
};
const READING = {
  titled: { file: 'united.xlsx', header: 1 },
  printed: { file: 'printed.xlsx', header: 1 },
};

describe('a recipe whose tables state units', () => {
  const problemsWith = async (options: object, ggr: string) => {
    const month = await aMonth(
      {
        ...SELECTS,
        ...UNITED,
        'ggr.sql': ggr,
        'both.sql': 'SELECT _row FROM titled UNION ALL SELECT _row FROM printed',
        'recipe.json': JSON.stringify({ tables: READING, steps: ['both'], ...options }),
      },
      true,
    );
    try {
      const problems = await month.problems({ recipe: month.directory });
      return problems.filter((problem) => /thousands|millions/.test(problem));
    } finally {
      await month.remove();
    }
  };

  const READ: readonly (readonly [what: string, options: object, ggr: string, units: readonly string[]])[] = [
    ['a SELECT that reads them through a step', { scale: 'ggr=1e6' }, ggrOf('both'), ['thousands']],
    ['a SELECT that affirms its figures', { scale: 'ggr.sql=ggr=1' }, ggrOf('both'), []],
    ['a SELECT that reads one of them', { scale: 'ggr=1e3' }, ggrOf('printed'), ['millions', 'millions']],
    [
      'a SELECT that is not scaled',
      { scale: 'turnover=1e6' },
      ggrOf('both'),
      ['millions', 'millions', 'thousands'],
    ],
  ];
  it.each(some(READ, 1))(
    'is told of them unless scale answers them in %s',
    async (_, options, ggr, units) => {
      const found = await problemsWith(options, ggr);
      expect(found.map((problem) => /thousands|millions/.exec(problem)?.[0]).sort()).toEqual(units);
    },
  );
});

describe('a recipe', () => {
  let problems: readonly string[];
  // One run serves all tests, because every recipe starts a process.
  beforeAll(async () => {
    const month = await aMonth(
      { ...SELECTS, ...FILES, 'recipe.json': JSON.stringify({ tables: TABLES }) },
      true,
    );
    try {
      problems = await month.problems({ recipe: month.directory });
    } finally {
      await month.remove();
    }
  });

  /** The problems of a file or a sheet, as `severity cell: message`. */
  const problemsAt = (place: string) =>
    problems.flatMap((problem) => {
      const [severity = ''] = problem.split(' ', 1);
      const rest = problem.slice(severity.length + 1);
      if (!rest.startsWith(place)) return [];
      const behind = rest.slice(place.length);
      if (behind.startsWith(': ')) return [`${severity} whole${behind}`];
      return /^(?:!| › )/.test(behind) ? [`${severity} ${behind.replace(/^(?:!| › )/, '')}`] : [];
    });

  it.each(Object.entries(FIGURES))(
    'reports what the sheet "%s" shows and SQL does not read',
    (name, [, ...expected]) => {
      expect(problemsAt(`t.xlsx › ${name}`)).toEqual(expected.map((one) => expect.stringContaining(one)));
    },
  );

  it('says nothing of columns that differ where no header names them', () => {
    expect(problemsAt('t.xlsx › blocks')).toEqual([]);
  });

  it('may know units and number formats, which are notes then, and gets problems about cells that do not count', () => {
    expect(problemsAt('t.xlsx › known')).toEqual([
      expect.stringContaining('warning C7: 1 cell is shown as nothing'),
      'note C3: holds -4, and its number format shows "4"',
      expect.stringContaining('note C6: shows -4 as percent, and C3 shows -4 without'),
      'note C4: holds -4, which SQL reads, and its number format shows "-4 m"',
      'note C5: holds -4, which SQL reads, and its number format shows -0.004',
    ]);
    expect(problemsAt('printed-again.xlsx › Data')).toEqual([
      'note whole: the print header "EUR in thousands" says that figures are in thousands, and SQL reads them as they stand',
    ]);
  });

  it('gets a problem about a unit outside the cells', () => {
    expect(problemsAt('printed.xlsx › Data')).toEqual([
      'warning whole: the print header "EUR in thousands" says that figures are in thousands, and SQL reads them as they stand; multiply them in the SELECT if they are, and then set "values": true for this table in recipe.json',
    ]);
  });

  it('gets problems about hidden sheets, hidden rows and merged cells, once however many tables read them', () => {
    expect(problemsAt('t.xlsx › away')).toEqual([
      'note whole: is a hidden sheet, and was read because recipe.json names it',
      'note A2: the cells A2:A3 are merged, and SQL reads the value in the first only',
    ]);
    expect(problemsAt('hiding.xlsx › Data')).toEqual([
      'note whole: 1 row is hidden, and was read like all others: 3',
    ]);
  });

  it('gets a problem about the totals of a table object, which plain reading leaves out', () => {
    expect(problemsAt('totals.xlsx › Data')).toEqual([
      'note A3: holds the totals of the table T, which SQL reads as a row like all others',
    ]);
  });

  it('gets the problems of .ods and csv that plain reading gives', () => {
    expect(problemsAt('misshown.ods › Data')).toEqual([
      expect.stringContaining('error C2: holds -404, and its number format shows "404"'),
    ]);
    expect(problemsAt('odd.tsv')).toEqual([
      expect.stringMatching(/^warning .*more than the 3 fields.*line 11/),
    ]);
    expect(problemsAt('moved.tsv')).toEqual([
      'warning line 11: 2 rows have values to the right of the last heading; SQL reads them in columns called by their letters; see that no value has a separator in it; write such a value in quotes',
    ]);
    expect(problemsAt('cut.tsv')).toEqual([expect.stringMatching(/^note .*no line end/)]);
  });

  it('gets no other problems', () => {
    const places = Object.keys(FILES).map((file) => `(?:error|warning|note) ${file}`);
    expect(problems.filter((problem) => !new RegExp(`^(?:${places.join('|')})`).test(problem))).toEqual([]);
  });
});
