// Finds two countries, products or states that have each other's figures in a year that begins.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { relativeChange } from '../revision.ts';
import { isForecastRow } from '../rows/matched.ts';
import { MOST_EXAMPLES, type Pattern, type YearFamily } from './types.ts';
import type { BegunYear, CountryFigures, Figure, Item, YearRows } from './yearRows.ts';

/** Figures that moved by less than this factor on average were not exchanged with figures of another size. */
const EXCHANGED_FACTOR = 1.75;
const EXCHANGED_DISTANCE = Math.log(EXCHANGED_FACTOR);

/**
 * Two places are exchanged when the distance of their figures to the other's year before is at most this share of the
 * distance to their own. Distances are logarithms of quotients.
 */
const NEARER = 0.25;

/** Two places must share at least this part of the figures of the smaller one. Two countries share two of three currencies. */
const SHARED = 0.5;

/** Fewer figures may be near by chance. */
const FEWEST_FIGURES = 2;

/** All pairs of at most this many units are compared, because a country may have many thousands of places. */
const MOST_UNITS = 1000;

type Exchanged = 'country' | 'product' | 'state';

/**
 * By dimension: `within` names what both values must have in common, `alike` the dimensions by which a figure of one is
 * matched with a figure of the other.
 */
const KINDS: Readonly<
  Record<Exchanged, { readonly within: readonly DimensionName[]; readonly alike: readonly DimensionName[] }>
> = {
  country: { within: ['product'], alike: ['category', 'channel', 'sub_channel', 'fx'] },
  product: { within: ['country'], alike: ['channel', 'sub_channel', 'fx'] },
  state: { within: ['country'], alike: ['category', 'product', 'channel', 'sub_channel', 'fx'] },
};

/** A place with figures that may belong to another place. */
interface Unit {
  readonly begun: BegunYear;
  readonly cells: readonly [Figure, ...Figure[]];
  /** The share of the country's figures. */
  readonly share: number;
}

/** Two units that have each other's figures. */
interface Exchange {
  readonly one: Unit;
  readonly other: Unit;
  readonly cells: readonly Figure[];
  /** The distance to the other's figures, divided by the distance to the own ones. */
  readonly nearness: number;
}

/** Pairs of countries with each other's figures of a product, and of products or states of one country. */
export function findExchanged(rows: YearRows, both: readonly CountryFigures[]): Pattern<YearFamily>[] {
  const { codes, after } = rows.matched;
  if (!codes.has('fx')) return [];
  const code = (dimension: DimensionName, item: Item) => after.code(dimension, rows.list[item] as number);
  const nationCode = codes.codeOf('state', '');
  // Few countries have a figure that moved so far, and only theirs are grouped.
  const withFarFigures = both.filter(({ figures }) => figures.some(isFar));
  if (withFarFigures.length === 0) return [];
  return (Object.keys(KINDS) as Exchanged[]).flatMap((dimension) => {
    const { within, alike } = KINDS[dimension];
    const nameOf = ({ item }: Figure, by: readonly DimensionName[]) =>
      by.map((one) => code(one, item)).join(' ');
    const units = withFarFigures.flatMap(({ begun, figures }) => {
      const nation = figures.filter(({ item }) => code('state', item) === nationCode);
      // A country may have rows of its states alone.
      const countryTotal = sumOf(nation.length > 0 ? nation : figures);
      const concerned =
        dimension === 'state' ? figures.filter(({ item }) => code('state', item) !== nationCode) : nation;
      const unit = dimension === 'country' ? 'product' : dimension;
      return [...groupBy(concerned, ({ item }) => code(unit, item)).values()].flatMap((of): Unit[] => {
        if (!of.some(isFar)) return [];
        return [{ begun, cells: of, share: sumOf(of) / countryTotal }];
      });
    });
    const comparable = groupBy(units, ({ begun: { year, comparedYear }, cells: [first] }) =>
      [year, comparedYear, nameOf(first, within)].join(' '),
    );
    return [...comparable.values()].flatMap((all) =>
      exchangesOf(all, (cell) => nameOf(cell, alike)).map((exchange) => patternOf(rows, dimension, exchange)),
    );
  });
}

const sumOf = (cells: readonly Figure[]) => cells.reduce((sum, { old }) => sum + old, 0);

/** The exchanges among the largest units, the clearest first; a unit is part of one at most. */
function exchangesOf(all: readonly Unit[], nameOf: (cell: Figure) => string): Exchange[] {
  const units =
    all.length <= MOST_UNITS
      ? all
      : all.toSorted((a, b) => sumOf(b.cells) - sumOf(a.cells)).slice(0, MOST_UNITS);
  const named = units.map((unit) => new Map(unit.cells.map((cell) => [nameOf(cell), cell])));
  const found = units.flatMap((one, i) =>
    units.slice(i + 1).flatMap((other, j) => exchangeOf(one, other, named[i], named[i + 1 + j]) ?? []),
  );
  const taken = new Set<Unit>();
  return found
    .sort((a, b) => a.nearness - b.nearness)
    .filter(({ one, other }) => {
      if (taken.has(one) || taken.has(other)) return false;
      taken.add(one).add(other);
      return true;
    });
}

type ByName = ReadonlyMap<string, Figure>;

function exchangeOf(one: Unit, other: Unit, ofOne?: ByName, ofOther?: ByName): Exchange | null {
  let [own, others] = [0, 0];
  const cells: Figure[] = [];
  for (const [name, cell] of ofOne ?? []) {
    const twin = ofOther?.get(name);
    if (twin === undefined) continue;
    cells.push(cell);
    own += apart(cell.now, cell.old) + apart(twin.now, twin.old);
    others += apart(cell.now, twin.old) + apart(twin.now, cell.old);
  }
  const fewest = Math.max(FEWEST_FIGURES, SHARED * Math.min(one.cells.length, other.cells.length));
  if (cells.length < fewest || own < 2 * cells.length * EXCHANGED_DISTANCE || others > NEARER * own)
    return null;
  return { one, other, cells, nearness: others / own };
}

const apart = (a: number, b: number) => Math.abs(Math.log(a / b));

const isFar = ({ now, old }: Figure) => apart(now, old) >= EXCHANGED_DISTANCE;

function patternOf(
  { matched, list }: YearRows,
  dimension: Exchanged,
  { one, other, cells }: Exchange,
): Pattern<YearFamily> {
  const { codes, after, metrics } = matched;
  const rowOf = ({ cells: [first] }: Unit) => list[first.item] as number;
  const nameOf = (unit: Unit, of: DimensionName) => codes.valueOf(of, after.code(of, rowOf(unit)));
  const [from, to] = [nameOf(other, dimension), nameOf(one, dimension)];
  const product = dimension === 'country' ? { product: nameOf(one, 'product') } : {};
  const metric = metrics[0] ?? '';
  return {
    family: 'year-exchanged',
    metric,
    place: { country: nameOf(one, 'country'), ...product, [dimension]: to, year: nameOf(one, 'year') },
    forecast: isForecastRow(matched, after, rowOf(one)),
    cells: cells.length,
    of: one.cells.length,
    further: null,
    countryShare: Math.max(one.share, other.share),
    historyShare: Math.max(one.share, other.share),
    effect: Math.max(one.share, other.share),
    datasetShare: null,
    ratio: null,
    between: { dimension, pairs: [{ from, to, cells: cells.length }] },
    examples: [...cells]
      .sort((a, b) => b.old - a.old)
      .slice(0, MOST_EXAMPLES)
      .map(({ item, old, now }) => {
        const key = codes.keyOf(after, list[item] as number);
        return { key, metric, from: old, to: now, relative: relativeChange(old, now) };
      }),
  };
}
