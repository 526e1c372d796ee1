// Finds states that moved much more or much less than their nation in a new year: all states together, or single ones.

import { groupBy } from '../../../../src/basics/lists.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import { logDistance, nearestToOne } from '../../ratios.ts';
import { firstRowFrom } from '../../rows/rowLists.ts';
import type { YearPattern } from '../patternTypes.ts';
import type { MetricYear } from './metricYear.ts';
import type { Item, NewYear, YearRows } from './yearRows.ts';

/** The dimensions in which the row of a state agrees with the row of its nation. */
const MARKET: readonly DimensionName[] = ['category', 'product', 'channel', 'sub_channel', 'fx'];

/** The factor by which states must have moved more, or less, than their nation. */
const APART_FACTOR = 1.5;

/** The smallest share of a single state in the expected figures of all states. */
const LEAST_SHARE_OF_STATES = 0.01;

/** The figure of a state in the new year, and the figure that it would have if it had moved as the nation did. */
interface StateCell {
  readonly item: Item;
  readonly state: number;
  readonly fx: number;
  readonly actual: number;
  /** The figure of the year before, times the factor by which the nation moved. */
  readonly expected: number;
}

/**
 * The patterns of states that moved apart from their nation. In each market, states are expected to move as the nation
 * does. Only series that both years have are compared. When all states together moved apart, single states are not
 * reported.
 */
export function statesMoved(metricYear: MetricYear): YearPattern[] {
  const { rows, newYear } = metricYear.year;
  const { codes } = rows.matched;
  if (codes.nation === undefined || codes.size('state') === 1) return [];
  const cells = stateCells(metricYear);
  const ratio = ratioOf(cells);
  const share = { countryShare: 0, effect: 1, examples: [] };
  if (ratio !== null && isApart(ratio))
    return [metricYear.placed({ family: 'year-states', place: {}, cells: cells.length, ratio, ...share })];
  const apart = [...groupBy(cells, ({ state }) => state)].filter(([, own]) => isApart(ratioOf(own) ?? 1));
  if (apart.length === 0) return [];
  // A market that opened during the compared year rightly grows in its first whole year, so it does not count.
  const isEstablished = seriesBefore(rows, newYear);
  const least = LEAST_SHARE_OF_STATES * expectedOf(cells);
  return apart.flatMap(([state, own]) => {
    const established = own.filter(({ item }) => isEstablished(item));
    const moved = ratioOf(established);
    if (moved === null || !isApart(moved) || expectedOf(established) < least) return [];
    return [
      metricYear.placed({
        family: 'year-states',
        place: { state: codes.valueOf('state', state) },
        cells: established.length,
        of: own.length,
        ratio: moved,
        ...share,
      }),
    ];
  });
}

const isApart = (ratio: number) => logDistance(ratio) >= Math.log(APART_FACTOR);

const expectedOf = (cells: readonly StateCell[]) => cells.reduce((sum, { expected }) => sum + expected, 0);

/** The sum of the figures divided by the expected sum, in the currency in which the quotient is nearest to 1. */
const ratioOf = (cells: readonly StateCell[]): number | null =>
  nearestToOne(
    [...groupBy(cells, ({ fx }) => fx).values()].map(
      (inCurrency) => inCurrency.reduce((sum, { actual }) => sum + actual, 0) / expectedOf(inCurrency),
    ),
  );

function stateCells({ metricIndex, year: { rows, comparedItems, newItemOf } }: MetricYear): StateCell[] {
  const { series } = rows;
  const { codes } = rows.matched;
  const { nation: nationCode } = codes;
  const value = (item: Item) => rows.value(metricIndex, item);
  const nowValue = (item: Item) => value(newItemOf.get(series[item] as number) ?? item);
  const shared = MARKET.filter((dimension) => codes.has(dimension));
  const markets = groupBy(
    [...comparedItems].filter((item) => newItemOf.has(series[item] as number)),
    (item) => shared.map((dimension) => rows.code(dimension, item)).join(' '),
  );
  return [...markets.values()].flatMap((items) => {
    const nation = items.find((item) => rows.code('state', item) === nationCode);
    if (nation === undefined || items.length === 1) return [];
    const moved = nowValue(nation) / value(nation);
    if (!Number.isFinite(moved) || moved <= 0) return [];
    const fx = codes.has('fx') ? rows.code('fx', nation) : 0;
    return items.flatMap((item): StateCell[] => {
      const [old, now] = [value(item), nowValue(item)];
      if (item === nation || Number.isNaN(old) || Number.isNaN(now)) return [];
      return [
        { item, state: rows.code('state', item), fx, actual: Math.abs(now), expected: Math.abs(old) * moved },
      ];
    });
  });
}

/**
 * A function that tells whether the series of an item existed in the year before the compared year. The function returns
 * true where this is unknown.
 */
function seriesBefore(rows: YearRows, { country, year, comparedYear }: NewYear): (item: Item) => boolean {
  const { codes, after } = rows.matched;
  if (comparedYear > year) return () => true;
  const by = codes.dimensions.filter((one) => !['year', 'temporal', 'calculation'].includes(one));
  const keyOf = (row: number) => by.map((one) => after.code(one, row)).join(' ');
  const keys = new Set<string>();
  const years = after.codes('year');
  const end = firstRowFrom(after, country + 1);
  for (let row = firstRowFrom(after, country); row < end; row += 1)
    if (years[row] === comparedYear - 1) keys.add(keyOf(row));
  return (item) => keys.size === 0 || keys.has(keyOf(rows.row(item)));
}
