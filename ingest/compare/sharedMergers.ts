// Finds mergers that several countries have in common.
// Countries that had only some of the merged products are then assigned to these mergers.

import { groupBy } from '../../src/groupBy.ts';
import type { Merger } from './merger.ts';

/**
 * The number of countries that must have added up the same products. In fewer, a country in which a product only has another name
 * may have been labelled by mistake.
 */
const FEWEST_COUNTRIES = 3;

/** A merger in one country, before it is compared with those of other countries. */
export type Candidate = Omit<Merger, 'shared'>;

/**
 * The mergers, those of a shared merger with all its products as `shared`. A country whose only products of a shared merger have its
 * name now belongs to it, although nothing was added up there.
 *
 * @param hadProduct Whether a country had a product on the earlier side.
 */
export function joinShared(
  candidates: readonly Candidate[],
  hadProduct: (country: number, product: number) => boolean,
): readonly Merger[] {
  const addedUp = groupBy(
    candidates.filter((one) => one.isAddedUp),
    ({ from, to }) => `${from.join(' ')} ${to}`,
  );
  const shared = [...addedUp.values()]
    .filter((all) => all.length >= FEWEST_COUNTRIES)
    .map(([first]) => first);
  return candidates.map((one) => {
    const { country, from, to } = one;
    const whole = shared.find(
      (merger) =>
        merger.to === to &&
        from.every((product) => merger.from.includes(product)) &&
        merger.from.every((product) => from.includes(product) || !hadProduct(country, product)),
    );
    return { ...one, shared: whole?.from ?? null };
  });
}
