// Splits random correct months into tables in many ways, and prints which tables look like those of the month before.
// Arguments: FROM TO, the first and the last seed. A line is a `SplitResult`.

import {
  tablesOfMonthBefore,
  unchangedTables,
} from '../../../ingest/commands/publish/earlierMonths/tablesOfMonthBefore.ts';
import type { MatchedRows } from '../../../ingest/compare/rows/matchedRows.ts';
import { MOST_SAMPLED_ROWS, type SampledRow } from '../../../ingest/staging/database/sampleTables.ts';
import { type DatasetName, datasetOf, dimensionOf, metricNames } from '../../../src/catalog/datasets.ts';
import { aGuardWorld, type GuardWorld } from '../../support/guardWorld.ts';
import { honestMonth } from '../../support/honestMonths.ts';
import { QUIET_MONTHS, quietMonth } from '../quietMonths.ts';

export interface SplitResult {
  /** The kind of the month and its seed. */
  readonly month: string;
  readonly dataset: DatasetName;
  /** How the month was split, and into how many tables. */
  readonly split: string;
  readonly tables: number;
  /** The tables that are reported as saved again. */
  readonly reported: readonly string[];
}

type Row = Readonly<Record<string, string | number>>;

/** The name of the table to which a row belongs. */
type Split = (row: Row) => string;

/** The dataset for even seeds, and that for odd ones. */
const DATASETS = [
  ['ggr', 'fx'],
  ['turnover', 'country'],
] as const;

/** A hash that orders the countries, so that each seed groups them differently. */
const hashed = (text: string, seed: number): number => {
  let hash = 2_166_136_261 ^ seed;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
};

function groupsOf(rows: readonly Row[], size: number, seed: number): Split {
  const names = [...new Set(rows.map(({ country }) => String(country)))];
  names.sort((a, b) => hashed(a, seed) - hashed(b, seed));
  const groups = new Map(names.map((name, i) => [name, `group ${Math.floor(i / size)}`]));
  return ({ country }) => groups.get(String(country)) ?? '';
}

/** Splits rows by the local currency of their country. Countries with figures in USD and EUR only are one group. */
function currenciesOf(rows: readonly Row[]): Split {
  const own = new Map<string, string>();
  for (const { country, fx } of rows) if (fx !== 'USD' && fx !== 'EUR') own.set(String(country), String(fx));
  return ({ country }) => own.get(String(country)) ?? 'USD or EUR';
}

/** The ways to split a dataset. A way whose columns the dataset lacks makes one table, which is never reported. */
function splitsOf(rows: readonly Row[], seed: number): Readonly<Record<string, Split>> {
  const by =
    (...names: string[]): Split =>
    (row) =>
      names.map((name) => row[name] ?? '').join(', ');
  const years =
    (size: number): Split =>
    ({ year }) =>
      `${Math.floor(Number(year) / size)}`;
  const both =
    (a: Split, b: Split): Split =>
    (row) =>
      `${a(row)}; ${b(row)}`;
  const [eight, forty] = [groupsOf(rows, 8, seed), groupsOf(rows, 40, seed)];
  const own = currenciesOf(rows);
  return {
    region: by('region'),
    category: by('category'),
    channel: by('channel'),
    'sub-channel': by('sub_channel'),
    product: by('product'),
    'product and channel': by('product', 'channel'),
    currency: by('fx'),
    'own currency': own,
    temporal: by('temporal'),
    'region and temporal': by('region', 'temporal'),
    'region and category': by('region', 'category'),
    'region and product': by('region', 'product'),
    'region and currency': by('region', 'fx'),
    'states apart': ({ state }) => (state === '' ? 'nations' : 'states'),
    'year by year': years(1),
    'four years': years(4),
    'ten years': years(10),
    'eight countries': eight,
    'forty countries': forty,
    'eight countries and temporal': both(eight, by('temporal')),
    'forty countries and four years': both(forty, years(4)),
    'forty countries and product': both(forty, by('product')),
    'first letter': ({ country }) => String(country).slice(0, 1),
    metric: by('metric'),
    'metric and region': by('metric', 'region'),
    'metric and forty countries': both(by('metric'), forty),
  };
}

/** The rows of a dataset, one for each of its metrics. */
async function rowsOf(world: GuardWorld, dataset: DatasetName, table: string): Promise<Row[]> {
  const { dimensions } = datasetOf(dataset);
  const metrics = metricNames(dataset);
  const found = await world.rows(`SELECT ${[...dimensions, ...metrics].join(', ')} FROM ${table}`);
  return found.flatMap((cells) =>
    metrics.flatMap((metric, m) =>
      cells[dimensions.length + m] === null
        ? []
        : [{ ...Object.fromEntries(dimensions.map((name, i) => [name, cells[i]])), metric, m } as Row],
    ),
  );
}

/** The rows in the form of a sample, each with its table, and the texts of the codes. */
function codedRows(dataset: DatasetName, rows: readonly Row[]): { coded: SampledRow[]; texts: string[] } {
  const { dimensions } = datasetOf(dataset);
  const isOneMetric = metricNames(dataset).length === 1;
  const texts: string[] = [];
  const codes = new Map<string, number>();
  const codeOf = (text: string) => {
    const code = codes.get(text) ?? texts.push(text) - 1;
    codes.set(text, code);
    return code;
  };
  const coded = rows.map((row, table) => ({
    table,
    metric: isOneMetric ? -1 : Number(row.m),
    dimensions: dimensions.map((name) =>
      dimensionOf(name).type === 'text' ? codeOf(String(row[name])) : Number(row[name]),
    ),
  }));
  return { coded, texts };
}

/** Prints the findings of the rule for each split of a dataset. */
function printSplits(month: string, matched: MatchedRows, rows: readonly Row[], seed: number): void {
  const { dataset } = matched.codes;
  const { coded, texts } = codedRows(dataset, rows);
  const textOf = (code: number) => texts[code] ?? '';
  const table = { sheet: null, facts: 1, sampledRows: 1 };
  const alone = rows.map((_, i) => ({ ...table, file: `${i}` }));
  const still = new Set(
    unchangedTables(matched, { dataset, tables: alone, rows: coded }, textOf).map(({ file }) => Number(file)),
  );
  for (const [name, split] of Object.entries(splitsOf(rows, seed))) {
    const tables = new Map<string, number[]>();
    for (const [i, row] of rows.entries()) {
      const file = split(row);
      const list = tables.get(file);
      if (list === undefined) tables.set(file, [i]);
      else list.push(i);
    }
    if (tables.size < 2) continue;
    const samples = [...tables].map(([file, all]) => {
      const step = Math.ceil(all.length / MOST_SAMPLED_ROWS);
      return { file, facts: all.length, some: all.filter((i) => hashed(`${i}`, 0) % step === 0) };
    });
    const asked = samples.map(({ file, facts, some }) => ({
      file,
      sheet: null,
      facts,
      sampledRows: some.length,
    }));
    // When every table has changed, the rule reports nothing.
    const found = samples.some(({ some }) => some.every((i) => still.has(i)))
      ? tablesOfMonthBefore(
          matched,
          {
            dataset,
            tables: asked,
            rows: samples.flatMap(({ some }, at) =>
              some.flatMap((i) => (coded[i] === undefined ? [] : [{ ...coded[i], table: at }])),
            ),
          },
          textOf,
        )
      : [];
    const result: SplitResult = {
      month: `${month} ${seed}`,
      dataset,
      split: name,
      tables: tables.size,
      reported: found.map(({ file }) => file),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}

const [from = 1, to = 0] = process.argv.slice(2).map(Number);
const world = await aGuardWorld();
try {
  for (let seed = from; seed <= to; seed++)
    for (const month of ['honest', QUIET_MONTHS[Math.floor(seed / 2) % QUIET_MONTHS.length] ?? '']) {
      const ofMonth: GuardWorld = {
        run: (...statements) => world.run(...statements),
        rows: (select) => world.rows(select),
        close: () => world.close(),
        guarded: async (tables) => {
          const rows: Partial<Record<DatasetName, Row[]>> = {};
          for (const dataset of DATASETS[seed % 2] ?? [])
            rows[dataset] = await rowsOf(world, dataset, tables[dataset] ?? `before_${dataset}`);
          const onMatched = (matched: MatchedRows) => {
            const ofDataset = rows[matched.codes.dataset];
            if (ofDataset !== undefined) printSplits(month, matched, ofDataset, seed);
          };
          return await world.guarded(tables, { onMatched });
        },
      };
      if (month === 'honest') await honestMonth(ofMonth, seed);
      else await quietMonth(ofMonth, month, seed);
    }
} finally {
  await world.close();
}
