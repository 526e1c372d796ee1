// Ways to damage the rows of a year that the current snapshot does not have, as SQL over the tables of a guard world.

import type { GuardFinding } from '../../ingest/guards/finding.ts';
import type { DatasetName } from '../../src/catalog/datasets.ts';
import { literal } from '../../src/duckdb.ts';
import { type Choose, changedCountries, type Target } from './corruptions.ts';
import type { GuardWorld } from './guardWorld.ts';

/** A country to damage, with values from which damages choose. `year` is the new year. */
export interface NewYear extends Target {
  readonly year: number;
}

export interface NewYearDamage {
  readonly kind: string;
  readonly datasets: readonly DatasetName[];
  /** True when one country is damaged, false when all are. */
  readonly isOfCountry: boolean;
  /** Whether honest figures may look the same, so that a warning is enough. */
  readonly mayWarn: boolean;
  /** Statements over tables named after the datasets; null when no rows can be damaged in this way. */
  readonly sql: (target: NewYear, pick: Choose) => readonly string[] | null;
}

type Make = (rows: string, target: NewYear, pick: Choose) => readonly string[] | null;

const FACTS = ['ggr', 'turnover'] as const;

const DIMENSIONS = ['country', 'state', 'category', 'product', 'channel', 'sub_channel', 'fx', 'temporal'];

/** The condition `source.x = ggr.x` for all dimensions but these. */
const alike = (table: string, ...but: readonly string[]) =>
  DIMENSIONS.filter((d) => !but.includes(d))
    .map((d) => `source.${d} = ${table}.${d}`)
    .join(' AND ');

const set =
  (
    change: string,
    more: (target: NewYear, pick: Choose) => string | null = () => 'true',
    table = 'ggr',
  ): Make =>
  (rows, target, pick) => {
    const which = more(target, pick);
    return which === null ? null : [`UPDATE ${table} SET ${change} WHERE ${rows} AND ${which}`];
  };

const lose =
  (more: (target: NewYear, pick: Choose) => string | null): Make =>
  (rows, target, pick) => {
    const which = more(target, pick);
    return which === null ? null : [`DELETE FROM ggr WHERE ${rows} AND ${which}`];
  };

const aProduct = ({ products }: NewYear, pick: Choose) => `product = ${literal(pick(products))}`;
const oneOfSeveral = (target: NewYear, pick: Choose) =>
  target.products.length < 2 ? null : aProduct(target, pick);
const aCurrency = ({ currencies }: NewYear, pick: Choose) => `fx = ${literal(pick(currencies))}`;
const inUsd = ({ local }: NewYear) => (local === 'USD' ? null : "fx = 'USD'");

/** Damages that are tried on all countries at once, and on each country alone. */
const OF_BOTH: Readonly<Record<string, readonly [Make, readonly DatasetName[]]>> = {
  '× 1000': [set('ggr = ggr * 1000'), ['ggr']],
  '÷ 1000': [set('ggr = ggr / 1000'), ['ggr']],
  '× 10': [set('ggr = ggr * 10'), ['ggr']],
  'USD × 1000': [set('ggr = ggr * 1000', inUsd), ['ggr']],
  'USD half of what the rates say': [set('ggr = round(ggr / 2)', inUsd), ['ggr']],
  'EUR called USD and USD called EUR': [
    (rows) => [
      `UPDATE ggr SET fx = CASE fx WHEN 'EUR' THEN 'USD' ELSE 'EUR' END WHERE ${rows} AND fx IN ('EUR', 'USD') AND state = ''`,
    ],
    ['ggr'],
  ],
  'half of the rows missing': [
    lose((_, pick) => `hash(product, sub_channel, country, fx, ${pick([1, 2, 3])}) % 2 = 0`),
    ['ggr'],
  ],
  'half of the markets missing': [
    lose((_, pick) => `hash(product, channel, sub_channel, country, ${pick([1, 2, 3])}) % 2 = 0`),
    ['ggr'],
  ],
  'a product missing': [lose(oneOfSeveral), ['ggr']],
  'a currency missing': [lose(({ local }) => (local === 'USD' ? null : "fx = 'USD'")), ['ggr']],
  zeros: [set('ggr = 0'), ['ggr']],
  'empty values': [set('ggr = NULL'), ['ggr']],
  'sign flipped': [set('ggr = -ggr'), ['ggr']],
  'turnover and ggr exchanged': [
    (rows) => [
      `CREATE OR REPLACE TEMP TABLE unchanged AS FROM turnover WHERE ${rows}`,
      `UPDATE turnover SET turnover = source.ggr FROM ggr source WHERE ${rows.replaceAll(/\b(country|year)\b(?= [=<IN])/g, 'turnover.$1')} AND source.year = turnover.year AND ${alike('turnover')}`,
      `UPDATE ggr SET ggr = source.turnover FROM unchanged source WHERE ${rows.replaceAll(/\b(country|year)\b(?= [=<IN])/g, 'ggr.$1')} AND source.year = ggr.year AND ${alike('ggr')}`,
    ],
    FACTS,
  ],
  'turnover repeats ggr': [
    (rows) => [
      `UPDATE turnover SET turnover = source.ggr FROM ggr source WHERE ${rows.replaceAll(/\b(country|year)\b(?= [=<IN])/g, 'turnover.$1')} AND source.year = turnover.year AND ${alike('turnover')}`,
    ],
    ['turnover'],
  ],
  'the year before copied': [
    (rows) => [
      `CREATE OR REPLACE TEMP TABLE unchanged AS FROM ggr`,
      `UPDATE ggr SET ggr = source.ggr FROM unchanged source WHERE ${rows.replaceAll(/\b(country|year)\b(?= [=<IN])/g, 'ggr.$1')} AND source.year = ggr.year - 1 AND ${alike('ggr', 'temporal')}`,
    ],
    ['ggr'],
  ],
  'rates upside down': [
    set(
      'fx_current_usd = 1 / fx_current_usd, fx_current_eur = 1 / fx_current_eur',
      ({ local }) => (local === 'USD' ? null : 'true'),
      'fx',
    ),
    ['fx'],
  ],
  'population in thousands': [
    set('adult_population = adult_population / 1000', () => 'true', 'country'),
    ['country'],
  ],
};

/** Damages that are tried on one country only. */
const OF_ONE: Readonly<Record<string, readonly [Make, readonly DatasetName[]]>> = {
  'the country missing': [lose(() => 'true'), ['ggr']],
  'a product × 1000': [set('ggr = ggr * 1000', aProduct), ['ggr']],
  'a product ÷ 1000': [set('ggr = ggr / 1000', aProduct), ['ggr']],
  'a product × 10': [set('ggr = ggr * 10', aProduct), ['ggr']],
  'a product of zeros': [set('ggr = 0', aProduct), ['ggr']],
  'a currency × 1000': [set('ggr = ggr * 1000', aCurrency), ['ggr']],
  "another country's figures": [
    (rows, target) => [
      `CREATE OR REPLACE TEMP TABLE unchanged AS FROM ggr WHERE country = ${literal(target.other)} AND year = ${target.year} AND state = ''`,
      `UPDATE ggr SET ggr = source.ggr FROM unchanged source WHERE ${rows.replaceAll(/\b(country|year)\b(?= [=<IN])/g, 'ggr.$1')} AND source.year = ggr.year AND ${alike('ggr', 'country', 'state', 'temporal')}`,
    ],
    ['ggr'],
  ],
};

const inThisYear = (rows: string, table: string) =>
  rows.replaceAll(/\b(country|year)\b(?= [=<IN])/g, `${table}.$1`);

const nationInUsd = (dataset: 'ggr' | 'turnover', country: string, { year }: NewYear) =>
  `(SELECT product, channel, sub_channel, ${dataset} AS usd FROM after_${dataset} WHERE country = ${literal(country)} AND year = ${year} AND fx = 'USD' AND state = '')`;

/** The markets that both countries have in the honest new year. `ratio` is the figure of `from` divided by that of `to`. */
const marketsOfBoth = (dataset: 'ggr' | 'turnover', to: string, from: string, target: NewYear) =>
  `(SELECT product, channel, sub_channel, a.usd, b.usd AS other, b.usd / a.usd AS ratio
    FROM ${nationInUsd(dataset, to, target)} a JOIN ${nationInUsd(dataset, from, target)} b USING (product, channel, sub_channel))`;

/**
 * Scales the markets of the product in `exchanged`: those of `to` get the size that they have in `from`, in every currency.
 */
const marketsTaken = (dataset: 'ggr' | 'turnover', to: string, from: string, target: NewYear) =>
  `UPDATE ${dataset} SET ${dataset} = round(${dataset} * r.ratio) FROM ${marketsOfBoth(dataset, to, from, target)} r
   WHERE ${dataset}.country = ${literal(to)} AND ${dataset}.year = ${target.year} AND ${dataset}.product = (SELECT product FROM exchanged)
     AND r.product = ${dataset}.product AND r.channel = ${dataset}.channel AND r.sub_channel = ${dataset}.sub_channel`;

/** A SELECT of one state among `rows`. `place` is 0 for the largest state, 1 for the second, and so on. */
const stateAt = (rows: string, place: number) =>
  `(SELECT state FROM after_ggr WHERE ${rows} AND state <> '' AND fx = 'USD' GROUP BY state ORDER BY sum(ggr) DESC LIMIT 1 OFFSET ${place})`;

/** Damages that look like honest figures, tried on all countries at once and on each country alone. */
const RELATIONS_OF_BOTH: Readonly<Record<string, readonly [Make, readonly DatasetName[]]>> = {
  'slots include table games': [
    (rows) =>
      FACTS.map(
        (t) =>
          `UPDATE ${t} SET ${t} = ${t}.${t} + source.${t} FROM after_${t} source WHERE ${inThisYear(rows, t)} AND ${t}.product = 'Casino Slots' AND source.product = 'Casino Table Games' AND source.year = ${t}.year AND ${alike(t, 'product')}`,
      ),
    FACTS,
  ],
  'ggr is 8 % of turnover': [
    (rows) => [
      `UPDATE ggr SET ggr = round(source.turnover * 0.08) FROM after_turnover source WHERE ${inThisYear(rows, 'ggr')} AND source.year = ggr.year AND ${alike('ggr')}`,
    ],
    ['ggr'],
  ],
};

/**
 * Damages that look like honest figures, tried on all countries at once only: one market alone may honestly change like
 * this.
 */
const RELATIONS_OF_ALL: typeof RELATIONS_OF_BOTH = {
  'a product × 0.7': [
    (rows, { year }, pick) => {
      const ofMany = `SELECT product FROM after_ggr WHERE year = ${year} GROUP BY product HAVING count(DISTINCT country) >= 10 ORDER BY hash(product, ${pick([1, 2, 3])}) LIMIT 1`;
      return FACTS.map(
        (t) => `UPDATE ${t} SET ${t} = round(${t} * 0.7) WHERE ${rows} AND product = (${ofMany})`,
      );
    },
    FACTS,
  ],
};

/** Damages that look like honest figures, tried on one country only. */
const RELATIONS_OF_ONE: typeof RELATIONS_OF_BOTH = {
  // Only figures that differ by a factor of 2 or more are exchanged: with closer figures, the damage is small.
  "a product exchanged with another country's": [
    (_, target, pick) => [
      `CREATE OR REPLACE TEMP TABLE exchanged AS SELECT product FROM ${marketsOfBoth('ggr', target.country, target.other, target)} GROUP BY product HAVING abs(ln(sum(other) / sum(usd))) > ln(2) ORDER BY hash(product, ${pick([1, 2, 3])}) LIMIT 1`,
      ...FACTS.flatMap((t) => [
        marketsTaken(t, target.country, target.other, target),
        marketsTaken(t, target.other, target.country, target),
      ]),
    ],
    FACTS,
  ],
  'a state doubled': [
    (rows, _, pick) => {
      const state = stateAt(rows, pick([0, 1, 2, 3, 4]));
      return FACTS.map((t) => `UPDATE ${t} SET ${t} = ${t} * 2 WHERE ${rows} AND state = ${state}`);
    },
    FACTS,
  ],
  'two states exchanged': [
    (rows, _, pick) => {
      const [one, other] = [stateAt(rows, 0), stateAt(rows, pick([1, 2, 3, 4]))];
      return FACTS.map(
        (t) =>
          `UPDATE ${t} SET state = CASE state WHEN ${one} THEN ${other} ELSE ${one} END WHERE ${rows} AND state IN (${one}, ${other})`,
      );
    },
    FACTS,
  ],
};

const damagesOf = (
  kinds: Readonly<Record<string, readonly [Make, readonly DatasetName[]]>>,
  isOfCountry: boolean,
  mayWarn = false,
): readonly NewYearDamage[] =>
  Object.entries(kinds).map(([kind, [make, datasets]]) => ({
    kind,
    datasets,
    isOfCountry,
    mayWarn,
    sql: (target, pick) =>
      make(
        isOfCountry
          ? `country = ${literal(target.country)} AND year = ${target.year}`
          : `year = ${target.year}`,
        isOfCountry ? target : { ...target, local: '' },
        pick,
      ),
  }));

export const NEW_YEAR_DAMAGES: readonly NewYearDamage[] = [
  ...damagesOf(OF_BOTH, false),
  ...damagesOf({ ...OF_BOTH, ...OF_ONE }, true),
  ...damagesOf({ ...RELATIONS_OF_BOTH, ...RELATIONS_OF_ALL }, false, true),
  ...damagesOf({ ...RELATIONS_OF_BOTH, ...RELATIONS_OF_ONE }, true, true),
];

/** A damage and the damaged country; any country for a damage to all countries. */
export interface NewYearCase {
  readonly damage: NewYearDamage;
  readonly target: Target;
}

/** The result of the guards on a damage. */
export interface NewYearOutcome {
  readonly kind: string;
  readonly mayWarn: boolean;
  readonly country: string;
  /** The number of the country's ggr rows. */
  readonly rows: number;
  /** Whether a finding names the country; for a damage to all countries, whether there is any finding. */
  readonly noticed: boolean;
  readonly refused: boolean;
  readonly findings: readonly GuardFinding[];
  readonly messages: readonly string[];
}

/**
 * Damages the new year of different countries in one month, and returns the result of the guards for each. Countries
 * without rows for their damage are left out.
 */
export async function damageNewYear(
  world: GuardWorld,
  year: number,
  cases: readonly NewYearCase[],
  pick: Choose,
): Promise<NewYearOutcome[]> {
  const names: readonly DatasetName[] = ['ggr', 'turnover', 'fx', 'country'];
  for (const name of names) await world.run(`CREATE OR REPLACE TEMP TABLE ${name} AS FROM after_${name}`);
  for (const { damage, target } of cases) await world.run(...(damage.sql({ ...target, year }, pick) ?? []));
  const changed = await changedCountries(world, new Set(cases.flatMap(({ damage }) => damage.datasets)));
  const hit = cases.filter(({ damage, target }) =>
    damage.isOfCountry ? changed.has(target.country) : changed.size > 0,
  );
  if (hit.length === 0) return [];
  const { findings } = await world.guarded(Object.fromEntries(names.map((name) => [name, name])));
  return hit.map(({ damage: { kind, mayWarn, isOfCountry }, target: { country, rows } }) => {
    const named = isOfCountry ? findings.filter(({ message }) => message.includes(country)) : findings;
    const refused = named.some(({ severity }) => severity === 'refuse');
    const messages = named.map(({ rule, message }) => `${rule}: ${message}`);
    return { kind, mayWarn, country, rows, noticed: named.length > 0, refused, findings: named, messages };
  });
}
