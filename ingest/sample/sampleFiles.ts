// Makes the files of a month. They differ in form, like the files that people send.

import { columnNames, datasetOf, metricNames } from '../../src/catalog/datasets.ts';
import type { SheetInput } from '../workbook/sheets.ts';
import { workbook } from '../workbook/workbook.ts';
import { capitalised, type Heading, headings, sentence } from './headings.ts';
import { type Columns, longSheet, wideSheet } from './layouts.ts';
import { notes, SYNTHETIC } from './notes.ts';
import type { GgrRow, SampleRows } from './sampleRows.ts';
import type { Month } from './tables/calendar.ts';
import { LAST_CLOSED_YEAR } from './tables/calendar.ts';
import { PRODUCTS } from './tables/taxonomy.ts';

/** The workbooks and csv files of a month by name. `writeSample.ts` writes turnover as a Parquet file. */
export function sampleFiles(month: Month, rows: SampleRows): ReadonlyMap<string, Uint8Array> {
  const ggr = blemished(rows.ggr);
  const rowsIn = (...regions: readonly string[]) => ggr.filter(({ region }) => regions.includes(region));
  return new Map([
    ['ggr-europe.xlsx', workbook([europe(month, rowsIn('Europe'))])],
    ['ggr-americas.xlsx', americas(month, rowsIn('North America'), rowsIn('Latin America and Caribbean'))],
    ['ggr-rest-of-world.xlsx', workbook([restOfWorld(rowsIn('Africa', 'Asia and Middle East', 'Oceania'))])],
    ['fx.csv', encoded(csvText(EUROPEAN_CSV, FX_HEADINGS, rows.fx))],
    ['country.xlsx', workbook(countrySheets(rows))],
    ['country-reference.csv', encoded(csvText(PLAIN_CSV, REFERENCE_HEADINGS, rows.country_reference))],
  ]);
}

/** The form in which spreadsheet programs write csv in countries with decimal commas. */
const EUROPEAN_CSV: CsvForm = { separator: ';', lineEnd: '\r\n', mark: true };
const PLAIN_CSV: CsvForm = { separator: ',', lineEnd: '\n', mark: false };

const americas = (month: Month, north: readonly GgrRow[], latin: readonly GgrRow[]) =>
  workbook([northAmerica(north), latinAmerica(latin), notes(month), LISTS], { strings: 'inline' });

const WHOLE = '#,##0';

/** Long form: a database export to which a person added a title, a date and a footnote. */
const europe = (month: Month, rows: readonly GgrRow[]): SheetInput =>
  longSheet(
    {
      name: 'Data',
      title: `Gross gaming revenue, Europe. ${SYNTHETIC}`,
      preamble: [
        ['Last updated', { date: `${month}-02` }],
        ['Unit: whole units of the currency in column FX'],
      ],
      headerRow: 5,
      headings: headings(GGR_COLUMNS, capitalised, { year: '0', ggr: WHOLE }),
      empty: null,
      footnote: 'Source: synthetic sample. Offshore revenue is that of residents, wherever it is licensed.',
    },
    rows,
  );

/** Long form, with a sheet for each author. Each sheet has its own order of columns and spelling of headings. */
const northAmerica = (rows: readonly GgrRow[]): SheetInput =>
  longSheet(
    {
      name: 'North America',
      title: `Gross gaming revenue, North America. ${SYNTHETIC}`,
      preamble: [],
      headerRow: 3,
      headings: headings(
        'country state region category product channel sub_channel year temporal fx ggr'.split(' '),
        (column) => column.replace('_', '-'),
        { ggr: WHOLE },
      ),
      empty: '',
    },
    rows,
  );

const latinAmerica = (rows: readonly GgrRow[]): SheetInput =>
  longSheet(
    {
      name: 'Latin America and Caribbean',
      title: `Gross gaming revenue, Latin America and Caribbean. ${SYNTHETIC}`,
      preamble: [],
      headerRow: 3,
      headings: headings(GGR_COLUMNS, (column) => column.toUpperCase(), { ggr: WHOLE }),
      empty: '',
    },
    rows,
  );

/** A hidden sheet with the values of drop-down lists. It holds no data. */
const LISTS: SheetInput = {
  name: 'Lists',
  state: 'hidden',
  rows: [
    ['Category', 'Product', 'Channel', 'Sub Channel'],
    ...Object.values(PRODUCTS).flatMap(({ category, product, channel, subChannels }) =>
      subChannels.map((subChannel) => [category, product, channel, subChannel]),
    ),
  ],
};

/** Wide form, with the forecast years typed as text. */
const restOfWorld = (rows: readonly GgrRow[]): SheetInput =>
  wideSheet(
    {
      name: 'GGR',
      title: `Gross gaming revenue, rest of the world. ${SYNTHETIC}`,
      headerRow: 5,
      band: 'Calendar year',
      headings: headings(
        GGR_COLUMNS.filter((column) => column !== 'year' && column !== 'ggr'),
        (column) => (column === 'sub_channel' ? 'Sub\nChannel' : capitalised(column)),
      ),
      yearHeading: (year) => (year > LAST_CLOSED_YEAR ? String(year) : year),
      format: () => WHOLE,
    },
    rows,
    'ggr',
  );

/** Wide form, with a row for each metric. */
function countrySheets({ country }: SampleRows): readonly SheetInput[] {
  const rows = country.flatMap((row) =>
    metricNames('country').map(
      (metric): Columns => ({ ...row, metric, value: (row as Columns)[metric] ?? null }),
    ),
  );
  const sheet = (name: string, title: string, chosen: readonly Columns[]) =>
    wideSheet(
      {
        name,
        title: `${title}. ${SYNTHETIC}`,
        headerRow: 3,
        headings: headings(['region', 'country', 'state', 'temporal', 'calculation', 'metric'], capitalised),
        yearHeading: (year) => year,
        format: ({ metric }) => (metric === 'inflation' ? '0.0' : WHOLE),
      },
      chosen,
      'value',
    );
  return [
    sheet(
      'Countries',
      'Country indicators',
      rows.filter(({ state }) => state === ''),
    ),
    sheet(
      'States',
      'State indicators',
      rows.filter(({ state }) => state !== ''),
    ),
  ];
}

const GGR_COLUMNS = columnNames('ggr');
const FX_HEADINGS = headings(columnNames('fx'), sentence);
const REFERENCE_HEADINGS = headings(datasetOf('country_reference').dimensions, (column) => column);

const encoded = (text: string) => new TextEncoder().encode(text);

interface CsvForm {
  readonly separator: ',' | ';';
  readonly lineEnd: '\n' | '\r\n';
  /** Whether the text begins with a byte order mark, as in files of spreadsheet programs. */
  readonly mark: boolean;
}

/** A line of headings and a line for each row. A text is quoted only when it must be. */
function csvText(form: CsvForm, headings: readonly Heading[], rows: readonly Columns[]): string {
  const { separator, lineEnd, mark } = form;
  const quoted = (text: string) =>
    [separator, '"', '\n'].some((special) => text.includes(special))
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const line = (cells: readonly string[]) => cells.map(quoted).join(separator) + lineEnd;
  return [
    mark ? '\ufeff' : '',
    line(headings.map(({ text }) => text)),
    ...rows.map((row) => line(headings.map(({ column }) => String(row[column] ?? '')))),
  ].join('');
}

interface Blemish {
  readonly country: string;
  /** Whether a row has the fault. `index` counts the rows of a country from 0. */
  readonly has: (row: GgrRow, index: number) => boolean;
  readonly typed: (name: string) => string;
}

/** Small faults of real workbooks. The ingest notes and corrects them. */
const BLEMISHES: readonly Blemish[] = [
  { country: 'Malta', has: (_, index) => [0, 40, 80].includes(index), typed: (name) => `${name} ` },
  { country: 'Peru', has: (_, index) => [0, 40].includes(index), typed: (name) => `\u00a0${name}` },
  {
    country: 'Curaçao',
    has: (row) => row.product === 'Casino Slots' && row.channel === 'Land' && row.fx === 'USD',
    typed: (name) => name.normalize('NFD'),
  },
];

/** The rows with some country names mistyped: spaces around them, or decomposed letters. */
function blemished(rows: readonly GgrRow[]): readonly GgrRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const index = seen.get(row.country) ?? 0;
    seen.set(row.country, index + 1);
    const blemish = BLEMISHES.find(({ country, has }) => country === row.country && has(row, index));
    return blemish === undefined ? row : { ...row, country: blemish.typed(row.country) };
  });
}
