// Warns of a product that some countries have in another category than the others, and of a sub-channel in another channel.

import { groupBy } from '../../../src/basics/lists.ts';
import { rowCountText } from '../stagedPlaces.ts';
import { intersectedGroups, type StagedRows, sizesOf } from '../stagedRows.ts';
import { type CheckedFigures, warnOfRow } from './checkedFigures.ts';

/** A dimension whose value follows from that of another dimension: nearly all countries have a product in one category. */
interface Pair {
  readonly dimension: 'category' | 'channel';
  readonly owner: 'product' | 'sub_channel';
  /**
   * The usual label has at least this many times the rows of a reported one. Labels with similar numbers of rows are usual.
   */
  readonly timesAsManyRows: number;
  /**
   * Whether an odd label is not reported when a country with it also has the usual label. Such a country has two products
   * of one name.
   */
  readonly allowsBoth: boolean;
}

const PAIRS: readonly Pair[] = [
  { dimension: 'category', owner: 'product', timesAsManyRows: 5, allowsBoth: true },
  { dimension: 'channel', owner: 'sub_channel', timesAsManyRows: 50, allowsBoth: false },
];

/** Reports labels that few rows have beside the usual one. */
export function checkOddLabels(figures: CheckedFigures): void {
  const { staging, rows } = figures;
  const pairs = PAIRS.filter((pair) =>
    [pair.dimension, pair.owner, 'country' as const].every((name) => rows.has(name)),
  );
  for (const { dimension, owner, timesAsManyRows, allowsBoth } of pairs) {
    const labelled = intersectedGroups([rows.numbered(owner), rows.numbered(dimension)], rows.count);
    // In most datasets each product has one category, so there are as many pairs as products.
    if (labelled.count === rows.numbered(owner).count) continue;
    const sizes = sizesOf(labelled);
    const all = Array.from(sizes.rows, (count, group) => ({
      group,
      count,
      first: sizes.first[group] as number,
    }));
    const textOf = (name: Pair['dimension' | 'owner'], row: number) =>
      staging.text(rows.dimension(name)[row]);
    for (const same of groupBy(all, ({ first }) => textOf(owner, first)).values()) {
      const [usual, ...others] = same.toSorted((a, b) => b.count - a.count);
      for (const odd of others) {
        if (usual === undefined || usual.count < timesAsManyRows * odd.count) continue;
        const oddCountries = countriesOf(rows, labelled.numbers, odd.group);
        const usualCountries = countriesOf(rows, labelled.numbers, usual.group);
        const haveBoth = [...oddCountries].some((country) => usualCountries.has(country));
        if (allowsBoth && haveBoth) continue;
        const [country] = oddCountries;
        const where = `${staging.text(country)}${oddCountries.size > 1 ? ` and ${oddCountries.size - 1} more` : ''}`;
        warnOfRow(
          figures,
          odd.first,
          {
            problem: `${dimension} of ${owner} "${textOf(owner, odd.first)}" is "${textOf(dimension, odd.first)}" in ${rowCountText(odd.count)} of ${where}, and "${textOf(dimension, usual.first)}" in ${haveBoth ? 'other rows' : 'other countries'}`,
            remedy: `write the same ${dimension}, unless another one is meant`,
            kind: `a ${owner} in another ${dimension} than elsewhere`,
            country: oddCountries.size === 1 ? staging.text(country) : null,
          },
          dimension,
        );
      }
    }
  }
}

function countriesOf(rows: StagedRows, numbers: Int32Array, group: number): ReadonlySet<number> {
  const countries = rows.dimension('country');
  const found = new Set<number>();
  for (let row = 0; row < rows.count; row += 1)
    if (numbers[row] === group) found.add(countries[row] as number);
  return found;
}
