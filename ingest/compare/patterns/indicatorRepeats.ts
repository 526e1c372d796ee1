// Finds indicators of a country, such as its gross domestic product, that repeat another year or another country.

import { groupBy } from '../../../src/basics/lists.ts';
import { metricUnit } from '../../../src/catalog/datasets.ts';
import { digitsOf, hasManyDigits } from '../../figures/digits.ts';
import type { Rows } from '../rows/codedRows.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import { allRowsWhere } from '../rows/rowLists.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import { exchangedPercentages, heldPercentages } from './exchangedPercentages.ts';
import type { Pattern } from './patternTypes.ts';
import { repeatedForecasts } from './repeatedForecasts.ts';
import { type Repeat, repeatedPercentages } from './repeatedPercentages.ts';

/** The number of forecasts that must repeat another year. Fewer may honestly stay at the figure of the year before. */
const FEWEST_FORECASTS = 3;

/**
 * The number of figures that must repeat another country. A single one may be right, as for a territory of that country.
 */
const FEWEST_OF_COUNTRY = 2;

/** The number of countries from which on repeats have one cause, and are one pattern of the dataset. */
const COUNTRIES_OF_ONE_CAUSE = 10;

/**
 * Finds indicators that equal another year of the same country, or the same year of another country, and did not on the
 * earlier side.
 *
 * Amounts must be equal in more than five digits, because rounded amounts may be equal by chance. Different forecasts that
 * became one figure for several years are found even if it is rounded. Percentages may be equal by chance as well. They
 * count only in many years of a country, or if they are a few forecasts that chance hardly explains.
 */
export function findRepeats(search: PatternSearch): Pattern[] {
  const { matched, changes } = search;
  const { codes, metrics } = matched;
  if (codes.dataset !== 'country') return [];
  return metrics.flatMap((metric, metricIndex) => {
    const isPercent = metricUnit(codes.dataset, metric) === 'percent';
    const changed: Change[] = [];
    for (let i = 0; i < changes.count; i += 1)
      if (
        mayRepeat(search, metricIndex, i) &&
        (isPercent || hasManyDigits(changes.now(i)) || mayBeConstant(search, i))
      )
        changed.push(i);
    const repeats = isPercent
      ? repeatsOfPercentage(search, metricIndex, changed)
      : withoutChance(search, repeatsOf(search, metricIndex, changed));
    const kinds = groupBy(repeats, ({ change, dimension }) => `${dimension} ${changes.forecast[change]}`);
    return [...kinds.values()].flatMap((kind) => patternsOf(search, metric, kind, isPercent));
  });
}

/** The percentages that repeat others: many years of a country, exchanged ones, years held at one figure, a few forecasts. */
function repeatsOfPercentage(
  search: PatternSearch,
  metricIndex: number,
  changed: readonly Change[],
): Repeat[] {
  const found: Repeat[] = [];
  for (const find of [repeatedPercentages, exchangedPercentages, heldPercentages, repeatedForecasts]) {
    const known = new Set(found.map(({ change }) => change));
    const left = changed.filter((change) => !known.has(change));
    found.push(...find(search, metricIndex, left));
  }
  return found;
}

/** Whether a value may be a repeat. An added forecast is left out, because it may rightly repeat the year before. */
const mayRepeat = ({ changes }: PatternSearch, metricIndex: number, change: Change) =>
  changes.metric[change] === metricIndex &&
  changes.isExplained[change] === 0 &&
  (changes.kind[change] === CHANGE_KIND.revised ||
    (changes.kind[change] === CHANGE_KIND.added && changes.forecast[change] === 0)) &&
  !Number.isNaN(changes.now(change));

/**
 * Whether a revised forecast moved further than rounding explains. Then it may have been set to the figure of another year.
 */
function mayBeConstant({ changes }: PatternSearch, change: Change): boolean {
  const [old, now] = [changes.old(change), changes.now(change)];
  const isRevised = changes.kind[change] === CHANGE_KIND.revised && changes.forecast[change] === 1;
  return isRevised && now !== 0 && Math.abs(now - old) > digitsOf(now).unit;
}

/**
 * Leaves out figures with few digits, because they may equal another year or country by chance. It keeps those of a series
 * in which at least three forecasts differed on the earlier side and have one figure now.
 */
function withoutChance({ changes }: PatternSearch, repeats: readonly Repeat[]): readonly Repeat[] {
  const isLong = ({ change }: Repeat) => hasManyDigits(changes.now(change));
  const short = repeats.filter((one) => one.dimension === 'year' && !isLong(one));
  const series = groupBy(short, ({ change }) =>
    [changes.code('country', change), changes.code('state', change), changes.now(change)].join(' '),
  );
  const differed = (own: readonly Repeat[]) => new Set(own.map(({ change }) => changes.old(change))).size;
  const constantRepeats = new Set(
    [...series.values()].filter((own) => differed(own) >= FEWEST_FORECASTS).flat(),
  );
  return repeats.filter((one) => isLong(one) || constantRepeats.has(one));
}

function repeatsOf(search: PatternSearch, metricIndex: number, changed: readonly Change[]): Repeat[] {
  const { matched, changes } = search;
  if (changed.length === 0) return [];
  const { before, after } = matched;
  const values = new Set(changed.map((change) => changes.now(change)));
  const rowsOf = (rows: Rows) => {
    const figureOf = (row: number) => rows.value(metricIndex, row);
    const found = groupBy(
      allRowsWhere(rows, (row) => values.has(figureOf(row))),
      figureOf,
    );
    return (value: number) => found.get(value) ?? [];
  };
  const [olds, news] = [rowsOf(before), rowsOf(after)];
  const keyOf = matched.codes.keys.by(['country', 'state', 'year']);
  const valuesBefore = new Map<number | string, number>();
  for (let row = 0; row < before.count; row += 1)
    valuesBefore.set(keyOf(before, row), before.value(metricIndex, row));
  return changed.flatMap((change): Repeat[] => {
    const [now, old] = [changes.now(change), changes.old(change)];
    const found = [
      ...news(now).map((row) => [after, row] as const),
      ...olds(now).map((row) => [before, row] as const),
    ].flatMap(([rows, row]): Repeat[] => {
      const dimension = differingIn(search, change, [rows, row]);
      // Either of two equal figures may be the copy. Another country's figure is the source only if the earlier side has
      // it.
      if (dimension === null || (dimension === 'country' && rows === after)) return [];
      if (valuesBefore.get(keyOf(rows, row)) === old) return [];
      return [{ change, dimension, from: rows.code(dimension, row), to: changes.code(dimension, change) }];
    });
    return found.slice(0, 1);
  });
}

/**
 * The dimension in which a row differs from the row of a change: year or country. Null if both differ, if neither does, or
 * if the states differ.
 */
function differingIn(
  { changes }: PatternSearch,
  change: Change,
  [rows, row]: readonly [Rows, number],
): Repeat['dimension'] | null {
  const isSame = (dimension: 'country' | 'state' | 'year') =>
    rows.code(dimension, row) === changes.code(dimension, change);
  if (!isSame('state')) return null;
  if (isSame('country')) return isSame('year') ? null : 'year';
  return isSame('year') ? 'country' : null;
}

/**
 * The patterns of repeats in one dimension, of reported figures or of forecasts.
 *
 * @param isPercent Whether the metric is a percentage. Its repeats were counted already, reported figures and forecasts
 * together, so a few of either kind are a pattern.
 */
function patternsOf(
  search: PatternSearch,
  metric: string,
  repeats: readonly [Repeat, ...Repeat[]],
  isPercent: boolean,
): Pattern[] {
  const { matched, changes } = search;
  const [{ dimension, change }] = repeats;
  const forecast = changes.forecast[change] === 1;
  const fewestOfYear = forecast ? FEWEST_FORECASTS : 1;
  const fewestAmounts = dimension === 'country' ? FEWEST_OF_COUNTRY : fewestOfYear;
  const fewest = isPercent ? 1 : fewestAmounts;
  const byCountry = [...groupBy(repeats, (one) => changes.code('country', one.change))]
    .filter(([, own]) => own.length >= fewest)
    .sort(([a], [b]) => a - b);
  const nameOf = (code: number) => matched.codes.valueOf(dimension, code);
  const patternOf = (place: Pattern['place'], own: readonly Repeat[]): Pattern => {
    const pairs = groupBy(own, ({ from, to }) => `${from} ${to}`);
    const cells = own.map((one) => one.change);
    changes.explain(cells);
    const between = {
      dimension,
      pairs: [...pairs.values()].map((pair) => {
        const [{ from, to }] = pair;
        return { from: nameOf(from), to: nameOf(to), cells: pair.length };
      }),
    };
    return describePattern(search, { family: 'repeated', metric, place, forecast, between }, cells);
  };
  if (byCountry.length >= COUNTRIES_OF_ONE_CAUSE)
    return [
      patternOf(
        {},
        byCountry.flatMap(([, own]) => own),
      ),
    ];
  return byCountry.map(([country, own]) =>
    patternOf({ country: matched.codes.valueOf('country', country) }, own),
  );
}
