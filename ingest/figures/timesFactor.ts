// Finds countries whose figures are those of another country times a factor: one for all, or one for each year or product.

import { groupBy } from '../../src/basics/lists.ts';
import { median } from '../../src/basics/medians.ts';

/** Figures of fewer digits should not be compared, because their rounding hides the factor. */
export const FEWEST_DIGITS = 4;

/** The fewest figures that are compared. */
const FEWEST_FIGURES = 10;

/** The share of a country's figures that the other country must have in the same markets, years and currencies. */
const COMPARED_SHARE = 0.5;

/** The share of the compared figures that must have the factor. */
const ALIKE_SHARE = 0.9;

/** How far a figure may be from the factor, as a share of it. Figures of four digits are rounded by up to 1 in 2,000. */
const TOLERANCE = 0.001;

/** The fewest markets that show the factor of a year, and the fewest years that show the factor of a product. */
const FEWEST_IN_GROUP = 3;

/** The fewest years with a factor of their own, and the fewest products. */
const FEWEST_GROUPS = 2;

/** The figures of a dataset by row. */
export interface ComparedFigures {
  readonly values: Float64Array;
  /** Numbers from 0 up to, not including, `countryCount`. */
  readonly countries: ArrayLike<number>;
  readonly countryCount: number;
  readonly years: ArrayLike<number>;
  /** All 0 in a dataset without products. */
  readonly products: ArrayLike<number>;
  /** The market of each row of a country for which a source is sought. Rows of a market may differ in year and currency. */
  readonly markets: ArrayLike<number>;
  /** The rows that agree with a row in all dimensions except country, region and temporal. */
  readonly alongside: (row: number) => ArrayLike<number>;
}

/** A country whose figures are those of the country `source` times factors. Both are numbers in `countries`. */
export interface TimesFactor extends SharedFactor {
  readonly country: number;
  readonly source: number;
}

/** The factor of two countries, or null when each year or product has a factor of its own, and how many figures have it. */
export interface SharedFactor {
  readonly per: 'country' | 'year' | 'product';
  readonly factor: number | null;
  readonly figures: number;
  readonly compared: number;
}

/**
 * Compares countries with others, market by market and year by year. A country is reported once, with the first source that has
 * the most general factor.
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
  { alongside, countries }: ComparedFigures,
  rows: readonly number[],
  sources: Uint8Array,
): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const row of rows) {
    const others = alongside(row);
    for (let i = 0; i < others.length; i += 1) {
      const other = others[i] as number;
      if (sources[countries[other] as number] === 1) pairs.push({ row, other });
    }
  }
  return pairs;
}

/** A sample has at most this number of years and this number of products. */
const SAMPLED_GROUPS = 3;
/** A sample has at most this number of rows of each of its years and products. */
const SAMPLED_ROWS = 30;

/**
 * The sources that are worth a full comparison, each marked with 1. In a sample, at least half of their quotients nearly equal
 * the one of the row before. The sample has the years and the products with most of the country's rows.
 */
function likelySources(figures: ComparedFigures, rows: readonly number[], sources: Uint8Array): Uint8Array {
  const { countries, countryCount, years, products, alongside } = figures;
  // A row in a currency that no source has cannot be compared.
  const shared = rows.filter((row) => {
    const others = alongside(row);
    for (let i = 0; i < others.length; i += 1)
      if (sources[countries[others[i] as number] as number] === 1) return true;
    return false;
  });
  const likely = new Uint8Array(countryCount);
  for (const codes of [years, products]) {
    const largest = [...groupBy(shared, (row) => codes[row] as number).values()]
      .sort((a, b) => b.length - a.length)
      .slice(0, SAMPLED_GROUPS);
    const neighbours = new Neighbours(figures);
    for (const group of largest) neighbours.compare(group.slice(0, SAMPLED_ROWS), sources);
    for (let country = 0; country < countryCount; country += 1)
      if (neighbours.areAlike(country)) likely[country] = 1;
  }
  return likely;
}

/** Counts for each source how many quotients were compared with that of the row before, and how many nearly equal it. */
class Neighbours {
  readonly #figures: ComparedFigures;
  readonly #compared: Int32Array;
  readonly #alike: Int32Array;

  constructor(figures: ComparedFigures) {
    this.#figures = figures;
    this.#compared = new Int32Array(figures.countryCount);
    this.#alike = new Int32Array(figures.countryCount);
  }

  compare(rows: readonly number[], sources: Uint8Array): void {
    const { values, countries, countryCount, markets, years, alongside } = this.#figures;
    const quotients = new Float64Array(countryCount);
    const lastRows = new Int32Array(countryCount).fill(-1);
    for (const row of rows) {
      const others = alongside(row);
      for (let i = 0; i < others.length; i += 1) {
        const other = others[i] as number;
        const country = countries[other] as number;
        if (sources[country] !== 1) continue;
        const quotient = (values[row] as number) / (values[other] as number);
        const last = lastRows[country] as number;
        // Another currency of one market and year repeats its quotient.
        if (last >= 0 && (markets[last] !== markets[row] || years[last] !== years[row])) {
          const isAlike = Math.abs(quotient / (quotients[country] as number) - 1) <= 2 * TOLERANCE;
          this.#compared[country] = (this.#compared[country] as number) + 1;
          if (isAlike) this.#alike[country] = (this.#alike[country] as number) + 1;
        }
        quotients[country] = quotient;
        lastRows[country] = row;
      }
    }
  }

  areAlike(country: number): boolean {
    const compared = this.#compared[country] as number;
    return compared > 0 && 2 * (this.#alike[country] as number) >= compared;
  }
}

/**
 * The factor that nearly all pairs have. If there is none, the result says whether nearly all pairs have the factor of their
 * year, or of their product. Null if neither holds.
 */
function sharedFactor(
  figures: ComparedFigures,
  pairs: readonly Pair[],
  counts: { readonly figures: number; readonly cells: number },
): SharedFactor | null {
  const isEnough = (compared: number, all: number) =>
    compared >= Math.max(FEWEST_FIGURES, COMPARED_SHARE * all);
  const together = quotientsIn(figures, [pairs]);
  if (isEnough(together.compared, counts.figures) && isAlike(together, ALIKE_SHARE)) {
    const { alike, compared, medians } = together;
    return { per: 'country', factor: medians[0] ?? null, figures: alike, compared };
  }
  for (const per of ['year', 'product'] as const) {
    const { alike, compared, medians } = quotientsIn(figures, groupsOf(figures, pairs, per));
    if (medians.length < FEWEST_GROUPS || !isEnough(compared, counts.cells)) continue;
    if (isAlike({ alike, compared, medians }, ALIKE_SHARE))
      return { per, factor: null, figures: alike, compared };
  }
  return null;
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
    const ofMarket = known.get(market);
    if (ofMarket === undefined) known.set(market, new Set([year]));
    else if (ofMarket.has(year)) return false;
    else ofMarket.add(year);
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

/** Whether a share of quotients are alike. Where there are several groups, the one that is the median of its group proves nothing. */
function isAlike({ compared, alike, medians }: Quotients, share: number): boolean {
  const free = medians.length > 1 ? medians.length : 0;
  return compared > free && alike - free >= share * (compared - free);
}
