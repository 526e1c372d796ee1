// Finds percentages that changed places, or that were held at one figure for several years.

import { groupBy } from '../../../src/basics/lists.ts';
import { addTo } from '../../../src/basics/maps.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import type { Repeat } from './repeatedPercentages.ts';

/** The percentage points by which a figure must move. Smaller revisions may lead to another's figure by chance. */
const FEWEST_POINTS = 0.5;

/** The fewest successive years that are held at one figure. Two years often have one. */
const FEWEST_HELD = 3;

/** The most exchanges of two figures that chance may explain. With one decimal, many countries have the same figures. */
const BY_CHANCE = 0.01;

/** The changed percentages that have each other's earlier figure: those of two years of a country, or of two countries. */
export function exchangedPercentages(
  { changes }: PatternSearch,
  _: number,
  changed: readonly Change[],
): Repeat[] {
  const revised = farRevised(changes, changed);
  const starts = countsOf(changed, (change) => changes.old(change));
  const ends = countsOf(changed, (change) => changes.now(change));
  return (['year', 'country'] as const).flatMap((dimension) => {
    const sizes = [...groupBy(revised, (change) => seriesOf(changes, change, dimension)).values()];
    const pairs = sizes.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
    // The expected number of pairs that exchange these two figures, by the other changes that have them.
    const byChance = (change: Change) => {
      const [start, end] = [starts.get(changes.now(change)) ?? 1, ends.get(changes.old(change)) ?? 1];
      return ((start - 1) * (end - 1) * pairs) / changed.length ** 2;
    };
    const keyOf = (change: Change, from: number, to: number) =>
      [seriesOf(changes, change, dimension), from, to].join(' ');
    const moved = new Map(
      revised.map((change) => [keyOf(change, changes.old(change), changes.now(change)), change]),
    );
    return revised.flatMap((change): Repeat[] => {
      const other = moved.get(keyOf(change, changes.now(change), changes.old(change)));
      if (other === undefined || Math.max(byChance(change), byChance(other)) > BY_CHANCE) return [];
      return [repeatOf(changes, change, other, dimension)];
    });
  });
}

/** The changed percentages of three or more successive years of a country that differed, and have one figure now. */
export function heldPercentages({ changes }: PatternSearch, _: number, changed: readonly Change[]): Repeat[] {
  const ofFigures = groupBy(
    farRevised(changes, changed),
    (change) => `${seriesOf(changes, change, 'year')} ${changes.now(change)}`,
  );
  return [...ofFigures.values()].flatMap((held) => {
    const yearOf = (change: Change) => changes.code('year', change);
    const years = [...held].sort((a, b) => yearOf(a) - yearOf(b));
    const [first, second] = years as [Change, Change | undefined];
    const isSuccessive = years.every((change, i) => yearOf(change) === yearOf(first) + i);
    const differed = new Set(held.map((change) => changes.old(change))).size > 1;
    if (held.length < FEWEST_HELD || second === undefined || !isSuccessive || !differed) return [];
    return years.map((change, i) => repeatOf(changes, change, years[i - 1] ?? second, 'year'));
  });
}

function countsOf(changed: readonly Change[], figureOf: (change: Change) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const change of changed) addTo(counts, figureOf(change), 1);
  return counts;
}

type Changes = PatternSearch['changes'];

const farRevised = (changes: Changes, changed: readonly Change[]): readonly Change[] =>
  changed.filter(
    (change) =>
      changes.kind[change] === CHANGE_KIND.revised &&
      Math.abs(changes.now(change) - changes.old(change)) >= FEWEST_POINTS,
  );

/** The key of the series in which changes of a dimension are looked for: all years of a country, or all countries of a year. */
const seriesOf = (changes: Changes, change: Change, dimension: Repeat['dimension']): string =>
  [changes.code('state', change), changes.code(dimension === 'year' ? 'country' : 'year', change)].join(' ');

const repeatOf = (
  changes: Changes,
  change: Change,
  other: Change,
  dimension: Repeat['dimension'],
): Repeat => ({
  ...{ change, dimension },
  from: changes.code(dimension, other),
  to: changes.code(dimension, change),
});
