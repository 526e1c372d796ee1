// Values that became zero, empty, of the other sign, ten times what they were, or moved; and rows that are gone.

import { type DimensionName, datasetOf } from '../../../src/catalog/datasets.ts';
import { KIND } from '../matched.ts';
import type { DimensionChange, Family, Pattern } from '../types.ts';
import { attribute } from './attribute.ts';
import { describePattern } from './describe.ts';
import { decoded, type Search, type ShiftCounts } from './shifts.ts';

/** A value that moved by less is no reason to look at it alone: honest revisions of 10 % are rare. */
const MOVED = 0.1;

/** A country whose values moved by less of its total of a year, all together, is not looked at. */
const LEAST_EFFECT = 0.01;

/** A factor of so much, or its inverse, is no revision; 9.9999 is ten, as doubles have it. */
const LEAP = 10 * (1 - 1e-9);

interface Step {
  readonly family: Family;
  /** A SQL condition over `shifts`. */
  readonly when: string;
  /** Of the rows before, those whose value `v` could have gone that way. */
  readonly comparable: (metric: string) => string;
  /** Percentages are left out: a share of one says nothing, and inflation falls below zero as it likes. */
  readonly amounts?: true;
}

const REVISED = `kind = ${KIND.revised}`;
const LEAPT = `(a / b >= ${LEAP} OR b / a >= ${LEAP})`;
const nonZero = (metric: string) => `${metric} <> 0`;

/** In the order of the steps: a cell belongs to the first that it fits. Leaps are moves, and called so where they prevail. */
const STEPS: readonly Step[] = [
  { family: 'zero', when: `${REVISED} AND b <> 0 AND a = 0`, comparable: nonZero, amounts: true },
  {
    family: 'emptied',
    when: `${REVISED} AND b IS NOT NULL AND a IS NULL`,
    comparable: (metric) => `${metric} IS NOT NULL`,
  },
  { family: 'sign', when: `${REVISED} AND b * a < 0`, comparable: nonZero, amounts: true },
  {
    family: 'moved',
    when: `${REVISED} AND b * a > 0 AND (${LEAPT} OR (settled AND abs(a - b) >= ${MOVED} * abs(b)))`,
    comparable: nonZero,
    amounts: true,
  },
];

/** The patterns of values, metric by metric; reported figures and forecasts apart. */
export async function findValuePatterns(search: Search, counts: ShiftCounts): Promise<Pattern[]> {
  if (counts.revised === 0) return [];
  const found: Pattern[] = [];
  const each = STEPS.map(({ when }) => `count(*) FILTER (${when} AND NOT told)`).join(', ');
  const by = await search.engine.rows(
    `SELECT metric, forecast, ${each} FROM shifts GROUP BY ALL ORDER BY ALL`,
  );
  for (const [metric, isForecast, ...of] of by) {
    const name = search.metrics[Number(metric)] ?? '';
    const percent = datasetOf(search.dataset).metrics[name]?.unit === 'percent';
    for (const [i, step] of STEPS.entries()) {
      if (Number(of[i] ?? 0) === 0 || (percent && step.amounts === true)) continue;
      found.push(...(await findPatterns(search, step, Number(metric), name, isForecast === true)));
    }
  }
  return found;
}

/** A country, year or currency that is gone altogether is told by itself, with its rows. */
const TOLD_AS_VALUES: readonly DimensionName[] = ['country', 'year', 'fx', 'fx_local_currency'];

/** Rows that are gone, once renamed and copied ones are told. */
export async function findGone(
  search: Search,
  counts: ShiftCounts,
  changes: readonly DimensionChange[],
): Promise<Pattern[]> {
  if (counts.removed === 0) return [];
  const found: Pattern[] = [];
  for (const { dimension, vanished } of changes) {
    if (!TOLD_AS_VALUES.includes(dimension) || vanished.length === 0) continue;
    const codes = vanished.map(({ value }) => search.keys.codeOf(dimension, value));
    await search.engine.run(
      `UPDATE shifts SET told = true WHERE kind = ${KIND.removed} AND ${dimension} IN (${codes.join(', ')})`,
    );
  }
  for (const forecast of [false, true]) {
    const suspicious = `kind = ${KIND.removed} AND forecast = ${forecast}`;
    const rows = `SELECT ${decoded(search)} FROM rows_before WHERE ${search.years.isForecast(search.keys)} = ${forecast}`;
    found.push(...(await tell(search, { family: 'gone', metric: null, forecast }, suspicious, rows)));
  }
  return found;
}

async function findPatterns(
  search: Search,
  { family, when, comparable }: Step,
  metric: number,
  name: string,
  forecast: boolean,
): Promise<Pattern[]> {
  const { keys, years } = search;
  const cells = `metric = ${metric} AND forecast = ${forecast} AND ${when}`;
  const suspicious = family === 'moved' ? `${cells} AND ${await isMaterial(search, cells)}` : cells;
  const rows = `SELECT ${decoded(search)} FROM rows_before
    WHERE ${years.isForecast(keys)} = ${forecast} AND ${comparable(name)}`;
  return await tell(search, { family, metric: name, forecast }, suspicious, rows);
}

/** A SQL condition: the cell is of a country that moved enough, in some year and currency, to be looked at. */
async function isMaterial({ engine, keys }: Search, cells: string): Promise<string> {
  const fx = keys.has('fx') ? ', fx' : '';
  const countries = await engine.rows(
    `SELECT DISTINCT country FROM (SELECT country, sum(abs(a / b - 1) * weight) AS effect, count(*) FILTER (${LEAPT}) AS leaps
       FROM shifts WHERE NOT told AND ${cells} GROUP BY country, year ${fx})
     WHERE effect >= ${LEAST_EFFECT} OR leaps > 0 OR effect IS NULL`,
  );
  return countries.length === 0
    ? 'false'
    : `country IN (${countries.map(([country]) => Number(country)).join(', ')})`;
}

/** Attributes the suspicious cells to groups, and describes every group. */
async function tell(
  search: Search,
  kind: Pick<Pattern, 'family' | 'metric' | 'forecast'>,
  suspicious: string,
  comparable: string,
): Promise<Pattern[]> {
  const found: Pattern[] = [];
  for (const group of await attribute(search, suspicious, comparable)) {
    const cells = `NOT told AND ${suspicious} AND ${group.inside}`;
    const family = kind.family === 'moved' ? await movedOrLeapt(search, cells) : kind.family;
    found.push(await describePattern(search, { ...kind, family, between: null, ...group }, cells));
    await search.engine.run(`UPDATE shifts SET told = true WHERE ${cells}`);
  }
  return found;
}

async function movedOrLeapt({ engine }: Search, cells: string): Promise<'moved' | 'leap'> {
  const [all = 0, leaps = 0] = await engine.counts(
    `SELECT count(*), count(*) FILTER (${LEAPT}) FROM shifts WHERE ${cells}`,
  );
  return leaps >= all / 2 ? 'leap' : 'moved';
}
