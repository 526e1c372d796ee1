// The checks read the rows of a small month in memory, and those of a large month by SQL. Both must find the same.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AcceptedYears } from '../../../ingest/checks/acceptedYears.ts';
import { checkRows } from '../../../ingest/checks/checks.ts';
import { stageMonth } from '../../../ingest/commands/publish/stagedMonth.ts';
import { Problems } from '../../../ingest/messages/problems.ts';
import { MOST_ROWS_IN_MEMORY } from '../../../ingest/staging/database/rowsInMemory.ts';
import type { Staging } from '../../../ingest/staging/database/staging.ts';
import { KnownValues } from '../../../ingest/staging/knownValues.ts';
import { DATASET_NAMES, type DatasetName, metricNames } from '../../../src/catalog/datasets.ts';
import { isDeep, runs } from '../../support/depth.ts';
import { aMonth, csvOf, publishDefaults, SILENT } from '../../support/month.ts';
import { openStaging } from '../../support/openStaging.ts';
import { SEED } from '../../support/seed.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

type Data = Record<DatasetName, Row[]>;

const COUNTRIES = ['Austria', 'Belgium', 'Croatia', 'Denmark', 'Estonia'];
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'DKK', 'EUR'];
const PRODUCTS = ['Bingo', 'Poker', 'Lotto', 'Keno'];
const YEARS = [2021, 2022, 2023, 2024, 2025];

/** A month of this many countries, without a fault. */
function plain(countries: number): Data {
  const all = COUNTRIES.slice(0, countries);
  const ofMarkets = all.flatMap((country, c) =>
    PRODUCTS.flatMap((product, p) =>
      [CURRENCIES[c] ?? '', 'USD'].flatMap((fx, f) =>
        YEARS.map((year, y) => {
          const size =
            23_456_789 * (c + 1) + 7_654_321 * (p + 1) ** 2 + 1_234_567 * y + 77_777 * ((c + p) % 3);
          const figure = Math.round(f === 0 ? size : 1.1 * size);
          return { country, product, category: p < 2 ? 'Gaming' : 'Lottery', fx, year, figure };
        }),
      ),
    ),
  );
  const ofYears = all.flatMap((country, c) => YEARS.map((year, y) => ({ country, year, c, y })));
  return {
    ggr: ofMarkets.map(({ figure, ...row }) => aRow('ggr', { ...row, ggr: figure })),
    turnover: ofMarkets.map(({ figure, ...row }) => aRow('turnover', { ...row, turnover: 10 * figure })),
    fx: ofYears.map(({ country, year, c, y }) =>
      aRow('fx', {
        ...{ country, year, fx_local_currency: CURRENCIES[c] ?? '' },
        ...{ fx_current_usd: 1.1 + y / 100, fx_constant_usd: 1.1, fx_current_eur: 1, fx_constant_eur: 1 },
      }),
    ),
    country: ofYears.map(({ country, year, c, y }) =>
      aRow('country', {
        ...{
          country,
          year,
          gdp_usd: 4e11 + 9e10 * c + 1.3e10 * y,
          gdp_local_currency: 3.7e11 + 8e10 * c + 1.2e10 * y,
        },
        ...{ adult_population: 5_000_011 + 70_003 * y + 900_001 * c, inflation: 2.1 + c / 10 + y / 7 },
      }),
    ),
    country_reference: all.map((country) => aRow('country_reference', { country })),
  };
}

/** Makes a fault: returns the rows that replace `row`. `rows` are all rows of its dataset. */
type Fault = (row: Row, metric: string, rows: readonly Row[]) => readonly Row[];

const changed =
  (change: (row: Row, metric: string) => Row): Fault =>
  (row, metric) => [{ ...row, ...change(row, metric) }];
const valued = (value: number | null) => changed((_, metric) => ({ [metric]: value }));
const times = (factor: number) => changed((row, metric) => ({ [metric]: Number(row[metric]) * factor }));

/** Adds the total of the row's country, currency and year. */
const withTotal =
  (product: string): Fault =>
  (row, metric, rows) => {
    const parts = rows.filter((one) => ['country', 'fx', 'year'].every((name) => one[name] === row[name]));
    return [row, { ...row, product, [metric]: parts.reduce((sum, one) => sum + Number(one[metric]), 0) }];
  };

/** Faults that are errors. A month with an error is not checked for what is plausible. */
const ERRORS: Readonly<Record<string, Fault>> = {
  twice: (row) => [row, row],
  absurd: valued(2e101),
  'other region': changed(() => ({ region: 'Asia' })),
  'also in another region': (row) => [row, { ...row, region: 'Asia' }],
  'unknown country': changed(() => ({ country: 'Atlantis' })),
  'year of another century': changed((row) => ({ year: Number(row.year) - 200 })),
};

/** Faults that are warnings or nothing. */
const WARNINGS: Readonly<Record<string, Fault>> = {
  'with a total': withTotal('All'),
  'with a total of another name': withTotal('Sundry'),
  'listed twice': (row, metric) => (metric === '' ? [row, { ...row, region: 'Asia' }] : [row]),
  'with two states': (row, metric) => [
    row,
    { ...row, state: 'North', [metric]: Math.round(Number(row[metric]) * 0.7) },
    { ...row, state: 'South', [metric]: Math.round(Number(row[metric]) * 0.3) },
  ],
  'of states alone': (row) => [{ ...row, state: 'North' }],
  gone: () => [],
  empty: valued(null),
  zero: valued(0),
  tiny: valued(0.004),
  'a limit of a column': valued(2 ** 31 - 1),
  'the same limit below zero': valued(-(2 ** 31 - 1)),
  huge: valued(3.5e21),
  'huge below zero': valued(-3.5e21),
  thousandfold: times(1000),
  'a third': times(1 / 3),
  negative: times(-1),
  'Persian year': changed((row) => ({ year: Number(row.year) - 621 })),
  'Buddhist year': changed((row) => ({ year: Number(row.year) + 543 })),
  'far year': changed((row) => ({ year: Number(row.year) + 30 })),
  'later year': changed((row) => ({ year: Number(row.year) + 6 })),
  forecast: changed(() => ({ temporal: 'Forecast' })),
  'odd temporal': changed(() => ({ temporal: 'Estimated' })),
  'other category': changed((row) => ({ category: `${row.category}s` })),
  'another currency': changed(() => ({ fx: 'GBP', fx_local_currency: 'GBP' })),
};

/** Where a fault is: in one row, or in all rows of the row's country, of its year in the country, or of its series. */
const EXTENTS: readonly (readonly string[])[] = [
  ['country', 'product', 'fx', 'year'],
  ['country', 'year'],
  ['country', 'product', 'fx'],
];

interface Drawn {
  readonly fault: Fault;
  readonly dataset: DatasetName;
  readonly row: number;
  readonly extent: number;
}

const ofFaults = (faults: Readonly<Record<string, Fault>>, minLength: number, maxLength: number) =>
  fc.array(
    fc.record({
      fault: fc.constantFrom(...Object.values(faults)),
      dataset: fc.constantFrom(...DATASET_NAMES, 'ggr', 'ggr', 'turnover'),
      row: fc.nat({ max: 999 }),
      extent: fc.constantFrom(0, 0, 1, 2),
    }),
    { minLength, maxLength },
  );

function damage(data: Data, { fault, dataset, row, extent }: Drawn): void {
  const rows = data[dataset];
  const chosen = rows[row % Math.max(1, rows.length)];
  if (chosen === undefined) return;
  const metrics = metricNames(dataset);
  const metric = metrics[row % Math.max(1, metrics.length)] ?? '';
  const same = EXTENTS[extent] ?? [];
  data[dataset] = rows.flatMap((one) =>
    same.every((name) => one[name] === chosen[name]) ? fault(one, metric, rows) : [one],
  );
}

/** Lets the checks take the datasets for large ones: their rows are then read from the database. */
function asLarge(staging: Staging): void {
  for (const name of DATASET_NAMES) staging.buffer(name).dropRowsInMemory();
  const { addedRows } = staging;
  staging.addedRows = (dataset) => addedRows.call(staging, dataset) + MOST_ROWS_IN_MEMORY;
}

/** Parts of warnings that only small months get: of large months, these checks would take too long. */
const OF_SMALL_MONTHS = [
  'of a country without its own currency',
  'ggr of a year is another share of turnover than in the years beside it',
];

/** What the checks find in the rows as a small month, and as a large one. */
async function foundIn(data: Data, published: readonly string[]) {
  const files = DATASET_NAMES.map((name) => [`${name}.csv`, csvOf(name, data[name])] as const);
  const month = await aMonth(Object.fromEntries(files));
  const staging = await openStaging();
  try {
    const workDir = path.join(month.dataDir, 'work');
    await mkdir(workDir, { recursive: true });
    const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
    const { reading, known: none } = await stageMonth(options, staging, workDir, SILENT);
    const present = new Set([...reading.facts].flatMap(([name, facts]) => (facts > 0 ? [name] : [])));
    const dimensions = { country: published.map((value) => ({ value, rows: 1 })) };
    const known =
      published.length === 0
        ? none
        : new KnownValues({ datasets: { ggr: { rows: 1, years: [], dimensions } } });
    const check = async () => {
      const problems = new Problems();
      const { incomplete } = reading;
      await checkRows({
        staging,
        present,
        incomplete,
        publishedValues: known,
        carried: new Set(),
        acceptedYears: new AcceptedYears(),
        month: '2026-11',
        problems,
      });
      return problems.list();
    };
    const small = await check();
    asLarge(staging);
    return { small, large: await check() };
  } finally {
    staging.close();
    await month.remove();
  }
}

interface DrawnMonth {
  readonly countries: number;
  /** The countries of ggr that were published before. */
  readonly published: readonly string[];
  readonly faults: readonly Drawn[];
  readonly errors: readonly Drawn[];
}

/** A month whose only fault is this one, in the first row. Random draws rarely have one fault alone. */
const alone = (fault: Fault | undefined, dataset: DatasetName): [DrawnMonth] => [
  {
    ...{ countries: 3, published: [], errors: [] },
    faults: fault === undefined ? [] : [{ fault, dataset, row: 0, extent: 0 }],
  },
];
const RARE = [
  alone(WARNINGS['with a total of another name'], 'ggr'),
  alone(WARNINGS['listed twice'], 'country_reference'),
  alone(WARNINGS['far year'], 'ggr'),
  alone(WARNINGS['of states alone'], 'ggr'),
  alone(WARNINGS.gone, 'ggr'),
  alone(WARNINGS['Buddhist year'], 'turnover'),
  alone(ERRORS['year of another century'], 'turnover'),
];

it('are the same', async () => {
  const kinds = new Set<string>();
  const months: fc.Arbitrary<DrawnMonth> = fc.record({
    countries: fc.integer({ min: 1, max: COUNTRIES.length }),
    published: fc.constantFrom([], [], COUNTRIES.slice(1)),
    faults: ofFaults(WARNINGS, 4, 12),
    errors: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, ofFaults(ERRORS, 1, 2)),
  });
  await fc.assert(
    fc.asyncProperty(months, async ({ countries, published, faults, errors }) => {
      const data = plain(countries);
      for (const fault of [...faults, ...errors]) damage(data, fault);
      const { small, large } = await foundIn(data, published);
      const both = small.filter(({ kind }) => !OF_SMALL_MONTHS.some((one) => kind.endsWith(one)));
      expect(both).toEqual(large);
      for (const { kind } of small) kinds.add(kind);
    }),
    { numRuns: runs(4, 40), seed: SEED, endOnFailure: !isDeep, examples: RARE },
  );
  expect(kinds.size).toBeGreaterThan(isDeep ? 10 : 5);
});
