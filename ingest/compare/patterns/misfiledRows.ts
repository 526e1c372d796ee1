// Finds new rows whose product is in a category that no row had with it, or whose sub-channel is in such a channel.

import { groupBy } from '../../../src/basics/lists.ts';
import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { countriesByValue } from '../rowChanges.ts';
import type { CodeArray } from '../rows/codedRows.ts';
import { CHANGE_KIND } from '../rows/matchedRows.ts';
import type { Change, PatternSearch } from './cellChanges.ts';
import { describePattern } from './describePattern.ts';
import { groupedByCountry } from './patternsByCountry.ts';
import type { Pattern } from './patternTypes.ts';

/** A dimension whose value follows from that of another one. */
interface Pair {
  readonly dimension: DimensionName;
  readonly owner: DimensionName;
}

const PAIRS: readonly Pair[] = [
  { dimension: 'category', owner: 'product' },
  { dimension: 'channel', owner: 'sub_channel' },
];

/** From this number of countries on, their rows show what is usual. */
const FEWEST_COUNTRIES = 3;

/**
 * The new rows of published countries under a label that no row had with their product or sub-channel, where all rows of
 * several countries have one other label. The checks of a first load examine new countries.
 */
export function findMisfiledRows(search: PatternSearch): Pattern[] {
  return search.matched.codes.has('product') ? PAIRS.flatMap((pair) => misfiledIn(search, pair)) : [];
}

function misfiledIn(search: PatternSearch, pair: Pair): Pattern[] {
  const { changes, matched } = search;
  const { codes } = matched;
  const { dimension, owner } = pair;
  const added = changes.unexplained(CHANGE_KIND.added);
  const usual = usualLabels(search, pair, added);
  if (usual.size === 0) return [];
  const countriesOf = countriesByValue(matched.before, owner);
  const isPublished = (country: number) =>
    [...countriesOf.values()].some((countries) => countries.has(country));
  const misfiled = added.filter((change) => {
    const own = changes.code(owner, change);
    const label = usual.get(own);
    return (
      label !== undefined &&
      label !== changes.code(dimension, change) &&
      (countriesOf.get(own)?.size ?? 0) >= FEWEST_COUNTRIES &&
      isPublished(changes.code('country', change))
    );
  });
  changes.explain(misfiled);
  const ofLabels = groupBy(
    misfiled,
    (change) => `${changes.code(owner, change)} ${changes.code(dimension, change)}`,
  );
  return [...ofLabels.values()].flatMap((all) => {
    const [first] = all;
    const { [owner]: name = '', [dimension]: to = '' } = changes.dimensionsOf(first);
    const from = codes.valueOf(dimension, usual.get(changes.code(owner, first)) ?? 0);
    return groupedByCountry(all, (change) => changes.code('country', change), codes).map(
      ({ place, items }) => {
        const between = { dimension, pairs: [{ from, to, cells: items.length }] };
        return describePattern(
          search,
          { family: 'misfiled', place: { ...place, [owner]: name }, between },
          items,
        );
      },
    );
  });
}

/** The only label on the earlier side of each owner that has another label in some added row. */
function usualLabels(
  { changes, matched: { codes, before } }: PatternSearch,
  { dimension, owner }: Pair,
  added: readonly Change[],
): ReadonlyMap<number, number> {
  const usual = new Map<number, number>();
  if (added.length === 0) return usual;
  const labels = codes.size(dimension);
  const isKnown = new Uint8Array(codes.size(owner) * labels);
  markPairs(isKnown, before.codes(owner), before.codes(dimension), labels);
  for (const change of added) {
    const own = changes.code(owner, change);
    if (usual.has(own) || isKnown[own * labels + changes.code(dimension, change)] === 1) continue;
    const known = isKnown.subarray(own * labels, (own + 1) * labels);
    const label = known.indexOf(1);
    if (label >= 0 && label === known.lastIndexOf(1)) usual.set(own, label);
  }
  return usual;
}

/** Marks the pairs of rows. The loop is a function of its own, so that V8 optimises it alone. */
function markPairs(isKnown: Uint8Array, owners: CodeArray, labels: CodeArray, size: number): void {
  for (let row = 0; row < owners.length; row += 1)
    isKnown[(owners[row] as number) * size + (labels[row] as number)] = 1;
}
