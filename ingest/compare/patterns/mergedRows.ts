// Describes mergers and changed names of products as patterns, so that the rows of the products do not count as lost.

import { ascending, groupBy } from '../../../src/basics/lists.ts';
import type { Rows } from '../rows/codedRows.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { Merger } from '../sharedMergers.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import { CALLED_REPORTED } from './forecastsCalledReported.ts';
import { groupedByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';
import { namedPairs, pairsOf } from './valuePairs.ts';

/**
 * The patterns of mergers, by country. The same merger in many countries is one pattern. A shared merger is always one
 * pattern, which includes the countries where only a product's name changed. The cells of a pattern are the gone rows. The
 * rows that have the sums are marked as explained, too.
 */
export function findMergedRows(search: PatternSearch, mergers: readonly Merger[]): Pattern[] {
  const { changes, matched } = search;
  if (mergers.length === 0) return [];
  const merged = mergers
    .map((merger) => ({ merger, cells: goneCells(search, merger) }))
    .filter(({ cells }) => cells.length > 0);
  explainGains(search, mergers);
  const { codes } = matched;
  const alike = groupBy(merged, ({ merger: { from, to, isAddedUp, shared } }) =>
    shared === null ? `${from.join(' ')} ${to} ${isAddedUp}` : `shared ${shared.join(' ')} ${to}`,
  );
  return [...alike.values()].flatMap((same) => {
    const { isAddedUp, shared } = same[0].merger;
    const family = isAddedUp || shared !== null ? 'merged' : 'relabelled';
    const many = shared === null || same.length === 1 ? undefined : 1;
    return groupedByCountry(same, ({ merger }) => merger.country, codes, many).map(({ place, items }) => {
      const moved = items.flatMap(({ merger: { country, to }, cells }) =>
        cells.map((change) => ({ country, from: changes.code('product', change), to })),
      );
      const pairs = namedPairs(codes, 'product', pairsOf(moved));
      const cells = items.flatMap((one) => one.cells);
      const replacedBy = items.reduce((sum, { merger }) => sum + merger.added.length, 0);
      changes.explain(cells);
      const between = { dimension: 'product', pairs } as const;
      const countries = ascending(items.map(({ merger }) => merger.country));
      const further =
        place.country === undefined ? countries.map((country) => codes.textOf('country', country)) : null;
      const pattern = describePattern(search, { family, place, between, further }, cells);
      return { ...pattern, replacedBy, ...(shared === null ? {} : { onlyNamed: onlyNamedIn(items) }) };
    });
  });
}

/** A merger in a country, and the changes of its gone rows. */
interface MergedCells {
  readonly merger: Merger;
  readonly cells: readonly Change[];
}

/** How many countries of a shared merger added nothing up, and how many cells they have. */
function onlyNamedIn(all: readonly MergedCells[]): NonNullable<Pattern['onlyNamed']> {
  const some = all.filter(({ merger }) => !merger.isAddedUp);
  return { countries: some.length, cells: some.reduce((sum, one) => sum + one.cells.length, 0) };
}

function goneCells({ changes }: PatternSearch, { gone }: Merger): readonly Change[] {
  const rows = new Set(gone);
  return changes.unexplained(CHANGE_KIND.removed, (change) => rows.has(changes.rowOf(change)[1]));
}

/** Marks as explained the changes of the rows that have the sums of mergers. */
function explainGains({ changes, matched }: PatternSearch, mergers: readonly Merger[]): void {
  const [added, grown] = [
    new Set(mergers.flatMap((one) => one.added)),
    new Set(mergers.flatMap((one) => one.grown)),
  ];
  // A figure that is called reported too early has a change of its own. That change is not explained here.
  const isOf = (list: ReadonlySet<number>, side: Rows) => (change: Change) => {
    const [rows, row] = changes.rowOf(change);
    return rows === side && list.has(row) && changes.calledReported[change] === CALLED_REPORTED.no;
  };
  changes.explain(changes.unexplained(CHANGE_KIND.added, isOf(added, matched.after)));
  changes.explain(changes.unexplained(CHANGE_KIND.revised, isOf(grown, matched.before)));
}
