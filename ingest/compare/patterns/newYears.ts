// Compares the rows of years that a country begins with those of its year before, because the earlier side has none of them.

import { datasetOf } from '../../../src/catalog/datasets.ts';
import type { Cells } from '../cells.ts';
import { isForecastRow, type Matched } from '../matched.ts';
import type { CoverageChange } from '../types.ts';
import type { Pattern, YearFamily } from './types.ts';
import { absentCountries, absentValues } from './yearAbsent.ts';
import { findYearCopies } from './yearCopies.ts';
import { Described } from './yearDescribed.ts';
import { type BegunYear, begunYears, type Item, YearRows } from './yearRows.ts';

/**
 * A value that is this many times the value of the year before, or its inverse, is a leap. It must be so in every
 * currency.
 */
const LEAP_OF_MARKETS = 6;

/** The same for rates and indicators, which are of one currency: a year of high inflation is no leap. */
const LEAP = 20;

/** A total that moved by this factor is a pattern. */
const MOVED = 2;

/**
 * Patterns of the years that countries begin. Each step leaves out the cells of the steps before it:
 *
 * 1. countries without rows of a year that the dataset begins; products, channels and currencies that nobody has in it;
 * 2. for each country: rows that are missing, currencies that ended, zeros, changed signs, values that leapt;
 * 3. totals that moved, where none of these explains it;
 * 4. figures that are another country's.
 *
 * @param cells The sums of countries on the later side.
 */
export function findNewYears(
  matched: Matched,
  coverage: readonly CoverageChange[],
  cells: Cells,
): readonly Pattern<YearFamily>[] {
  const begun = begunYears(matched.codes, coverage);
  if (begun.length === 0 || matched.metrics.length === 0) return [];
  const rows = new YearRows(matched, begun);
  const absent = absentValues(rows, begun);
  return [
    ...absentCountries(matched.codes, coverage, cells),
    ...absent.patterns,
    ...begun.flatMap((year) => patternsOf(rows, year, absent.items)),
    ...findYearCopies(rows, begun),
  ];
}

/** The patterns of one country's year. */
function patternsOf(rows: YearRows, begun: BegunYear, absent: ReadonlySet<Item>): Pattern<YearFamily>[] {
  const { matched } = rows;
  const { dataset } = matched.codes;
  const [now, then] = [rows.of(begun.country, begun.year), rows.of(begun.country, begun.than)];
  const nowOf = itemsBySeries(rows, now);
  const forecasts = now.filter((item) => isForecastRow(matched, matched.after, rows.list[item] as number));
  const forecast = forecasts.length > now.length / 2;
  const goesOn = new Set(now.map((item) => rows.market[item] as number));
  return matched.metrics.flatMap((metric, m) => {
    const { unit, addsUp } = datasetOf(dataset).metrics[metric] ?? {};
    if (unit === 'percent') return [];
    const described = new Described(rows, begun, { metric, m, forecast, now, then });
    const changes = changesOf(rows, m, then, nowOf);
    const lost = changes.missing.filter((item) => !absent.has(item));
    const ended = lost.filter(
      (item) => rows.isCurrencyOver(item, begun.year) && goesOn.has(rows.market[item] as number),
    );
    const missing = ended.length === 0 ? lost : lost.filter((item) => !ended.includes(item));
    const found = [
      ...described.pattern('year-missing', missing, nowOf),
      ...described.pattern('year-currency', ended, nowOf),
      ...described.pattern('year-zero', changes.zero, nowOf),
      ...described.pattern('year-sign', changes.sign, nowOf),
      ...described.pattern('year-leap', changes.leapt, nowOf),
    ];
    const isExplained = found.length > 0 || changes.missing.length > 0;
    return isExplained || addsUp !== true ? found : described.moved(MOVED);
  });
}

interface YearChanges {
  /** Items of the year before, by what became of them in the new year. */
  readonly missing: readonly Item[];
  readonly zero: readonly Item[];
  readonly sign: readonly Item[];
  readonly leapt: readonly Item[];
}

function changesOf(
  rows: YearRows,
  m: number,
  then: Int32Array,
  nowOf: ReadonlyMap<number, Item>,
): YearChanges {
  const { matched, list, series, market } = rows;
  const values = matched.after.values(m);
  const [missing, zero, sign]: [Item[], Item[], Item[]] = [[], [], []];
  // By market: its items, and how far it moved in the currency in which it moved least.
  const moved = new Map<number, { items: Item[]; least: number }>();
  for (const item of then) {
    const old = values[list[item] as number] as number;
    if (Number.isNaN(old) || old === 0) continue;
    const at = nowOf.get(series[item] as number);
    const value = at === undefined ? Number.NaN : (values[list[at] as number] as number);
    if (Number.isNaN(value)) missing.push(item);
    else if (value === 0) zero.push(item);
    else if (value * old < 0) sign.push(item);
    else {
      const by = Math.abs(Math.log(value / old));
      const known = moved.get(market[item] as number);
      if (known === undefined) moved.set(market[item] as number, { items: [item], least: by });
      else {
        known.items.push(item);
        known.least = Math.min(known.least, by);
      }
    }
  }
  const limit = Math.log(matched.codes.has('fx') ? LEAP_OF_MARKETS : LEAP);
  const leapt = [...moved.values()].flatMap(({ items, least }) => (least >= limit ? items : []));
  return { missing, zero, sign, leapt };
}

/** The item of each series. */
function itemsBySeries({ series }: YearRows, items: Int32Array): ReadonlyMap<number, Item> {
  const found = new Map<number, Item>();
  for (const item of items) found.set(series[item] as number, item);
  return found;
}
