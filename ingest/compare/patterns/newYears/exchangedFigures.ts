// Finds pairs of countries, products or states that have each other's figures in a new year.

import { groupBy } from '../../../../src/basics/lists.ts';
import type { DimensionName } from '../../../../src/catalog/datasets.ts';
import { logDistance } from '../../ratios.ts';
import type { YearPattern } from '../patternTypes.ts';
import { yearPattern } from './yearPattern.ts';
import {
  type CountryFigures,
  type FigureOfBothYears,
  largestExamples,
  type NewYear,
  type YearRows,
} from './yearRows.ts';

/**
 * The factor by which the figures must have moved on average. An exchange of figures of similar size cannot be recognised.
 */
const EXCHANGED_FACTOR = 1.75;
const EXCHANGED_DISTANCE = Math.log(EXCHANGED_FACTOR);

/**
 * The distance of the figures to the other unit's year before must be at most this share of the distance to their own. A
 * distance is the logarithm of a quotient.
 */
const NEARER_SHARE = 0.25;

/**
 * At least this share of the smaller unit's figures must have a counterpart in the other unit. Not all need one: two
 * countries with three currencies each often share only two.
 */
const COMMON_SHARE = 0.5;

/** The number of figures that must be near. Fewer may be near by chance. */
const FEWEST_FIGURES = 2;

/** The most units that are compared pair by pair, the largest ones. A country may have many thousands. */
const MOST_UNITS = 1000;

type Exchanged = 'country' | 'product' | 'state';

/**
 * The dimensions in which units are exchanged. Both units have the same code of the dimension in `within`. A figure of one
 * unit is matched with the figure of the other that agrees in the dimensions in `alike`.
 */
const KINDS: Readonly<
  Record<Exchanged, { readonly within: readonly DimensionName[]; readonly alike: readonly DimensionName[] }>
> = {
  country: { within: ['product'], alike: ['category', 'channel', 'sub_channel', 'fx'] },
  product: { within: ['country'], alike: ['channel', 'sub_channel', 'fx'] },
  state: { within: ['country'], alike: ['category', 'product', 'channel', 'sub_channel', 'fx'] },
};

/** A product of a country, or a state. Its figures may be those of another unit. */
interface Unit {
  readonly newYear: NewYear;
  readonly cells: readonly [FigureOfBothYears, ...FigureOfBothYears[]];
  /** The share of the unit in the country's figures. */
  readonly share: number;
}

interface Exchange {
  readonly one: Unit;
  readonly other: Unit;
  readonly cells: readonly FigureOfBothYears[];
  /** The distance of both units to each other's year before, divided by their distance to their own year before. */
  readonly nearness: number;
}

/**
 * A pattern for each exchange: of a product's figures between two countries, or between two products or two states of a
 * country.
 */
export function findExchangedFigures(rows: YearRows, both: readonly CountryFigures[]): YearPattern[] {
  // Only figures that moved far can be exchanged. Few countries have any, so only these are examined.
  const countries = both.filter(({ figures }) => figures.some(isFar));
  return (Object.keys(KINDS) as Exchanged[]).flatMap((dimension) => {
    const { within, alike } = KINDS[dimension];
    const units = countries.flatMap((country) => unitsOf(rows, dimension, country));
    const comparable = groupBy(units, ({ newYear: { year, comparedYear }, cells: [first] }) =>
      [year, comparedYear, codesOf(rows, first, within)].join(' '),
    );
    return [...comparable.values()]
      .flatMap((all) => exchangesOf(all, (cell) => codesOf(rows, cell, alike)))
      .map((exchange) => patternOf(rows, dimension, exchange));
  });
}

/** The units of a country with figures that moved far: its states, or its products without those of states. */
function unitsOf(rows: YearRows, dimension: Exchanged, { newYear, figures }: CountryFigures): Unit[] {
  const { nation: nationCode } = rows.matched.codes;
  const isOfNation = ({ item }: FigureOfBothYears) => rows.code('state', item) === nationCode;
  const nation = figures.filter(isOfNation);
  // Some countries have only rows of states.
  const countryTotal = sumOf(nation.length > 0 ? nation : figures);
  const concerned = dimension === 'state' ? figures.filter((cell) => !isOfNation(cell)) : nation;
  const unit = dimension === 'state' ? 'state' : 'product';
  const byUnit = groupBy(concerned, ({ item }) => rows.code(unit, item));
  return [...byUnit.values()]
    .filter((cells) => cells.some(isFar))
    .map((cells) => ({ newYear, cells, share: sumOf(cells) / countryTotal }));
}

const codesOf = (rows: YearRows, { item }: FigureOfBothYears, dimensions: readonly DimensionName[]): string =>
  dimensions.map((dimension) => rows.code(dimension, item)).join(' ');

const sumOf = (cells: readonly FigureOfBothYears[]) => cells.reduce((sum, { old }) => sum + old, 0);

/** The exchanges among the largest units, the clearest first. A unit is part of one exchange at most. */
function exchangesOf(all: readonly Unit[], keyOf: (cell: FigureOfBothYears) => string): Exchange[] {
  const units =
    all.length <= MOST_UNITS
      ? all
      : all.toSorted((a, b) => sumOf(b.cells) - sumOf(a.cells)).slice(0, MOST_UNITS);
  const byKey = units.map((unit) => new Map(unit.cells.map((cell) => [keyOf(cell), cell])));
  const found = units.flatMap((one, i) =>
    units.slice(i + 1).flatMap((other, j) => exchangeOf(one, other, byKey[i], byKey[i + 1 + j]) ?? []),
  );
  const exchanged = new Set<Unit>();
  return found
    .sort((a, b) => a.nearness - b.nearness)
    .filter(({ one, other }) => {
      if (exchanged.has(one) || exchanged.has(other)) return false;
      exchanged.add(one).add(other);
      return true;
    });
}

type ByKey = ReadonlyMap<string, FigureOfBothYears>;

function exchangeOf(one: Unit, other: Unit, ofOne?: ByKey, ofOther?: ByKey): Exchange | null {
  let [own, others] = [0, 0];
  const cells: FigureOfBothYears[] = [];
  for (const [key, cell] of ofOne ?? []) {
    const twin = ofOther?.get(key);
    if (twin === undefined) continue;
    cells.push(cell);
    own += logDistance(cell.now, cell.old) + logDistance(twin.now, twin.old);
    others += logDistance(cell.now, twin.old) + logDistance(twin.now, cell.old);
  }
  const fewest = Math.max(FEWEST_FIGURES, COMMON_SHARE * Math.min(one.cells.length, other.cells.length));
  if (cells.length < fewest || own < 2 * cells.length * EXCHANGED_DISTANCE || others > NEARER_SHARE * own)
    return null;
  return { one, other, cells, nearness: others / own };
}

const isFar = ({ now, old }: FigureOfBothYears) => logDistance(now, old) >= EXCHANGED_DISTANCE;

function patternOf(rows: YearRows, dimension: Exchanged, { one, other, cells }: Exchange): YearPattern {
  const { codes, metrics } = rows.matched;
  const nameOf = ({ cells: [first] }: Unit, named: DimensionName) =>
    codes.valueOf(named, rows.code(named, first.item));
  const [from, to] = [nameOf(other, dimension), nameOf(one, dimension)];
  const product = dimension === 'country' ? { product: nameOf(one, 'product') } : {};
  return yearPattern({
    family: 'year-exchanged',
    metric: metrics[0] ?? '',
    place: { country: nameOf(one, 'country'), ...product, [dimension]: to, year: nameOf(one, 'year') },
    forecast: rows.isForecast(one.cells[0].item),
    cells: cells.length,
    of: one.cells.length,
    countryShare: Math.max(one.share, other.share),
    between: [dimension, from, to],
    examples: largestExamples(rows, cells),
  });
}
