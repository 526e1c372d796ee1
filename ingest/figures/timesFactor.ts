// Finds countries whose figures are another country's times a factor: one for all, or one for each year, product or both.

import { groupBy } from '../../src/basics/lists.ts';
import { getOrInsert } from '../../src/basics/maps.ts';
import { median } from '../../src/basics/medians.ts';
import { type ComparedFigures, TOLERANCE } from './comparedFigures.ts';
import { type Cell, fitFactors, shareAlike } from './factorsOfYearsAndProducts.ts';
import { likelySources } from './likelySources.ts';

/** Figures of fewer digits should not be compared, because their rounding hides the factor. */
export const FEWEST_DIGITS = 4;

/** The fewest figures that are compared. */
const FEWEST_FIGURES = 10;

/** The share of a country's figures that the other country must have in the same markets, years and currencies. */
const COMPARED_SHARE = 0.5;

/** The share of the compared figures that must have the factor. */
const ALIKE_SHARE = 0.9;

/**
 * The fewest markets that show the factor of a year, and the fewest years that show the factor of a product. Where both
 * have factors, the fewest products of a year.
 */
const FEWEST_IN_GROUP = 3;

/** The fewest years with a factor of their own, and the fewest products. */
const FEWEST_GROUPS = 2;

/**
 * The limits where each year and each product has a factor. There must be at least this many figures beyond those that
 * always fit. If this share or more of the source's own figures also are a factor of their year times a factor of their
 * product, nothing is reported: the quotients of two such countries always fit.
 */
const FEWEST_BEYOND_CHANCE = 10;
const OWN_SHARE = 0.5;

/** A country whose figures are those of the country `source` times factors. Both are numbers in `countries`. */
export interface TimesFactor extends SharedFactor {
  readonly country: number;
  readonly source: number;
}

/** How many figures of two countries have the shared factor. `factor` is null if each year or product has its own. */
export interface SharedFactor {
  readonly per: 'country' | 'year' | 'product' | 'year and product';
  readonly factor: number | null;
  readonly figures: number;
  readonly compared: number;
}

/**
 * Compares countries with others, market by market and year by year. A country is reported once, with the first source that
 * has the most general factor.
 *
 * @param sought The rows of the countries that are compared.
 * @param maySource Whether a country may be the source of another one.
 */
export function countriesTimesFactor(
  figures: ComparedFigures,
  sought: Int32Array,
  maySource: (source: number, country: number) => boolean,
): readonly TimesFactor[] {
  const countryOf = (row: number) => figures.countries[row] as number;
  return [...groupBy(sought, countryOf)].flatMap(([country, rows]) => {
    const others = Uint8Array.from({ length: figures.countryCount }, (_, other) =>
      other !== country && maySource(other, country) ? 1 : 0,
    );
    const sources = likelySources(figures, rows, others);
    if (!sources.includes(1)) return [];
    const pairs = pairsOf(figures, rows, sources);
    const cells = onePerCell(figures, rows, (row) => row).length;
    const found = [...groupBy(pairs, ({ other }) => countryOf(other))]
      .sort(([a], [b]) => a - b)
      .flatMap(([source, ofSource]) => {
        const shared = sharedFactor(figures, ofSource, { figures: rows.length, cells });
        return shared === null ? [] : [{ country, source, ...shared }];
      });
    const mostGeneral = found.find(({ per }) => per === 'country') ?? found[0];
    return mostGeneral === undefined ? [] : [mostGeneral];
  });
}

/** A row of a country, and the row of another country in the same market, year and currency. */
interface Pair {
  readonly row: number;
  readonly other: number;
}

/** The pairs of these rows with rows of sources. `sources` is 1 for a country that is one. */
function pairsOf(
  { counterparts, countries }: ComparedFigures,
  rows: readonly number[],
  sources: Uint8Array,
): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const row of rows) {
    const others = counterparts(row);
    for (let i = 0; i < others.length; i += 1) {
      const other = others[i] as number;
      if (sources[countries[other] as number] === 1) pairs.push({ row, other });
    }
  }
  return pairs;
}

/**
 * The factor that nearly all pairs have. If there is none, the result says whether nearly all pairs have the factor of
 * their year, or of their product. Null if neither holds.
 */
function sharedFactor(
  figures: ComparedFigures,
  pairs: readonly Pair[],
  counts: { readonly figures: number; readonly cells: number },
): SharedFactor | null {
  const isEnough = (compared: number, all: number) =>
    compared >= Math.max(FEWEST_FIGURES, COMPARED_SHARE * all);
  const together = quotientsIn(figures, [pairs]);
  if (isEnough(together.compared, counts.figures) && isAlike(together)) {
    const { alike, compared, medians } = together;
    return { per: 'country', factor: medians[0] ?? null, figures: alike, compared };
  }
  for (const per of ['year', 'product'] as const) {
    const { alike, compared, medians } = quotientsIn(figures, groupsOf(figures, pairs, per));
    if (medians.length < FEWEST_GROUPS || !isEnough(compared, counts.cells)) continue;
    if (isAlike({ alike, compared, medians })) return { per, factor: null, figures: alike, compared };
  }
  return ofYearsAndProducts(figures, pairs, counts.cells, isEnough);
}

function ofYearsAndProducts(
  { values, years, products, ...figures }: ComparedFigures,
  pairs: readonly Pair[],
  cells: number,
  isEnough: (compared: number, all: number) => boolean,
): SharedFactor | null {
  const onePerMarket = onePerCell({ values, years, products, ...figures }, pairs, ({ row }) => row);
  const single = [...groupBy(onePerMarket, ({ row }) => years[row] as number).values()]
    .filter((ofYear) => new Set(ofYear.map(({ row }) => products[row])).size >= FEWEST_IN_GROUP)
    .flat();
  const cellsOf = (figureOf: (pair: Pair) => number): Cell[] =>
    single.map((pair) => ({
      year: years[pair.row] as number,
      product: products[pair.row] as number,
      value: figureOf(pair),
    }));
  const own = ({ other }: Pair) => values[other] as number;
  const found = fitFactors(cellsOf((pair) => (values[pair.row] as number) / own(pair)));
  const { compared, alike, free } = found;
  if (!isEnough(compared, cells) || compared - free < FEWEST_BEYOND_CHANCE) return null;
  if (shareAlike(found) < ALIKE_SHARE || shareAlike(fitFactors(cellsOf(own))) >= OWN_SHARE) return null;
  return { per: 'year and product', factor: null, figures: alike, compared };
}

/** The pairs of each year or product that has enough of them. Currencies repeat a quotient, so only one currency counts. */
function groupsOf(
  figures: ComparedFigures,
  pairs: readonly Pair[],
  per: 'year' | 'product',
): readonly (readonly Pair[])[] {
  const { years, products, markets } = figures;
  const [groupOf, otherwise] = per === 'year' ? [years, markets] : [products, years];
  const groups = groupBy(
    onePerCell(figures, pairs, ({ row }) => row),
    ({ row }) => groupOf[row] as number,
  );
  return [...groups.values()].filter(
    (group) => new Set(group.map(({ row }) => otherwise[row])).size >= FEWEST_IN_GROUP,
  );
}

/** The first item of each market and year. */
function onePerCell<Item>(
  { markets, years }: ComparedFigures,
  items: readonly Item[],
  rowOf: (item: Item) => number,
): readonly Item[] {
  const known = new Map<number, Set<number>>();
  return items.filter((item) => {
    const [market, year] = [markets[rowOf(item)] as number, years[rowOf(item)] as number];
    const ofMarket = getOrInsert(known, market, () => new Set<number>());
    if (ofMarket.has(year)) return false;
    ofMarket.add(year);
    return true;
  });
}

/** The quotients of groups of pairs: how many there are, how many are near the median of their group, and the medians. */
interface Quotients {
  readonly compared: number;
  readonly alike: number;
  readonly medians: readonly number[];
}

function quotientsIn({ values }: ComparedFigures, groups: readonly (readonly Pair[])[]): Quotients {
  let [compared, alike] = [0, 0];
  const medians = groups.map((group) => {
    const quotients = group.map(({ row, other }) => (values[row] as number) / (values[other] as number));
    const factor = median(quotients);
    compared += quotients.length;
    alike += quotients.filter((one) => Math.abs(one - factor) <= TOLERANCE * Math.abs(factor)).length;
    return factor;
  });
  return { compared, alike, medians };
}

/**
 * Whether at least `ALIKE_SHARE` of the quotients are alike. With several groups, one quotient of each is left out, because
 * the median of a group always equals one of its quotients.
 */
function isAlike({ compared, alike, medians }: Quotients): boolean {
  const free = medians.length > 1 ? medians.length : 0;
  return compared > free && alike - free >= ALIKE_SHARE * (compared - free);
}
