// Writes the sources for the benchmarks of the ingest. Every run writes the same rows.

import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CellInput } from '../ingest/workbook/sheets.ts';
import { writeWorkbook } from '../ingest/workbook/workbook.ts';
import { datasetOf } from '../src/catalog/datasets.ts';
import { literal, openDuckDb } from '../src/duckdb.ts';

export interface Sources {
  /** A folder for `ingest publish`: the measured file, and a small file for every other dataset. */
  readonly directory: string;
  readonly file: string;
  readonly rows: number;
  readonly columns: number;
  /** The number of facts that ggr must have after the publication. */
  readonly facts: number;
  /** The sum of ggr in hundredths, so that it is exact. */
  readonly sumCents: number;
}

export type SourcesName = 'small' | 'workbook' | 'wide' | 'csv' | 'parquet';

/**
 * A part of the folders' names. It must be raised when the content changes, because folders of earlier runs are used again.
 */
const VERSION = 2;

/** Writes the sources into the temporary folder, unless an earlier run has written them. */
export async function sourcesOf(name: SourcesName): Promise<Sources> {
  const directory = path.join(os.tmpdir(), `data-api-bench-sources-${VERSION}-${name}`);
  const { file, rows, years } = SHAPES[name];
  const cells = tableOf(rows, years);
  const wanted = { directory, file: path.join(directory, file), rows, columns: cells.columns };
  if (!existsSync(directory)) {
    const fresh = `${directory}.${process.pid}`;
    mkdirSync(fresh);
    for (const [other, text] of Object.entries(OTHERS)) writeFileSync(path.join(fresh, other), text);
    await WRITERS[path.extname(file)]?.(path.join(fresh, file), cells.walk());
    renameSync(fresh, directory);
  }
  return { ...wanted, facts: rows * Math.max(1, years), sumCents: sumOf(rows * Math.max(1, years)) };
}

/**
 * The same rows for two ways to publish them: as one month of several files, and as one month for each of these files.
 * `sumCents` is always the sum of all files.
 */
export async function severalFiles(): Promise<{
  readonly whole: Sources;
  readonly parts: readonly Sources[];
}> {
  const { rows, years } = SHAPES.workbook;
  const share = Math.ceil(rows / SEVERAL);
  const cells = tableOf(rows, years);
  const root = path.join(os.tmpdir(), `data-api-bench-sources-${VERSION}-several`);
  const nameOf = (part: number) => `ggr-${part + 1}.xlsx`;
  const folderOf = (part: number | 'whole') => path.join(root, `${part}`);
  const partNumbers = Array.from({ length: SEVERAL }, (_, part) => part);
  if (!existsSync(root)) {
    const fresh = `${root}.${process.pid}`;
    for (const part of ['whole', ...partNumbers]) {
      mkdirSync(path.join(fresh, `${part}`), { recursive: true });
      for (const [other, text] of Object.entries(OTHERS))
        writeFileSync(path.join(fresh, `${part}`, other), text);
    }
    for (const part of partNumbers) {
      const file = path.join(fresh, `${part}`, nameOf(part));
      await WRITERS['.xlsx']?.(file, cells.walk(part * share, Math.min(rows, (part + 1) * share)));
      copyFileSync(file, path.join(fresh, 'whole', nameOf(part)));
    }
    renameSync(fresh, root);
  }
  const sourcesIn = (part: number | 'whole', facts: number): Sources => ({
    directory: folderOf(part),
    file: path.join(folderOf(part), nameOf(part === 'whole' ? 0 : part)),
    rows: facts,
    columns: cells.columns,
    facts,
    sumCents: sumOf(rows),
  });
  return {
    whole: sourcesIn('whole', rows),
    parts: partNumbers.map((part) => sourcesIn(part, Math.min(rows, (part + 1) * share) - part * share)),
  };
}

/** The number of files of the month of `severalFiles`. */
const SEVERAL = 4;

/** `years` is the number of year columns of a wide sheet; 0 means the long form. `rows` does not count the header. */
const SHAPES: Readonly<Record<SourcesName, { file: string; rows: number; years: number }>> = {
  small: { file: 'ggr.xlsx', rows: 30_000, years: 0 },
  workbook: { file: 'ggr.xlsx', rows: 1_048_575, years: 0 },
  wide: { file: 'ggr.xlsx', rows: 37_000, years: 19 },
  csv: { file: 'ggr.csv', rows: 1_000_000, years: 0 },
  parquet: { file: 'ggr.parquet', rows: 3_000_000, years: 0 },
};

const PRODUCTS = [
  ['Betting', 'Sport Betting'],
  ['Betting', 'Horse Racing'],
  ['Gaming', 'Casino Slots'],
  ['Gaming', 'Casino Tables'],
  ['Gaming', 'Poker'],
  ['Gaming', 'Bingo'],
  ['Lottery', 'Draw Games'],
  ['Lottery', 'Instant Games'],
] as const;
const CHANNELS = [
  ['Online', 'Onshore'],
  ['Online', 'Offshore'],
  ['Land', 'Onshore'],
] as const;
const CURRENCIES = ['USD', 'EUR', 'GBP'];
const COUNTRIES = 100;
/** The number of countries in tables that have more rows than combinations with `COUNTRIES`. */
const MANY_COUNTRIES = 250;
const STATES = 8;
const FIRST_YEAR = 2003;
const YEARS = 24;

const countryOf = (i: number) => `Country ${String(i).padStart(3, '0')}`;
const regionOf = (i: number) => `Region ${i % 6}`;

/** Generates rows without duplicates. Their order is far from the row order, so that sorting is not easier than usual. */
function tableOf(rows: number, years: number) {
  const yearHeads = Array.from({ length: years }, (_, i) => String(FIRST_YEAR + i));
  const head = [
    ...(years === 0 ? ['Year'] : []),
    ...['Region', 'Country', 'State', 'Category', 'Product', 'Channel', 'Sub-channel', 'fx', 'Temporal'],
    ...(years === 0 ? ['GGR'] : yearHeads),
  ];
  /** Yields the header, then the rows from `from` up to, not including, `to`. */
  function* walk(from = 0, to = rows): Iterable<CellInput[]> {
    yield head;
    const values = centsOf();
    for (let skipped = from * Math.max(1, years); skipped > 0; skipped--) values.next();
    const countries = rows > 1_200_000 ? MANY_COUNTRIES : COUNTRIES;
    const all = countries * STATES * PRODUCTS.length * CHANNELS.length * CURRENCIES.length * YEARS;
    // The step is coprime to the number of combinations, so no combination comes twice before all have come.
    const step = 1_000_003;
    for (let i = from; i < to; i++) {
      let rest = (i * step) % (years === 0 ? all : all / YEARS);
      const take = (count: number) => {
        const index = rest % count;
        rest = (rest - index) / count;
        return index;
      };
      const country = take(countries);
      const [category, product] = PRODUCTS[take(PRODUCTS.length)] ?? PRODUCTS[0];
      const [channel, subChannel] = CHANNELS[take(CHANNELS.length)] ?? CHANNELS[0];
      const fx = CURRENCIES[take(CURRENCIES.length)] ?? '';
      const state = take(STATES);
      const dimensions = [
        regionOf(country),
        countryOf(country),
        state === 0 ? null : `State ${country % 7}-${state}`,
        category,
        product,
        channel,
        subChannel,
        fx,
        'Current',
      ];
      if (years === 0) yield [FIRST_YEAR + take(YEARS), ...dimensions, nextOf(values) / 100];
      else yield [...dimensions, ...yearHeads.map(() => nextOf(values) / 100)];
    }
  }
  return { columns: head.length, walk };
}

/** Amounts between 1.00 and 10.7 million, in hundredths. The linear congruential sequence is the same on every machine. */
function* centsOf(): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield 100 + (state >>> 2);
  }
}

const nextOf = (values: Generator<number, never>): number => values.next().value;

function sumOf(facts: number): number {
  const values = centsOf();
  let sum = 0;
  for (let i = 0; i < facts; i++) sum += nextOf(values);
  return sum;
}

type Writer = (file: string, rows: Iterable<CellInput[]>) => void | Promise<void>;

/** Extension of a file → the function that writes it. */
const WRITERS: Readonly<Record<string, Writer>> = {
  '.xlsx'(file, rows) {
    const descriptor = openSync(file, 'w');
    writeWorkbook([{ name: 'Data', rows }], {}, (chunk) => void writeSync(descriptor, chunk));
    closeSync(descriptor);
  },
  '.csv': writeCsv,
  async '.parquet'(file, rows) {
    const csv = `${file}.csv`;
    writeCsv(csv, rows);
    const database = await openDuckDb();
    // The rows stay unsorted, like the result of a query. Years and values become numbers.
    await database.connections[0].run(
      `COPY (FROM read_csv(${literal(csv)}, header = true)) TO ${literal(file)} (FORMAT parquet)`,
    );
    database.close();
    rmSync(csv);
  },
};

function writeCsv(file: string, rows: Iterable<CellInput[]>): void {
  const descriptor = openSync(file, 'w');
  let text = '';
  for (const row of rows) {
    text += `${row.join(',')}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(descriptor, text);
    text = '';
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
}

const lines = (...rows: readonly (readonly (string | number)[])[]) =>
  `${rows.map((row) => row.join(',')).join('\n')}\n`;

/** The other files of a month. */
const OTHERS: Readonly<Record<string, string>> = {
  'turnover.csv': lines(
    [...datasetOf('turnover').dimensions, 'turnover'],
    [
      2024,
      regionOf(0),
      countryOf(0),
      '',
      'Betting',
      'Sport Betting',
      'Online',
      'Onshore',
      'USD',
      'Current',
      1,
    ],
  ),
  'fx.csv': lines(
    [
      'year',
      'region',
      'country',
      'state',
      'fx_local_currency',
      'temporal',
      'calculation',
      'fx_constant_usd',
      'fx_current_eur',
      'fx_constant_eur',
      'fx_current_usd',
    ],
    [2024, regionOf(0), countryOf(0), '', 'USD', 'Current', 'Reported', 1, 1, 1, 1],
  ),
  'country.csv': lines(
    [
      'year',
      'region',
      'country',
      'state',
      'temporal',
      'calculation',
      'gdp_local_currency',
      'gdp_usd',
      'adult_population',
      'inflation',
    ],
    [2024, regionOf(0), countryOf(0), '', 'Current', 'Reported', 1, 1, 1, 1],
  ),
  'country_reference.csv': lines(
    ['region', 'country', 'country_type'],
    ...Array.from({ length: MANY_COUNTRIES }, (_, i) => [regionOf(i), countryOf(i), 'Tracked']),
  ),
};
