// Finds products of a country that were merged into another one, which now has the sums of their rows.

import { addTo, getOrInsert } from '../../src/basics/maps.ts';
import type { DimensionName } from '../../src/catalog/datasets.ts';
import { roundingUnit } from './factors/commonFactor.ts';
import { SUSPICIOUS_MOVE } from './revision.ts';
import type { Rows } from './rows/codedRows.ts';
import { GroupNumbers } from './rows/groupNumbers.ts';
import type { MatchedRows } from './rows/matchedRows.ts';
import { firstRowFrom, removedRows } from './rows/rowLists.ts';
import { type KnownMergers, type Merger, type MergerCandidate, withSharedMergers } from './sharedMergers.ts';

/** The dimensions in which merged rows may differ: a product, and the category that depends on it. */
const MERGED_DIMENSIONS: readonly DimensionName[] = ['product', 'category'];

/** The number of sums that must be equal. Fewer may be equal by chance. */
const FEWEST_SUMS = 3;

/** The share of the reported sums that must be equal. The others may be revised in the month of the merger. */
const EXACT_SHARE = 0.5;

/**
 * A forecast of the merged product may differ from the sum by less than this share. Forecasts are revised in most months.
 */
const FORECAST_DISTANCE = 0.5;

/** The most gone products whose combinations are tried. A country that lost more of them has another vocabulary. */
const MOST_GONE = 6;

/** Rounding may make a sum differ from a figure by at most this share of the figure. */
const ROUNDING_SHARE = 0.01;

/** A row of a gone product, or a row of a product into which others may have been merged. */
interface Part {
  readonly row: number;
  readonly product: number;
  /** The figure of a gone row, or the amount by which the row of another product grew. */
  readonly amount: number;
  /** The figure on the earlier side; 0 for an added row. */
  readonly before: number;
  readonly isAdded: boolean;
}

/** A group of rows that agree in all dimensions except `MERGED_DIMENSIONS`. */
interface SiblingGroup {
  readonly gone: Part[];
  readonly targets: Part[];
  readonly isForecast: boolean;
}

/**
 * The mergers of a dataset of markets. All products of `from` must be gone from the country. In each year, currency,
 * channel and state, the product `to` must have gained the sum of their reported figures, apart from revisions. Forecasts
 * without a sum are left out of the merger.
 *
 * @param known The mergers of the datasets before this one. Those of this dataset are added to them.
 */
export function findMergers(matched: MatchedRows, known: KnownMergers): readonly Merger[] {
  const { codes, changed } = matched;
  if (!codes.has('product') || !codes.has('fx')) return [];
  const goneProducts = goneProductsOf(matched, removedRows(changed));
  if (goneProducts.size === 0) return [];
  const hadProduct = (country: number, product: number) => hasProduct(matched, country, product);
  const candidates = [...siblingsByCountry(matched, goneProducts)].flatMap(([country, all]) =>
    mergersAmong(all).flatMap((merger): readonly MergerCandidate[] => {
      const found = mergerRows(merger, all);
      return found === null ? [] : [{ country, ...merger, ...found }];
    }),
  );
  // A single product with a name that is new to the country is a renaming, which other patterns report.
  const mergers = withSharedMergers(candidates, hadProduct, known.in(codes)).filter(
    ({ country, from, to, shared }) => shared !== null || from.length > 1 || hadProduct(country, to),
  );
  known.add(mergers, codes);
  return mergers;
}

function hasProduct({ before }: MatchedRows, country: number, product: number): boolean {
  const products = before.codes('product');
  const end = firstRowFrom(before, country + 1);
  for (let row = firstRowFrom(before, country); row < end; row += 1)
    if (products[row] === product) return true;
  return false;
}

/** For each country, its products that lost all rows. Countries that lost more than `MOST_GONE` products are left out. */
function goneProductsOf(
  { codes, before, after }: MatchedRows,
  removed: Int32Array,
): ReadonlyMap<number, ReadonlySet<number>> {
  const products = codes.size('product');
  // For each pair of a country and a product, 1 if it lost rows and has none left.
  const isGone = new Uint8Array(codes.size('country') * products);
  markPairs(isGone, before, removed, products);
  const found = new Map<number, Set<number>>();
  for (let country = 0; country < codes.size('country'); country += 1) {
    const pairs = isGone.subarray(country * products, (country + 1) * products);
    if (!pairs.includes(1)) continue;
    clearProducts(pairs, after, country);
    const gone = Array.from(pairs.keys()).filter((product) => pairs[product] === 1);
    if (gone.length > 0 && gone.length <= MOST_GONE) found.set(country, new Set(gone));
  }
  return found;
}

function markPairs(isGone: Uint8Array, rows: Rows, list: Int32Array, products: number): void {
  const [countryCodes, productCodes] = [rows.codes('country'), rows.codes('product')];
  for (let i = 0; i < list.length; i += 1) {
    const row = list[i] as number;
    isGone[(countryCodes[row] as number) * products + (productCodes[row] as number)] = 1;
  }
}

/** Sets 0 for each product that a country has among these rows. */
function clearProducts(isGone: Uint8Array, rows: Rows, country: number): void {
  const productCodes = rows.codes('product');
  const end = firstRowFrom(rows, country + 1);
  for (let row = firstRowFrom(rows, country); row < end; row += 1) isGone[productCodes[row] as number] = 0;
}

/**
 * For the code of each country, its rows in groups: rows of gone products, and added or revised rows of other products,
 * into which the gone ones may have been merged.
 */
function siblingsByCountry(
  matched: MatchedRows,
  goneProducts: ReadonlyMap<number, ReadonlySet<number>>,
): ReadonlyMap<number, readonly SiblingGroup[]> {
  const { codes, before, after, changed, flags } = matched;
  const groups = GroupNumbers.without(codes, ...MERGED_DIMENSIONS);
  const found = new Map<number, Map<number, SiblingGroup>>();
  const [olds, news] = [before.values(0), after.values(0)];
  for (let i = 0; i < changed.count; i += 1) {
    const [old, now] = [changed.before[i] as number, changed.after[i] as number];
    const [rows, row, side] =
      old >= 0 ? ([before, old, 'before'] as const) : ([after, now, 'after'] as const);
    const country = rows.code('country', row);
    const gone = goneProducts.get(country);
    if (gone === undefined) continue;
    const product = rows.code('product', row);
    const isGone = now < 0 && gone.has(product);
    const earlier = old < 0 ? 0 : orZero(olds[old]);
    const amount = (now < 0 ? 0 : orZero(news[now])) - earlier;
    if (!isGone && (amount === 0 || now < 0)) continue;
    const ofCountry = getOrInsert(found, country, () => new Map<number, SiblingGroup>());
    const group = getOrInsert(ofCountry, groups.add(rows, row), () => ({
      gone: [],
      targets: [],
      isForecast: flags[side].forecast[row] === 1,
    }));
    const part = { row, product, amount: isGone ? -amount : amount, before: earlier, isAdded: old < 0 };
    (isGone ? group.gone : group.targets).push(part);
  }
  return new Map([...found].map(([country, ofCountry]) => [country, [...ofCountry.values()]]));
}

const orZero = (value: number | undefined): number =>
  value === undefined || Number.isNaN(value) ? 0 : value;

type Mapping = Pick<Merger, 'from' | 'to'>;

/** The mergers that the groups of rows suggest. Mergers that claim the same gone product are all left out. */
function mergersAmong(all: readonly SiblingGroup[]): readonly Mapping[] {
  const sources = new Map<number, Set<number>>();
  for (const { gone, targets } of all) {
    for (const target of targets) {
      const [only, ...others] = combinationsOf(gone).filter((parts) => isSum(parts, target));
      if (only === undefined || others.length > 0) continue;
      const from = getOrInsert(sources, target.product, () => new Set());
      for (const { product } of only) from.add(product);
    }
  }
  const uses = new Map<number, number>();
  for (const from of sources.values()) for (const product of from) addTo(uses, product, 1);
  return [...sources].flatMap(([to, from]) =>
    [...from].every((product) => uses.get(product) === 1)
      ? [{ from: [...from].sort((a, b) => a - b), to }]
      : [],
  );
}

/** All combinations of one part or more. Zeros are left out, because they change no sum. */
function combinationsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const all: (readonly Part[])[] = [];
  for (const part of parts.filter(hasFigure)) {
    const longer = all.map((some) => [...some, part]);
    all.push([part], ...longer);
  }
  return all;
}

const hasFigure = ({ amount }: Part): boolean => amount !== 0;

/** Whether a row gained the sum of these parts. Each figure may be rounded. */
function isSum(parts: readonly Part[], target: Part): boolean {
  const amounts = [...parts.map(({ amount }) => amount), target.amount];
  const unit = amounts.every(Number.isInteger) ? roundingUnit(amounts) : CENT;
  const sum = parts.reduce((total, { amount }) => total + amount, 0);
  const rounding = Math.min((unit * amounts.length) / 2, ROUNDING_SHARE * Math.abs(target.amount));
  return Math.abs(sum - target.amount) <= rounding * (1 + 1e-9);
}

const CENT = 0.01;

/**
 * The rows of a merger; null if a reported figure contradicts it, or if too few sums are equal. Some figures may be revised
 * in the month of a merger. They may then differ from the sum by less than a suspicious move.
 */
function mergerRows(
  { from, to }: Mapping,
  all: readonly SiblingGroup[],
): Omit<MergerCandidate, 'country' | 'from' | 'to'> | null {
  const rows: { gone: number[]; added: number[]; grown: number[] } = { gone: [], added: [], grown: [] };
  let [exact, additions, reported] = [0, 0, 0];
  for (const { gone, targets, isForecast } of all) {
    const parts = gone.filter(({ product }) => from.includes(product));
    if (parts.length === 0) continue;
    const target = targets.find(({ product }) => product === to);
    if (!hasGainedNearlySum(parts, target, isForecast)) {
      if (isForecast) continue;
      return null;
    }
    rows.gone.push(...parts.map(({ row }) => row));
    if (target === undefined) continue;
    if (isSum(parts, target)) {
      exact += 1;
      if (parts.filter(hasFigure).length > 1 || target.before !== 0) additions += 1;
    }
    if (!isForecast) reported += 1;
    (target.isAdded ? rows.added : rows.grown).push(target.row);
  }
  if (exact < Math.max(FEWEST_SUMS, EXACT_SHARE * reported)) return null;
  return { ...rows, isAddedUp: additions >= FEWEST_SUMS };
}

/** Whether a row gained nearly the sum of these parts. If no part has a figure, no row needs to gain. */
function hasGainedNearlySum(parts: readonly Part[], target: Part | undefined, isForecast: boolean): boolean {
  const sum = parts.reduce((total, { amount }) => total + amount, 0);
  if (target === undefined) return !parts.some(hasFigure);
  const most = isForecast ? FORECAST_DISTANCE : SUSPICIOUS_MOVE;
  return Math.abs(sum - target.amount) < most * Math.abs(target.before + sum);
}
