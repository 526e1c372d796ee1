// Forty ways to corrupt one country of a month, as SQL over the tables of a guard world.

import { randomOf } from '../../bench/seededRandom.ts';
import type { GuardFinding } from '../../ingest/guards/finding.ts';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import { literal } from '../../src/duckdb.ts';
import type { GuardWorld } from './guardWorld.ts';

/** A country to corrupt, with values from which corruptions choose. */
export interface Target {
  readonly country: string;
  /** The number of the country's ggr rows in the uncorrupted month. */
  readonly rows: number;
  readonly products: readonly string[];
  readonly closedYears: readonly number[];
  readonly currencies: readonly string[];
  readonly local: string;
  readonly subChannels: readonly string[];
  /** The country before this one in the order of `targetsOf`; for the first country the one after it. */
  readonly other: string;
}

/** Chooses one of several values. */
export type Choose = <T>(from: readonly T[]) => T;

export interface Corruption {
  readonly kind: string;
  readonly datasets: readonly DatasetName[];
  /** Statements over tables named after the datasets; null when the country has no rows for this corruption. */
  readonly sql: (target: Target, pick: Choose) => readonly string[] | null;
}

const closed = "temporal = 'Current' AND year <= 2025";

const where = ({ country }: Target, more = 'true') => `WHERE country = ${literal(country)} AND ${more}`;

const set = (
  kind: string,
  change: string,
  more?: string | ((target: Target, pick: Choose) => string | null),
  dataset: DatasetName = 'ggr',
): Corruption => ({
  kind,
  datasets: [dataset],
  sql: (target, pick) => {
    const which = typeof more === 'function' ? more(target, pick) : more;
    return which === null ? null : [`UPDATE ${dataset} SET ${change} ${where(target, which)}`];
  },
});

const lose = (kind: string, more: (target: Target, pick: Choose) => string | null): Corruption => ({
  kind,
  datasets: ['ggr'],
  sql: (target, pick) => {
    const which = more(target, pick);
    return which === null ? null : [`DELETE FROM ggr ${where(target, which)}`];
  },
});

type Condition = (target: Target, pick: Choose) => string;

const aProduct: Condition = ({ products }, pick) => `product = ${literal(pick(products))}`;
const aClosedYear: Condition = ({ closedYears }, pick) =>
  `year = ${pick(closedYears)} AND temporal = 'Current'`;
const aProductAndYear: Condition = (target, pick) =>
  `${aProduct(target, pick)} AND ${aClosedYear(target, pick)}`;
const hasTwo = <T>(values: readonly T[]) => values.length > 1;

/**
 * Statements that copy ggr values: `which` selects the country's rows to change, `from` the rows to copy, and `on` pairs
 * them.
 */
const taken = (target: Target, on: string, which: string, from = where(target)) => [
  `CREATE OR REPLACE TEMP TABLE unchanged AS FROM ggr ${from}`,
  `UPDATE ggr SET ggr = source.ggr FROM unchanged source ${where(target, which).replaceAll(/\b(country|temporal|year|product|fx)\b(?= [=<IN])/g, 'ggr.$1')} AND ${on}`,
];

const alike = (...but: readonly string[]) =>
  ['year', 'region', 'country', 'state', 'category', 'product', 'channel', 'sub_channel', 'fx', 'temporal']
    .filter((d) => !but.includes(d))
    .map((d) => `source.${d} = ggr.${d}`)
    .join(' AND ');

export const CORRUPTIONS: readonly Corruption[] = [
  set('all values zero', 'ggr = 0'),
  set('one product zero', 'ggr = 0', aProduct),
  set('one closed year zero', 'ggr = 0', aClosedYear),
  set('all values empty', 'ggr = NULL'),
  set('one product empty', 'ggr = NULL', aProduct),
  {
    kind: 'every product renamed X1, X2 …',
    datasets: ['ggr'],
    sql: (target) =>
      target.products.map(
        (product, i) =>
          `UPDATE ggr SET product = 'X${i + 1}' ${where(target, `product = ${literal(product)}`)}`,
      ),
  },
  {
    kind: 'one product renamed',
    datasets: ['ggr'],
    sql: (target, pick) => {
      const product = pick(target.products);
      return [
        `UPDATE ggr SET product = ${literal(`${product}s`)} ${where(target, `product = ${literal(product)}`)}`,
      ];
    },
  },
  set('Online → Onlin', "channel = 'Onlin'", "channel = 'Online'"),
  set('Current → Curent', "temporal = 'Curent'", "temporal = 'Current'"),
  set("state '' → n/a", "state = 'n/a'", "state = ''"),
  {
    kind: 'category moved under another',
    datasets: ['ggr'],
    sql: (target) => [
      `UPDATE ggr SET category = CASE category WHEN 'Betting' THEN 'Gaming' ELSE 'Betting' END ${where(target)}`,
    ],
  },
  set('unknown currency code', "fx = 'XQZ'", ({ local }) => `fx = ${literal(local)}`),
  {
    kind: 'total rows added',
    datasets: ['ggr'],
    sql: (target) => [
      `INSERT INTO ggr SELECT year, region, country, state, 'Total', 'Total', 'Total', 'Total', fx, temporal, sum(ggr) FROM ggr ${where(target)} GROUP BY ALL`,
    ],
  },
  {
    kind: 'totals by product added',
    datasets: ['ggr'],
    sql: (target) => [
      `INSERT INTO ggr SELECT year, region, country, state, category, 'Total', channel, 'Total', fx, temporal, sum(ggr) FROM ggr ${where(target)} GROUP BY ALL HAVING count(*) > 1`,
    ],
  },
  lose('one product lost', aProduct),
  lose('one closed year lost', aClosedYear),
  lose('one currency lost', ({ currencies }, pick) => `fx = ${literal(pick(currencies))}`),
  lose('the country lost', () => 'true'),
  lose(
    'half of the rows lost',
    (_, pick) => `hash(product, year, fx, sub_channel, ${pick([1, 2, 3])}) % 2 = 0`,
  ),
  set("one product's closed year × 10", 'ggr = ggr * 10', aProductAndYear),
  set('one closed year × 1000', 'ggr = ggr * 1000', aClosedYear),
  set('all values ÷ 1000', 'ggr = ggr / 1000'),
  set('one currency × 100', 'ggr = ggr * 100', ({ currencies }, pick) => `fx = ${literal(pick(currencies))}`),
  {
    kind: 'the largest value × 1000',
    datasets: ['ggr'],
    sql: (target) => [
      `UPDATE ggr SET ggr = ggr * 1000 WHERE rowid = (SELECT arg_max(rowid, ggr) FROM ggr ${where(target, closed)})`,
    ],
  },
  {
    kind: 'a closed year copies the one before',
    datasets: ['ggr'],
    sql: (target, pick) => {
      if (!hasTwo(target.closedYears)) return null;
      const year = pick(target.closedYears.slice(1));
      return taken(target, `source.year = ggr.year - 1 AND ${alike('year', 'temporal')}`, `year = ${year}`);
    },
  },
  {
    kind: 'all closed years shifted by one',
    datasets: ['ggr'],
    sql: (target) => taken(target, `source.year = ggr.year - 1 AND ${alike('year', 'temporal')}`, closed),
  },
  {
    kind: "another country's figures in place of its own",
    datasets: ['ggr'],
    sql: (target) =>
      taken(
        target,
        alike('country', 'region', 'state', 'temporal'),
        closed,
        `WHERE country = ${literal(target.other)} AND state = ''`,
      ),
  },
  {
    kind: 'two countries swapped',
    datasets: ['ggr'],
    sql: (target) => [
      ...taken(
        target,
        alike('country', 'region', 'state', 'temporal'),
        'true',
        `WHERE country = ${literal(target.other)} AND state = ''`,
      ),
      `CREATE OR REPLACE TEMP TABLE unchanged AS FROM after_ggr ${where(target, "state = ''")}`,
      `UPDATE ggr SET ggr = source.ggr FROM unchanged source WHERE ggr.country = ${literal(target.other)} AND ${alike('country', 'region', 'state', 'temporal')}`,
    ],
  },
  set('sign flipped', 'ggr = -ggr'),
  set('sign of one product flipped', 'ggr = -ggr', aProduct),
  {
    kind: "one currency's values equal another's",
    datasets: ['ggr'],
    sql: (target, pick) => {
      const to = pick(target.currencies);
      const from = pick(target.currencies.filter((one) => one !== to));
      return hasTwo(target.currencies)
        ? taken(target, `source.fx = ${literal(from)} AND ${alike('fx')}`, `fx = ${literal(to)}`)
        : null;
    },
  },
  {
    kind: 'two products swapped',
    datasets: ['ggr'],
    sql: (target, pick) => {
      const pairs = target.products.flatMap((a) =>
        target.products.filter((b) => a < b).map((b) => [a, b] as const),
      );
      if (pairs.length === 0) return null;
      const [a, b] = pick(pairs);
      const both = `product IN (${literal(a)}, ${literal(b)})`;
      return taken(
        target,
        `source.product <> ggr.product AND ${alike('product', 'category')}`,
        both,
        where(target, both),
      );
    },
  },
  {
    kind: 'Onshore and Offshore swapped',
    datasets: ['ggr'],
    sql: (target) => {
      if (!['Onshore', 'Offshore'].every((one) => target.subChannels.includes(one))) return null;
      return [
        `UPDATE ggr SET sub_channel = CASE sub_channel WHEN 'Onshore' THEN 'Offshore' ELSE 'Onshore' END ${where(target, "sub_channel IN ('Onshore', 'Offshore')")}`,
      ];
    },
  },
  set('all closed years + 40 %', 'ggr = ggr * 1.4', closed),
  {
    kind: 'the largest product doubled',
    datasets: ['ggr'],
    sql: (target) => [
      `UPDATE ggr SET ggr = ggr * 2 ${where(target, `${closed} AND product = (SELECT arg_max(product, s) FROM (SELECT product, sum(ggr) AS s FROM ggr ${where(target, "fx = 'USD'")} GROUP BY 1))`)}`,
    ],
  },
  set('forecasts labelled as reported', "temporal = 'Current'", "temporal = 'Forecast'"),
  {
    kind: 'reported figures beside themselves as forecasts',
    datasets: ['ggr'],
    sql: (target) => [
      `INSERT INTO ggr SELECT * REPLACE ('Forecast' AS temporal) FROM ggr ${where(target, closed)}`,
    ],
  },
  {
    kind: 'turnover and ggr exchanged',
    datasets: ['ggr', 'turnover'],
    sql: (target) => [
      `CREATE OR REPLACE TEMP TABLE unchanged AS FROM turnover ${where(target)}`,
      `UPDATE turnover SET turnover = source.ggr FROM ggr source WHERE turnover.country = ${literal(target.country)} AND ${alike().replaceAll('ggr.', 'turnover.')}`,
      `UPDATE ggr SET ggr = source.turnover FROM unchanged source WHERE ggr.country = ${literal(target.country)} AND ${alike()}`,
    ],
  },
  set(
    'rates upside down',
    'fx_current_usd = 1 / fx_current_usd, fx_current_eur = 1 / fx_current_eur',
    (target) => (target.local === 'USD' ? null : 'true'),
    'fx',
  ),
  set('population in thousands', 'adult_population = adult_population / 1000', 'true', 'country'),
];

/** The result of the guards on a corruption. */
export interface Outcome {
  readonly kind: string;
  readonly target: Target;
  /** Whether a finding names the country. */
  readonly noticed: boolean;
  /** Whether a refusal names the country. */
  readonly refused: boolean;
  readonly findings: readonly GuardFinding[];
}

/** A corruption and the corrupted country. */
export interface Case {
  readonly corruption: Corruption;
  readonly target: Target;
}

/**
 * Corrupts different countries of one month, and returns the result of the guards for each. Countries without rows for
 * their corruption are left out. One comparison of several corrupted countries is faster than one for each.
 */
export async function corrupt(world: GuardWorld, cases: readonly Case[], pick: Choose): Promise<Outcome[]> {
  const datasets = [...new Set(cases.flatMap(({ corruption }) => corruption.datasets))];
  for (const name of datasets) await world.run(`CREATE OR REPLACE TEMP TABLE ${name} AS FROM after_${name}`);
  for (const { corruption, target } of cases) await world.run(...(corruption.sql(target, pick) ?? []));
  const changed = await changedCountries(world, datasets);
  const hit = cases.filter(({ target }) => changed.has(target.country));
  if (hit.length === 0) return [];
  const { findings } = await world.guarded(Object.fromEntries(datasets.map((each) => [each, each])));
  return hit.map(({ corruption: { kind }, target }) => {
    const named = findings.filter(({ message }) => message.includes(target.country));
    const refused = named.some(({ severity }) => severity === 'refuse');
    return { kind, target, noticed: named.length > 0, refused, findings: named };
  });
}

/** The countries of which a table `<dataset>` and the second month of the world have different rows. */
export async function changedCountries(
  world: GuardWorld,
  datasets: Iterable<DatasetName>,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const name of datasets) {
    const found = await world.rows(
      `SELECT DISTINCT country FROM ((FROM ${name} EXCEPT FROM after_${name}) UNION ALL (FROM after_${name} EXCEPT FROM ${name}))`,
    );
    for (const [country] of found) changed.add(String(country));
  }
  return changed;
}

/** Picks values at random. The same seed gives the same values. */
export function pickWith(seed: number): Choose {
  const random = randomOf(seed);
  return (from) => {
    const chosen = from[Math.floor(random() * from.length)];
    if (chosen === undefined) throw new RangeError('nothing to pick from');
    return chosen;
  };
}

/** The countries of a world with ggr, those with the fewest rows first. */
export async function targetsOf(world: GuardWorld): Promise<Target[]> {
  const found = await world.rows(
    `SELECT g.country, count(*)::INTEGER, list(DISTINCT product ORDER BY product)::VARCHAR[],
       list(DISTINCT year ORDER BY year) FILTER (${closed}), list(DISTINCT fx ORDER BY fx), any_value(region), list(DISTINCT sub_channel ORDER BY sub_channel),
       (SELECT any_value(fx_local_currency) FROM after_fx f WHERE f.country = g.country)
     FROM after_ggr g GROUP BY g.country ORDER BY 2, 1`,
  );
  const items = (value: unknown) => value as { items: unknown[] } | unknown[];
  const list = (value: unknown) =>
    Array.isArray(items(value)) ? (items(value) as unknown[]) : (items(value) as { items: unknown[] }).items;
  return found.map(([country, rows, products, years, currencies, , subChannels, local], i) => ({
    country: String(country),
    rows: Number(rows),
    products: list(products).map(String),
    closedYears: list(years).map(Number),
    currencies: list(currencies).map(String),
    subChannels: list(subChannels).map(String),
    local: String(local),
    other: String(found[i === 0 ? 1 : i - 1]?.[0]),
  }));
}
