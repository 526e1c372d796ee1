// Finds figures of ggr and turnover that now repeat those of another year, currency, country, product or other part.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { hasManyDigits } from '../../figures/digits.ts';
import { logDistance } from '../ratios.ts';
import { type GroupedItems, GroupNumbers, groupedItems } from '../rows/groupNumbers.ts';
import { CHANGE_KIND, isNonZero } from '../rows/matchedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import { repeatedValuesIn, rowsWithValues, sortedIncludes } from './equalValues.ts';
import type { Pattern } from './patternTypes.ts';
import { type CodePair, namedPairs, pairsOf } from './valuePairs.ts';

/** The number of values that must be equal. Fewer may be equal by chance. */
const FEWEST_COPIES = 3;

/**
 * The share of a country's changed values that must be copies. Only the years and the values of the dimension that have
 * copies count.
 */
const COPIED_SHARE = 0.5;

/**
 * The same share for copies of another country. It is smaller, because only figures in currencies that both countries have
 * can be equal.
 */
const COPIED_SHARE_OF_COUNTRY = 0.3;

/** The dimensions in which a copy may differ from its source, the most common mistake first. */
const DIMENSIONS: readonly DimensionName[] = [
  'year',
  'fx',
  'country',
  'product',
  'channel',
  'sub_channel',
  'category',
  'state',
];

/** Dimensions that may differ together with another one, because they depend on it. */
const BELONGING: Partial<Record<DimensionName, readonly DimensionName[]>> = {
  country: ['region', 'state'],
  product: ['category'],
  channel: ['sub_channel'],
};

/** The most pairs of values that a pattern lists. */
const MOST_PAIRS = 60;

/** The possible sources of copies: rows of the earlier side, and values that were revised themselves. */
interface Sources {
  readonly rows: Int32Array;
  readonly revised: readonly Change[];
}

/** A value that repeats that of another code of a dimension. `to` is the code of the copy, `from` that of the source. */
interface Copy {
  readonly change: Change;
  readonly country: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Finds values other than zero that equal the value of another row to the last digit. The other row is one of the earlier
 * side, or a revised one of the later side. It differs in one dimension, and otherwise only in dimensions that depend on
 * this one: a country's region, a product's category, a channel's sub-channel. Only ggr and turnover are checked, because
 * rates and indicators may rightly repeat.
 */
export function findCopies(search: PatternSearch): Pattern[] {
  if (!search.matched.codes.has('fx')) return [];
  // Reported figures and forecasts are searched separately.
  return [false, true].flatMap((forecast) => copiesAmong(search, forecast));
}

function copiesAmong(search: PatternSearch, forecast: boolean): Pattern[] {
  const { matched, changes } = search;
  const candidates = mayBeCopies(search, forecast);
  const changed = () => candidates.filter((change) => changes.isExplained[change] === 0);
  const sources = sourcesOf(search, changed());
  if (sources.rows.length + sources.revised.length < FEWEST_COPIES) return [];
  const repeated = new Set([
    ...Array.from(sources.rows, (row) => matched.before.value(0, row)),
    ...sources.revised.map((change) => changes.now(change)),
  ]);
  return DIMENSIONS.filter((dimension) => matched.codes.has(dimension)).flatMap((dimension) => {
    const needsExact = forecast && dimension === 'year';
    const suspects = changed().filter(
      (change) => repeated.has(changes.now(change)) && (!needsExact || isExactForecast(search, change)),
    );
    const copies = copiesOf(search, dimension, suspects, sources);
    return patternsOf(search, copies, { dimension, forecast, changed });
  });
}

function sourcesOf(search: PatternSearch, changed: readonly Change[]): Sources {
  const values = Float64Array.from(changed, (change) => search.changes.now(change)).sort();
  return {
    rows: rowsWithValues(search.matched.before, values),
    revised: revisedWithValues(search, repeatedValuesIn(values)),
  };
}

/** Values of the first metric that are new or revised, and not zero. */
function mayBeCopies({ changes }: PatternSearch, forecast: boolean): readonly Change[] {
  const { kind, metric, forecast: isForecast } = changes;
  const found: Change[] = [];
  for (let i = 0; i < changes.count; i += 1) {
    if (kind[i] === CHANGE_KIND.removed || metric[i] !== 0 || isForecast[i] !== Number(forecast)) continue;
    if (isNonZero(changes.now(i))) found.push(i);
  }
  return found;
}

/**
 * Whether a forecast that equals another year's is a copy. It must be revised, because the forecast of a new year may
 * rightly repeat the last one. It must also have many digits, because rounded figures may be equal by chance.
 */
const isExactForecast = ({ changes }: PatternSearch, change: Change): boolean =>
  changes.kind[change] === CHANGE_KIND.revised && hasManyDigits(changes.now(change));

/** The figures that were revised to one of these values. `values` must be sorted. */
function revisedWithValues({ changes }: PatternSearch, values: Float64Array): readonly Change[] {
  const { kind, metric } = changes;
  const found: Change[] = [];
  if (values.length === 0) return found;
  for (let i = 0; i < changes.count; i += 1)
    if (kind[i] === CHANGE_KIND.revised && metric[i] === 0 && sortedIncludes(values, changes.now(i)))
      found.push(i);
  return found;
}

/**
 * The changed values that repeat the value of another code of a dimension. If several codes have the value, the smallest
 * code is the source.
 */
function copiesOf(
  search: PatternSearch,
  dimension: DimensionName,
  changed: readonly Change[],
  { rows, revised }: Sources,
): readonly Copy[] {
  const {
    matched: { codes, before },
    changes,
  } = search;
  const groups = GroupNumbers.without(codes, dimension, ...(BELONGING[dimension] ?? []), 'temporal');
  const groupOf = changes.addToGroups(groups, changed);
  const rowsOfGroup = groupedItems(groups.ofRows(before, rows), groups.count);
  const revisedOfGroup = groupedItems(changes.groupsIn(groups, revised), groups.count);
  const [codeOfRow, values] = [before.codes(dimension), before.values(0)];
  return changed.flatMap((change, at) => {
    const group = groupOf[at] as number;
    const to = changes.code(dimension, change);
    let from = Number.POSITIVE_INFINITY;
    for (let item = firstOf(rowsOfGroup, group); item < firstOf(rowsOfGroup, group + 1); item += 1) {
      const row = rows[rowsOfGroup.items[item] as number] as number;
      const code = codeOfRow[row] as number;
      if (code !== to && code < from && values[row] === changes.now(change)) from = code;
    }
    for (let item = firstOf(revisedOfGroup, group); item < firstOf(revisedOfGroup, group + 1); item += 1) {
      const source = revised[revisedOfGroup.items[item] as number] as Change;
      const code = changes.code(dimension, source);
      if (code !== to && code < from && isCopyOf(search, change, source)) from = code;
    }
    return Number.isFinite(from) ? [{ change, country: changes.code('country', change), from, to }] : [];
  });
}

/** The index in `items` at which a group begins. */
const firstOf = ({ starts }: GroupedItems, group: number): number => starts[group] as number;

/** Whether two values are equal now and differed on the earlier side, and `copy` moved further than `source`. */
function isCopyOf({ changes }: PatternSearch, copy: Change, source: Change): boolean {
  if (changes.now(copy) !== changes.now(source) || changes.old(copy) === changes.old(source)) return false;
  const moved = (change: Change) => logDistance(changes.now(change), changes.old(change));
  // The distance of a new value is NaN, which counts as further.
  return !(moved(copy) <= moved(source));
}

interface CopySearch {
  /** The dimension in which copies differ from their sources. */
  readonly dimension: DimensionName;
  readonly forecast: boolean;
  /** The changed values that no earlier pattern explains. */
  readonly changed: () => readonly Change[];
}

function patternsOf(search: PatternSearch, copies: readonly Copy[], terms: CopySearch): Pattern[] {
  return [...groupBy(unlikelyByChance(search, copies, terms), ({ country }) => country)]
    .sort(([a], [b]) => a - b)
    .flatMap(([country, ofCountry]) => patternOfCountry(search, country, ofCountry, terms) ?? []);
}

/** The share of the changed values of one currency that must be copies where figures have few digits. */
const COPIED_SHARE_OF_ROUNDED = 0.9;

/**
 * The copies that chance does not explain. Rounded figures, such as figures in millions, may equal those of another year by
 * chance. So a rounded copy counts only among many: nearly all changed figures of its country, currency and value of the
 * dimension must be copies, in all years together or in the year of the copy.
 */
function unlikelyByChance(
  { changes }: PatternSearch,
  copies: readonly Copy[],
  { dimension, changed }: CopySearch,
): readonly Copy[] {
  if (copies.every(({ change }) => hasManyDigits(changes.now(change)))) return copies;
  const isIn = (change: Change) =>
    [changes.code('country', change), changes.code(dimension, change), changes.code('fx', change)].join(' ');
  const isInYear = (change: Change) => `${isIn(change)} ${changes.code('year', change)}`;
  const cells = copies.map(({ change }) => change);
  const unlikely = [isIn, isInYear].flatMap((placeOf) => {
    const all = groupBy(changed(), placeOf);
    return [...groupBy(cells, placeOf)].flatMap(([place, copied]) =>
      copied.length >= Math.max(FEWEST_COPIES, COPIED_SHARE_OF_ROUNDED * (all.get(place)?.length ?? 0))
        ? copied
        : [],
    );
  });
  const unlikelyCells = new Set(unlikely);
  return copies.filter(({ change }) => unlikelyCells.has(change) || hasManyDigits(changes.now(change)));
}

function patternOfCountry(
  search: PatternSearch,
  country: number,
  copies: readonly Copy[],
  { dimension, forecast, changed }: CopySearch,
): Pattern | null {
  const { matched, changes } = search;
  const { codes, metrics } = matched;
  const copied = copies.map(({ change }) => change);
  const concerned = concernedBy(search, copies, dimension, changed());
  // Exchange rates change nearly all forecasts each month, so the copies of one product are a small share of the changes.
  const isOneSeries = forecast && dimension === 'year';
  const usualShare = dimension === 'country' ? COPIED_SHARE_OF_COUNTRY : COPIED_SHARE;
  const share = isOneSeries ? 0 : usualShare;
  if (copies.length < FEWEST_COPIES || copies.length < share * concerned.length) return null;
  const pairs = pairsOf(copies);
  const [first] = pairs;
  if (first === undefined || (dimension === 'fx' && wereEqual(search, country, first))) return null;
  const pattern = describePattern(
    search,
    {
      family: 'copied',
      metric: metrics[0] ?? null,
      place: { country: codes.valueOf('country', country) },
      forecast,
      of: concerned.length,
      between: { dimension, pairs: namedPairs(codes, dimension, pairs.slice(0, MOST_PAIRS)) },
    },
    copied,
  );
  changes.explain(isOneSeries ? copied : concerned);
  return pattern;
}

/** The changed values whose country, year and value of the dimension have copies. */
function concernedBy(
  { changes }: PatternSearch,
  copies: readonly Copy[],
  dimension: DimensionName,
  changed: readonly Change[],
): readonly Change[] {
  const countries = new Set(copies.map(({ country }) => country));
  const targets = new Set(copies.map(({ to }) => to));
  const years = new Set(copies.map(({ change }) => changes.code('year', change)));
  return changed.filter(
    (change) =>
      countries.has(changes.code('country', change)) &&
      targets.has(changes.code(dimension, change)) &&
      years.has(changes.code('year', change)),
  );
}

/** Whether two currencies had equal values before, because they are pegged 1:1 or are one currency with two codes. */
function wereEqual(
  { matched: { codes, before } }: PatternSearch,
  country: number,
  { from, to }: CodePair,
): boolean {
  const keyOf = codes.keys.without('fx');
  const [countries, currencies] = [before.codes('country'), before.codes('fx')];
  const values = new Map<number | string, number>();
  for (let row = 0; row < before.count; row += 1)
    if (countries[row] === country && currencies[row] === from)
      values.set(keyOf(before, row), before.value(0, row));
  let [compared, equal] = [0, 0];
  for (let row = 0; row < before.count; row += 1) {
    if (countries[row] !== country || currencies[row] !== to) continue;
    const other = values.get(keyOf(before, row));
    if (other === undefined) continue;
    compared += 1;
    if (other === before.value(0, row)) equal += 1;
  }
  return compared > 0 && equal > compared / 2;
}
